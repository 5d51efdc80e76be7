"""Our requests in vLLM's terms and its answers in ours, without vLLM."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.hf.question import Option, Question
from bakeoff.model.hf.scored import Scored
from bakeoff.model.pair import Pair
from bakeoff.model.vllm.settings import read_settings
from bakeoff.model.vllm.translate import (
    Row,
    Writing,
    engine_arguments,
    loglikelihoods,
    plan,
    sampling,
    unwritable,
)
from bakeoff.nouns import Constraint, FailureKind, FinishReason, Generation, Timing
from tests.model.vllm.shapes import VOCABULARY, CompletionOutput, Logprob, RequestOutput, answer, scored

tokens = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=5).map(tuple)
pairs = st.lists(st.builds(Pair, tokens, tokens), min_size=1, max_size=12)


def test_engine_arguments_say_what_was_set_and_leave_out_the_rest():
    bare = engine_arguments(read_settings({}), Path("folder"))
    assert not {"max_model_len", "quantization", "gpu_memory_utilization"} & bare.keys()
    assert bare["enable_prefix_caching"]
    settings = {"context_length": "4096", "gpu_memory": "0.5", "data_parallel": "2", "eager": "true"}
    full = engine_arguments(read_settings(settings), Path("folder"))
    assert (full["max_model_len"], full["gpu_memory_utilization"]) == (4096, 0.5)
    assert (full["data_parallel_size"], full["enforce_eager"], full["trust_remote_code"]) == (2, True, False)


def test_greedy_sampling_has_neither_seed_nor_nucleus():
    assert sampling(Generation(max_tokens=5), seed=7) == {"max_tokens": 5, "temperature": 0.0}


def test_each_request_samples_by_its_own_seed():
    arguments = sampling(Generation(max_tokens=5, temperature=0.7, top_p=0.9), seed=7)
    assert arguments == {"max_tokens": 5, "temperature": 0.7, "top_p": 0.9, "seed": 7}


def test_stop_strings_are_ours_to_watch_for():
    assert "stop" not in sampling(Generation(stop=("\n",)), seed=0)


@pytest.mark.parametrize(
    ("constraint", "structure"),
    [
        (Constraint("json_schema", '{"type":"object"}'), {"json": '{"type":"object"}'}),
        (Constraint("regex", "yes|no"), {"regex": "yes|no"}),
    ],
)
def test_a_constraint_becomes_structured_outputs(constraint, structure):
    assert sampling(Generation(constraint=constraint), 0)["structured_outputs"] == structure


def test_the_answer_behind_a_thought_is_written_anew():
    """The reasoning stays and is counted; what came of the answer with its end is dropped."""
    writing = Writing(4, (), opened=True)
    pieces = [("3 and", [1, 2]), (" 4</think>\n", [3, 4, 5]), ("free", [6])]
    seen = [writing.think(RequestOutput([CompletionOutput(text=t, token_ids=ids)])) for t, ids in pieces[:2]]
    assert seen == [False, True]
    assert writing.thought == "3 and 4</think>\n"
    assert writing.begin_answer() == 5
    writing.push(RequestOutput([CompletionOutput(text="7", token_ids=[7], finish_reason="stop")]))
    answer = writing.response(Timing())
    assert (answer.text, answer.reasoning, answer.usage.completion_tokens) == ("7", "3 and 4", 6)


def test_without_a_thought_nothing_of_the_first_request_stays():
    writing = Writing(4, (), opened=False)
    assert writing.think(RequestOutput([CompletionOutput(text="Sure", token_ids=[1])]))
    assert (writing.thought, writing.begin_answer()) == ("", 0)
    writing.push(RequestOutput([CompletionOutput(text="7", token_ids=[7], finish_reason="stop")]))
    assert (writing.response(Timing()).text, writing.response(Timing()).usage.completion_tokens) == ("7", 1)


def test_a_thought_without_an_end_is_no_answer():
    writing = Writing(4, (), opened=False)
    cut = RequestOutput([CompletionOutput(text="<think>3 and", token_ids=[1, 2], finish_reason="length")])
    assert not writing.think(cut)
    assert writing.thought is None
    assert writing.response(Timing()).finish is FinishReason.LENGTH


@pytest.mark.parametrize(
    ("generation", "prompt", "kind"),
    [
        (Generation(max_tokens=0), (1,), FailureKind.REJECTED),
        (Generation(temperature=0.001), (1,), FailureKind.UNSUPPORTED),
        (Generation(), (), FailureKind.UNSUPPORTED),
        (Generation(), (1,) * 10, FailureKind.CONTEXT_LENGTH),
    ],
)
def test_what_vllm_would_change_or_cut_is_refused(generation, prompt, kind):
    assert unwritable(generation, prompt, context_length=10).kind is kind
    assert unwritable(Generation(), (1,) * 9, context_length=10) is None


@given(pairs, st.data())
def test_every_pair_gets_the_sum_over_its_tokens(wanted, data):
    """By the definition, whatever part of a context came from the prefix cache."""
    found = {}
    for row in plan(wanted):
        cached = data.draw(st.integers(0, len(row.context) - 1))
        output = answer(row.read, row.arguments(reuse=True), cached=cached, cut=data.draw(st.booleans()))
        found |= row.scores(output)
    for pair in wanted:
        total, greedy = scored(pair.context, pair.continuation)
        assert found[pair].logprob == pytest.approx(total, abs=1e-9)
        assert found[pair].greedy is greedy


@given(tokens, tokens, st.sampled_from(VOCABULARY), st.booleans(), st.data())
def test_a_score_that_was_cached_away_is_asked_for_again(context, head, last, cut, data):
    row = Row(context, head, (last,))
    cached = data.draw(st.integers(len(context), len(context) + len(head)))
    assert row.scores(answer(row.read, row.arguments(reuse=True), cached=cached, cut=cut)) is None
    whole = row.scores(answer(row.read, row.arguments(reuse=False)))
    assert whole[Pair(context, (*head, last))].logprob == pytest.approx(scored(context, (*head, last))[0])


def test_another_tokens_log_probability_is_never_taken():
    row = Row((1, 2), (3,), (4,))
    output = answer(row.read, row.arguments(reuse=True))
    output.prompt_logprobs[-1] = {5: Logprob(-1.0, 1)}
    assert row.scores(output) is None


def test_letters_cost_one_request_that_may_use_the_prefix_cache():
    (row,) = plan([Pair((1, 2, 3), (letter,)) for letter in (4, 5, 6, 4)])
    assert row == Row((1, 2, 3), (), (4, 5, 6))
    arguments = row.arguments(reuse=True)
    assert (arguments["max_tokens"], arguments["logprob_token_ids"]) == (1, [4, 5, 6])
    assert "prompt_logprobs" not in arguments


def test_more_last_tokens_than_vllm_takes_are_spread_over_requests():
    rows = plan([Pair((1,), (token,)) for token in range(300)])
    assert [len(row.lasts) for row in rows] == [128, 128, 44]
    assert [token for row in rows for token in row.lasts] == list(range(300))


def test_options_are_in_order_with_all_that_belongs_to_them():
    split, plain = Pair((1,), (2, 3), joined=False), Pair((1, 2), (3,))
    windows = (Pair((0,), (1, 2)), Pair((2,), (3,)))
    question = Question((Option((split,), plain, plain, "boundary inside a token"), Option(windows)), 3)
    scores = {
        Pair((1,), (2, 3)): Scored(-1.0, True),
        plain: Scored(-0.5, True),
        windows[0]: Scored(-3.0, True),
        windows[1]: Scored(-0.25, False),
    }
    response = loglikelihoods(question, scores, Timing(1.0))
    first, second = response.options
    assert (first.logprob, first.tokens, first.greedy, first.unconditional) == (-1.0, 2, True, -0.5)
    assert (first.note, first.other) == ("boundary inside a token", -0.5)
    assert (second.logprob, second.tokens, second.greedy, second.other) == (-3.25, 3, False, None)


def test_not_a_number_is_no_score():
    question = Question((Option((Pair((1,), (2,)),)),), 1)
    response = loglikelihoods(question, {Pair((1,), (2,)): Scored(math.nan, False)}, Timing())
    assert response.failure.kind is FailureKind.MALFORMED


def written(*pieces, finish="stop", stops=(), opened=False):
    """An answer from its pieces, a token each, and how many of them were read."""
    writing = Writing(4, stops, opened)
    for n, piece in enumerate(pieces, 1):
        last = n == len(pieces)
        part = CompletionOutput(text=piece, token_ids=[n], finish_reason=finish if last else None)
        if writing.push(RequestOutput([part], finished=last, num_cached_tokens=3)):
            break
    return writing.response(Timing(1.0)), n


def test_a_stop_string_across_pieces_ends_the_answer_at_once():
    got, read = written("4", "2 Quest", "ion", ": more", " and more", stops=("Question:", "\n"))
    assert (got.text, got.stop, got.finish, read) == ("42 ", "Question:", FinishReason.STOP, 4)
    assert (got.usage.prompt_tokens, got.usage.completion_tokens, got.usage.cached_tokens) == (4, 4, 3)


@pytest.mark.parametrize(
    ("pieces", "opened"),
    [(("<think>", "a\n\nb", "</think>", "\n\n", "42", "\n\n", "x"), False),
     (("a\n\nb", "</think>", "\n\n", "42", "\n\n", "x"), True)],
    ids=["by the model", "by the prompt"],
)  # fmt: skip
def test_a_stop_string_does_not_fire_in_a_reasoning_block(pieces, opened):
    got, read = written(*pieces, stops=("\n\n",), opened=opened)
    assert (got.text, got.reasoning, got.stop) == ("42", "a\n\nb", "\n\n")
    assert read == len(pieces) - 1
    assert 0 < got.usage.reasoning_tokens < got.usage.completion_tokens


def test_a_stop_string_in_the_last_piece_is_a_stop_and_not_the_limit():
    got, _ = written("42", ".\n", finish="length", stops=("\n",))
    assert (got.text, got.finish, got.stop) == ("42.", FinishReason.STOP, "\n")


@pytest.mark.parametrize(("reason", "finish"), [("stop", FinishReason.STOP), ("length", FinishReason.LENGTH)])
def test_vllms_reason_is_ours(reason, finish):
    got, _ = written("4", "2", finish=reason)
    assert (got.text, got.finish, got.stop) == ("42", finish, None)


@pytest.mark.parametrize("reason", ["abort", "error", "repetition", None])
def test_an_answer_that_broke_off_is_a_failure(reason):
    got, _ = written("4", "2", finish=reason)
    assert got.failure.kind is FailureKind.SERVER
