"""An answer while it is coming in."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from bakeoff.model.remote.faults import Fault, Retry, malformed
from bakeoff.model.remote.reasoning import answer_begins, cut_at_stop, split_reasoning
from bakeoff.model.streaming import Telling
from bakeoff.nouns import Failure, FailureKind, FinishReason, Response, Timing, Usage


@dataclass(slots=True)
class Call:
    """A tool that the answer calls, while it is coming in."""

    function: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        name = orjson.dumps("".join(self.function)).decode()
        # In JSON `<` stands in texts alone. Escaped, it cannot end the mark.
        arguments = ("".join(self.arguments).strip() or "{}").replace("<", "\\u003c")
        return f'<tool_call>{{"name": {name}, "arguments": {arguments}}}</tool_call>'


@dataclass(slots=True)
class Draft:
    """The pieces of one answer, from one body or many events.

    `spoke` says that the server gave a text, be it an empty one; `ended` that the stream came to its proper
    end. `chat` tells a chat answer from a plain completion, whose text is the model's own from its first
    letter. Calls of tools are kept by their index or id. `telling` hears of the text as it comes.
    """

    stops: Sequence[str] = ()
    chat: bool = True
    telling: Telling | None = None
    text: list[str] = field(default_factory=list)
    reasoning: list[str] = field(default_factory=list)
    refusal: list[str] = field(default_factory=list)
    finish: FinishReason | None = None
    stop: str | None = None
    usage: Usage = field(default_factory=Usage)
    served_by: str | None = None
    fingerprint: str | None = None
    choices: bool = False
    spoke: bool = False
    calls: dict[object, Call] = field(default_factory=dict)
    ended: bool = False
    heard: int = 0

    def __post_init__(self) -> None:
        if self.telling is not None:
            self.telling.again()

    @property
    def started(self) -> bool:
        """Whether a first token has come."""
        return bool(self.text or self.reasoning or self.refusal or self.calls)

    def say(self, pieces: list[str], piece: object, what: str) -> None:
        """Add a piece of text; null and empty pieces are silence.

        Raises:
            Fault: the piece is not text.
        """
        if piece is None:
            return
        if not isinstance(piece, str):
            raise malformed(f"{what} is {type(piece).__name__}, not text")
        if pieces is self.text:
            self.spoke = True
        if piece:
            pieces.append(piece)

    def call(self, index: object, function: object = None, arguments: object = None) -> None:
        """Begin the call of a tool, or go on with it: a piece of its arguments, as JSON text."""
        call = self.calls.setdefault(index, Call())
        self.say(call.function, function, "the name of a tool")
        self.say(call.arguments, arguments, "the arguments of a tool")

    def tell(self) -> None:
        """Tell what came of the text since the last time, as far as it is certain."""
        if self.telling is not None and self.heard < len(self.text):
            piece = "".join(self.text[self.heard :])
            self.heard = len(self.text)
            self.telling.grow(piece, self._begins)

    def response(self, timing: Timing) -> Response:
        """The finished answer.

        Calls of tools are written at its end as chat templates write them, between `<tool_call>` marks. A
        reasoning block inside the text is taken out, and the text cut at the first stop string after it:
        stop strings never apply inside the block.

        Raises:
            Fault: the answer is not whole: no choices, cut off, or no text though tokens were written.
        """
        if not self.choices:
            raise Fault(FailureKind.NO_CHOICES, "the answer holds no choices", Retry.AGAIN)
        if self.finish is None and not self.ended:
            raise malformed("the stream ended before the answer did")
        finish = self.finish or FinishReason.UNKNOWN
        reasoning = "".join(self.reasoning)
        if self._silent(finish, reasoning):
            raise Fault(FailureKind.NO_CHOICES, "the answer's content is null", Retry.AGAIN)
        inline, text = split_reasoning("".join(self.text), opened=self.chat and not reasoning)
        if reasoning:
            text = text.lstrip("\r\n")
        text, stop = cut_at_stop(text, self.stops)
        text = "\n".join([*([text] if text else []), *map(str, self.calls.values())])
        return Response(
            text=text,
            reasoning=reasoning or inline,
            finish=FinishReason.STOP if stop is not None else finish,
            stop=stop if stop is not None else self.stop,
            refusal="".join(self.refusal),
            usage=self.usage,
            timing=timing,
            served_by=self.served_by,
            fingerprint=self.fingerprint,
        )

    def _begins(self, text: str) -> int | None:
        reasoned = bool(self.reasoning)
        waits = self.telling is not None and self.telling.waits and self.chat and not reasoned
        return answer_begins(text, reasoned=reasoned, waits=waits)

    def _silent(self, finish: FinishReason, reasoning: str) -> bool:
        """Whether tokens were written and none reached us. One token, the end mark, is an empty answer."""
        if self.spoke or self.calls or self.refusal or reasoning:
            return False
        if finish not in (FinishReason.STOP, FinishReason.UNKNOWN):
            return False
        written = self.usage.completion_tokens
        return written is None or written > 1


def mapping(value: object, what: str) -> dict[str, Any]:
    """`value`, if it is a JSON object.

    Raises:
        Fault: it is not.
    """
    if not isinstance(value, dict):
        raise malformed(f"{what} is not a JSON object")
    return value


def count(value: object) -> int | None:
    """`value`, if it is a count; None otherwise."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def name(value: object) -> str | None:
    """`value`, if it is a text that says something; None otherwise."""
    return value if isinstance(value, str) and value else None


def lost(response: Response, kind: FailureKind, message: str) -> Response:
    """`response` as a failure: what it said is dropped, what it cost stays."""
    return replace(
        response, text="", reasoning="", refusal="", options=(), stop=None, failure=Failure(kind, message)
    )
