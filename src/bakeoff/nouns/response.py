"""What came back from one call."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class FinishReason(StrEnum):
    """Why the model stopped writing."""

    STOP = "stop"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    TOOL_CALLS = "tool_calls"
    UNKNOWN = "unknown"


class FailureKind(StrEnum):
    """What broke between us and an answer. None of these is ever a wrong answer."""

    RATE_LIMIT = "rate_limit"
    TIMEOUT = "timeout"
    STALLED = "stalled"
    SERVER = "server"
    CONNECTION = "connection"
    MALFORMED = "malformed"
    NO_CHOICES = "no_choices"
    WRONG_MODEL = "wrong_model"
    REJECTED = "rejected"
    """The server understood the request and would not serve it (a 4xx other than the ones above)."""
    CONTEXT_LENGTH = "context_length"
    BUDGET = "budget"
    MISSING = "missing"
    """A recorded file holds no answer for this item."""
    UNSUPPORTED = "unsupported"
    OUT_OF_MEMORY = "out_of_memory"
    RAISED = "raised"
    """The user's own pipeline raised an exception."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer. `status` is the HTTP status where there was one."""

    kind: FailureKind
    message: str
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the engine counted them; None where it does not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. `latency_s` from sending the last attempt to its end, `first_token_s` to its first token
    (streamed answers only). None where it was not measured, as for answers from a cache."""

    latency_s: float | None = None
    first_token_s: float | None = None


@dataclass(frozen=True, slots=True)
class OptionScore:
    """The log-probability (natural logarithm, summed over tokens) of one continuation.

    `greedy` says whether every token was the most likely one; `unconditional` is the log-probability
    without the context, where asked for. `note` says where building the request as lm-eval does it and
    building it correctly differ for this option ("boundary inside a token"); `other` is then the
    log-probability under the mode that was not asked for, None where it cannot be had.
    """

    logprob: float
    tokens: int
    greedy: bool | None = None
    unconditional: float | None = None
    note: str = ""
    other: float | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """One answer, or the `failure` in its place.

    `text` is the answer without its reasoning block and without the stop string that fired (`stop`).
    `reasoning` is what the model thought aloud, as the server or the engine separated it. `refusal` is the
    refusal text of wire formats that mark one. `served_by` and `fingerprint` are what the server said of
    itself. `options` answer a log-likelihood request, in the order of its continuations. `stages` are what a
    pipeline says of its way to the answer, as JSON values: `passages` (mappings of id, text and perhaps
    score, best first) and whatever else it reports.
    """

    text: str = ""
    reasoning: str = ""
    finish: FinishReason = FinishReason.UNKNOWN
    stop: str | None = None
    refusal: str = ""
    options: tuple[OptionScore, ...] = ()
    usage: Usage = field(default_factory=Usage)
    timing: Timing = field(default_factory=Timing)
    failure: Failure | None = None
    attempts: int = 1
    served_by: str | None = None
    fingerprint: str | None = None
    stages: Mapping[str, Any] = field(default_factory=dict)
