"""Answers told as they come over the wire, from a real server."""

import asyncio
import json

import pytest
from aiohttp import web
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff.errors import ModelError
from bakeoff.model.streaming import stream
from bakeoff.nouns import FailureKind, FinishReason
from tests.model.remote.asking import QUICK, AnthropicModel, OpenAIModel, chat, plain, serving
from tests.model.remote.test_anthropic_wire import delta
from tests.model.remote.test_anthropic_wire import streamed as anthropic_events
from tests.model.remote.test_faults import BROKEN, BUSY
from tests.servers import fault_server as fault
from tests.servers.fault_server import FaultServer, answer, events

pytestmark = pytest.mark.usefixtures("no_pauses")
KEY = "very-secret-key-1234"
WORDS = st.sampled_from(
    [*"ab Q\n", "Paris", "\nQ:", "\n\n", "very-", KEY, "<think>", "<thi", "mm</think>\n\n", "[THINK]"]
)
PIECES = st.lists(WORDS, max_size=10)


def openai_lines(pieces, thoughts=(), *, chat=True):
    said = [{"reasoning_content": thought} for thought in thoughts]
    said += [{"content": piece} for piece in pieces]
    choices = [{"delta": each} if chat else {"text": each.get("content")} for each in said]
    choices.append({"delta": {"content": ""}, "text": "", "finish_reason": "stop"})
    return [f"data: {json.dumps({'model': 'm', 'choices': [choice]})}\n\n" for choice in choices]


def openai_stream(pieces, thoughts=(), *, chat=True):
    return events(*openai_lines(pieces, thoughts, chat=chat), done=True)


def anthropic_stream(pieces, thoughts=()):
    return anthropic_events(
        *(delta(0, "thinking_delta", "thinking", thought) for thought in thoughts),
        *(delta(1, "text_delta", "text", piece) for piece in pieces),
    )


async def told_by(model, request):
    told: list[str] = []
    response = await stream(model, request, told.append)
    return response, told


def ask(*behaviours, request=None, engine=OpenAIModel, **given):
    """The answer to one request, and what was told of it."""

    async def main():
        async with serving(*behaviours, engine=engine, **given) as (_, model):
            return await told_by(model, request or chat())

    return asyncio.run(main())


@pytest.fixture(scope="module")
def servers():
    """Both wires, entered once for all examples."""
    with asyncio.Runner() as runner, pytest.MonkeyPatch.context() as environment:
        environment.setenv("BAKEOFF_API_KEY", KEY)
        server = FaultServer({"m": (answer(),)})
        runner.run(server.__aenter__())
        models = [engine("m", {"base_url": server.url} | QUICK) for engine in (OpenAIModel, AnthropicModel)]
        models.append(OpenAIModel("m", {"base_url": server.url, "api": "completions"} | QUICK))
        for model in models:
            runner.run(model.__aenter__())
        yield runner, server, models
        for model in models:
            runner.run(model.__aexit__(None, None, None))
        runner.run(server.__aexit__(None, None, None))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    PIECES,
    st.lists(st.sampled_from(["hm", "\n", " so"]), max_size=2),
    st.sampled_from([(), ("\nQ:",), ("Q", "b "), ("\n\n", "\n")]),
)
def test_what_is_told_joined_is_the_text_that_generate_gives(servers, pieces, thoughts, stops):
    runner, server, (openai, anthropic, completions) = servers
    text = "".join(pieces)
    if "</think>" in text and not text.lstrip().startswith("<think>"):
        text = "<think>" + text  # Of a closing mark alone there is a test below.
        pieces = ["<think>", *pieces]
    for model, behaviour, request in (
        (openai, openai_stream(pieces, thoughts), chat(stop=stops)),
        (anthropic, anthropic_stream(pieces, thoughts), chat(stop=stops)),
        (completions, openai_stream(pieces, chat=False), plain(stop=stops)),
    ):
        server.script("m", behaviour)
        whole = runner.run(model.generate(request))
        response, told = runner.run(told_by(model, request))
        assert response.failure == whole.failure
        assert (response.text, response.reasoning, response.stop) == (whole.text, whole.reasoning, whole.stop)
        assert "".join(told) == response.text
        assert KEY not in "".join(told)


def test_pieces_are_told_while_the_server_still_writes():
    async def main():
        told: list[str] = []
        first = asyncio.Event()

        async def waits(request, call):
            """Goes on only once the first piece has come through."""
            reply = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await reply.prepare(request)
            head, *rest = openai_lines(["The ", "capital ", "is ", "Paris."])
            await reply.write(head.encode())
            await first.wait()
            await reply.write("".join([*rest, "data: [DONE]\n\n"]).encode())
            await reply.write_eof()
            return reply

        def hear(piece):
            told.append(piece)
            first.set()

        async with serving(waits, stall_s="30") as (_, model):
            return await stream(model, chat(), hear), told

    response, told = asyncio.run(main())
    assert (response.failure, response.text) == (None, "The capital is Paris.")
    assert told == ["The ", "capital ", "is ", "Paris."]


@pytest.mark.parametrize("name", BUSY | BROKEN)
def test_a_fault_before_the_first_piece_is_retried_and_one_behind_it_is_the_failure(name):
    behaviour, kind = (BUSY | BROKEN)[name]
    response, told = ask(behaviour, answer("Paris"))
    if response.failure is None:
        assert (response.text, "".join(told), response.attempts) == ("Paris", "Paris", 2)
    else:
        assert response.failure.kind is kind
        assert (response.text, response.attempts) == ("", 1)
        assert "".join(told) == "Par"


def test_the_faults_in_the_midst_of_an_answer_are_those_that_cannot_be_retried():
    begun = {name for name, (behaviour, _) in BROKEN.items() if ask(behaviour, answer("Paris"))[0].failure}
    assert begun == {
        "half a stream, cut off",
        "half a stream, properly closed",
        "a stream that stalls",
        "an aborted answer",
    }


def test_an_answer_that_drips_for_ever_is_no_answer():
    response, told = ask(fault.drip, deadline_s="0.3")
    assert (response.failure.kind, response.text) == (FailureKind.TIMEOUT, "")
    assert set(told) == {"a"}


def test_a_filter_that_cuts_in_leaves_no_answer():
    error = 'data: {"error": {"message": "filtered", "code": "content_filter"}}\n\n'
    begun = 'data: {"model": "m", "choices": [{"delta": {"content": "Par"}}]}\n\n'
    response, told = ask(events(begun, error))
    assert (response.failure.kind, response.text, told) == (FailureKind.MALFORMED, "", ["Par"])
    refused, told = ask(events(error))
    assert (refused.failure, refused.finish, told) == (None, FinishReason.CONTENT_FILTER, [])


def test_a_server_that_answers_in_one_piece_is_told_in_one():
    whole = {"model": "m", "choices": [{"message": {"content": "Paris"}, "finish_reason": "stop"}]}
    assert ask(fault.body(json.dumps(whole)))[1] == ["Paris"]
    assert ask(answer("Paris"), stream="false")[1] == ["Paris"]


def test_reasoning_that_the_prompt_opened_is_never_an_answer_and_waited_for_from_then_on():
    thinking = openai_stream(["So it is", " Paris.\n", "</think>", "\n\nParis"])

    async def main():
        async with serving(thinking, thinking, openai_stream(["Rome"]), openai_stream(["Oslo"])) as (
            _,
            model,
        ):
            return [await told_by(model, chat()) for _ in range(4)]

    (lost, shown), (answered, told), (plain_one, _), (again, _) = asyncio.run(main())
    assert (lost.failure.kind, lost.text) == (FailureKind.MALFORMED, "")
    assert "".join(shown).startswith("So it is")
    assert (answered.text, answered.reasoning, told) == ("Paris", "So it is Paris.", ["Paris"])
    assert (plain_one.text, again.text) == ("Rome", "Oslo")


def test_a_stop_string_that_fired_in_the_thought_is_asked_again_and_told_once():
    cut = openai_stream([], ["Q: what"])
    response, told = ask(cut, openai_stream(["42", "\nQ:", " no"], ["Q: what"]), request=chat(stop=("\nQ:",)))
    assert (response.text, told, response.attempts) == ("42", ["42"], 2)


def test_what_makes_every_request_pointless_is_raised():
    with pytest.raises(ModelError, match="no credit"):
        ask(fault.status(402))
