"""Log-likelihoods through `echo`: right where the server is, refused where it is not."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import ModelError
from bakeoff.model.remote import echo
from bakeoff.model.remote.echo import EchoRefused, Tokens, boundary
from bakeoff.nouns import FailureKind, Loglikelihood, Message
from tests.model.remote.asking import serving
from tests.servers.toy_lm import completions, row, true_logprob

CONTEXT = "The capital of France is"
OPTIONS = (" Paris", " Rome", " a much longer one")


def scored(kind: str, request: Loglikelihood, *, bos: bool = False):
    async def main():
        async with serving(completions(kind, bos=bos)) as (server, model):
            assert model.capabilities.loglikelihood is False
            response = await model.loglikelihood(request)
            assert model.capabilities.loglikelihood is True
            return response, server.calls

    return asyncio.run(main())


@pytest.mark.parametrize("bos", [False, True])
def test_a_true_echo_gives_the_log_probability_of_each_continuation(bos):
    response, _ = scored("vllm", Loglikelihood("k", CONTEXT, OPTIONS), bos=bos)
    assert [option.tokens for option in response.options] == [len(option) for option in OPTIONS]
    for option, continuation in zip(response.options, OPTIONS, strict=True):
        assert option.logprob == pytest.approx(true_logprob(CONTEXT, continuation))


def test_greedy_says_whether_every_token_was_the_most_likely():
    best, last = "", CONTEXT[-1]
    for _ in range(4):
        last = max(row(last), key=lambda each: row(last)[each])
        best += last
    response, _ = scored("vllm", Loglikelihood("k", CONTEXT, (best, best[:-1] + "~")))
    assert [option.greedy for option in response.options] == [True, best[-1] == "~"]


def test_unconditional_scores_follow_the_beginning_of_text():
    response, _ = scored("vllm", Loglikelihood("k", CONTEXT, OPTIONS, unconditional=True), bos=True)
    for option, continuation in zip(response.options, OPTIONS, strict=True):
        assert option.unconditional == pytest.approx(true_logprob("", continuation))


def test_unconditional_scores_are_asked_for_once():
    async def main():
        async with serving(completions("vllm", bos=True)) as (server, model):
            request = Loglikelihood("k", CONTEXT, (" A", " B"), unconditional=True)
            first, second = await model.loglikelihood(request), await model.loglikelihood(request)
            return first.options == second.options, len(server.calls)

    assert asyncio.run(main()) == (True, 2 + 4 + 2)


def test_without_a_beginning_of_text_unconditional_scores_stay_unknown():
    response, calls = scored("vllm", Loglikelihood("k", CONTEXT, OPTIONS, unconditional=True), bos=False)
    assert [option.unconditional for option in response.options] == [None] * 3
    assert len(calls) == 2 + 3


@pytest.mark.parametrize("bos", [False, True])
def test_an_empty_context_is_scored_only_after_a_beginning_of_text(bos):
    response, _ = scored("vllm", Loglikelihood("k", "", (" Paris",)), bos=bos)
    if bos:
        assert response.options[0].logprob == pytest.approx(true_logprob("", " Paris"))
    else:
        assert response.failure.kind is FailureKind.UNSUPPORTED


@pytest.mark.parametrize(
    ("kind", "says"),
    [("off_by_one", "when written"), ("ignored", "they come as content")],
)
def test_an_untrue_echo_is_refused_with_what_came_back_and_nothing_is_scored(kind, says):
    async def main():
        async with serving(completions(kind)) as (server, model):
            for _ in range(2):
                with pytest.raises(ModelError, match=says):
                    await model.loglikelihood(Loglikelihood("k", CONTEXT, OPTIONS))
            assert model.capabilities.loglikelihood is False
            return server.calls

    calls = asyncio.run(main())
    probes = 2 if kind == "off_by_one" else 1
    assert len(calls) == probes  # The verdict is remembered.


def test_many_requests_share_one_probe():
    async def main():
        async with serving(completions("vllm")) as (server, model):
            request = Loglikelihood("k", CONTEXT, (" a",))
            await asyncio.gather(*(model.loglikelihood(request) for _ in range(10)))
            return len(server.calls)

    assert asyncio.run(main()) == 10 + 2


def test_a_conversation_cannot_be_scored_by_a_server():
    with pytest.raises(ModelError, match="chat template"):
        scored("vllm", Loglikelihood("k", (Message.of("user", "Where?"),), OPTIONS))


def test_an_empty_continuation_is_a_failure_and_not_a_certainty():
    response, _ = scored("vllm", Loglikelihood("k", CONTEXT, ("",)))
    assert response.failure.kind is FailureKind.UNSUPPORTED
    assert response.options == ()


def test_a_lead_stands_before_its_own_continuation_and_is_not_scored():
    leads = (" or", "", " perhaps")
    response, calls = scored("vllm", Loglikelihood("k", CONTEXT, OPTIONS, leads=leads))
    assert [call.body["prompt"] for call in calls[2:]] == [
        CONTEXT + lead + continuation for lead, continuation in zip(leads, OPTIONS, strict=True)
    ]
    for each, lead, continuation in zip(response.options, leads, OPTIONS, strict=True):
        assert each.tokens == len(continuation)
        assert each.logprob == pytest.approx(true_logprob(CONTEXT + lead, continuation))


def test_a_rolling_document_is_scored_from_its_first_token_on():
    document = "It was a dark and stormy night."
    response, calls = scored("vllm", Loglikelihood("k", "", (document,), rolling=True), bos=True)
    assert response.options[0].tokens == len(document)
    assert response.options[0].logprob == pytest.approx(true_logprob("", document))
    assert len(calls) == 2 + 1


def test_a_rolling_document_without_a_token_before_it_is_refused_in_so_many_words():
    response, calls = scored("vllm", Loglikelihood("k", "", ("It was",), rolling=True), bos=False)
    assert response.failure.kind is FailureKind.UNSUPPORTED
    assert "beginning-of-text" in response.failure.message
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("texts", "note", "logprob"),
    [(("Ans", "wer"), "boundary inside a token", -2.0), (("Answ", "er"), "", -2.0)],
)
def test_a_boundary_inside_a_token_is_said_in_the_score(texts, note, logprob):
    tokens = Tokens(texts, (None, logprob), (0, len(texts[0])), (None, logprob))
    found = echo.option(tokens, "Answ", "er")
    assert (found.note, found.logprob, found.tokens, found.greedy) == (note, logprob, 1, True)


@given(st.lists(st.text("ab é", min_size=1, max_size=3), min_size=2, max_size=10), st.data())
def test_the_boundary_is_the_first_token_that_the_continuation_has_a_part_in(tokens, data):
    whole = "".join(tokens)
    cut = data.draw(st.integers(0, len(whole) - 1))
    starts = [len("".join(tokens[:n])) for n in range(len(tokens))]
    expected = max(n for n, start in enumerate(starts) if start <= cut)
    assert boundary(tokens, whole[:cut], whole[cut:]) == (expected, starts[expected] != cut)


@pytest.mark.parametrize(
    ("tokens", "context", "continuation", "expected"),
    [
        (["<s>", "Par", "is", " is"], "Paris", " is", (3, False)),
        (["Ans", "wer"], "Answ", "er", (1, True)),
        # A character of three tokens in the context, shown as marks: found from the end.
        (["�", "�", "�", " is"], "日", " is", (3, False)),
        # In the continuation: found from the start, behind a beginning-of-text token too.
        (["a", "b", "�", "�", "�"], "ab", "日", (2, False)),
        (["<s>", "ab", "�", "�", "�"], "ab", "日", (2, False)),
        # The first bytes of a character without a text of their own belong to it.
        (["a", "", "", "日"], "a", "日", (1, False)),
    ],
)
def test_the_boundary_is_found_around_marks_and_split_characters(tokens, context, continuation, expected):
    assert boundary(tokens, context, continuation) == expected


@pytest.mark.parametrize("tokens", [["x", "y"], ["�", "�"], []])
def test_tokens_that_do_not_spell_the_prompt_are_refused(tokens):
    with pytest.raises(EchoRefused):
        boundary(tokens, "日", "本")
