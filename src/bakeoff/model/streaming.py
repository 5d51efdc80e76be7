"""An answer told piece by piece while the model writes it."""

from collections.abc import Callable, Iterable
from typing import Protocol, runtime_checkable

from bakeoff.model.protocol import Model
from bakeoff.nouns import Failure, FailureKind, Generate, Response

Told = Callable[[str], None]
"""Is called with each new piece of an answer, in order, on the event loop. It must not raise."""


@runtime_checkable
class Streams(Protocol):
    """What an engine may offer beside `Model`."""

    async def stream(self, request: Generate, told: Told) -> Response:
        """As `generate`; what nothing can take back of the answer is told as it comes.

        The end may be left untold. Once a piece was told the request is not tried again.
        """
        ...


async def stream(model: Model, request: Generate, told: Told) -> Response:
    """The answer of `model`, told while it is written, or at its end where the engine cannot do better.

    The pieces joined are `Response.text`: without reasoning, and cut at the stop strings. Where there is a
    failure, what was told before is nobody's answer.

    Raises:
        ModelError: no further request makes sense.
    """
    said: list[str] = []

    def heard(piece: str) -> None:
        said.append(piece)
        told(piece)

    writing = model.stream(request, heard) if isinstance(model, Streams) else model.generate(request)
    response = await writing
    begun = "".join(said)
    if response.failure is not None:
        return response
    if not response.text.startswith(begun):
        message = "what was told of the answer while it came in is not how it begins"
        return Response(
            failure=Failure(FailureKind.MALFORMED, message),
            usage=response.usage,
            timing=response.timing,
            attempts=response.attempts,
        )
    if rest := response.text[len(begun) :]:
        told(rest)
    return response


class Telling:
    """Tells of a growing text what is certain to be in the answer.

    Held back are the reasoning, white space before the first word, and an end that may become a stop string
    or the `secret`, which `hide` takes out. With `waits`, a text without an opening mark is taken for
    reasoning that the prompt has opened.
    """

    def __init__(
        self,
        told: Told,
        stops: Iterable[str],
        *,
        secret: str = "",
        hide: Callable[[str], str] = str,
        waits: bool = False,
    ) -> None:
        self.waits = waits
        self._told = told
        self._stops = tuple(filter(None, stops))
        self._secret = secret
        self._marks = (*self._stops, secret) if secret else self._stops
        self._hide = hide
        self._said: list[str] = []
        self.again()

    def again(self) -> None:
        """Forget the text of an attempt that came to nothing before anything was told."""
        self._pending = ""
        self._found = self._over = False

    @property
    def begun(self) -> bool:
        """Whether a piece was told, so that nothing may start over."""
        return bool(self._said)

    @property
    def said(self) -> str:
        """What was told so far."""
        return "".join(self._said)

    def grow(self, piece: str, begins: Callable[[str], int | None]) -> None:
        """Take the next piece of the text; `begins` says where in a text so far the answer begins, or None
        while that is open (`answer_start`)."""
        if self._over:
            return
        self._pending += piece
        if not self._found:
            start = begins(self._pending)
            if start is None or start == len(self._pending):
                return
            self._pending, self._found = self._pending[start:], True
        end = self._certain()
        certain = self._pending[:end]
        if not certain or (not self._said and certain.isspace()):
            return
        self._pending = self._pending[end:]
        self._said.append(self._hide(certain))
        self._told(self._said[-1])

    def _certain(self) -> int:
        """How much of what is pending nothing can take back."""
        pending, secret = self._pending, self._secret
        if not self._marks:
            return len(pending)
        stopped = [at for stop in self._stops if (at := pending.find(stop)) >= 0]
        self._over = bool(stopped)
        held = max(_overlap(pending, mark) for mark in self._marks)
        end = min(stopped, default=len(pending) - held)
        if not secret or stopped:
            return end
        inside = pending.find(secret, max(0, end - len(secret) + 1))
        return inside if 0 <= inside < end < inside + len(secret) else end


def _overlap(text: str, mark: str) -> int:
    """How many characters at the end of `text` a `mark` may begin with, short of all of it."""
    start = text.find(mark[0], max(0, len(text) - len(mark) + 1))
    while start >= 0 and not mark.startswith(text[start:]):
        start = text.find(mark[0], start + 1)
    return len(text) - start if start >= 0 else 0
