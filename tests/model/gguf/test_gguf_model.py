"""SmolLM2-135M through llama.cpp: its numbers, its determinism, and its manners in our process."""

import asyncio
import hashlib
import shutil
import signal
from contextlib import contextmanager

import pytest

from bakeoff.errors import ModelError
from bakeoff.model import open_model
from bakeoff.model.gguf.scoring import score
from bakeoff.model.gguf.settings import read_settings
from bakeoff.model.pair import Pair
from bakeoff.nouns import FailureKind, FinishReason, Generate, Generation, Loglikelihood, Message, Part

pytest.importorskip("xllamacpp")
pytestmark = pytest.mark.model

FRANCE = "The capital of France is"
# Long enough for llama.cpp to use the kernels whose result depends on the batch.
COUNTRIES = (
    "France",
    "Spain",
    "Italy",
    "Peru",
    "Chile",
    "Japan",
    "China",
    "India",
    "Kenya",
    "Ghana",
    "Norway",
)
LONG = "".join(f"The capital of {country} is well known. " for country in COUNTRIES)


@contextmanager
def opened(path, **settings):
    """A model, and a loop to ask it in."""
    with asyncio.Runner() as runner:
        model = open_model(f"gguf:{path}", {"threads": "1", "context_length": "512", **settings})
        runner.run(model.__aenter__())
        try:
            yield model, runner.run
        finally:
            runner.run(model.__aexit__(None, None, None))


@pytest.fixture(scope="module")
def smollm2(smollm2_path):
    with opened(smollm2_path) as pair:
        yield pair


def ask(given, *, seed=0, **generation):
    return Generate("item#0", given, Generation(**generation), seed)


def chat(*texts, system=None):
    roles = ("user", "assistant")
    start = (Message.of("system", system),) if system else ()
    return (*start, *(Message.of(roles[n % 2], text) for n, text in enumerate(texts)))


def options(context, *continuations, unconditional=False):
    return Loglikelihood("item#0", context, continuations, unconditional)


def logprobs(response):
    assert response.failure is None, response.failure
    return [option.logprob for option in response.options]


def test_log_probabilities_agree_with_torch_on_the_same_weights(smollm2):
    """-0.258, -4.384 by torch in float32 on the dequantised file; llama.cpp rounds activations to 8 bits."""
    model, run = smollm2
    response = run(model.loglikelihood(options(FRANCE, " Paris", " London")))
    assert logprobs(response) == pytest.approx([-0.258, -4.384], abs=0.15)
    assert [(option.tokens, option.greedy) for option in response.options] == [(1, True), (1, False)]


def test_a_forced_continuation_scores_what_writing_it_reported(smollm2):
    """The engine's own log-probabilities while it writes are the truth; no off-by-one can survive this."""
    model, run = smollm2
    inside = model._entered
    (pair,) = inside.text.pairs(FRANCE, (" Paris.",))
    chunks = []
    body = {"prompt": list(pair.context), "max_tokens": 8, "temperature": 0, "n_probs": 1}
    inside.runtime.complete(body, lambda chunk: bool(chunks.append(chunk)))
    written = chunks[0]["choices"][0]["logprobs"]["content"]
    ids = tuple(token["id"] for token in written)
    assert ids[: len(pair.continuation)] == pair.continuation
    for end in range(1, len(ids) + 1):
        part = type(pair)(pair.context, ids[:end])
        (scored,) = score(inside.runtime, [part], reuse=True, slot=0)
        assert scored.logprob == sum(token["logprob"] for token in written[:end])
        assert scored.greedy
    assert run(model.generate(ask(FRANCE, max_tokens=3))).text.startswith(" Paris.")


def test_a_longer_continuation_is_scored_token_by_token(smollm2):
    model, run = smollm2
    first, rest, whole = (
        run(model.loglikelihood(request)).options[0]
        for request in (
            options(FRANCE, " Paris"),
            options(FRANCE + " Paris", ", and"),
            options(FRANCE, " Paris, and"),
        )
    )
    assert whole.logprob == pytest.approx(first.logprob + rest.logprob, abs=1e-4)
    assert whole.tokens == first.tokens + rest.tokens == 3


def test_white_space_at_the_end_of_a_context_belongs_to_the_continuation(smollm2):
    model, run = smollm2
    spaced, plain = (
        run(model.loglikelihood(request))
        for request in (options(FRANCE + " ", "Paris"), options(FRANCE, " Paris"))
    )
    assert logprobs(spaced) == logprobs(plain)


def test_special_tokens_can_be_scored(smollm2):
    model, run = smollm2
    response = run(model.loglikelihood(options("The end.", "<|im_end|>", "\n")))
    assert response.options[0].tokens == 1
    assert -40 < response.options[0].logprob < 0


def test_unconditional_scores_leave_out_the_context(smollm2):
    model, run = smollm2
    one, other = (
        run(model.loglikelihood(options(context, " Paris", unconditional=True))).options[0]
        for context in (FRANCE, "Where is the Eiffel tower? It is in")
    )
    assert one.unconditional == other.unconditional
    assert one.unconditional < one.logprob - 5
    assert one.logprob != other.logprob


def test_an_options_place_does_not_move_its_score(smollm2):
    model, run = smollm2
    texts = (" Paris", " Rome, of course", " Paris", " Berlin")
    forward = logprobs(run(model.loglikelihood(options(FRANCE, *texts))))
    backward = logprobs(run(model.loglikelihood(options(FRANCE, *reversed(texts)))))
    assert forward == backward[::-1]
    assert forward[0] == forward[2]


def test_neither_the_prompt_cache_nor_the_threads_move_a_bit(smollm2_path):
    requests = [
        options(LONG + f"The capital of {name} is", " Paris", " Rome, Italy") for name in ("Italy", "France")
    ]
    seen = []
    for settings in ({}, {"prompt_cache": "false"}, {"threads": "2"}):
        with opened(smollm2_path, **settings) as (model, run):
            scores = [logprobs(run(model.loglikelihood(request))) for request in requests]
            answer = run(model.generate(ask(LONG + "The capital of Egypt is", max_tokens=8)))
            seen.append((scores, answer.text))
            cached = answer.usage.cached_tokens
            assert (cached > 50) is (settings != {"prompt_cache": "false"})
    assert seen[0] == seen[1] == seen[2]


def test_a_greedy_answer_is_the_same_alone_and_among_others(smollm2_path):
    questions = [f"Name a city in {place}." for place in ("France", "Peru", "Kenya", "Japan", "Norway")]
    with opened(smollm2_path, parallel="3") as (model, run):

        async def together():
            return await asyncio.gather(*(model.generate(ask(chat(q), max_tokens=12)) for q in questions))

        among = [answer.text for answer in run(together())]
        alone = [run(model.generate(ask(chat(q), max_tokens=12))).text for q in questions]
    assert among == alone
    assert len(set(among)) > 1


def test_a_sampled_answer_follows_its_seed(smollm2):
    model, run = smollm2
    texts = [
        run(model.generate(ask("Once upon a time", seed=seed, temperature=1.0, max_tokens=12))).text
        for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_a_stop_string_ends_an_answer_and_is_named(smollm2):
    model, run = smollm2
    free = run(model.generate(ask(FRANCE, max_tokens=12)))
    assert (free.finish, free.stop) == (FinishReason.LENGTH, None)
    assert free.usage.completion_tokens == 12
    cut = run(model.generate(ask(FRANCE, max_tokens=12, stop=("zzz", ".\n"))))
    assert (cut.text, cut.finish, cut.stop) == (free.text.split(".\n")[0], FinishReason.STOP, ".\n")
    assert cut.usage.completion_tokens < 12
    assert 0 < cut.timing.first_token_s <= cut.timing.latency_s


def test_an_answer_that_the_model_ends_itself_stops_without_a_string(smollm2):
    model, run = smollm2
    answer = run(model.generate(ask(chat("Hi"), max_tokens=64)))
    assert (answer.finish, answer.stop) == (FinishReason.STOP, None)
    assert answer.text.strip()
    assert "<|im_end|>" not in answer.text


def test_our_rendering_of_the_chat_template_is_llama_cpps(smollm2):
    model, _ = smollm2
    inside = model._entered
    for messages in (chat("Hi"), chat("Hi", "Hello!", "Bye"), chat("Hi", system="Be brief.")):
        body = {"messages": [{"role": m.role, "content": m.text} for m in messages]}
        assert inside.text.prompt(messages) == inside.runtime._ask("POST", "/apply-template", body)["prompt"]


def test_tokens_are_counted_as_they_are_sent(smollm2):
    model, run = smollm2
    question = ask(chat("What is the capital of France?"), max_tokens=1)
    assert model.count_tokens(question) == run(model.generate(question)).usage.prompt_tokens == 37
    assert model.count_tokens(options(FRANCE, " Paris", " of the French,")) == 5 + 4


def test_what_does_not_fit_is_a_failure_of_that_request_alone(smollm2):
    model, run = smollm2
    long = "word " * 600
    for response in (
        run(model.generate(ask(long))),
        run(model.loglikelihood(options(long, " Paris"))),
    ):
        assert response.failure.kind is FailureKind.CONTEXT_LENGTH
    assert run(model.generate(ask(FRANCE, max_tokens=1))).text == " Paris"


def test_images_are_refused_and_not_left_out(smollm2):
    model, run = smollm2
    seen = (Message("user", (Part("text", "What is this?"), Part("image", "aGk=", "image/png"))),)
    assert run(model.generate(ask(seen))).failure.kind is FailureKind.UNSUPPORTED


@pytest.mark.parametrize("chatting", [False, True], ids=["plain", "chat"])
def test_a_lead_is_read_and_not_scored(smollm2, chatting):
    """Each option's score is that of its continuation after the input with the lead written out."""
    model, run = smollm2
    stem, leads, rest = "The trophy does not fit into the bag: the", (" trophy", " bag", ""), " is too large."
    given = chat(stem) if chatting else stem
    response = run(model.loglikelihood(Loglikelihood("q", given, (rest,) * 3, leads=leads)))
    apart = [
        logprobs(run(model.loglikelihood(options(chat(stem + lead) if chatting else stem + lead, rest))))[0]
        for lead in leads
    ]
    assert logprobs(response) == apart
    assert len(set(apart)) == 3


def test_a_document_longer_than_the_context_is_scored_once_per_token(smollm2_path):
    """Windows by hand: each token of the document in one continuation, after as much as fits."""
    with opened(smollm2_path, context_length="256") as (model, run):
        inside = model._entered
        document = LONG * 3
        ids, room = inside.text.bare(document), 255
        assert room < len(ids) < 2 * room
        response = run(model.loglikelihood(Loglikelihood("d", "", (document, "Hi"), rolling=True)))
        first = Pair((inside.text.prefix,), ids[:room])
        last = Pair(ids[len(ids) - room - 1 : room], ids[room:])
        whole = score(inside.runtime, [first, last], reuse=True, slot=0)
        assert response.options[0].logprob == pytest.approx(sum(part.logprob for part in whole), abs=1e-6)
        assert response.options[0].tokens == len(ids)
        assert response.options[1] == run(model.loglikelihood(options("", "Hi"))).options[0]
        assert model.count_tokens(Loglikelihood("d", "", (document,), rolling=True)) == 256


def test_a_continuation_that_moves_the_boundary_into_a_token_says_so(smollm2):
    model, run = smollm2
    response = run(model.loglikelihood(options("The capital of Fra", "nce is Paris", " is")))
    assert [option.note for option in response.options] == ["boundary inside a token", ""]
    assert not any(option.note for option in run(model.loglikelihood(options(FRANCE, " Paris"))).options)


@pytest.mark.parametrize("unscored", ["", "nce"], ids=["empty", "merged away"])
def test_an_option_without_a_token_of_its_own_is_no_answer_and_not_certain(smollm2, unscored):
    model, run = smollm2
    failure = run(model.loglikelihood(options("The capital of Fra", " Paris", unscored))).failure
    assert failure.kind is FailureKind.UNSUPPORTED
    assert f"{unscored!r} adds no token" in failure.message


def test_a_cancelled_document_frees_its_slot(smollm2_path):
    with opened(smollm2_path) as (model, run):

        async def cancel_one():
            document = Loglikelihood("d", "", (LONG * 200,), rolling=True)
            task = asyncio.create_task(model.loglikelihood(document))
            await asyncio.sleep(0.3)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return await model.generate(ask(FRANCE, max_tokens=1))

        # The document would take minutes.
        assert run(asyncio.wait_for(cancel_one(), 60)).text == " Paris"


def test_a_cancelled_answer_frees_its_slot(smollm2):
    model, run = smollm2

    async def cancel_one():
        task = asyncio.create_task(model.generate(ask("Once upon a time", max_tokens=400)))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await model.generate(ask(FRANCE, max_tokens=1))

    # 400 tokens take more than 2 s here; the slot is free again after one.
    assert run(asyncio.wait_for(cancel_one(), 60)).text == " Paris"


def test_the_identity_is_that_of_the_file(smollm2, smollm2_path):
    model, _ = smollm2
    identity = model.identity
    assert identity.revision == "sha256:" + hashlib.sha256(smollm2_path.read_bytes()).hexdigest()
    assert (identity.engine, identity.name, identity.precision) == ("gguf", smollm2_path.name, "Q4_1")
    assert identity.engine_version.startswith("xllamacpp 20")
    assert identity.chat_template.startswith("sha256:")
    assert identity.tokenizer.startswith("sha256:")
    assert identity.settings["context_length"] == "512"


def test_settings_that_can_move_an_answer_enter_the_identity(smollm2_path):
    with opened(smollm2_path, flash_attention="true") as (model, _):
        assert model.identity.settings["flash_attention"] == "true"
        assert model.identity.settings["threads"] == "1"


def test_control_c_stays_ours_and_the_terminal_stays_quiet(smollm2_path, capfd):
    with opened(smollm2_path) as (model, run):
        run(model.generate(ask(FRANCE, max_tokens=1)))
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("missing", [40_000_000, 3_000_000], ids=["half", "part of the last tensor"])
def test_a_file_that_ends_too_early_is_refused_and_the_process_lives(missing, smollm2_path, tmp_path):
    path = tmp_path / "cut.gguf"
    shutil.copy(smollm2_path, path)
    with path.open("r+b") as file:
        file.truncate(smollm2_path.stat().st_size - missing)
    with pytest.raises(ModelError):
        asyncio.run(open_model(f"gguf:{path}").__aenter__())


def test_used_outside_its_block_a_model_says_so(smollm2_path):
    with pytest.raises(RuntimeError, match="async with"):
        _ = open_model(f"gguf:{smollm2_path}").identity


@pytest.mark.parametrize(
    ("told", "given", "expected"),
    [("3", {}, 3), ("3", {"threads": "2"}, 2), ("", {}, None), ("2,1", {}, None), ("0", {}, None)],
)
def test_the_usual_variable_says_how_many_threads_unless_a_setting_does(monkeypatch, told, given, expected):
    monkeypatch.setenv("OMP_NUM_THREADS", told)
    assert read_settings(given).threads == expected
