"""The OpenAI wire format: bodies out, answers in. Source: OpenAI API reference, chat and completions."""

from collections.abc import Sequence
from typing import Any

import orjson

from bakeoff.model.remote.draft import Draft, count, mapping, name
from bakeoff.model.remote.endpoint import Endpoint
from bakeoff.model.remote.faults import Fault, Retry, error_of, fault_of, malformed
from bakeoff.model.remote.settings import RemoteSettings
from bakeoff.model.remote.sse import Event
from bakeoff.model.streaming import Telling
from bakeoff.nouns import (
    Constraint,
    FailureKind,
    FinishReason,
    Generate,
    Message,
    Part,
    Response,
    Timing,
    Usage,
)

STOPS_AT_MOST = 4
"""What the OpenAI API takes; we cut at the others ourselves."""


def request_body(
    model: str, request: Generate, settings: RemoteSettings, *, server_stops: bool
) -> dict[str, Any]:
    """The body for a chat (messages) or a plain completion (text)."""
    generation = request.generation
    chat = not isinstance(request.input, str)
    body: dict[str, Any] = {"model": model}
    if isinstance(request.input, str):
        body["prompt"] = request.input
    else:
        body["messages"] = [_message(message) for message in request.input]
    body[settings.max_tokens_field or "max_tokens" if chat else "max_tokens"] = generation.max_tokens
    body["temperature"] = generation.temperature
    body["seed"] = request.seed
    if generation.top_p != 1.0:
        body["top_p"] = generation.top_p
    stops = [stop for stop in generation.stop if stop]
    if server_stops and stops:
        body["stop"] = stops[:STOPS_AT_MOST]
    if chat and settings.reasoning_effort:
        body["reasoning_effort"] = settings.reasoning_effort
    if settings.stream:
        body["stream"] = True
        body["stream_options"] = {"include_usage": True}
    for field in settings.omit:
        body.pop("max_completion_tokens" if field == "max_tokens" and field not in body else field, None)
    body.update(settings.body)
    if generation.constraint is not None:
        # After what the user lays over the body: an answer must not be free without a word.
        body |= _constraint(generation.constraint, settings.constrain)
    return body


def _constraint(constraint: Constraint, field: str) -> dict[str, Any]:
    """The field that holds an answer to `constraint`. The schema keeps the order of its keys on the wire.

    Sources: OpenAI API reference, `response_format`; vLLM, Structured Outputs; llama.cpp, server README.
    """
    if constraint.kind == "regex":
        regex = constraint.text
        return {"guided_regex": regex} if field == "guided" else {"structured_outputs": {"regex": regex}}
    schema = orjson.loads(constraint.text)
    match field:
        case "structured_outputs":
            return {"structured_outputs": {"json": schema}}
        case "guided":
            return {"guided_json": schema}
        case "json_schema":
            return {"json_schema": schema}
        case _:
            named = {"name": "answer", "schema": schema, "strict": True}
            return {"response_format": {"type": "json_schema", "json_schema": named}}


class OpenAIReader:
    """Reads one answer, whole or streamed, of chat or completions; `telling` hears of a streamed one."""

    def __init__(
        self, endpoint: Endpoint, stops: Sequence[str], *, chat: bool, telling: Telling | None = None
    ) -> None:
        self._endpoint = endpoint
        self._draft = Draft(stops, chat, telling)
        self._chat = chat

    @property
    def started(self) -> bool:
        """Whether a first token has come."""
        return self._draft.started

    def whole(self, payload: Any) -> None:
        """Take an answer that came in one piece."""
        self._take(mapping(payload, "the answer"), "message")
        self._draft.ended = True

    def event(self, event: Event) -> bool:
        """Take one event; true for `[DONE]`."""
        if event.data == b"[DONE]":
            self._draft.ended = True
            return True
        try:
            payload = orjson.loads(event.data)
        except orjson.JSONDecodeError:
            raise malformed("an event of the stream is not JSON") from None
        chunk = mapping(payload, "an event of the stream")
        if event.name == "error" or chunk.get("error"):
            error = error_of(chunk)
            if error is None:
                raise malformed("an error event without a message")
            raise fault_of(
                500 if not error.code.isdecimal() else int(error.code), error, None, self._endpoint
            )
        self._take(chunk, "delta")
        self._draft.tell()
        return False

    def response(self, timing: Timing) -> Response:
        """The answer."""
        return self._draft.response(timing)

    def _take(self, payload: dict[str, Any], part: str) -> None:
        draft = self._draft
        draft.served_by = name(payload.get("model")) or draft.served_by
        draft.fingerprint = name(payload.get("system_fingerprint")) or draft.fingerprint
        if payload.get("usage"):
            draft.usage = read_usage(mapping(payload["usage"], "usage"))
        choices = payload.get("choices")
        if choices is None or choices == []:
            return
        if not isinstance(choices, list):
            raise malformed("choices is not a list")
        choice = mapping(choices[0], "a choice")
        draft.choices = True
        if self._chat:
            if choice.get(part) is not None:
                self._say(mapping(choice[part], part))
        else:
            draft.say(draft.text, choice.get("text"), "text")
        if choice.get("finish_reason") is not None:
            draft.finish = _finish(choice["finish_reason"])
        # vLLM names the stop string that fired (or the id of the token, which is no string).
        draft.stop = name(choice.get("stop_reason")) or draft.stop

    def _say(self, message: dict[str, Any]) -> None:
        draft = self._draft
        content = message.get("content")
        if isinstance(content, list):
            self._parts(content)
        else:
            draft.say(draft.text, content, "content")
        thought = message.get("reasoning_content")
        draft.say(draft.reasoning, message.get("reasoning") if thought is None else thought, "reasoning")
        draft.say(draft.refusal, message.get("refusal"), "refusal")
        self._call("function_call", message.get("function_call"))
        calls = message.get("tool_calls")
        for at, each in enumerate(calls if isinstance(calls, list) else []):
            call = mapping(each, "a tool call")
            self._call(call.get("index", at), call.get("function"))

    def _call(self, index: object, said: object) -> None:
        if said:
            function = mapping(said, "the function of a call")
            self._draft.call(index, function.get("name"), function.get("arguments"))

    def _parts(self, parts: list[Any]) -> None:
        """Content as a list of typed parts, as Mistral sends it: text, and thinking made of texts."""
        draft = self._draft
        for each in parts:
            part = mapping(each, "a part of the content")
            match part.get("type"):
                case "text":
                    draft.say(draft.text, part.get("text"), "text")
                case "thinking":
                    thoughts = part.get("thinking")
                    for thought in thoughts if isinstance(thoughts, list) else [{"text": thoughts}]:
                        draft.say(draft.reasoning, mapping(thought, "a thought").get("text"), "thinking")
                case "refusal":
                    draft.say(draft.refusal, part.get("refusal"), "refusal")
                case kind:
                    raise malformed(f"a part of the content has the unknown type {kind!r}")


_FINISH = {
    "stop": FinishReason.STOP,
    "eos": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "content_filter": FinishReason.CONTENT_FILTER,
    "tool_calls": FinishReason.TOOL_CALLS,
    "function_call": FinishReason.TOOL_CALLS,
}


def _finish(said: object) -> FinishReason:
    if said in ("error", "abort"):
        raise Fault(
            FailureKind.SERVER, f"the server gave up on the answer (finish_reason {said})", Retry.AGAIN
        )
    return _FINISH.get(said, FinishReason.UNKNOWN) if isinstance(said, str) else FinishReason.UNKNOWN


def read_usage(usage: dict[str, Any]) -> Usage:
    """Token counts as the server gives them; None for each it does not give."""
    written, read = usage.get("completion_tokens_details"), usage.get("prompt_tokens_details")
    return Usage(
        prompt_tokens=count(usage.get("prompt_tokens")),
        completion_tokens=count(usage.get("completion_tokens")),
        reasoning_tokens=count(written.get("reasoning_tokens")) if isinstance(written, dict) else None,
        cached_tokens=count(read.get("cached_tokens")) if isinstance(read, dict) else None,
    )


def _message(message: Message) -> dict[str, Any]:
    if not message.has_images:
        return {"role": message.role, "content": message.text}
    return {"role": message.role, "content": [_part(part) for part in message.parts]}


def _part(part: Part) -> dict[str, Any]:
    if part.kind == "text":
        return {"type": "text", "text": part.data}
    return {"type": "image_url", "image_url": {"url": f"data:{part.media_type};base64,{part.data}"}}
