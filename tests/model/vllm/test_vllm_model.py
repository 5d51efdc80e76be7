"""SmolLM2-135M through vLLM, beside the hf engine on the same weights. Skips where vLLM is not installed."""

import asyncio
import json
import re
from importlib.util import find_spec

import pytest

from bakeoff.errors import ModelError
from bakeoff.model.hf.dequantise import dequantised
from bakeoff.model.hf.model import HfModel
from bakeoff.model.vllm import VllmModel
from bakeoff.nouns import (
    Constraint,
    FailureKind,
    FinishReason,
    Generate,
    Generation,
    Loglikelihood,
    Message,
    Part,
)

needs_vllm = pytest.mark.skipif(find_spec("vllm") is None, reason="vllm is not installed")

FRANCE = "The capital of France is"
CITIES = ("Paris", "Rome", "Tokyo", "Lima", "Nairobi", "Oslo", "Cairo", "Madrid")
# Longer than two blocks of the prefix cache, which have 128 tokens on a CPU.
SHOTS = "".join(
    f"Question: Which city do we speak of, number {n}?\nAnswer: {city}\n\n" for n, city in enumerate(CITIES)
)
SENTENCES = tuple(f" It is {city}, a city of many people." for city in CITIES)
LOGLIKELIHOODS = (
    *(Loglikelihood(f"few {n}", f"{SHOTS}Question: Number {n}?\nAnswer:", SENTENCES) for n in range(4)),
    Loglikelihood("one token", FRANCE, tuple(f" {city}" for city in CITIES), unconditional=True),
    Loglikelihood("letters", f"{SHOTS}A. Paris\nB. Rome\nAnswer:", (" A", " B", " C", " D")),
    Loglikelihood("chat", (Message.of("user", "What is the capital of France?"),), ("Paris", "Rome, Italy")),
    Loglikelihood(
        "leads", "The bag does not hold the ball: the", (" is large.",) * 2, leads=(" ball", " bag")
    ),
    Loglikelihood("boundary", "The capital of Fra", ("nce is Paris", " is")),
    Loglikelihood("documents", "", (SHOTS * 3, "Hi there."), rolling=True),
    Loglikelihood("many options", "A number:", tuple(f" {chr(97 + n % 26)}{n}" for n in range(150))),
)
GENERATIONS = (
    *(
        Generate("chat", (Message.of("user", f"Say: {city}."),), Generation(max_tokens=16), 0)
        for city in CITIES
    ),
    *(
        Generate(
            "stop",
            f"{city} is",
            Generation(
                max_tokens=24,
                stop=(".\n", ","),
            ),
            0,
        )
        for city in CITIES
    ),
)


def ask(prompt, seed=0, **generation):
    return Generate("item", prompt, Generation(**generation), seed)


async def answers(model):
    """Log-likelihoods twice, the second time with all of it in the prefix cache, and written answers."""
    return [
        await asyncio.gather(*map(model.loglikelihood, LOGLIKELIHOODS)),
        await asyncio.gather(*map(model.loglikelihood, LOGLIKELIHOODS)),
        await asyncio.gather(*map(model.generate, GENERATIONS)),
    ]


@pytest.fixture(scope="module")
def vllm(smollm2_path):
    """The engine, and a loop to ask it in. It reads one token less than its context has."""
    settings = {"dtype": "float32", "context_length": "513", "eager": "true"}
    with asyncio.Runner() as runner:
        model = VllmModel(str(dequantised(smollm2_path)[0]), settings)
        runner.run(model.__aenter__())
        yield model, runner.run
        runner.run(model.__aexit__(None, None, None))


@pytest.fixture(scope="module")
def both(vllm, smollm2_path):
    async def by_hf():
        async with HfModel(str(dequantised(smollm2_path)[0]), {"context_length": "512"}) as model:
            return await answers(model)

    model, run = vllm
    return run(answers(model)), asyncio.run(by_hf())


@needs_vllm
@pytest.mark.model
@pytest.mark.parametrize("time", [0, 1], ids=["first", "cached"])
def test_log_likelihoods_are_those_of_the_hf_engine(both, time):
    for request, ours, theirs in zip(LOGLIKELIHOODS, both[0][time], both[1][time], strict=True):
        assert ours.failure is None, ours.failure
        for option, reference in zip(ours.options, theirs.options, strict=True):
            tolerance = 5e-4 * max(1, option.tokens / 32)
            assert option.logprob == pytest.approx(reference.logprob, abs=tolerance), request.key
            assert option.greedy is reference.greedy
            assert (option.tokens, option.note) == (reference.tokens, reference.note)
            for mine, other in (
                (option.unconditional, reference.unconditional),
                (option.other, reference.other),
            ):
                assert (mine is None and other is None) or mine == pytest.approx(other, abs=5e-4)


@needs_vllm
@pytest.mark.model
def test_greedy_answers_are_those_of_the_hf_engine(both):
    for ours, theirs in zip(both[0][2], both[1][2], strict=True):
        assert ours.failure is None, ours.failure
        assert (ours.text, ours.finish, ours.stop) == (theirs.text, theirs.finish, theirs.stop)
        assert ours.usage.prompt_tokens == theirs.usage.prompt_tokens
        assert ours.usage.completion_tokens == theirs.usage.completion_tokens
        assert 0 < ours.timing.first_token_s <= ours.timing.latency_s


@needs_vllm
@pytest.mark.model
def test_a_sampled_answer_follows_its_seed_alone_and_among_others(vllm):
    model, run = vllm

    async def among():
        asked = [ask("Once upon a time", seed, temperature=1.0, max_tokens=12) for seed in (1, 2, 1, 3)]
        return await asyncio.gather(*map(model.generate, asked))

    texts = [answer.text for answer in run(among())]
    assert texts[0] == texts[2]
    assert len(set(texts)) == 3
    assert run(model.generate(ask("Once upon a time", 1, temperature=1.0, max_tokens=12))).text == texts[0]


@needs_vllm
@pytest.mark.model
def test_a_schema_binds_what_is_written(vllm):
    model, run = vllm
    schema = {"type": "object", "properties": {"answer": {"enum": [7, 8]}}, "required": ["answer"]}
    constraint = Constraint("json_schema", json.dumps(schema | {"additionalProperties": False}))
    answer = run(model.generate(ask("What is 3 + 4? As JSON:", max_tokens=64, constraint=constraint)))
    assert json.loads(answer.text)["answer"] in (7, 8)


@needs_vllm
@pytest.mark.model
def test_a_regex_binds_what_is_written(vllm):
    model, run = vllm
    constraint = Constraint("regex", "[0-9]{3}-(yes|no)")
    answer = run(model.generate(ask("What is 3 + 4?", max_tokens=64, constraint=constraint)))
    assert re.fullmatch("[0-9]{3}-(yes|no)", answer.text)


@needs_vllm
@pytest.mark.model
def test_the_prefix_cache_spares_what_requests_have_in_common(vllm):
    model, run = vllm

    def computed(*questions):
        before = model.identity.details
        requests = [Loglikelihood("q", f"{SHOTS}And {question}:", SENTENCES) for question in questions]
        run(together(requests))
        after = model.identity.details
        return [int(after[name]) - int(before[name]) for name in ("tokens_computed", "tokens_asked")]

    async def together(requests):
        return await asyncio.gather(*map(model.loglikelihood, requests))

    spent, asked = computed("who", "when")
    assert spent < asked / 2


@needs_vllm
@pytest.mark.model
def test_what_cannot_be_asked_is_a_failure_of_that_request_alone(vllm):
    model, run = vllm
    image = (Message("user", (Part("text", "What is this?"), Part("image", "aGk=", "image/png"))),)
    for request, kind in (
        (ask("word " * 600), FailureKind.CONTEXT_LENGTH),
        (ask(FRANCE, temperature=3.0), FailureKind.REJECTED),
        (ask(image), FailureKind.UNSUPPORTED),
        (Loglikelihood("q", "word " * 600, (" a",)), FailureKind.CONTEXT_LENGTH),
        (Loglikelihood("q", FRANCE, (" Paris", "")), FailureKind.UNSUPPORTED),
    ):
        action = model.generate if isinstance(request, Generate) else model.loglikelihood
        assert run(action(request)).failure.kind is kind
    longest = run(model.generate(ask("word " * 500, max_tokens=100)))
    assert longest.finish is FinishReason.LENGTH
    assert longest.usage.prompt_tokens + longest.usage.completion_tokens == 513


@needs_vllm
@pytest.mark.model
def test_answers_that_end_early_leave_nothing_behind_in_the_engine(vllm):
    model, run = vllm

    async def leave():
        task = asyncio.create_task(model.generate(ask("Once upon a time", max_tokens=400)))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        stopped = await model.generate(ask(FRANCE, max_tokens=400, stop=(".",)))
        return stopped.text, model._entered.engine._llm.get_num_unfinished_requests()

    assert run(leave()) == (" Paris", 0)


@needs_vllm
@pytest.mark.model
def test_the_identity_says_who_answered(vllm):
    identity = vllm[0].identity
    assert (identity.engine, identity.precision) == ("vllm", "float32")
    assert identity.engine_version.startswith("vllm 0.")
    for digest in (identity.revision, identity.chat_template, identity.tokenizer):
        assert digest.startswith("sha256:")
    assert identity.settings["context_length"] == "513"


@pytest.mark.skipif(find_spec("vllm") is not None, reason="vllm is installed")
def test_without_vllm_the_message_says_what_to_install(tmp_path):
    with pytest.raises(ModelError, match=r"bakeoff\[vllm\]"):
        asyncio.run(VllmModel(str(tmp_path), {}).__aenter__())
