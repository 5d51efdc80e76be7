"""Battles of an arena to read: those that its policy gives out to everyone, and no others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, select

from bakeoff.arena.battles.live_arena import LiveArena, live_arena
from bakeoff.arena.policy.adopting import in_force
from bakeoff.arena.policy.rules import Releases
from bakeoff.arena.policy.sampling import day_of
from bakeoff.arena.policy.variants import variants
from bakeoff.arena.sharing.held_back import is_given
from bakeoff.arena.sharing.personal import without_personal
from bakeoff.database.clock import current
from bakeoff.database.tables import answer, turn
from bakeoff.database.tables import battle as table
from bakeoff.errors import BakeoffError
from bakeoff.web.pages.arena_standing import hidden, known_arena
from bakeoff.web.pages.arena_votes import is_live

PER_PAGE = 20
LOOKED_AT = 5_000
"""Battles among which those of a page are looked for, at most."""
SHORT = 700
"""Characters of a text that are shown at once."""
_DAY_S = 86_400
_AT_ONCE = 500

Result = Literal["", "won", "lost", "tie", "both_bad"]
RESULTS: dict[Result, str] = {
    "": "any result",
    "won": "it won",
    "lost": "it lost",
    "tie": "a tie",
    "both_bad": "both bad",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Battles with a `model` and a `result` for it, in whose prompts all `words` stand; empty for any.
    `skip` is how many newer ones of the arena were looked at already.

    Raises:
        BakeoffError: a result of no model.
    """

    model: str = ""
    result: Result = ""
    words: str = ""
    skip: int = 0

    def __post_init__(self) -> None:
        if self.result in ("won", "lost") and not self.model:
            raise BakeoffError(f"result: who {self.result}?", "choose a model beside it")


@dataclass(frozen=True, slots=True)
class Said:
    """A turn: what was asked, `images` with it or not, and both answers, all without personal details."""

    prompt: str
    images: bool
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Fought:
    """A battle that may be read. `winner` is empty for a tie, which `both_bad` may have been; `day` is in
    seconds since 1970: the hour of a vote could tell whose it was.
    """

    left: str
    right: str
    winner: str
    both_bad: bool
    day: float
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class ArenaBattlesPage:
    """`older` is how to go on, None at the end. `models` can be chosen."""

    arena: str
    live: bool
    rule: Releases
    wanted: Wanted
    models: tuple[str, ...]
    battles: tuple[Fought, ...]
    older: int | None

    @property
    def chosen(self) -> bool:
        """Whether only some are looked for."""
        return bool(self.wanted.model or self.wanted.result or self.wanted.words.strip())


@dataclass(frozen=True, slots=True)
class _Row:
    """A battle by its names alone, and how many newer ones there are."""

    id: str
    left: str
    right: str
    outcome: str
    at: float
    place: int


def arena_battles_page(connection: Connection, arena: str, wanted: Wanted) -> ArenaBattlesPage:
    """The page's data.

    Raises:
        BakeoffError: there is no such arena, or no such model to choose.
    """
    known_arena(connection, arena)
    there = tuple(variants(connection, arena))
    secret = hidden(there)
    names = tuple(each.name for each in there if each.name not in secret)
    if wanted.model and wanted.model not in names:
        raise BakeoffError(f"there is no model {wanted.model!r:.100} in {arena}", "choose one of the list")
    rule, live = in_force(connection, arena).releases, is_live(connection, arena)
    found, older = _found(connection, arena, rule, secret, wanted) if live else ((), None)
    return ArenaBattlesPage(arena, live, rule, wanted, tuple(sorted(names)), found, older)


def _found(
    connection: Connection, arena: str, rule: Releases, secret: frozenset[str], wanted: Wanted
) -> tuple[tuple[Fought, ...], int | None]:
    rows = _rows(connection, arena, rule, wanted.skip)
    able = _given(rows, live_arena(connection, arena), rule.share, secret)
    chosen = [row for row in able if _fits(row, wanted)]
    found: list[Fought] = []
    for start in range(0, len(chosen), _AT_ONCE):
        part = chosen[start : start + _AT_ONCE]
        asked = _asked(connection, part)
        for row in part:
            battle = _fought(connection, row) if _holds(asked.get(row.id, ()), wanted.words) else None
            if battle is None or not _holds([each.prompt for each in battle.turns], wanted.words):
                continue  # erased; or the words were a personal detail
            if len(found) == PER_PAGE:
                return tuple(found), row.place
            found.append(battle)
    return tuple(found), wanted.skip + len(rows) if len(rows) == LOOKED_AT else None


def _rows(connection: Connection, arena: str, rule: Releases, skip: int) -> list[_Row]:
    """Battles with a vote of days that are given out, the newest first; held back ones have no id."""
    until = (day_of(current(connection)) - rule.delay_days) * _DAY_S
    columns = (table.c[name] for name in ("id", "left", "right", "outcome", "changed", "held_back"))
    query = (
        select(*columns)
        .where(table.c.arena == arena, table.c.outcome.is_not(None))  # as the index of these says it
        .order_by(table.c.changed.desc(), table.c.id.desc())
    )
    if rule.delay_days:
        query = query.where(table.c.changed < until)
    found = connection.execute(query.offset(skip).limit(LOOKED_AT))
    return [
        _Row("" if row.held_back else row.id, row.left, row.right, row.outcome, row.changed, skip + place)
        for place, row in enumerate(found)
    ]


def _given(rows: Sequence[_Row], arena: LiveArena, share: float, secret: frozenset[str]) -> Iterator[_Row]:
    for row in rows:
        if row.id and not {row.left, row.right} & secret and is_given(arena, row.id, share):
            yield row


def _fits(row: _Row, wanted: Wanted) -> bool:
    if wanted.model and wanted.model not in (row.left, row.right):
        return False
    match wanted.result:
        case "":
            return True
        case "won":
            return _winner(row) == wanted.model
        case "lost":
            return _winner(row) not in ("", wanted.model)
        case other:
            return row.outcome == other


def _winner(row: _Row) -> str:
    return {"a": row.left, "b": row.right}.get(row.outcome, "")


def _holds(texts: Sequence[str], words: str) -> bool:
    whole = "\n".join(texts).casefold()
    return all(word in whole for word in words.casefold().split())


def _asked(connection: Connection, rows: Sequence[_Row]) -> dict[str, list[str]]:
    query = select(turn.c.battle, turn.c.prompt).where(turn.c.battle.in_([row.id for row in rows]))
    found: dict[str, list[str]] = {}
    for battle, prompt in connection.execute(query):
        found.setdefault(battle, []).append(prompt or "")
    return found


def _fought(connection: Connection, row: _Row) -> Fought | None:
    """The battle with its texts as voters saw them; None where they were erased."""
    columns = (turn.c.number, turn.c.prompt, turn.c.images.is_not(None).label("with_image"))
    asked = connection.execute(select(*columns).where(turn.c.battle == row.id).order_by(turn.c.number)).all()
    said = {
        (each.number, each.side): each.text if each.shown is None else each.shown
        for each in connection.execute(select(answer).where(answer.c.battle == row.id))
    }
    turns = []
    for each in asked:
        texts = (each.prompt, said.get((each.number, "left")), said.get((each.number, "right")))
        if None in texts:
            return None
        prompt, left, right = (without_personal(text or "").text for text in texts)
        turns.append(Said(prompt, each.with_image, left, right))
    day = float(day_of(row.at) * _DAY_S)
    return Fought(row.left, row.right, _winner(row), row.outcome == "both_bad", day, tuple(turns))
