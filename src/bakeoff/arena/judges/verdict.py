"""What a judge said of two answers."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.votes.coded import Coded, coded
from bakeoff.errors import BakeoffError

Winner = Literal["first", "second", "tie"]
WINNERS: tuple[Winner, ...] = get_args(Winner)
"""In this order wherever a winner is a number; -1 is none."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One verdict on the answers of two models to one item, in the order in which the judge read them.

    `winner` is None where the verdict could not be read. `lengths` are those of the first and the second
    answer, in any unit that is the same for all; None where nobody measured them. `gold` is what is known to
    be right. `time` counts how often the judge was asked the very same, from 0.

    Raises:
        ValueError: a field that cannot be so, by name.
    """

    item: str
    judge: str
    first: str
    second: str
    winner: Winner | None
    lengths: tuple[float, float] | None = None
    gold: Winner | None = None
    time: int = 0

    def __post_init__(self) -> None:
        for name in ("item", "judge", "first", "second"):
            if not getattr(self, name):
                raise ValueError(f"{name} is empty")
        if self.first == self.second:
            raise ValueError(f"first and second are both {self.first!r}: that is no pair")
        for name in ("winner", "gold"):
            if getattr(self, name) not in (*WINNERS, None):
                raise ValueError(
                    f"{name} is one of {', '.join(WINNERS)} or None, got {getattr(self, name)!r}"
                )
        if self.lengths is not None and not all(isfinite(each) and each >= 0 for each in self.lengths):
            raise ValueError(f"lengths are two numbers of at least 0, got {self.lengths}")
        if self.time < 0:
            raise ValueError(f"time counts from 0, got {self.time}")


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """n verdicts of any number of judges; every array has one row a verdict.

    `first` and `second` (int32) are places in `models`, `winner` and `gold` (int8) in `WINNERS`, -1 for none;
    `length` (n, 2) is NaN where nobody measured it.
    """

    models: tuple[str, ...]
    item: Coded
    judge: Coded
    first: NDArray[np.int32]
    second: NDArray[np.int32]
    winner: NDArray[np.int8]
    gold: NDArray[np.int8]
    length: NDArray[np.float64]
    time: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.winner)

    def where(self, mask: NDArray[np.bool_]) -> "Verdicts":
        """The verdicts of `mask` (n,), in their order; names stay, also those without a verdict left."""
        return Verdicts(
            self.models,
            self.item.where(mask),
            self.judge.where(mask),
            self.first[mask],
            self.second[mask],
            self.winner[mask],
            self.gold[mask],
            self.length[mask],
            self.time[mask],
        )

    def by(self, judge: str) -> "Verdicts":
        """The verdicts of one judge.

        Raises:
            BakeoffError: it gave none.
        """
        if judge not in self.judge.counts():
            there = ", ".join(self.judge.counts()) or "none"
            raise BakeoffError(f"there is no verdict by {judge!r:.80}", f"judges with verdicts: {there:.200}")
        return self.where(self.judge.codes == self.judge.names.index(judge))


def verdicts_of(verdicts: Iterable[Verdict]) -> Verdicts:
    """Verdicts as columns; their order has no influence on the names' numbers."""
    rows = list(verdicts)
    models = coded([row.first for row in rows] + [row.second for row in rows])
    place: dict[str | None, int] = {name: code for code, name in enumerate(WINNERS)}
    nowhere = (np.nan, np.nan)
    return Verdicts(
        models=models.names,
        item=coded([row.item for row in rows]),
        judge=coded([row.judge for row in rows]),
        first=models.codes[: len(rows)],
        second=models.codes[len(rows) :],
        winner=np.array([place.get(row.winner, -1) for row in rows], dtype=np.int8),
        gold=np.array([place.get(row.gold, -1) for row in rows], dtype=np.int8),
        length=np.array([row.lengths or nowhere for row in rows], dtype=np.float64).reshape(len(rows), 2),
        time=np.array([row.time for row in rows], dtype=np.int32),
    )
