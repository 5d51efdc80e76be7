"""Requests to answers, through both ways of scoring."""

import asyncio
from functools import partial

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff.model.hf.batcher import Ticket
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.loglikelihood import answer
from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.network import Network
from bakeoff.model.hf.question import question_of
from bakeoff.model.hf.rows import score_rows
from bakeoff.model.hf.scored import Tally
from bakeoff.model.hf.tree import Windows, score_tree
from bakeoff.nouns import FailureKind, Loglikelihood

TEXTS = ["The capital of France is", "Answer:", "Question: 1 2 3 4 the", "", "The", "é日 and the and"]
CONTINUATIONS = [" Paris", " the and 1 2 3", " A", " B", "\n\nAnswer: the", " é"]


def by_hand(model, context, continuation):
    """Σ log p in float64: one unpadded forward pass per token, the whole vocabulary normalised."""
    double = model.double()
    total, greedy, ids = 0.0, True, list(context)
    with torch.inference_mode():
        for token in continuation:
            logprobs = double(torch.tensor([ids])).logits[0, -1].log_softmax(-1)
            total += float(logprobs[token])
            greedy &= int(logprobs.argmax()) == token
            ids.append(token)
    model.float()
    return total, greedy


@pytest.fixture(scope="module")
def encoder(tokenizer):
    return Encoder(tokenizer)


def ask(context, *continuations, **more):
    return Loglikelihood("q", context, continuations, **more)


def asked(request, encoder):
    return question_of(request, lambda text, mode: text, encoder, "corrected", 64)


def way(name, network, budget, tally):
    """A function that scores pairs, in a tree or in rows."""
    tree, rows = partial(score_tree, network, Windows()), partial(score_rows, network, None)

    def score(pairs, wanted, deliver):
        (tree if name == "tree" else rows)(pairs, budget, tally, wanted, deliver)

    return score


@pytest.fixture(params=["tree", "rows"])
def answers(request, toy_model, encoder):
    """Answers to requests put as one batch."""

    def put(requests, tokens=64, tally=None, network=None):
        tally = tally or Tally()
        score = way(request.param, network or Network(toy_model), Budget(tokens), tally)

        async def main():
            questions = [
                question_of(each, lambda text, mode: text, encoder, "corrected", 64) for each in requests
            ]
            tickets = [Ticket(question) for question in questions]
            await asyncio.to_thread(answer, tickets, score, tally)
            return await asyncio.gather(*[ticket.future for ticket in tickets])

        return asyncio.run(main())

    return put


def test_log_probabilities_are_those_of_a_naive_float64_loop(answers, toy_model, encoder):
    requests = [ask(text, *CONTINUATIONS, unconditional=True) for text in TEXTS]
    for request, response in zip(requests, answers(requests), strict=True):
        for text, option in zip(CONTINUATIONS, response.options, strict=True):
            pair = encoder.pair(request.input, text)
            expected, greedy = by_hand(toy_model, pair.context, pair.continuation)
            assert option.logprob == pytest.approx(expected, abs=1e-4)
            assert option.greedy == greedy
            assert option.tokens == len(pair.continuation)
            alone = encoder.pair("", text)
            assert option.unconditional == pytest.approx(
                by_hand(toy_model, alone.context, alone.continuation)[0], abs=1e-4
            )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from(TEXTS), st.lists(st.sampled_from(CONTINUATIONS), min_size=1)), min_size=1
    ),
    st.integers(1, 400),
)
def test_any_mix_of_requests_gives_what_each_gives_alone(answers, mix, tokens):
    requests = [ask(text, *continuations) for text, continuations in mix]
    for request, response in zip(requests, answers(requests, tokens), strict=True):
        (alone,) = answers([request], 1)
        for ours, theirs in zip(response.options, alone.options, strict=True):
            assert ours.logprob == pytest.approx(theirs.logprob, abs=1e-4)
            assert (ours.greedy, ours.tokens) == (theirs.greedy, theirs.tokens)


def test_both_modes_log_probabilities_are_given_where_they_differ(answers, toy_model, encoder):
    (response,) = answers([ask("An", "swers", " the")])
    for text, option in zip(("swers", " the"), response.options, strict=True):
        pair = encoder.pair("An", text)
        theirs, _ = by_hand(toy_model, pair.context, pair.continuation)
        ours, _ = by_hand(toy_model, (encoder.prefix,), encoder.encode_bare(f"An{text}"))
        assert option.note == "boundary inside a token"
        assert option.logprob == pytest.approx(ours, abs=1e-4)
        assert option.other == pytest.approx(theirs, abs=1e-4)


def test_a_documents_log_probability_is_the_sum_over_its_windows(answers, toy_model, encoder):
    text = "The capital of France is Paris. Question: 1 2 3 4 the and " * 4
    (response,) = answers([ask("", text, rolling=True)])
    ids = encoder.encode_bare(text)
    assert len(ids) > 64
    first, _ = by_hand(toy_model, (encoder.prefix,), ids[:64])
    last, _ = by_hand(toy_model, ids[len(ids) - 65 : 64], ids[64:])
    (option,) = response.options
    assert option.logprob == pytest.approx(first + last, abs=1e-3)
    assert option.tokens == len(ids)


def test_what_requests_share_is_asked_often_and_computed_once(toy_model, encoder):
    tally = Tally()
    network = Network(toy_model)
    question = question_of(
        ask("Question: 1 2 3", " A", " B"), lambda text, mode: text, encoder, "corrected", 64
    )

    async def main():
        tickets = [Ticket(question) for _ in range(5)]
        await asyncio.to_thread(answer, tickets, way("tree", network, Budget(64), tally), tally)

    asyncio.run(main())
    context = len(encoder.encode("Question: 1 2 3"))
    assert tally.asked == sum(5 * (pair.length - 1) for pair in question.pairs)
    assert context <= tally.computed <= context + 2


def test_a_request_that_memory_does_not_suffice_for_fails_alone(answers, toy_model):
    network = Network(toy_model)
    rows, tree = network.logits_at, network.tree_logits

    def small_rows(ids, positions):
        if max(map(len, ids)) > 10:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return rows(ids, positions)

    def small_tree(tokens, positions, sight, trunk, chosen):
        if sight.shape[1] > 10:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return tree(tokens, positions, sight, trunk, chosen)

    network.logits_at, network.tree_logits = small_rows, small_tree
    large, fine = answers([ask("Question 123456789 the", " A"), ask("The", " A")], network=network)
    assert large.failure.kind is FailureKind.OUT_OF_MEMORY
    assert not large.options
    assert fine.failure is None
