"""An answer as its chunks come in, without an engine."""

import threading

import pytest

from bakeoff.model.gguf.writing import write
from bakeoff.nouns import FailureKind, FinishReason, Generation


class Scripted:
    """Stands in for a runtime: hands out chunks until told to end."""

    def __init__(self, *chunks):
        self.chunks = chunks
        self.seen = 0
        self.body = {}

    def complete(self, body, watch):
        self.body = dict(body)
        for chunk in self.chunks:
            self.seen += 1
            if watch(chunk):
                return


def chunks(*pieces, finish="stop"):
    timed = [{"predicted_n": n, "cache_n": 3} for n in range(1, len(pieces) + 1)]
    parts = [
        {"choices": [{"text": piece, "finish_reason": None}], "timings": timings}
        for piece, timings in zip(pieces, timed, strict=True)
    ]
    last = {"choices": [{"text": "", "finish_reason": finish}], "timings": timed[-1] if timed else {}}
    return [*parts, last] if finish else parts


def answer(runtime, *, stop=(), prompt="?", cancelled=None, **sampling):
    return write(
        runtime,
        prompt,
        [1, 2, 3, 4],
        Generation(stop=stop, **sampling),
        seed=7,
        slot=0,
        reuse=True,
        thinks=lambda: False,
        cancelled=cancelled or threading.Event(),
    )


def test_a_stop_string_across_chunks_ends_the_answer_at_once():
    runtime = Scripted(*chunks("4", "2 Quest", "ion", ": more", " and more"))
    got = answer(runtime, stop=("Question:", "\n"))
    assert (got.text, got.stop, got.finish) == ("42 ", "Question:", FinishReason.STOP)
    assert runtime.seen == 4
    assert (got.usage.prompt_tokens, got.usage.completion_tokens, got.usage.cached_tokens) == (4, 4, 3)


@pytest.mark.parametrize(
    ("prompt", "pieces"),
    [
        ("?", ["<thi", "nk>Question: what?", "</think>", "\n\n42", " Question:", " no"]),
        ("<|assistant|><think>\n", ["Question: what?", "</think>", "\n\n42", " Question:", " no"]),
    ],
)
def test_a_stop_string_does_not_fire_inside_a_thought(prompt, pieces):
    got = answer(Scripted(*chunks(*pieces)), stop=("Question:",), prompt=prompt)
    assert (got.text.strip(), got.reasoning, got.stop) == ("42", "Question: what?", "Question:")


def test_an_unfinished_thought_is_not_an_answer_that_stopped():
    got = answer(Scripted(*chunks("<think>so", " far", finish="length")), stop=("far",))
    assert (got.finish, got.stop) == (FinishReason.LENGTH, None)
    assert got.text.startswith("<think>")


def test_an_answer_that_breaks_off_is_a_failure_and_not_a_short_answer():
    got = answer(Scripted(*chunks("The capital", finish=None)))
    assert got.failure.kind is FailureKind.MALFORMED


@pytest.mark.parametrize(
    ("kind", "failure"),
    [("exceed_context_size_error", FailureKind.CONTEXT_LENGTH), ("server_error", FailureKind.SERVER)],
)
def test_an_error_of_the_engine_is_a_failure(kind, failure):
    got = answer(Scripted({"error": {"code": 400, "type": kind, "message": "too much"}}))
    assert (got.failure.kind, got.text) == (failure, "")
    assert "too much" in got.failure.message


def test_an_answer_nobody_waits_for_is_given_up_at_the_next_token():
    cancelled = threading.Event()
    cancelled.set()
    runtime = Scripted(*chunks("a", "b", "c"))
    answer(runtime, cancelled=cancelled)
    assert runtime.seen == 1


def test_greedy_sends_no_seed_and_sampling_sends_nothing_but_temperature_and_top_p():
    runtime = Scripted(*chunks("x"))
    answer(runtime)
    assert runtime.body["temperature"] == 0
    assert "seed" not in runtime.body
    answer(runtime, temperature=0.7, top_p=0.9)
    assert (runtime.body["seed"], runtime.body["samplers"]) == (7, ["temperature", "top_p"])
    assert "stop" not in runtime.body
