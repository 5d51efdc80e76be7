"""Votes of each pair of models, counted: all that ratings without covariates and clusters need."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.votes.coded import coded
from bakeoff.arena.votes.importing.fields import Fields
from bakeoff.arena.votes.importing.rows import rows_of
from bakeoff.arena.votes.votes import Votes
from bakeoff.errors import BakeoffError

COUNTS = ("wins_a", "wins_b", "ties", "ties_bothbad")


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """P pairs. `model_a`, `model_b` (P,) int32 are places in `models`; `counts` (P, 4) int64 are wins of
    either, ties, and ties where both were bad. A pair may stand in several rows, in either order.
    """

    models: tuple[str, ...]
    model_a: NDArray[np.int32]
    model_b: NDArray[np.int32]
    counts: NDArray[np.int64]

    @property
    def total(self) -> int:
        """Votes in all."""
        return int(self.counts.sum())


def pair_counts(votes: Votes) -> PairCounts:
    """The votes of each unordered pair that met; `model_a` comes first by its name."""
    first = np.minimum(votes.model_a, votes.model_b).astype(np.int64)
    second = np.maximum(votes.model_a, votes.model_b).astype(np.int64)
    swapped = votes.model_a > votes.model_b
    outcome = votes.outcome.astype(np.int64)
    outcome = np.where(swapped & (outcome < 2), 1 - outcome, outcome)
    pairs, place = np.unique(first * len(votes.models) + second, return_inverse=True)
    counts = np.bincount(place * len(COUNTS) + outcome, minlength=len(pairs) * len(COUNTS))
    return PairCounts(
        votes.models,
        (pairs // max(1, len(votes.models))).astype(np.int32),
        (pairs % max(1, len(votes.models))).astype(np.int32),
        counts.reshape(len(pairs), len(COUNTS)),
    )


def read_pair_counts(path: Path) -> PairCounts:
    """Counts from CSV, JSON or Parquet with the columns model_a, model_b, wins_a, wins_b, ties, ties_bothbad.

    `ties_bothbad` may be missing.

    Raises:
        BakeoffError: no such file, or a value that is no count, with its line and column.
    """
    names: list[str] = []
    counts: list[list[int]] = []
    for row in rows_of(path):
        fields = Fields(row)
        a, b = fields.needed("model_a"), fields.needed("model_b")
        if a == b:
            raise fields.error("model_b", f"is the same model as model_a, {a!r}")
        names += [a, b]
        counts.append([_count(fields, name) for name in COUNTS])
    models = coded(names)
    return PairCounts(
        models.names,
        models.codes[0::2],
        models.codes[1::2],
        np.array(counts, dtype=np.int64).reshape(-1, len(COUNTS)),
    )


def write_pair_counts(path: Path, pairs: PairCounts) -> None:
    """Write counts as CSV.

    Raises:
        BakeoffError: the file cannot be written.
    """
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("model_a", "model_b", *COUNTS))
            for a, b, counts in zip(pairs.model_a, pairs.model_b, pairs.counts.tolist(), strict=True):
                writer.writerow((pairs.models[a], pairs.models[b], *counts))
    except OSError as error:
        raise BakeoffError(f"could not write {path}: {error.strerror or error}", "check the path") from error


def _count(fields: Fields, name: str) -> int:
    value = fields.number(name)
    if value is None:
        if name == "ties_bothbad":
            return 0
        raise fields.error(name, "is empty", "0 where there was no such vote")
    if value < 0 or value != int(value):
        raise fields.error(name, f"is no count: {value:g}")
    return int(value)
