import pytest

from bakeoff.arena.cleaning.leaks import IdentityLeaks
from bakeoff.arena.cleaning.makers import Maker, made, own_word
from tests.arena.cleaning.made import battle, votes


def word(model: str, answer: str, prompt: str = "Hello", rule: IdentityLeaks | None = None) -> str | None:
    """The reason for which a battle goes in which `model` gave `answer`, on either side alike."""
    rule = rule or IdentityLeaks()
    given = {"prompt_text": prompt}
    first = battle("1", model_a=model, model_b="zzz-1", answer_a=answer, answer_b="Fine.", **given)
    second = battle("2", model_a="zzz-1", model_b=model, answer_a="Fine.", answer_b=answer, **given)
    flags = rule(votes(first, second))
    assert flags.reasons[0] == flags.reasons[1]
    assert flags.unjudged == 0
    return flags.reasons[0]


@pytest.mark.parametrize(
    ("model", "answer", "said"),
    [
        ("gpt-4-1106-preview", "I am ChatGPT.", "chatgpt"),
        ("gpt-4-1106-preview", "I was made by OpenAI.", "openai"),
        ("gpt-3.5-turbo", "Unlike me, GPT-4o can see.", "gpt"),
        ("openai/gpt-4o", "GPT4 at your service", "gpt"),
        ("claude-3-opus", "Hi! I'm Claude, an AI assistant.", "claude"),
        ("claude-3-opus", "Claude 3 is what you are talking to.", "claude"),
        ("claude-2.1", "I work for Anthropic", "anthropic"),
        ("llama-2-70b-chat", "I'm LLaMA, an AI assistant developed by people", "llama"),
        ("meta-llama/Llama-3-8b", "I was trained by a team at Meta.", "meta"),
        ("Meta-Llama-3-8b", "Llama 3 answers:", "llama"),
        ("gemini-1.5-pro", "I am a large language model, trained by Google.", "google"),
        ("palm-2", "As a language model created by Google, I cannot", "google"),
        ("qwen2.5-72b", "我是Qwen，由阿里云开发", "qwen"),
        ("mistral-7b", "Je suis Mistral, un assistant", "mistral"),
        ("mixtral-8x7b", "Ich bin Mistral.", "mistral"),
        ("grok-2", "My name is Grok!", "grok"),
        ("phi-3-mini", "I am Phi, developed by Microsoft.", "phi"),
        ("command-r-plus", "Built by Cohere, I can help", "cohere"),
        ("nous-hermes-llama-2", "Llama 2 here", "llama"),
        ("koala-13b", "I am Koala.", "koala"),
        ("gremlin-x", "I'm Gremlin.", "gremlin"),
        ("deepseek-v3", "DeepSeek-V3", "deepseek-v3"),
    ],
)
def test_an_answer_that_names_its_model_or_maker_is_found(model: str, answer: str, said: str) -> None:
    assert word(model, answer) == f"an answer says {said!r}"


@pytest.mark.parametrize(
    ("model", "answer"),
    [
        ("gpt-4", "The egpt package and gptx are others."),
        ("claude-3-opus", "Claude Monet painted the water lilies."),
        ("llama-2-70b-chat", "The llama lives in the Andes; alpacas do too."),
        ("llama-2-70b-chat", "A meta analysis of meta-data"),
        ("gemini-1.5-pro", "Gemini is a constellation. Search Google for it."),
        ("gemini-1.5-pro", "I'm not able to search Google."),
        ("gemini-1.5-pro", "BERT is a language model developed by Google"),
        ("gemini-1.5-pro", "The Android system was developed by Google."),
        ("phi-3-mini", "phi is the golden ratio, 1.618"),
        ("grok-2", "To grok is to understand."),
        ("command-r-plus", "I am in command of the ship. Run the command."),
        ("falcon-180b", "The falcon dived."),
        ("o1-mini", "photo1.jpg"),
        ("yi-34b", "The Yi Jing"),
        ("claude-3-opus", "GPT-4 is a model by OpenAI."),
        ("vicuna-13b", "I am happy to help."),
        ("gpt-4", ""),
    ],
)
def test_other_meanings_and_other_models_are_no_leak(model: str, answer: str) -> None:
    assert word(model, answer) is None


def test_a_word_that_the_prompt_brought_up_counts_only_of_oneself() -> None:
    assert word("gpt-4", "OpenAI was founded in 2015.", "Tell me about OpenAI") is None
    assert word("gpt-4", "GPT-4 has many layers.", "How large is gpt4?") is None
    assert word("gpt-4", "I was trained by OpenAI.", "Tell me about OpenAI") == "an answer says 'openai'"
    assert word("claude-2", "Yes, I am Claude.", "Are you Claude?") == "an answer says 'claude'"
    assert word("gpt-4", "OpenAI, and I use ChatGPT", "OpenAI?") == "an answer says 'chatgpt'"


def test_any_maker_counts_where_asked_for() -> None:
    assert word("vicuna-13b", "I am ChatGPT by OpenAI") is None
    assert (
        word("vicuna-13b", "I am ChatGPT by OpenAI", rule=IdentityLeaks("any")) == "an answer says 'chatgpt'"
    )


def test_makers_can_be_added() -> None:
    more = IdentityLeaks(more=(Maker(("zephyr",), ("acme labs",), ("zephyr",)),))
    assert word("zephyr-7b", "Acme Labs made this") is None
    assert word("zephyr-7b", "Acme Labs made this", rule=more) == "an answer says 'acme labs'"
    assert word("zephyr-7b", "Zephyr is the west wind", rule=more) is None


def test_battles_without_answers_are_unjudged() -> None:
    flags = IdentityLeaks()(votes(battle("1"), battle("2", answer_b="Hi", model_b="gpt-4")))
    assert flags.unjudged == 1
    assert not flags.mask.any()


@pytest.mark.parametrize(
    ("model", "makers"),
    [("gpt-4", 1), ("nous-hermes-llama-2", 2), ("photo1-x", 0), ("qwen2-7b", 1), ("xgpt", 0)],
)
def test_makers_are_known_by_whole_words_of_a_name(model: str, makers: int) -> None:
    assert len(made(model)) == makers


@pytest.mark.parametrize(
    ("model", "part"), [("acme/zephyr-7b-beta", "zephyr"), ("chat-large-12", None), ("abc-1", None)]
)
def test_the_part_of_an_unknown_name_that_tells(model: str, part: str | None) -> None:
    assert own_word(model) == part
