"""Who makes which models, and by which words an answer gives that away.

One more maker is a line here, or comes from whoever runs the arena.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Maker:
    """A maker's `families` are what its models' names begin with; `names` are its own.

    Words in `ordinary` also mean something else: a llama is an animal, and people search with Google. They
    count only where an answer speaks of itself, or where a version follows a family's name.
    """

    families: tuple[str, ...]
    names: tuple[str, ...]
    ordinary: tuple[str, ...] = ()


MAKERS: tuple[Maker, ...] = (
    Maker(("gpt", "chatgpt", "davinci", "o1", "o3", "o4"), ("openai", "chatgpt"), ("o1", "o3", "o4")),
    Maker(("claude",), ("anthropic",), ("claude",)),
    Maker(
        ("gemini", "gemma", "bard", "palm", "lamda"),
        ("google deepmind", "google ai", "gemma", "lamda"),
        ("google", "deepmind", "gemini", "bard", "palm"),
    ),
    Maker(("llama", "codellama", "meta-llama"), ("meta ai", "codellama"), ("meta", "facebook", "llama")),
    Maker(
        ("mistral", "mixtral", "codestral", "magistral", "pixtral"), ("mistral ai", "mixtral"), ("mistral",)
    ),
    Maker(("qwen", "qwq", "qwen-max"), ("qwen", "tongyi qianwen", "qianwen", "alibaba cloud"), ("alibaba",)),
    Maker(("deepseek",), ("deepseek",)),
    Maker(("grok",), ("xai",), ("grok",)),
    Maker(("phi", "wizardlm", "orca"), ("wizardlm",), ("microsoft", "phi", "orca")),
    Maker(("command", "c4ai", "aya"), ("cohere", "c4ai"), ("command", "aya")),
    Maker(("yi", "01-ai"), ("01.ai", "yi-large", "零一万物"), ("yi",)),
    Maker(("glm", "chatglm"), ("zhipu", "chatglm", "智谱"), ("glm",)),
    Maker(("kimi", "moonshot"), ("moonshot ai", "月之暗面"), ("kimi", "moonshot")),
    Maker(("ernie", "wenxin"), ("baidu", "文心一言"), ("ernie",)),
    Maker(("hunyuan",), ("hunyuan", "混元"), ("tencent",)),
    Maker(("doubao", "seed"), ("doubao", "豆包"), ("bytedance",)),
    Maker(("minimax", "abab"), ("minimax",)),
    Maker(("step",), ("stepfun",)),
    Maker(("nova", "amazon-nova", "titan"), ("amazon nova",), ("amazon", "nova", "titan")),
    Maker(("nemotron", "llama-3.1-nemotron"), ("nemotron",), ("nvidia",)),
    Maker(("dbrx", "mpt", "dolly"), ("dbrx", "databricks"), ("dolly",)),
    Maker(("jamba", "jurassic"), ("ai21", "jamba"), ("jurassic",)),
    Maker(("reka",), ("reka ai",), ("reka",)),
    Maker(("granite",), ("ibm granite",), ("ibm", "granite")),
    Maker(("falcon",), ("technology innovation institute",), ("falcon",)),
    Maker(("olmo", "tulu"), ("allen institute for ai", "olmo", "tülu"), ("ai2", "tulu")),
    Maker(("vicuna", "fastchat"), ("vicuna", "lmsys"), ()),
    Maker(("koala",), ("berkeley artificial intelligence research",), ("koala", "uc berkeley")),
    Maker(("alpaca",), (), ("alpaca", "stanford")),
    Maker(("oasst", "open-assistant"), ("open assistant", "openassistant", "laion")),
    Maker(("nous", "hermes"), ("nous research", "nous-hermes"), ("hermes", "nous")),
    Maker(("solar",), ("upstage",), ("solar",)),
    Maker(("inflection", "pi"), ("inflection ai",), ("inflection", "pi")),
    Maker(("smollm",), ("smollm",), ("hugging face",)),
)
# Parts of models' names that say nothing of whose they are.
_COMMON = frozenset(
    [
        "ai",
        "api",
        "assistant",
        "base",
        "beta",
        "chat",
        "code",
        "coder",
        "dev",
        "exp",
        "experimental",
        "fast",
        "flash",
        "free",
        "instruct",
        "it",
        "large",
        "latest",
        "lite",
        "max",
        "medium",
        "mini",
        "model",
        "nano",
        "online",
        "open",
        "plus",
        "preview",
        "pro",
        "reasoning",
        "sft",
        "small",
        "thinking",
        "tiny",
        "turbo",
        "ultra",
        "v",
    ]
)
_PARTS = re.compile(r"[^\W\d_]+")


def made(model: str, makers: Iterable[Maker] = MAKERS) -> tuple[Maker, ...]:
    """The makers one of whose families is in a model's name. "nous-hermes-llama-2" is of two."""
    name = model.casefold().rsplit("/", 1)[-1]
    return tuple(maker for maker in makers if any(_in_name(family, name) for family in maker.families))


def own_word(model: str) -> str | None:
    """The first part of a model's name that says whose it is, for models whose maker is not known."""
    name = model.casefold().rsplit("/", 1)[-1]
    parts: Sequence[str] = _PARTS.findall(name)
    return next((part for part in parts if len(part) > 3 and part not in _COMMON), None)


def _in_name(family: str, name: str) -> bool:
    """Whether a name has a family in it as a word of its own; a version may follow at once, as in qwen2."""
    return re.search(rf"(?<![a-z0-9]){re.escape(family)}(?![a-z])", name) is not None
