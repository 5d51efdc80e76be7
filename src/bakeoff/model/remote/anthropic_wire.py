"""The Anthropic wire format: bodies out, answers in. Source: Anthropic API reference, Messages."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson

from bakeoff.model.remote.draft import Draft, count, mapping, name
from bakeoff.model.remote.endpoint import Endpoint
from bakeoff.model.remote.faults import error_of, fault_of, malformed
from bakeoff.model.remote.settings import RemoteSettings
from bakeoff.model.remote.sse import Event
from bakeoff.model.streaming import Telling
from bakeoff.nouns import FinishReason, Generate, Message, Part, Response, Timing, Usage

VERSION = "2023-06-01"
"""The `anthropic-version` header: the format that this module reads."""

_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The status that an error has which comes in the middle of a stream."""


def request_body(
    model: str,
    messages: Sequence[Message],
    request: Generate,
    settings: RemoteSettings,
    *,
    server_stops: bool,
) -> dict[str, Any]:
    """The body for a conversation. System messages go to `system`; there is no seed in this format.

    A JSON Schema goes to `output_config.format`; it holds the answer's text, not its thinking.
    """
    generation = request.generation
    body: dict[str, Any] = {
        "model": model,
        "max_tokens": generation.max_tokens,
        "messages": [_message(message) for message in messages if message.role != "system"],
        "temperature": generation.temperature,
    }
    if system := "\n\n".join(message.text for message in messages if message.role == "system"):
        body["system"] = system
    if generation.top_p != 1.0:
        body["top_p"] = generation.top_p
    # The API refuses stop strings of white space alone; we cut at those ourselves.
    stops = [stop for stop in generation.stop if stop.strip()]
    if server_stops and stops:
        body["stop_sequences"] = stops
    if settings.stream:
        body["stream"] = True
    for field in settings.omit:
        body.pop("stop_sequences" if field == "stop" else field, None)
    body.update(settings.body)
    if generation.constraint is not None:
        schema = {"type": "json_schema", "schema": orjson.loads(generation.constraint.text)}
        body["output_config"] = {**body.get("output_config", {}), "format": schema}
    return body


class AnthropicReader:
    """Reads one answer, whole or streamed; `telling` hears of a streamed one."""

    def __init__(self, endpoint: Endpoint, stops: Sequence[str], telling: Telling | None = None) -> None:
        self._endpoint = endpoint
        self._draft = Draft(stops, telling=telling)
        self._tool: object = None

    @property
    def started(self) -> bool:
        """Whether a first token has come."""
        return self._draft.started

    def whole(self, payload: Any) -> None:
        """Take an answer that came in one piece."""
        message = mapping(payload, "the answer")
        self._begin(message)
        self._end(message)
        self._draft.ended = True

    def event(self, event: Event) -> bool:
        """Take one event; true for `message_stop`."""
        try:
            payload = orjson.loads(event.data)
        except orjson.JSONDecodeError:
            raise malformed("an event of the stream is not JSON") from None
        data = mapping(payload, "an event of the stream")
        match data.get("type"):
            case "message_start":
                self._begin(mapping(data.get("message"), "message"))
            case "content_block_start":
                self._block(mapping(data.get("content_block"), "content_block"))
            case "content_block_delta":
                self._delta(mapping(data.get("delta"), "delta"))
            case "message_delta":
                self._end(mapping(data.get("delta"), "delta") | {"usage": data.get("usage")})
            case "message_stop":
                self._draft.ended = True
                return True
            case "error":
                error = error_of(data)
                if error is None:
                    raise malformed("an error event without a message")
                raise fault_of(_STATUS.get(error.type, 500), error, None, self._endpoint)
            case _:
                pass  # Pings, ends of blocks, and what the format may add: its rule is to ignore these.
        self._draft.tell()
        return False

    def response(self, timing: Timing) -> Response:
        """The answer."""
        return self._draft.response(timing)

    def _begin(self, message: dict[str, Any]) -> None:
        draft = self._draft
        draft.served_by = name(message.get("model"))
        content = message.get("content")
        if not isinstance(content, list):
            raise malformed("content is not a list")
        # A list without blocks is how this format says nothing.
        draft.choices = draft.spoke = True
        for block in content:
            self._block(mapping(block, "a block of the content"))
        self._count(message.get("usage"))

    def _block(self, block: dict[str, Any]) -> None:
        match block.get("type"):
            case "text":
                self._draft.say(self._draft.text, block.get("text"), "text")
            case "thinking":
                self._draft.say(self._draft.reasoning, block.get("thinking"), "thinking")
            case "tool_use":
                # Streamed, the input comes in pieces behind an empty one.
                given = block.get("input")
                text = orjson.dumps(given).decode() if given else None
                self._draft.call(block.get("id"), block.get("name"), text)
                self._tool = block.get("id")
            case _:
                pass  # Redacted thinking and server tools: nothing to read in them.

    def _delta(self, delta: dict[str, Any]) -> None:
        match delta.get("type"):
            case "text_delta":
                self._draft.say(self._draft.text, delta.get("text"), "text")
            case "thinking_delta":
                self._draft.say(self._draft.reasoning, delta.get("thinking"), "thinking")
            case "input_json_delta":
                self._draft.call(self._tool, None, delta.get("partial_json"))
            case _:
                pass  # Signatures, citations.

    def _end(self, message: dict[str, Any]) -> None:
        draft = self._draft
        said = message.get("stop_reason")
        if said is not None:
            draft.finish = _FINISH.get(said, FinishReason.UNKNOWN) if isinstance(said, str) else None
        draft.stop = name(message.get("stop_sequence")) or draft.stop
        if said == "refusal" and not draft.refusal:
            draft.refusal.append("".join(draft.text) or "stop_reason: refusal")
        self._count(message.get("usage"))

    def _count(self, said: object) -> None:
        """Counts are cumulative. Tokens from or to the prompt cache are counted apart in this format."""
        if not isinstance(said, dict):
            return
        usage = self._draft.usage
        fresh = count(said.get("input_tokens"))
        if fresh is not None:
            cached = count(said.get("cache_read_input_tokens"))
            stored = count(said.get("cache_creation_input_tokens")) or 0
            usage = Usage(prompt_tokens=fresh + (cached or 0) + stored, cached_tokens=cached)
        written = count(said.get("output_tokens"))
        self._draft.usage = replace(usage, completion_tokens=written)


_FINISH = {
    "end_turn": FinishReason.STOP,
    "stop_sequence": FinishReason.STOP,
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "tool_use": FinishReason.TOOL_CALLS,
    "refusal": FinishReason.CONTENT_FILTER,
}


def _message(message: Message) -> dict[str, Any]:
    if not message.has_images:
        return {"role": message.role, "content": message.text}
    return {"role": message.role, "content": [_part(part) for part in message.parts]}


def _part(part: Part) -> dict[str, Any]:
    if part.kind == "text":
        return {"type": "text", "text": part.data}
    return {
        "type": "image",
        "source": {"type": "base64", "media_type": part.media_type, "data": part.data},
    }
