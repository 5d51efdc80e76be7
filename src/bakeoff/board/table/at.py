"""Which snapshot of a board is meant: by a date, or by its digest."""

import re
from collections.abc import Sequence
from datetime import date

from bakeoff.board.ranking.publishing import Dated
from bakeoff.errors import BakeoffError

_DIGEST = re.compile(r"(sha256:)?[0-9a-f]{4,64}")


def at(dates: Sequence[Dated], name: str = "", version: int | None = None) -> Dated:
    """The snapshot that `name` means among those of a board, the newest first; of `version` alone, if given.

    `name` is a day such as 2024-09-28, whose last state or the one before is meant, the beginning of a
    digest, `last` or `first`; without one it is the newest.

    Raises:
        BakeoffError: there is none, several digests begin so, or `name` is nothing of these.
    """
    found = [each for each in dates if version is None or each.version == version]
    if not found:
        raise BakeoffError("there is no snapshot" + ("" if version is None else f" of version {version}"))
    if name in ("", "last"):
        return found[0]
    if name == "first":
        return found[-1]
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", name, re.ASCII):
        return _of_day(found, name)
    if not _DIGEST.fullmatch(name):
        raise BakeoffError(
            f"at: {name!r:.80} names no snapshot",
            "write a day such as 2024-09-28, four characters or more of a digest, last or first",
        )
    named = [each for each in found if each.digest.startswith(f"sha256:{name.removeprefix('sha256:')}")]
    if len(named) != 1:
        raise BakeoffError(
            f"there is no snapshot whose digest begins with {name}"
            if not named
            else f"at: the digests of {len(named)} snapshots begin with {name}",
            "write more of it" if named else "the board's dates list those there are",
        )
    return named[0]


def _of_day(dates: Sequence[Dated], day: str) -> Dated:
    try:
        date.fromisoformat(day)
    except ValueError:
        raise BakeoffError(f"at: {day} is no day of the calendar", "write 2024-09-28") from None
    for each in dates:
        if each.made[:10] <= day:
            return each
    raise BakeoffError(f"there is no snapshot of {day} or before", f"the first is of {dates[-1].made[:10]}")
