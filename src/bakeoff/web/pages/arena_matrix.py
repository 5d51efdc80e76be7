"""How every two models of an arena do against each other: by their scores, and by their own votes."""

from dataclasses import dataclass
from math import ceil

import numpy as np
from sqlalchemy import Connection

from bakeoff.arena.ranking.ranking import Row
from bakeoff.arena.votes.rating import rated_pairs
from bakeoff.stats.ratings.bradley_terry import win_probability
from bakeoff.stats.ratings.scale import POINTS
from bakeoff.web.pages.arena_standing import Standing, standing_of
from bakeoff.web.pages.arena_votes import is_live
from bakeoff.web.reading import Library

LEVELS = 4
"""Shades of a win rate, the darkest for a rate of 90 % or more."""
_DARKEST = 0.4


@dataclass(frozen=True, slots=True)
class Cell:
    """The row against the column: the share of votes that it is `expected` to win by both scores, None where
    one has none, and that it won of `votes`, ties as half; both in [0, 1].
    """

    expected: float | None
    observed: float | None
    votes: int

    @property
    def shade(self) -> str:
        """Side and level of its colour; the number says the same."""
        rate = self.observed if self.expected is None else self.expected
        if rate is None or rate == 0.5:
            return ""
        level = min(LEVELS, ceil(LEVELS * abs(rate - 0.5) / _DARKEST))
        return f"{'ahead' if rate > 0.5 else 'behind'} level{level}"


@dataclass(frozen=True, slots=True)
class ArenaMatrixPage:
    """The models that have votes, the best first, and a cell for each two; None for a model with itself.
    `met` of `pairs` have votes.
    """

    arena: str
    live: bool
    rows: tuple[Row, ...]
    cells: tuple[tuple[Cell | None, ...], ...]
    met: int
    votes: int

    @property
    def pairs(self) -> int:
        """How many there are."""
        return len(self.rows) * (len(self.rows) - 1) // 2


def arena_matrix_page(library: Library, connection: Connection, arena: str) -> ArenaMatrixPage:
    """The page's data.

    Raises:
        BakeoffError: there is no such arena.
    """
    found = standing_of(library, connection, arena)
    cells = matrix(found)
    met = sum(cell is not None and cell.votes > 0 for row in cells for cell in row) // 2
    return ArenaMatrixPage(arena, is_live(connection, arena), found.rows, cells, met, len(found.used))


def matrix(found: Standing) -> tuple[tuple[Cell | None, ...], ...]:
    """Cells in the order of the standing's rows."""
    if not found.rows:
        return ()
    names = {name: place for place, name in enumerate(found.counts.models)}
    order = [names[row.model] for row in found.rows]
    square = np.ix_(order, order)
    pairs = rated_pairs(found.counts)
    votes, won = pairs.battles[square], pairs.points[square]
    strength = np.array([np.nan if row.score is None else row.score / POINTS for row in found.rows])
    expected = win_probability(strength)
    return tuple(
        tuple(
            None
            if row == column
            else Cell(
                None if np.isnan(expected[row, column]) else float(expected[row, column]),
                float(won[row, column] / votes[row, column]) if votes[row, column] else None,
                int(votes[row, column]),
            )
            for column in range(len(order))
        )
        for row in range(len(order))
    )
