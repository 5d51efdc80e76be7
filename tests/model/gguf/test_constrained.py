"""Answers of SmolLM2 under a constraint, and llama.cpp when it lets go of one."""

import asyncio
import threading

import pytest

from bakeoff.model import open_model, probe
from bakeoff.model.gguf.writing import write
from bakeoff.nouns import Constraint, FailureKind, FinishReason, Generate, Generation, Message
from tests.model.constraints import PATTERNS, PERSON, SCHEMAS, held_to, violation
from tests.model.gguf.test_writing import Scripted, chunks

pytest.importorskip("xllamacpp")
pytest.importorskip("llguidance")

CONSTRAINTS = [held_to(schema) for schema in SCHEMAS.values()] + [Constraint("regex", p) for p in PATTERNS]
QUESTIONS = (
    "Anna, born in 1990, lives in Oslo, is married and likes chess. Describe her in JSON.",
    "Write a poem.",
)


@pytest.fixture(scope="module")
def smollm2(smollm2_path):
    with asyncio.Runner() as runner:
        model = open_model(f"gguf:{smollm2_path}", {"threads": "1", "context_length": "512"})
        runner.run(model.__aenter__())
        try:
            yield lambda *requests: [runner.run(model.generate(request)) for request in requests]
        finally:
            runner.run(model.__aexit__(None, None, None))


def ask(given, *, seed=0, **generation):
    return Generate("item", given, Generation(**{"max_tokens": 96} | generation), seed)


def chat(text):
    return (Message.of("user", text),)


@pytest.mark.model
@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda constraint: constraint.text[:40])
def test_every_answer_is_allowed_whatever_is_asked_and_drawn(smollm2, constraint):
    requests = [
        ask(chat(question), constraint=constraint, temperature=temperature, seed=seed)
        for question in QUESTIONS
        for temperature, seed in ((0.0, 0), (1.5, 1), (1.5, 2))
    ]
    answers = smollm2(*requests)
    assert [why for why in (violation(constraint, each) for each in answers) if why] == []
    assert any(each.finish is FinishReason.STOP for each in answers)


@pytest.mark.model
def test_a_free_answer_to_the_same_question_is_not_allowed(smollm2):
    (free,) = smollm2(ask(chat(QUESTIONS[1])))
    assert violation(held_to(PERSON), free) or free.finish is FinishReason.LENGTH
    assert not free.text.startswith("{")


@pytest.mark.model
@pytest.mark.parametrize(
    ("constraint", "says"),
    [
        (held_to({"type": "array", "uniqueItems": True}), "uniqueItems"),
        (Constraint("regex", "(?=a)b"), "look-around"),
    ],
)
def test_a_constraint_that_llama_cpp_cannot_keep_is_a_failure_that_says_why(smollm2, constraint, says):
    (answer,) = smollm2(ask(chat(QUESTIONS[0]), constraint=constraint))
    assert answer.failure.kind is FailureKind.REJECTED
    assert says in answer.failure.message
    assert answer.text == ""


@pytest.mark.model
def test_an_open_thought_is_free_and_the_answer_behind_it_is_not(smollm2):
    def turn(text, answer):
        return f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n<think>\n{answer}"

    shown = turn("What is 2 + 2?", "The user asks for a sum. It is 4.\n</think>\n\n4<|im_end|>\n")
    constraint = Constraint("regex", "[0-9]{2}!")
    (answer,) = smollm2(ask(shown + turn("What is 5 + 6?", ""), constraint=constraint))
    assert violation(constraint, answer) == ""
    assert answer.finish is FinishReason.STOP
    assert "The user asks" in answer.reasoning
    assert 0 < answer.usage.reasoning_tokens < answer.usage.completion_tokens


@pytest.mark.model
@pytest.mark.parametrize("kind", ["json_schema", "regex"])
def test_the_probe_sees_that_answers_are_held(smollm2_path, kind):
    async def go():
        async with open_model(f"gguf:{smollm2_path}", {"threads": "1", "context_length": "512"}) as model:
            return await probe(model, ask="generate", constraint=kind)

    assert asyncio.run(go()).constraint == "holds"


class Turns(Scripted):
    """Stands in for a runtime that is asked several times."""

    def __init__(self, *turns):
        super().__init__()
        self.turns = list(turns)
        self.bodies = []

    def complete(self, body, watch):
        self.chunks = self.turns.pop(0)
        super().complete(body, watch)
        self.bodies.append(self.body)

    def tokens(self, text, *, specials):
        assert not specials
        return tuple(text.encode())


def written(runtime, *, prompt="?", thinks=True, pattern="[0-9]+", max_tokens=50, **generation):
    return write(
        runtime,
        prompt,
        [1, 2],
        Generation(constraint=Constraint("regex", pattern), max_tokens=max_tokens, **generation),
        seed=7,
        slot=0,
        reuse=True,
        thinks=lambda: thinks,
        cancelled=threading.Event(),
    )


@pytest.mark.parametrize(("text", "finish"), [("Sure: 42", "stop"), ("Sure", "length"), ("4 ", "stop")])
def test_an_answer_that_was_not_held_is_a_failure_and_not_a_free_answer(text, finish):
    """llama.cpp does without a grammar that it cannot read, and says so on its standard error alone."""
    answer = written(Turns(chunks(text, finish=finish)), thinks=False)
    assert answer.failure.kind is FailureKind.UNSUPPORTED
    assert "regex" in answer.failure.message


def test_an_answer_cut_by_its_limit_or_a_stop_string_need_not_be_whole():
    cut = written(Turns(chunks("4", finish="length")), thinks=False, pattern="[0-9]{2}")
    stopped = written(Turns(chunks("4", ",5")), thinks=False, pattern="[0-9](,[0-9]){3}", stop=(",",))
    assert (cut.failure, cut.text, cut.finish) == (None, "4", FinishReason.LENGTH)
    assert (stopped.failure, stopped.text, stopped.stop) == (None, "4", ",")


def test_a_thought_of_the_models_own_goes_before_the_answer():
    runtime = Turns(chunks("<think>", "two", " and</think>", "\n4", finish=None), chunks("42"))
    answer = written(runtime)
    free, held = runtime.bodies
    assert "grammar" not in free
    assert held["grammar"].startswith("%llguidance")
    assert bytes(held["prompt"][2:]) == b"<think>two and</think>"
    assert held["max_tokens"] == 50 - 3
    assert (answer.text, answer.reasoning, answer.usage.completion_tokens) == ("42", "two and", 4)


@pytest.mark.parametrize("first", [chunks("Sure", finish=None), chunks(), chunks("<", finish="stop")])
def test_where_no_thought_comes_the_answer_is_held_from_its_first_token(first):
    runtime = Turns(first, chunks("42"))
    answer = written(runtime)
    assert runtime.bodies[1]["prompt"] == [1, 2]
    assert runtime.bodies[1]["max_tokens"] == 50
    assert (answer.text, answer.reasoning, answer.usage.completion_tokens) == ("42", "", 1)


def test_a_stop_string_in_what_is_dropped_ends_nothing():
    runtime = Turns(chunks("Sure", finish=None), chunks("42"))
    assert written(runtime, stop=("Su",)).text == "42"


def test_a_thought_that_takes_all_tokens_leaves_no_answer():
    unfinished = written(Turns(chunks("<think>on and on", finish="length")))
    assert (unfinished.finish, unfinished.failure) == (FinishReason.LENGTH, None)
    assert unfinished.text.startswith("<think>")
    closed = written(Turns(chunks("<think>", "4</think>", finish=None)), max_tokens=2)
    assert (closed.text, closed.finish, closed.reasoning) == ("", FinishReason.LENGTH, "4")
