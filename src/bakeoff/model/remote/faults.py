"""What can go wrong with one attempt, and what each HTTP error means."""

import re
from enum import Enum
from typing import Any, NamedTuple

import orjson

from bakeoff.errors import ModelError
from bakeoff.model.remote.endpoint import Endpoint
from bakeoff.nouns import FailureKind


class Retry(Enum):
    """Whether another attempt makes sense."""

    NEVER = "never"
    AGAIN = "again"
    """The server or its answer broke: try again after a pause of this request's own."""
    LATER = "later"
    """The server asks for less: every request waits, and fewer are sent at once."""


class Fault(Exception):  # noqa: N818 (the field's word)
    """One attempt came to nothing. `wait_s` is the pause the server asked for, where it did."""

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        retry: Retry = Retry.NEVER,
        *,
        status: int | None = None,
        wait_s: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry = retry
        self.status = status
        self.wait_s = wait_s


class ContentFiltered(Exception):  # noqa: N818 (an answer, not an error)
    """The server's filter refused the prompt: an answer of a kind, not a failure."""


class ServerError(NamedTuple):
    """The error object of a reply, in whichever of its usual shapes it came."""

    message: str
    type: str = ""
    code: str = ""
    param: str = ""

    @property
    def words(self) -> str:
        """Type and code, to look for known terms in."""
        return f"{self.type} {self.code}".lower()


def malformed(message: str) -> Fault:
    """The fault of an answer that cannot be read. Another attempt may bring a whole one."""
    return Fault(FailureKind.MALFORMED, message, Retry.AGAIN)


def read_error(body: bytes) -> ServerError:
    """The error in a reply's body; unknown shapes come back as (shortened) text.

    Shapes: OpenAI and Anthropic `{"error": {"message", "type", "code", "param"}}`, bare `{"message": …}`,
    `{"error": "…"}`, and FastAPI's `{"detail": …}`.
    """
    try:
        payload = orjson.loads(body)
    except orjson.JSONDecodeError:
        return ServerError(_shorten(body.decode("utf-8", "replace")))
    return error_of(payload) or ServerError(_shorten(body.decode("utf-8", "replace")))


def error_of(payload: Any) -> ServerError | None:
    """The error object inside `payload`; None where it holds none."""
    if not isinstance(payload, dict):
        return None
    found = payload.get("error") or payload.get("detail") or (payload if "message" in payload else None)
    if isinstance(found, dict):
        fields = (_shorten(str(found.get(name) or "")) for name in ("message", "type", "code", "param"))
        return ServerError(*fields)
    return ServerError(_shorten(str(found))) if found else None


def fault_of(status: int, error: ServerError, wait_s: float | None, endpoint: Endpoint) -> Fault:
    """What a reply with an error `status` means for the request that met it.

    Raises:
        ModelError: it makes every further request pointless: a wrong key, an account without credit, a
            field the model does not take.
        ContentFiltered: the prompt was refused by a filter.
    """
    error = error._replace(message=endpoint.scrub(error.message))
    said = f"HTTP {status}: {error.message or 'no message'}"
    if "content_filter" in error.words or "content_policy" in error.words:
        raise ContentFiltered(error.message)
    if status == 402 or "insufficient_quota" in error.words or "credit balance" in error.message.lower():
        raise ModelError(f"the account at {endpoint.url} has no credit left: {error.message}")
    if status in (429, 503, 529) or "overloaded" in error.words or "rate_limit" in error.words:
        kind = FailureKind.RATE_LIMIT if status == 429 else FailureKind.SERVER
        return Fault(kind, said, Retry.LATER, status=status, wait_s=wait_s)
    if status in (401, 403) and not _MODERATION.search(f"{error.words} {error.message}"):
        raise endpoint.denied(status, error.message)
    if exceeds_context(error):
        return Fault(FailureKind.CONTEXT_LENGTH, said, status=status)
    if status in (408, 409, 425) or status >= 500:
        return Fault(FailureKind.SERVER, said, Retry.AGAIN, status=status, wait_s=wait_s)
    if field := _refused_field(error):
        raise ModelError(
            f"the model at {endpoint.url} does not take the field {field!r}: {error.message}",
            f"Leave it out with the setting omit={field}; the run records that."
            if field != "max_tokens"
            else "Set max_tokens_field=max_completion_tokens.",
        )
    return Fault(FailureKind.REJECTED, said, status=status)


def exceeds_context(error: ServerError) -> bool:
    """Whether the server says that prompt and answer do not fit its context.

    Wordings of OpenAI, vLLM, SGLang, llama.cpp, llama-cpp-python, TGI, Anthropic and Gemini.
    """
    return (
        "context_length" in error.words
        or "exceed_context" in error.words
        or bool(_CONTEXT.search(error.message))
    )


_CONTEXT = re.compile(
    r"maximum context length|maximum model length|model'?s context length|context length exceeded"
    r"|exceed(?:s|ed)? (?:the )?(?:available |model'?s )?context (?:size|length|limit|window)"
    r"|prompt is too long|longer than the (?:maximum )?model'?s? (?:context )?length"
    r"|exceeds? (?:the )?model'?s maximum context|input token count .* exceeds the maximum"
    r"|`inputs` (?:tokens \+|must have less)|reduce the length of the (?:messages|prompt|input)",
    re.IGNORECASE,
)
_MODERATION = re.compile(r"moderation|flagged|content policy|safety", re.IGNORECASE)
_FIELDS = ("temperature", "top_p", "seed", "stop", "stream_options", "max_tokens")
_QUOTED_FIELD = re.compile(rf"['\"`]({'|'.join(_FIELDS)})['\"`]")


def _refused_field(error: ServerError) -> str:
    """The request field that the server says it does not support; empty where it says no such thing."""
    unsupported = "unsupported" in error.words or re.search(
        r"unsupported|not supported|does not support|extra inputs|unrecognized|unknown (?:field|parameter)",
        error.message,
        re.IGNORECASE,
    )
    if not unsupported:
        return ""
    if error.param in _FIELDS:
        return error.param
    found = _QUOTED_FIELD.search(error.message)
    return found.group(1) if found else ""


def _shorten(text: str, limit: int = 500) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit] + "…"
