"""A text watched for stop strings while it is written, token by token."""

from collections.abc import Callable, Sequence

from bakeoff.model.answer import answer_start

_CONTEXT_TOKENS = 6


class Watch:
    """A text as its tokens come in, watched for stop strings.

    Each token is decoded with a few before it, never the whole text; bytes of an unfinished character wait
    for the rest. The text goes on from the last tokens of the prompt, so that a leading space is kept.
    """

    def __init__(
        self,
        decode: Callable[[Sequence[int]], str],
        prompt: Sequence[int],
        stops: Sequence[str],
        opened: bool,
    ) -> None:
        self.text = ""
        self._decode = decode
        self._stops = stops
        self._opened = opened
        self._longest = max(map(len, stops), default=0)
        self._ids = list(prompt[-_CONTEXT_TOKENS:])
        self._shown = len(self._ids)
        self._base = 0
        self._start: int | None = None

    @property
    def answering(self) -> bool:
        """Whether the answer has begun: there is no reasoning block, or it is closed."""
        return self._start is not None

    @property
    def answer(self) -> str | None:
        """The answer so far; None while a reasoning block is open, or may be about to open."""
        return None if self._start is None else self.text[self._start :]

    def push(self, token: int) -> bool:
        """Whether the answer, with `token`, has come to a stop string."""
        self._ids.append(token)
        before = len(self.text)
        self._grow(finished=False)
        if len(self.text) == before:
            return False
        self._start = answer_start(self.text, self._opened)
        if self._start is None:
            return False
        seen = max(self._start, before - self._longest + 1)
        return any(stop in self.text[seen:] for stop in self._stops)

    def finish(self) -> str:
        """The whole text, with what was held back."""
        self._grow(finished=True)
        return self.text

    def _grow(self, *, finished: bool) -> None:
        old = self._decode(self._ids[self._base : self._shown])
        new = self._decode(self._ids[self._base :])
        if len(new) > len(old) and (finished or not new.endswith("\ufffd")):
            self.text += new[len(old) :]
            self._base, self._shown = self._shown, len(self._ids)
