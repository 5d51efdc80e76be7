"""`--arg` and `--where`: what of a task's data is changed for one command."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from bakeoff.task import DataOverlay


def overlay(args: Iterable[str], where: Iterable[str]) -> "DataOverlay | None":
    """What `KEY=VALUE` and `COLUMN=VALUE` or `COLUMN=FROM..TO` say; None where there are none.

    Raises:
        BakeoffError: one is not of that form, or a key is there twice.
    """
    from bakeoff.task import DataOverlay
    from bakeoff.task.yaml_file import read_scalar

    found_args = _once("--arg", _pairs("--arg", args, "KEY=VALUE", "--arg tokens=32000"))
    found_where = _once("--where", _pairs("--where", where, "COLUMN=VALUE", "--where subject=astronomy"))
    if not found_args and not found_where:
        return None
    return DataOverlay(
        args={key: read_scalar(value) for key, value in found_args.items()},
        where={key: _condition(value, read_scalar) for key, value in found_where.items()},
    )


def _condition(text: str, read: Any) -> Any:
    ends = re.fullmatch(r"(.*?)\.\.(.*)", text)
    if ends is None or ends[1] == ends[2] == "":
        return read(text)
    return {key: read(end) for key, end in zip(("from", "to"), ends.groups(), strict=True) if end}


def _pairs(option: str, texts: Iterable[str], form: str, example: str) -> Iterator[tuple[str, str]]:
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise BakeoffError(f"{option} takes {form}, got {text!r}", f"for example {example}")
        yield key, value


def _once(option: str, pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for key, value in pairs:
        if key in found:
            raise BakeoffError(f"{option} {key} is there twice", "give each once")
        found[key] = value
    return found
