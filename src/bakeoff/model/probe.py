"""Small questions to a model before anything is scored: does it do what its engine says?

Faults this is for, all of them silent in practice: an endpoint that returns the log-probability of each token
after itself instead of before (llama_cpp.server's echo without a beginning-of-text token), one that returns
those of other tokens than asked for, and stop strings that are ignored or left in the answer.
"""

import asyncio
import math
from dataclasses import dataclass, replace
from typing import Literal

from bakeoff.errors import ModelError
from bakeoff.model.probe_constraint import probe_constraint, require_constraint
from bakeoff.model.protocol import Model
from bakeoff.nouns import ConstraintKind, Generate, Generation, Input, Loglikelihood, Message, Response

Ask = Literal["generate", "loglikelihood"]

_KEY = "probe"
_QUESTIONS = ("Name three animals that live in the sea.", "What do people use a hammer for?")
_TEXTS = (
    "The capital of Germany is Berlin. The capital of Italy is Rome. The capital of France is",
    "one two three four five six seven one two three four five six seven one two three four",
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Monday Tuesday Wednesday Thursday",
)
_OTHERS = (" the", " of", " seven", " Rome", " Monday", " water", " quickly", " 9")
_LONGEST = 16
# Engines may compute one token in two ways; the largest difference seen was 0.25 nat (bfloat16 on a CPU).
_TOLERANCE = 0.5


@dataclass(frozen=True, slots=True)
class Written:
    """A token the model wrote first after `text`, its log-probability when scored, and the best of others.

    The model prefers what it wrote, so `logprob` is at least `other`, but for rounding.
    """

    text: str
    token: str
    logprob: float
    other: float


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """What a probe saw. Empty and None: not looked at, or nothing to see.

    `stops` says whether a stop string ended an answer. `same_twice` is the share of prompts that were
    answered the same both times at temperature 0, the two being in flight together; below 1 the model cannot
    be repeated exactly. `written` is the evidence that log-probabilities belong to the tokens asked for.
    `beginnings` counts beginning-of-text tokens at the front of a prompt, where the engine can tell.
    `constraint` says whether an answer was held to one.
    """

    ask: Ask
    calls: int = 0
    stops: str = ""
    same_twice: float | None = None
    written: tuple[Written, ...] = ()
    beginnings: int | None = None
    constraint: str = ""


async def probe(
    model: Model,
    *,
    ask: Ask,
    images: bool = False,
    constraint: ConstraintKind | None = None,
    plain: bool = False,
) -> ProbeReport:
    """Ask `model` a few small questions; at most 6 calls of at most 16 tokens, and one of a constraint.

    `constraint` is what the task holds its answers to; `plain` says that it sends texts and no messages.

    An engine that has a check of its own (`probe_loglikelihood`, where log-probabilities come from a server's
    echo) is asked for that instead. A recorded file is only asked what it holds, and a user's own pipeline
    nothing: it may know its items alone.

    Raises:
        ModelError: the model cannot do what `ask`, `images` and `constraint` need, does not answer, ignores
            stop strings or the constraint, or its log-probabilities are not those of the tokens asked for.
            Nothing should be scored with it.
    """
    check = getattr(model, "probe_loglikelihood", None)
    if ask == "loglikelihood" and check is not None:
        await check()
    _require(model, ask, images=images)
    if constraint is not None:
        require_constraint(model, constraint)
    if model.identity.engine in ("recorded", "call", "endpoint"):
        return ProbeReport(ask)
    beginnings = _beginnings(model)
    if ask == "generate":
        report = await _generating(model, beginnings)
        if constraint is None:
            return report
        prompt = _QUESTIONS[0] if plain else _question(model, _QUESTIONS[0])
        held = await probe_constraint(model, constraint, prompt)
        return replace(report, calls=report.calls + 1, constraint=held)
    if check is not None:
        return ProbeReport(ask, beginnings=beginnings)
    return await _scoring(model, beginnings)


def _require(model: Model, ask: Ask, *, images: bool) -> None:
    """That the engine says it can."""
    identity, can = model.identity, model.capabilities
    name = f"{identity.engine}:{identity.name}"
    if ask == "loglikelihood" and not can.loglikelihood:
        source = "hf:… or gguf:…, or a server such as vLLM's"
        if identity.engine == "recorded":
            source = "a file with a column `logprobs`, one number per option"
        raise ModelError(
            f"{name} gives no log-probabilities of given texts, which the task needs",
            f"Use {source}, or a task that generates its answers.",
        )
    if ask == "generate" and not can.generate:
        raise ModelError(
            f"{name} has no written answers, which the task needs", "Use a task that scores log-likelihoods."
        )
    if images and not can.images:
        raise ModelError(
            f"{name} takes no images, and the task has some",
            "Use a model with vision: hf:…, openai:…, anthropic:… or http://HOST/v1#MODEL.",
        )


def _beginnings(model: Model) -> int | None:
    """Beginning-of-text tokens at the front of a prompt, by engines that can count them."""
    counter = getattr(model, "beginnings", None)
    if counter is None:
        return None
    found = [int(counter(prompt)) for prompt in (_TEXTS[0], _question(model, _QUESTIONS[0]))]
    if max(found) > 1:
        raise ModelError(
            f"{model.identity.name} is sent {max(found)} beginning-of-text tokens where it knows one",
            "Its chat template writes one of its own: report the model.",
        )
    return max(found)


async def _generating(model: Model, beginnings: int | None) -> ProbeReport:
    prompts = [_question(model, text) for text in _QUESTIONS]
    answers = await asyncio.gather(*(_written(model, prompt, _LONGEST) for prompt in (*prompts, *prompts)))
    pairs = list(zip(answers, answers[len(prompts) :], strict=False))
    same = sum(first.text == second.text for first, second in pairs) / len(pairs)
    stops, calls = "not shown: no answer long enough to be stopped", len(answers)
    for prompt, answer in zip(prompts, answers, strict=False):
        if stop := _word_within(answer.text):
            stops, calls = await _stopping(model, prompt, stop), calls + 1
            break
    return ProbeReport("generate", calls, stops=stops, same_twice=same, beginnings=beginnings)


async def _stopping(model: Model, prompt: Input, stop: str) -> str:
    """Whether `stop`, which stands in the answer to `prompt`, ends it."""
    request = Generate(_KEY, prompt, Generation(max_tokens=_LONGEST, stop=(stop,)), seed=0)
    answer = await model.generate(request)
    if answer.failure is not None:
        return f"refused: {answer.failure.message}"
    if stop in answer.text:
        raise ModelError(
            f"{model.identity.name} ignores stop strings: stopped at {stop!r}, it wrote {answer.text!r}",
            "Answers would run on into text that nobody asked for. Nothing was scored.",
        )
    return "work" if answer.stop == stop else "work, without being named"


async def _scoring(model: Model, beginnings: int | None) -> ProbeReport:
    if not (model.capabilities.generate and model.capabilities.plain):
        return ProbeReport("loglikelihood", beginnings=beginnings)
    seen = [await _compare(model, text) for text in _TEXTS]
    for written in seen:
        if written is not None and written.logprob < written.other - _TOLERANCE:
            raise ModelError(
                f"{model.identity.name} writes {written.token!r} after …{written.text[-25:]!r}, but scores "
                f"it {written.logprob:.2f}, below the {written.other:.2f} of another word: these are not the "
                "log-probabilities of the tokens asked for",
                "Nothing was scored. Use another engine for this task, such as hf:…",
            )
    return ProbeReport(
        "loglikelihood",
        2 * len(seen),
        written=tuple(written for written in seen if written is not None),
        beginnings=beginnings,
    )


async def _compare(model: Model, text: str) -> Written | None:
    """The first token the model writes after `text` against other words; None if it cannot be spelt."""
    token = (await _written(model, text, 1)).text
    others = tuple(other for other in _OTHERS if other != token)
    if not token.strip() or not token.isprintable():
        return None
    request = Loglikelihood(_KEY, text, (token, *others, token))
    answer = await model.loglikelihood(request)
    _answered(model, answer)
    scores = [option.logprob for option in answer.options]
    if len(scores) != len(request.continuations) or not all(-math.inf < score <= 1e-3 for score in scores):
        raise ModelError(
            f"{model.identity.name}: {scores} came back as the log-probabilities of "
            f"{len(request.continuations)} continuations"
        )
    if abs(scores[0] - scores[-1]) > _TOLERANCE:
        raise ModelError(
            f"{model.identity.name} scores {token!r} {scores[0]:.2f} as the first option of a request and "
            f"{scores[-1]:.2f} as the last"
        )
    # Spelt with several tokens, it is not the one that was written.
    if answer.options[0].tokens > 1:
        return None
    return Written(text, token, scores[0], max(scores[1:-1]))


async def _written(model: Model, prompt: Input, tokens: int) -> Response:
    answer = await model.generate(Generate(_KEY, prompt, Generation(max_tokens=tokens), seed=0))
    _answered(model, answer)
    return answer


def _answered(model: Model, answer: Response) -> None:
    if answer.failure is not None:
        kind, message = answer.failure.kind, answer.failure.message
        raise ModelError(
            f"{model.identity.name} did not answer a probe: {message} ({kind})", "Nothing was scored."
        )


def _question(model: Model, text: str) -> Input:
    return (Message.of("user", text),) if model.capabilities.chat else text


def _word_within(text: str) -> str:
    """A word of `text` that is not its first, to stop at; empty if there is none."""
    words = text.split()
    return next((word for word in words[1:] if len(word) > 1 and not text.lstrip().startswith(word)), "")
