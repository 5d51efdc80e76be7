import asyncio
import json

import pytest

from bakeoff.errors import ModelError
from bakeoff.nouns import FinishReason, Generate, Generation, Loglikelihood, Message, Part
from tests.model.remote.asking import AnthropicModel, ask, bodies, chat, plain, serving
from tests.servers.fault_server import body, events

WHOLE = {
    "type": "message",
    "role": "assistant",
    "model": "m-20250514",
    "content": [
        {"type": "thinking", "thinking": "hm", "signature": "x"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": "42"},
    ],
    "stop_reason": "stop_sequence",
    "stop_sequence": "\nQ:",
    "usage": {
        "input_tokens": 5,
        "cache_read_input_tokens": 90,
        "cache_creation_input_tokens": 5,
        "output_tokens": 7,
    },
}  # fmt: skip


def streamed(*more: dict, stop: str | None = "end_turn", sequence: str | None = None):
    begun = WHOLE | {"content": [], "stop_reason": None, "stop_sequence": None}
    all_events = [
        {"type": "message_start", "message": begun},
        *more,
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": sequence},
         "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ]  # fmt: skip
    return events(*(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in all_events))


def delta(index: int, kind: str, field: str, text: str) -> dict:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, field: text}}


STREAM = streamed(
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
    delta(0, "thinking_delta", "thinking", "h"),
    delta(0, "thinking_delta", "thinking", "m"),
    delta(0, "signature_delta", "signature", "x"),
    {"type": "content_block_stop", "index": 0},
    {"type": "ping"},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    delta(1, "text_delta", "text", "4"),
    delta(1, "text_delta", "text", "2"),
    {"type": "an_event_of_the_future"},
    stop="stop_sequence",
    sequence="\nQ:",
)


@pytest.mark.parametrize("behaviour", [body(json.dumps(WHOLE)), STREAM], ids=["whole", "streamed"])
def test_thinking_text_stop_and_usage_are_read(behaviour):
    response = ask(behaviour, engine=AnthropicModel)
    assert (response.text, response.reasoning) == ("42", "hm")
    assert (response.finish, response.stop) == (FinishReason.STOP, "\nQ:")
    assert (response.usage.prompt_tokens, response.usage.cached_tokens) == (100, 90)
    assert response.usage.completion_tokens == 7
    assert response.served_by == "m-20250514"


@pytest.mark.parametrize(
    ("said", "finish"),
    [
        ("end_turn", FinishReason.STOP),
        ("max_tokens", FinishReason.LENGTH),
        ("model_context_window_exceeded", FinishReason.LENGTH),
        ("tool_use", FinishReason.TOOL_CALLS),
        ("pause_turn", FinishReason.UNKNOWN),
    ],
)
def test_stop_reasons_become_finish_reasons(said, finish):
    assert ask(body(json.dumps(WHOLE | {"stop_reason": said})), engine=AnthropicModel).finish is finish


@pytest.mark.parametrize(
    "behaviour",
    [body(json.dumps(WHOLE | {"stop_reason": "refusal", "content": []})), streamed(stop="refusal")],
)
def test_a_refusal_is_marked_and_no_failure(behaviour):
    response = ask(behaviour, engine=AnthropicModel)
    assert response.failure is None
    assert response.refusal
    assert response.finish is FinishReason.CONTENT_FILTER


def test_no_blocks_at_all_are_an_empty_answer():
    response = ask(streamed(), engine=AnthropicModel)
    assert (response.text, response.failure, response.finish) == ("", None, FinishReason.STOP)


def test_a_conversation_is_sent_as_the_reference_says():
    messages = (
        Message.of("system", "Be brief."),
        Message("user", (Part("image", "aGk=", "image/png"), Part("text", "What?"))),
        Message.of("assistant", "It is"),
    )
    request = Generate("k", messages, Generation(9, 0.5, 0.9, ("\n", "Q:")), 1)
    (sent,) = bodies(STREAM, request=request, engine=AnthropicModel)
    assert sent == {
        "model": "m",
        "max_tokens": 9,
        "system": "Be brief.",
        "messages": [
            {
                "role": "user",
                "content": [
                    {
                        "type": "image",
                        "source": {"type": "base64", "media_type": "image/png", "data": "aGk="},
                    },
                    {"type": "text", "text": "What?"},
                ],
            },
            {"role": "assistant", "content": "It is"},
        ],
        "temperature": 0.5,
        "top_p": 0.9,
        "stop_sequences": ["Q:"],
        "stream": True,
    }


def test_a_stop_of_white_space_which_the_api_refuses_is_applied_here():
    block = [{"type": "text", "text": "42\nmore"}]
    response = ask(
        body(json.dumps(WHOLE | {"content": block, "stop_sequence": None})),
        request=chat(stop=("\n",)),
        engine=AnthropicModel,
    )
    assert (response.text, response.stop) == ("42", "\n")


def test_the_version_is_sent_and_the_key_in_its_own_header(monkeypatch):
    monkeypatch.setenv("MY_KEY", "key-1234567890")

    async def main():
        async with serving(STREAM, engine=AnthropicModel, api_key_env="MY_KEY") as (server, model):
            await model.generate(chat())
            return server.calls[0].headers

    headers = asyncio.run(main())
    assert headers["anthropic-version"] == "2023-06-01"
    assert headers["x-api-key"] == "key-1234567890"
    assert "Authorization" not in headers


def test_plain_text_and_log_likelihoods_are_refused():
    async def main():
        async with serving(STREAM, engine=AnthropicModel) as (_, model):
            with pytest.raises(ModelError, match="messages"):
                await model.generate(plain())
            with pytest.raises(ModelError, match="log-probabilities"):
                await model.loglikelihood(Loglikelihood("k", "a", (" b",)))
            return model.capabilities

    capabilities = asyncio.run(main())
    assert (capabilities.plain, capabilities.loglikelihood) == (False, False)
