"""The probe of a constraint: engines that ignore one are refused, those that keep it are not."""

import asyncio

import pytest

from bakeoff.errors import ModelError
from bakeoff.model import open_model, probe
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.nouns import Failure, FailureKind, FinishReason, Message, Response

KEPT = {"json_schema": '{"q7": "violet"}', "regex": "1234-violet"}


class Model:
    """Says `free` to every question, and `held` where it is held to a constraint."""

    identity = Identity("fake", "words")
    capabilities = Capabilities(json_schema=True, regex=True)

    def __init__(self, held, finish=FinishReason.STOP):
        self.held = Response(text=held, finish=finish) if isinstance(held, str) else held
        self.inputs = []

    async def generate(self, request):
        if request.generation.constraint is None:
            return Response(text="free", finish=FinishReason.STOP)
        self.inputs.append(request.input)
        return self.held


def seen(model, kind, **more):
    return asyncio.run(probe(model, ask="generate", constraint=kind, **more)).constraint


@pytest.mark.parametrize("kind", KEPT)
def test_a_model_that_keeps_it_passes(kind):
    assert seen(Model(KEPT[kind]), kind) == "holds"


@pytest.mark.parametrize("kind", KEPT)
@pytest.mark.parametrize("finish", [FinishReason.STOP, FinishReason.LENGTH])
@pytest.mark.parametrize("text", ["Whales, dolphins and sharks.", '{"q7": "red"}', '{"q7":"violet","a":1}'])
def test_an_answer_that_it_does_not_allow_is_refused(kind, finish, text):
    with pytest.raises(ModelError, match=f"does not hold its answers to a {kind}") as caught:
        seen(Model(text, finish), kind)
    assert "constrain: null" in caught.value.hint


@pytest.mark.parametrize("text", ["", "<think>Sea animals are"])
def test_an_answer_that_never_came_shows_nothing(text):
    assert seen(Model(text, FinishReason.LENGTH), "regex").startswith("not shown")


def test_an_empty_answer_that_ended_by_itself_is_refused():
    with pytest.raises(ModelError, match="does not hold"):
        seen(Model("", FinishReason.STOP), "regex")


def test_what_the_server_says_against_it_is_shown():
    failure = Failure(FailureKind.REJECTED, "HTTP 400: unknown field response_format")
    with pytest.raises(ModelError, match="unknown field response_format"):
        seen(Model(Response(failure=failure)), "json_schema")


def test_the_question_is_of_the_kind_that_the_task_asks():
    """A server may take a constraint for a chat and ignore it for a text."""
    chats, texts = Model(KEPT["regex"]), Model(KEPT["regex"])
    seen(chats, "regex")
    seen(texts, "regex", plain=True)
    assert isinstance(chats.inputs[0][0], Message)
    assert isinstance(texts.inputs[0], str)


def test_nothing_is_asked_of_a_constraint_that_no_task_has():
    model = Model("never said")
    asyncio.run(probe(model, ask="generate"))
    assert model.inputs == []


@pytest.mark.parametrize("kind", KEPT)
def test_recorded_answers_cannot_be_held_to_anything(tmp_path, kind):
    (tmp_path / "a.jsonl").write_text('{"id": 1, "output": "x"}\n')

    async def main():
        async with open_model(f"recorded:{tmp_path / 'a.jsonl'}") as model:
            await probe(model, ask="generate", constraint=kind)

    with pytest.raises(ModelError, match=f"cannot hold its answers to a {kind}") as caught:
        asyncio.run(main())
    assert "constrain: null" in caught.value.hint
