import asyncio

import pytest

from bakeoff.errors import ModelError
from bakeoff.nouns import FinishReason, Generate, Generation, Message, Part
from tests.model.remote.asking import ask, bodies, chat, plain, serving
from tests.servers.fault_server import answer

pytestmark = pytest.mark.usefixtures("no_pauses")


def test_a_chat_is_sent_as_the_reference_says():
    (body,) = bodies(answer(), request=chat("Where?", max_tokens=9, top_p=0.5, stop=("\n",)), stream="true")
    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Where?"}],
        "max_tokens": 9,
        "temperature": 0.0,
        "top_p": 0.5,
        "seed": 7,
        "stop": ["\n"],
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_a_plain_text_goes_to_completions_as_it_is():
    async def main():
        async with serving(answer(" Paris"), stream="false") as (server, model):
            response = await model.generate(plain("The capital of France is", max_tokens=3))
            return response, server.calls

    response, (call,) = asyncio.run(main())
    assert response.text == " Paris"
    assert call.path == "/v1/completions"
    assert call.body == {
        "model": "m",
        "prompt": "The capital of France is",
        "max_tokens": 3,
        "temperature": 0.0,
        "seed": 7,
    }


def test_images_are_sent_as_data_uris():
    message = Message("user", (Part("text", "What?"), Part("image", "aGk=", "image/png")))
    (body,) = bodies(answer(), request=Generate("k", (message,), Generation(), 1))
    assert body["messages"][0]["content"] == [
        {"type": "text", "text": "What?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
    ]


def test_settings_leave_out_rename_and_add_fields():
    (body,) = bodies(
        answer(),
        request=chat(max_tokens=5, stop=("x",)),
        omit="temperature,seed,stop,stream_options",
        max_tokens_field="max_completion_tokens",
        reasoning_effort="low",
        body='{"top_k": 1}',
    )
    assert body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Where?"}],
        "max_completion_tokens": 5,
        "reasoning_effort": "low",
        "stream": True,
        "top_k": 1,
    }


def test_what_was_left_out_or_added_is_part_of_the_identity():
    async def main():
        async with serving(answer(), omit="seed,temperature", body='{"top_k": 1}') as (_, model):
            return model.identity.settings

    assert asyncio.run(main()) == {"omit": "seed,temperature", "body": '{"top_k":1}'}


@pytest.mark.parametrize("stream", ["true", "false"])
@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_that_the_server_separates_is_kept_apart(stream, field):
    response = ask(answer("\n\n42", message={field: "6 times 7"}), stream=stream)
    assert (response.text, response.reasoning) == ("42", "6 times 7")


@pytest.mark.parametrize("stream", ["true", "false"])
@pytest.mark.parametrize("stops", ["server", "client"])
def test_stops_do_not_fire_inside_an_inline_reasoning_block(stream, stops):
    request = chat(stop=("Question:",))
    said = "<think>Question: hm</think>42\nQuestion: next"
    response = ask(answer(said), request=request, stream=stream, stops=stops)
    assert (response.text, response.reasoning) == ("42\n", "Question: hm")
    assert (response.stop, response.finish) == ("Question:", FinishReason.STOP)


def test_an_unclosed_reasoning_block_is_no_answer():
    response = ask(answer("<think>It is 42", finish="length"))
    assert (response.text, response.reasoning, response.finish) == ("", "It is 42", FinishReason.LENGTH)


def test_a_stop_that_the_server_fired_inside_its_reasoning_is_mended_by_asking_again_without_stops():
    cut = answer(None, message={"reasoning_content": "The "})
    whole = answer("42\nQuestion: next", message={"reasoning_content": "The Question: is"})

    async def main():
        async with serving(cut, whole) as (server, model):
            first = await model.generate(chat(stop=("Question:",)))
            await model.generate(chat(stop=("Question:",)))
            return first, [call.body.get("stop") for call in server.calls]

    response, stops = asyncio.run(main())
    assert (response.text, response.reasoning, response.attempts) == ("42\n", "The Question: is", 2)
    assert stops == [["Question:"], None, None]


def test_with_client_stops_none_are_sent():
    (body,) = bodies(answer(), request=chat(stop=("x",)), stops="client")
    assert "stop" not in body


def test_more_stops_than_the_wire_takes_are_all_kept():
    stops = tuple("vwxyz")
    request = chat(stop=stops)
    assert bodies(answer(), request=request)[0]["stop"] == ["v", "w", "x", "y"]
    assert ask(answer("abzd"), request=request).text == "ab"


@pytest.mark.parametrize(("said", "kept"), [("END", "END"), (128001, None), (None, None)])
@pytest.mark.parametrize("stream", ["true", "false"])
def test_the_stop_that_fired_is_recorded_where_the_server_says(said, kept, stream):
    response = ask(answer("42", choice={"stop_reason": said}), request=chat(stop=("END",)), stream=stream)
    assert response.stop == kept


@pytest.mark.parametrize("stream", ["true", "false"])
def test_a_refusal_is_kept_apart(stream):
    response = ask(answer(None, message={"refusal": "I cannot"}), stream=stream)
    assert (response.text, response.refusal, response.failure) == ("", "I cannot", None)


@pytest.mark.parametrize("stream", ["true", "false"])
def test_tool_calls_without_content_are_an_answer(stream):
    tools = {"tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}]}
    response = ask(answer(None, finish="tool_calls", message=tools), stream=stream)
    assert (response.finish, response.failure) == (FinishReason.TOOL_CALLS, None)


def test_content_in_typed_parts_is_read():
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "42"},
    ]
    response = ask(answer(None, message={"content": parts}), stream="false")
    assert (response.text, response.reasoning) == ("42", "hm")


@pytest.mark.parametrize("stream", ["true", "false"])
def test_usage_snapshot_and_fingerprint_are_recorded(stream):
    usage = {
        "prompt_tokens": 20,
        "completion_tokens": 9,
        "completion_tokens_details": {"reasoning_tokens": 4},
        "prompt_tokens_details": {"cached_tokens": 16},
    }
    response = ask(answer("Paris", usage=usage, model="m-2024-08-06"), stream=stream)
    assert (response.usage.prompt_tokens, response.usage.completion_tokens) == (20, 9)
    assert (response.usage.reasoning_tokens, response.usage.cached_tokens) == (4, 16)
    assert (response.served_by, response.fingerprint) == ("m-2024-08-06", "fp_1")


def test_the_first_token_of_a_stream_is_timed_and_of_a_whole_answer_is_not():
    streamed = ask(answer("Paris", delay=0.05), stream="true").timing
    assert 0.05 <= streamed.first_token_s <= streamed.latency_s
    whole = ask(answer("Paris", delay=0.05), stream="false").timing
    assert whole.first_token_s is None
    assert whole.latency_s >= 0.05


def test_letters_of_several_bytes_survive_the_stream():
    text = "Zürich 東京 🏔️"
    assert ask(answer(text)).text == text


def test_messages_need_a_chat_endpoint():
    with pytest.raises(ModelError, match="messages"):
        ask(answer(), api="completions")
    assert ask(answer(" 4"), request=plain(), api="completions").text == " 4"
