"""Server-sent events, as the WHATWG HTML standard (section 9.2.6) defines their parsing."""

import re
from typing import NamedTuple

# What a server that writes token by token mostly sends at once: an event of one line, and nothing else.
_ONE = re.compile(rb"data: ([^\r\n]+)\n\n")


class Event(NamedTuple):
    """One event. `data` is UTF-8 as it came: JSON parsers check it better than we would."""

    name: str
    data: bytes


class EventTooLongError(ValueError):
    """An event outgrew the limit."""


class EventParser:
    """Turns chunks of bytes into events, wherever the chunks were cut.

    Lines end in LF, CR LF or CR. Comments, `id` and `retry` are skipped; an event without data, or one that
    the end of the stream left unfinished, is dropped.
    """

    def __init__(self, limit: int = 4 * 2**20) -> None:
        self._limit = limit
        self._rest: list[bytes] = []
        self._waiting = 0
        self._name = ""
        self._data: list[bytes] = []
        self._size = 0
        self._first = True

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that `chunk` completes.

        Raises:
            EventTooLongError: a line, or the lines of one event, exceed the limit.
        """
        if not self._waiting and not self._data and not self._name and not self._first:
            one = _ONE.fullmatch(chunk)
            if one is not None and len(chunk) <= self._limit:
                return [Event("", one[1])]
        self._rest.append(chunk)
        self._waiting += len(chunk)
        if b"\n" not in chunk and b"\r" not in chunk:
            if self._waiting > self._limit:
                raise EventTooLongError(f"a line of more than {self._limit} bytes")
            return []
        lines = b"".join(self._rest).splitlines(keepends=True)
        # A CR at the very end may be the first half of CR LF: it waits for what follows.
        rest = b"" if lines[-1].endswith(b"\n") else lines.pop()
        self._rest, self._waiting = [rest], len(rest)
        events = []
        for line in lines:
            event = self._line(line.rstrip(b"\r\n"))
            if event is not None:
                events.append(event)
        return events

    def _line(self, line: bytes) -> Event | None:
        if self._first:
            self._first = False
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line:
            return self._dispatch()
        if line.startswith(b"data: "):  # nearly every line
            self._add(line[6:])
            return None
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._add(value)
        elif name == b"event":
            self._name = value.decode("utf-8", "replace")
        return None

    def _add(self, value: bytes) -> None:
        self._size += len(value)
        if self._size > self._limit:
            raise EventTooLongError(f"an event of more than {self._limit} bytes")
        self._data.append(value)

    def _dispatch(self) -> Event | None:
        data, name = self._data, self._name
        self._name, self._data, self._size = "", [], 0
        if not data:
            return None
        return Event(name, data[0] if len(data) == 1 else b"\n".join(data))
