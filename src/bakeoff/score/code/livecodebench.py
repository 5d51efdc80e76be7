"""Tests as LiveCodeBench's rows pack them (Jain et al. 2024).

Public tests are JSON. Private ones are base64 of zlib of a pickled text of JSON. A pickle can run anything
when it is loaded; this one is taken apart instead, and refused unless it holds one text and nothing else.
"""

import base64
import json
import pickletools
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LARGEST = 1 << 30
"""Bytes of one row's tests, unpacked."""

_TEXT = frozenset({"UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"})
_HARMLESS = frozenset({"PROTO", "FRAME", "MEMOIZE", "PUT", "BINPUT", "LONG_BINPUT", "STOP"})


@dataclass(frozen=True, slots=True)
class Case:
    """One test: standard input and what must be printed, or with `functional` lines of JSON, one for each
    argument, and the JSON of what must be returned."""

    input: str
    output: str
    functional: bool


def read_cases(public: str, private: str) -> tuple[Case, ...]:
    """All tests of a row, public ones first.

    Raises:
        ValueError: they are not packed as LiveCodeBench's are; says where.
    """
    cases = [*_cases("the public tests", public), *_cases("the private tests", _unpacked(private))]
    if not cases:
        raise ValueError("there are no tests")
    if len({case.functional for case in cases}) > 1:
        raise ValueError("some tests call a function and some read standard input")
    return tuple(cases)


def arguments(case: Case) -> tuple[list[Any], Any]:
    """The arguments of a functional test, and what must be returned.

    Raises:
        ValueError: they are not JSON.
    """
    try:
        return [json.loads(line) for line in case.input.split("\n")], json.loads(case.output)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"an argument or a result is not JSON: {error}") from None


def pickled_text(data: bytes) -> str:
    """The text in a pickle of one text, without loading it.

    Raises:
        ValueError: it holds anything else.
    """
    found: list[str] = []
    end = 0
    for opcode, value, position in pickletools.genops(data):
        if opcode.name in _TEXT:
            found.append(str(value))
        elif opcode.name not in _HARMLESS:
            raise ValueError(f"the pickle would do {opcode.name}, and a text needs nothing like it")
        end = (position or 0) + 1
    if len(found) != 1 or end != len(data):
        raise ValueError("the pickle is not of one text")
    return found[0]


def _unpacked(text: str) -> str:
    """The JSON in `text`, which a few copies of the data hold as it is."""
    if text.lstrip().startswith("["):
        return text
    try:
        unzip = zlib.decompressobj()
        data = unzip.decompress(base64.b64decode(text, validate=True), LARGEST)
        if not unzip.eof:
            raise ValueError("they are cut short" if not unzip.unconsumed_tail else f"over {LARGEST:,} bytes")
        return pickled_text(data)
    except (ValueError, zlib.error) as error:
        raise ValueError(f"the private tests cannot be unpacked: {error}") from None


def _cases(what: str, text: str) -> list[Case]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{what} are not JSON: {error}") from None
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise ValueError(f"{what} are no list")
    return [_case(f"{what}, number {number}", row) for number, row in enumerate(rows, 1)]


def _case(what: str, row: Any) -> Case:
    values = [row.get(name) for name in ("input", "output", "testtype")] if isinstance(row, dict) else []
    match values:
        case [str(given), str(right), "stdin" | "functional" as kind]:
            return Case(given, right, kind == "functional")
    raise ValueError(f"{what}: expected input, output and a testtype of stdin or functional, got {row!r:.60}")
