"""The inner end of the channel: ceilings on ourselves, then lines of text in and framed data out.

This is the beginning of every program that runs in a sandbox. It is sent as text, runs on any Python from 3.8
on, with or without an operating system below (WASI), and imports little, because imports are most of the
start-up time. The host's messages are Python literals (it is trusted, so they are evaluated); ours are JSON
behind the nonce of this run. What is written here is a claim by hostile code, and the host treats it so.
"""

# Hostile code raises anything, the host is evaluated because it is trusted, and JSON is full of braces.
# ruff: noqa: BLE001, S307, UP031

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

DEPTH = 100
BUILTIN_PLAIN = (int, float, str, bytes, list, tuple, set, frozenset, dict)
LITERALS = {
    "__builtins__": {},
    "set": set,
    "frozenset": frozenset,
    "range": range,
    "iter": iter,
    "inf": float("inf"),
    "nan": float("nan"),
}


class TooMuch(Exception):  # noqa: N818 (a finding, not a fault)
    """A value larger or deeper than may be sent."""


def confine(cpu_s: int, memory_mb: int, disk_mb: int, threads: int) -> None:
    """Lower our own hard limits, which nothing inside can raise again."""
    try:
        import resource
    except ImportError:
        return  # WASI: there is neither a second process nor a thread, and the host bounds the rest

    def ceiling(kind: int, soft: int, hard: int) -> None:
        most = resource.getrlimit(kind)[1]
        if most != resource.RLIM_INFINITY:
            soft, hard = min(soft, most), min(hard, most)
        resource.setrlimit(kind, (soft, hard))

    megabyte = 1 << 20
    ceiling(resource.RLIMIT_CORE, 0, 0)
    ceiling(resource.RLIMIT_CPU, cpu_s, cpu_s + 1)
    ceiling(resource.RLIMIT_AS, memory_mb * megabyte, memory_mb * megabyte)
    ceiling(resource.RLIMIT_FSIZE, disk_mb * megabyte, disk_mb * megabyte)
    ceiling(resource.RLIMIT_NOFILE, 64, 64)
    ceiling(resource.RLIMIT_NPROC, threads, threads)


def quote(text: str) -> str:
    """A JSON string in ASCII."""
    try:
        from _json import encode_basestring_ascii as encoded
    except ImportError:
        from json import dumps as encoded
    return encoded(text)


def encode(value: "Any", budget: "list[int]", depth: int = 0) -> str:
    """A value as JSON: primitives and lists as they are, all else as {kind: content}. No object leaves.

    Subclasses become what they extend (a namedtuple is a tuple, an IntEnum an int), iterators their items,
    and whatever is no data only its type's name. `budget` is a list with the characters that may still be
    sent.
    """
    budget[0] -= 8
    if depth > DEPTH or budget[0] < 0:
        raise TooMuch("nested too deep" if depth > DEPTH else "larger than may be sent")
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    kind = type(value)
    if kind not in BUILTIN_PLAIN:
        kind = next((base for base in BUILTIN_PLAIN if isinstance(value, base)), kind)
    if kind is int:
        return encode_int(int.__index__(value), budget)
    if kind is float:
        value = float.__float__(value)
        text = float.__repr__(value)
        return text if text[-1] not in "fn" else '{"float":"%s"}' % text
    if kind is complex or isinstance(value, complex):
        return '{"complex":[%s,%s]}' % (encode(value.real, budget), encode(value.imag, budget))
    if kind is str:
        budget[0] -= str.__len__(value)
        return quote(str.__str__(value)) if budget[0] >= 0 else encode(None, budget)
    if kind is bytes or isinstance(value, bytearray):
        budget[0] -= 2 * len(value)
        return '{"bytes":"%s"}' % bytes(value).hex() if budget[0] >= 0 else encode(None, budget)
    if kind is list:
        return encode_all(list.__iter__(value), budget, depth)
    if kind is tuple:
        return '{"tuple":%s}' % encode_all(tuple.__iter__(value), budget, depth)
    if kind is set or kind is frozenset:
        return '{"set":%s}' % encode_all(kind.__iter__(value), budget, depth)
    if kind is dict:
        return '{"dict":%s}' % encode_all(map(list, dict.items(value)), budget, depth)
    if isinstance(value, range):
        return '{"range":[%d,%d,%d]}' % (value.start, value.stop, value.step)
    if hasattr(kind, "__next__") or kind.__name__ in ("dict_keys", "dict_values", "dict_items"):
        return '{"iterator":%s}' % encode_all(value, budget, depth)
    return '{"object":%s}' % quote(kind.__name__[:100])


def encode_int(value: int, budget: "list[int]") -> str:
    """Long integers in hexadecimal: decimal digits take quadratic time and are refused beyond 4,300."""
    budget[0] -= int.bit_length(value) // 4
    if budget[0] < 0:
        raise TooMuch("larger than may be sent")
    return int.__repr__(value) if int.bit_length(value) <= 1024 else '{"int":"%x"}' % value


def encode_all(values: "Iterable[Any]", budget: "list[int]", depth: int) -> str:
    """A JSON list."""
    return "[%s]" % ",".join([encode(value, budget, depth + 1) for value in values])


def fault(error: BaseException) -> str:
    """An exception as data: its type and its words, which may be hostile themselves."""
    try:
        message = str.__str__(str(error))[:300]
    except BaseException:
        message = ""
    return '{"error":%s,"message":%s}' % (quote(type(error).__name__[:100]), quote(message))


class Channel:
    """Lines from the host, frames to it, on descriptors that ordinary prints and reads do not touch."""

    def __init__(self, nonce: str) -> None:
        self.nonce = nonce
        self.input: Any
        if hasattr(os, "dup2"):
            self.input = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
            self.output = os.dup(1)
            nowhere = os.open("/dev/null", os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(nowhere, descriptor)
        else:
            self.input, self.output = sys.stdin, 1
            sys.stdout = sys.stderr

    def read(self) -> "Any":
        """The next message, or None when the host has nothing more to ask."""
        line = self.input.readline()
        return eval(line, dict(LITERALS)) if line else None

    def write(self, text: str) -> None:
        """Send JSON as one frame."""
        data = ("\n%s %s\n" % (self.nonce, text)).encode("ascii")
        while data:
            data = data[os.write(self.output, data) :]
