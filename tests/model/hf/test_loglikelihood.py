import math
from functools import partial

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff.errors import ModelError
from bakeoff.model.hf.encoding import Encoder
from bakeoff.model.hf.loglikelihood import Question, plan, score, score_rows
from bakeoff.model.hf.memory import Budget
from bakeoff.model.hf.network import Network
from bakeoff.nouns import FailureKind, Loglikelihood
from tests.model.hf.toy import answers, toy_llama

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


@pytest.fixture
def work(toy_model, encoder):
    return partial(score, network=Network(toy_model), encoder=encoder, budget=Budget(64), context_length=64)


def ask(context, *continuations, unconditional=False):
    return Loglikelihood("q", context, continuations, unconditional)


def test_log_probabilities_are_those_of_a_naive_float64_loop(work, toy_model, encoder):
    requests = [ask(text, *CONTINUATIONS, unconditional=True) for text in TEXTS]
    for request, response in zip(requests, answers(work, requests), strict=True):
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
def test_any_mix_of_requests_gives_what_each_gives_alone(work, encoder, mix, tokens):
    requests = [ask(text, *continuations) for text, continuations in mix]
    together = answers(partial(work, budget=Budget(tokens)), requests)
    for request, response in zip(requests, together, strict=True):
        (alone,) = answers(partial(work, budget=Budget(1)), [request])
        for ours, theirs in zip(response.options, alone.options, strict=True):
            assert ours.logprob == pytest.approx(theirs.logprob, abs=1e-4)
            assert (ours.greedy, ours.tokens) == (theirs.greedy, theirs.tokens)


class Bigram(torch.nn.Module):
    """A model whose logits we write ourselves: those after token t are row t of a table."""

    def __init__(self, table) -> None:
        super().__init__()
        self.device = torch.device("cpu")
        self.head = torch.nn.Linear(*table.shape, bias=False)
        self.head.weight = torch.nn.Parameter(table.T.contiguous())

    def get_output_embeddings(self):
        return self.head

    def forward(self, input_ids, use_cache=False):
        hidden = torch.nn.functional.one_hot(input_ids, self.head.in_features).float()
        return type("Output", (), {"logits": self.head(hidden)})


def test_token_i_is_read_from_the_logits_after_token_i_minus_1():
    # The token after t is t + 1 with probability 0.9, any of the 9 others with probability 0.1 / 9.
    table = torch.full((10, 10), math.log(0.1 / 9))
    for token in range(10):
        table[token, (token + 1) % 10] = math.log(0.9)
    rows = plan([Question(None, [pair], [], 0.0) for pair in PAIRS], 10)
    score_rows(Network(Bigram(table)), rows)
    found = {(row.context, row.head, last): s for row in rows for last, s in row.scores.items()}
    likely, unlikely = math.log(0.9), math.log(0.1 / 9)
    expected = [(3 * likely, True), (2 * likely + unlikely, False), (2 * unlikely, False), (likely, True)]
    for pair, (logprob, greedy) in zip(PAIRS, expected, strict=True):
        scored = found[pair.context, pair.continuation[:-1], pair.continuation[-1]]
        assert scored.logprob == pytest.approx(logprob, abs=1e-5)
        assert scored.greedy == greedy


class PairOf:
    def __init__(self, context, continuation):
        self.context, self.continuation = context, continuation
        self.length = len(context) + len(continuation)


PAIRS = [
    PairOf((7, 1), (2, 3, 4)),
    PairOf((1,), (2, 3, 5)),
    PairOf((9, 9, 9), (5, 3)),
    PairOf((1, 2, 3, 4), (5,)),
]


def questions_of(*pairs):
    return [Question(None, [PairOf(*pair)], [], 0.0) for pair in pairs]


def test_one_token_continuations_of_one_context_share_a_row():
    assert len(plan(questions_of(((1, 2), (3,)), ((1, 2), (4,)), ((1, 2), (5,))), 10)) == 1


def test_requests_that_only_look_alike_joined_do_not_share_a_row():
    # context + continuation[:-1] is (1, 2, 3) for both, but the parts scored differ.
    rows = plan(questions_of(((1, 2), (3, 4)), ((1, 2, 3), (5,))), 10)
    assert [(row.context, row.head) for row in rows] == [((1, 2), (3,)), ((1, 2, 3), ())]


def test_letters_cost_one_row_whose_position_alone_passes_the_output_layer(work, toy_model):
    seen = []
    hook = toy_model.get_output_embeddings().register_forward_hook(
        lambda module, inputs, output: seen.append(tuple(output.shape[:2]))
    )
    try:
        answers(work, [ask("Answer:", "A", "B", "1", "2")])
    finally:
        hook.remove()
    assert seen == [(1, 1)]


def test_a_request_beyond_the_context_is_a_failure_and_is_not_cut(work, encoder):
    long = "and 1 2 " * 40
    just_fits = "1" * 63  # 63 tokens, and one that is only predicted
    assert len(encoder.prompt(just_fits)) == 63
    too_long, fits, one_more = answers(
        work, [ask(long, " A"), ask(just_fits, " 1", "22"), ask(just_fits + "1", "22")]
    )
    assert too_long.failure.kind is FailureKind.CONTEXT_LENGTH
    assert not too_long.options
    assert fits.failure is None
    assert one_more.failure.kind is FailureKind.CONTEXT_LENGTH


@pytest.mark.parametrize(("context", "continuation"), [("Ans", "wer"), ("The", "")])
def test_a_continuation_without_a_token_of_its_own_is_a_failure_not_a_crash(work, context, continuation):
    failed, fine = answers(work, [ask(context, " A", continuation), ask("The", " A")])
    assert failed.failure.kind is FailureKind.UNSUPPORTED
    assert repr(continuation) in failed.failure.message
    assert fine.failure is None


def test_running_out_of_memory_halves_the_budget_and_changes_no_answer(work, toy_model):
    requests = [ask(text, *CONTINUATIONS) for text in TEXTS]
    expected = [response.options for response in answers(work, requests)]
    network = Network(toy_model)
    enough = network.logits_at

    def small(rows, positions):
        if len(rows) * max(map(len, rows)) > 20:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return enough(rows, positions)

    network.logits_at = small
    budget = Budget(500)
    found = [r.options for r in answers(partial(work, network=network, budget=budget), requests)]
    assert budget.tokens <= 31
    for ours, theirs in zip(found, expected, strict=True):
        assert [o.logprob for o in ours] == pytest.approx([o.logprob for o in theirs], abs=1e-4)


def test_a_row_that_fits_nowhere_is_a_failure_of_its_request_alone(work, toy_model):
    network = Network(toy_model)
    enough = network.logits_at

    def small(rows, positions):
        if max(map(len, rows)) > 10:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return enough(rows, positions)

    network.logits_at = small
    large, fine = answers(
        partial(work, network=network), [ask("Question 123456789 the", " A"), ask("The", " A")]
    )
    assert large.failure.kind is FailureKind.OUT_OF_MEMORY
    assert fine.failure is None


def test_logits_that_are_not_numbers_are_an_error_not_a_score(work, tokenizer):
    model = toy_llama(len(tokenizer))
    model.model.norm.weight.data[:] = float("nan")
    with pytest.raises(ModelError, match="not numbers"):
        Network(model).logits_at([[1, 2]], [[1]])
