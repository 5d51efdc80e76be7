"""The votes of a live arena as votes are everywhere else, to be cleaned and ranked."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby, islice
from typing import Any, Literal

import numpy as np
from sqlalchemy import ColumnElement, Connection, Row, Select, func, select

from bakeoff.arena.battles.life import State
from bakeoff.arena.battles.live_arena import live_arena
from bakeoff.arena.cleaning.refusals import TAG
from bakeoff.arena.votes.battle import OUTCOMES, Battle
from bakeoff.arena.votes.joining import joined
from bakeoff.arena.votes.pair_counts import COUNTS, PairCounts
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.style import Style
from bakeoff.arena.votes.votes import STYLES, Texts, Votes, votes_of
from bakeoff.database.tables import answer, ballot, battle, turn
from bakeoff.digest import canonical_json

Words = Literal["none", "shown", "written"]
"""No texts; answers as voters saw them, with names blacked out; answers as models wrote them."""
_PAGE = 5_000


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which votes: those cast from `since` on and before `until` (seconds since 1970); all, or only those of
    battles that are `held_back`, or are not.
    """

    since: float | None = None
    until: float | None = None
    held_back: bool | None = None


ALL = Chosen()


def battles(
    connection: Connection, arena: str, chosen: Chosen = ALL, words: Words = "shown"
) -> Iterator[Battle]:
    """Battles with their votes, one by one: they are never all in memory. Left is `a`.

    A battle of several turns has their texts with empty lines between, and the sum of their counts; its
    pseudonym of the prompt is of all its turns. `length` is in words.

    Raises:
        BakeoffError: there is no such arena.
    """
    salt = live_arena(connection, arena).salt
    found = connection.execute(_query(arena, chosen, words), execution_options={"yield_per": _PAGE})
    for _, rows in groupby(found, key=lambda row: row.id):
        yield _battle(list(rows), salt, words)


def votes(connection: Connection, arena: str, chosen: Chosen = ALL) -> Votes:
    """The votes as columns. Memory grows by a hundred bytes a vote: texts stay in the database, and are read
    from the connection each time that somebody iterates over them, within its transaction (`reading`).
    """
    return joined(_pages(battles(connection, arena, chosen, "none")), _TextsOf(connection, arena, chosen))


def votes_digest(connection: Connection, arena: str) -> str:
    """Names the votes of an arena so far: of each battle its id, voter, sides, outcome and time, in the order
    of ids. Texts are no part of it: they are erased in time, and the votes stay what they were.
    """
    columns = (battle.c.id, battle.c.voter, battle.c.left, battle.c.right, battle.c.outcome, ballot.c.at)
    query = select(*columns).join(ballot, ballot.c.battle == battle.c.id).where(battle.c.arena == arena)
    found = hashlib.sha256()
    # Sorted here: databases sort texts each in a way of its own.
    for row in sorted(tuple(row) for row in connection.execute(query)):
        found.update(canonical_json(list(row)) + b"\n")
    return f"sha256:{found.hexdigest()}"


def pair_counts(connection: Connection, arena: str) -> PairCounts:
    """The votes of each unordered pair that met, the first by its name: counted in the database, in an index
    that has all of it.
    """
    columns = (battle.c.left, battle.c.right, battle.c.outcome)
    query = (
        select(*columns, func.count())
        .where(battle.c.arena == arena, battle.c.outcome.is_not(None))
        .group_by(*columns)
    )
    counts: dict[tuple[str, str], list[int]] = {}
    for left, right, outcome, number in connection.execute(query):
        place = OUTCOMES.index(outcome)
        if left > right:
            left, right, place = right, left, (1, 0, 2, 3)[place]
        counts.setdefault((left, right), [0] * len(COUNTS))[place] += number
    pairs = sorted(counts)
    models = tuple(sorted({name for pair in pairs for name in pair}))
    code = {name: number for number, name in enumerate(models)}
    return PairCounts(
        models,
        np.array([code[first] for first, _ in pairs], dtype=np.int32),
        np.array([code[second] for _, second in pairs], dtype=np.int32),
        np.array([counts[pair] for pair in pairs], dtype=np.int64).reshape(-1, len(COUNTS)),
    )


@dataclass(frozen=True, slots=True)
class _TextsOf:
    """The texts of votes, read anew each time and a few thousand at once."""

    connection: Connection
    arena: str
    chosen: Chosen

    def __iter__(self) -> Iterator[Texts]:
        for each in battles(self.connection, self.arena, self.chosen):
            yield Texts(each.id, each.prompt_text, each.answer_a, each.answer_b)


def _query(arena: str, chosen: Chosen, words: Words) -> Select[Any]:
    """Two rows a turn, left and right, those of a battle one behind the other."""
    columns: list[ColumnElement[Any]] = [
        *(battle.c[name] for name in ("id", "voter", "left", "right", "outcome", "language")),
        *(ballot.c[name] for name in ("at", "seconds")),
        *(turn.c[name] for name in ("number", "pseudonym", "tags")),
        *(answer.c[name] for name in ("refused", *STYLES)),
    ]
    if words != "none":
        shown = func.coalesce(answer.c.shown, answer.c.text) if words == "shown" else answer.c.text
        columns += [turn.c.prompt, shown.label("said")]
    query = (
        select(*columns)
        .join(ballot, ballot.c.battle == battle.c.id)
        .join(turn, turn.c.battle == battle.c.id)
        .join(answer, (answer.c.battle == turn.c.battle) & (answer.c.number == turn.c.number))
        .where(battle.c.arena == arena, battle.c.state == State.VOTED.value)
        .order_by(battle.c.id, turn.c.number, answer.c.side)
    )
    if chosen.since is not None:
        query = query.where(ballot.c.at >= chosen.since)
    if chosen.until is not None:
        query = query.where(ballot.c.at < chosen.until)
    if chosen.held_back is not None:
        query = query.where(battle.c.held_back == chosen.held_back)
    return query


def _battle(rows: Sequence[Row[Any]], salt: str, words: Words) -> Battle:
    first, left, right = rows[0], rows[0::2], rows[1::2]
    prompts = [row.pseudonym for row in left]
    tags = {tag for row in left for tag in row.tags.split(",") if tag}
    tags |= {TAG for row in rows if row.refused}
    told = words != "none"
    return Battle(
        id=first.id,
        model_a=first.left,
        model_b=first.right,
        outcome=first.outcome,
        voter=first.voter,
        prompt=prompts[0] if len(prompts) == 1 else pseudonym("".join(prompts), salt),
        at=datetime.fromtimestamp(first.at, UTC),
        language=first.language,
        tags=tuple(sorted(tags)),
        blind=True,
        prompt_text=_text(row.prompt for row in left) if told else None,
        answer_a=_text(row.said for row in left) if told else None,
        answer_b=_text(row.said for row in right) if told else None,
        style_a=_style(left),
        style_b=_style(right),
        seconds=first.seconds,
    )


def _text(texts: Iterable[str | None]) -> str | None:
    """The texts of turns as one; None where they were erased."""
    there = [text for text in texts if text is not None]
    return "\n\n".join(there) if there else None


def _style(rows: Sequence[Row[Any]]) -> Style:
    return Style(
        *map(sum, zip(*((row.length, row.headers, row.lists, row.bold) for row in rows), strict=True))
    )


def _pages(rows: Iterator[Battle]) -> Iterator[Votes]:
    while page := list(islice(rows, _PAGE)):
        yield votes_of(page)
