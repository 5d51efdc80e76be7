"""Many battles as columns of numbers, and what was written in them beside."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff.arena.votes.battle import OUTCOMES, Battle
from bakeoff.arena.votes.coded import Coded, coded
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.style import Style

Mask = NDArray[np.bool_]
STYLES = ("length", "headers", "lists", "bold")


class Texts(NamedTuple):
    """What a battle says in words; None is "not recorded"."""

    id: str
    prompt: str | None
    answer_a: str | None
    answer_b: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """n battles. Every array has one row a battle.

    `model_a`, `model_b` (int32) are places in `models`, which is in the order of letters; `outcome` and
    `gold` (int8) are places in `OUTCOMES`, -1 for none; `key`, `voter`, `prompt` (uint64) are pseudonyms as
    numbers, 0 for none, `key` that of the battle's id. `at` is datetime64[us] in UTC, NaT for none; `blind`
    (int8) is 1, 0, or -1 for unknown; `share` is NaN for none; `tags` are joined by commas. `style` (n, 2, 4)
    float32 is length, headers, lists and bold of either answer, NaN for none. `texts` can be iterated again
    and again and may read a file each time: two million texts do not fit into memory. `seconds` between the
    answers and the vote are NaN for none, as they are for all where they are left out.
    """

    models: tuple[str, ...]
    model_a: NDArray[np.int32]
    model_b: NDArray[np.int32]
    outcome: NDArray[np.int8]
    key: NDArray[np.uint64]
    voter: NDArray[np.uint64]
    prompt: NDArray[np.uint64]
    at: NDArray[np.datetime64]
    language: Coded
    tags: Coded
    blind: NDArray[np.int8]
    gold: NDArray[np.int8]
    share: NDArray[np.float64]
    style: NDArray[np.float32]
    texts: Iterable[Texts]
    seconds: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        if not len(self.seconds):
            object.__setattr__(self, "seconds", np.broadcast_to(np.nan, len(self)))

    def __len__(self) -> int:
        return len(self.model_a)

    def where(self, mask: Mask) -> "Votes":
        """The battles of `mask`, in their order. `models` stay, also those without a battle left."""
        return Votes(
            self.models,
            self.model_a[mask],
            self.model_b[mask],
            self.outcome[mask],
            self.key[mask],
            self.voter[mask],
            self.prompt[mask],
            self.at[mask],
            self.language.where(mask),
            self.tags.where(mask),
            self.blind[mask],
            self.gold[mask],
            self.share[mask],
            self.style[mask],
            _Chosen(self.texts, mask),
            self.seconds[mask],
        )

    def tagged(self, tag: str) -> Mask:
        """Which battles have a tag."""
        having = np.array([tag in names.split(",") for names in self.tags.names] + [False])
        return having[self.tags.codes]


def votes_of(battles: Iterable[Battle]) -> Votes:
    """Battles in memory as columns."""
    rows = list(battles)
    models = coded([row.model_a for row in rows] + [row.model_b for row in rows])
    style = [[_counts(row.style_a), _counts(row.style_b)] for row in rows]
    return Votes(
        models=models.names,
        model_a=models.codes[: len(rows)],
        model_b=models.codes[len(rows) :],
        outcome=_outcomes([row.outcome for row in rows]),
        key=_numbers([pseudonym(row.id) for row in rows]),
        voter=_numbers([row.voter for row in rows]),
        prompt=_numbers([row.prompt for row in rows]),
        at=np.array(
            [None if row.at is None else row.at.astimezone(UTC).replace(tzinfo=None) for row in rows],
            dtype="datetime64[us]",
        ),
        language=coded([row.language for row in rows]),
        tags=coded([",".join(row.tags) or None for row in rows]),
        blind=np.array([-1 if row.blind is None else int(row.blind) for row in rows], dtype=np.int8),
        gold=_outcomes([row.gold for row in rows]),
        share=np.array([np.nan if row.share is None else row.share for row in rows], dtype=np.float64),
        style=np.array(style, dtype=np.float32).reshape(len(rows), 2, len(STYLES)),
        texts=tuple(Texts(row.id, row.prompt_text, row.answer_a, row.answer_b) for row in rows),
        seconds=np.array([np.nan if row.seconds is None else row.seconds for row in rows], dtype=np.float64),
    )


def battles_of(votes: Votes) -> Iterator[Battle]:
    """The battles of columns, one by one; the inverse of `votes_of`."""
    for row, said in enumerate(votes.texts):
        tags = votes.tags[row]
        yield Battle(
            id=said.id,
            model_a=votes.models[votes.model_a[row]],
            model_b=votes.models[votes.model_b[row]],
            outcome=OUTCOMES[votes.outcome[row]],
            voter=_text(votes.voter[row]),
            prompt=_text(votes.prompt[row]),
            at=_moment(votes.at[row]),
            language=votes.language[row],
            tags=() if tags is None else tuple(tags.split(",")),
            blind=None if votes.blind[row] < 0 else bool(votes.blind[row]),
            gold=None if votes.gold[row] < 0 else OUTCOMES[votes.gold[row]],
            share=None if np.isnan(votes.share[row]) else float(votes.share[row]),
            prompt_text=said.prompt,
            answer_a=said.answer_a,
            answer_b=said.answer_b,
            style_a=_style(votes.style[row, 0]),
            style_b=_style(votes.style[row, 1]),
            seconds=None if np.isnan(votes.seconds[row]) else float(votes.seconds[row]),
        )


def grouped(pseudonyms: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Voters or prompts as codes 0, 1, … in the order of their numbers, and those numbers.

    Battles without one get the code -1: nobody knows whether they belong together.
    """
    numbers, codes = np.unique(pseudonyms, return_inverse=True)
    codes = codes.astype(np.int64)
    if len(numbers) and numbers[0] == 0:
        return codes - 1, numbers[1:]
    return codes, numbers


class _Chosen:
    """The texts of the battles of a mask, read when they are wanted."""

    def __init__(self, texts: Iterable[Texts], mask: Mask) -> None:
        self._texts, self._mask = texts, mask

    def __iter__(self) -> Iterator[Texts]:
        return compress(self._texts, self._mask.tolist())


def _outcomes(values: Sequence[str | None]) -> NDArray[np.int8]:
    place: dict[str | None, int] = {name: code for code, name in enumerate(OUTCOMES)}
    return np.array([place.get(value, -1) for value in values], dtype=np.int8)


def _numbers(values: Sequence[str | None]) -> NDArray[np.uint64]:
    return np.array([0 if value is None else int(value, 16) for value in values], dtype=np.uint64)


def _text(number: np.uint64) -> str | None:
    return f"{int(number):016x}" if number else None


def _moment(at: np.datetime64) -> datetime | None:
    found: datetime | None = at.astype("datetime64[us]").item()
    return None if found is None else found.replace(tzinfo=UTC)


def _counts(style: Style | None) -> list[float]:
    return [np.nan] * len(STYLES) if style is None else [getattr(style, name) for name in STYLES]


def _style(counts: NDArray[np.float32]) -> Style | None:
    return None if np.isnan(counts).any() else Style(*(int(count) for count in counts))
