"""What a voter may see of a battle: nothing that tells one model from another before the vote."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, select

from bakeoff.arena.battles.ballots import Revealed, revealed
from bakeoff.arena.battles.life import State, Void
from bakeoff.arena.battles.prompt import images_of
from bakeoff.arena.battles.rows import own
from bakeoff.database.tables import answer, turn
from bakeoff.nouns.item import Part
from bakeoff.nouns.response import FinishReason


@dataclass(frozen=True, slots=True)
class SeenAnswer:
    """An answer, with names blacked out before the vote and as it was written after it; None where it was
    erased. `cut` at the token limit.
    """

    text: str | None
    cut: bool


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """What was asked, None where it was erased, and both answers; None while models are answering."""

    prompt: str | None
    images: tuple[Part, ...]
    left: SeenAnswer | None
    right: SeenAnswer | None


@dataclass(frozen=True, slots=True)
class Seen:
    """A battle as its voter sees it. `void` says why it does not count; `revealed` comes with the vote."""

    battle: str
    arena: str
    state: State
    void: Void | None
    turns: tuple[SeenTurn, ...]
    revealed: Revealed | None


def seen(connection: Connection, battle: str, voter: str) -> Seen:
    """A voter's own battle.

    Raises:
        BakeoffError: the voter has no such battle.
    """
    row = own(connection, battle, voter)
    voted = row.state == State.VOTED
    asked = connection.execute(select(turn).where(turn.c.battle == battle).order_by(turn.c.number))
    said = connection.execute(select(answer).where(answer.c.battle == battle))
    answers = {(each.number, each.side): _answer(each, as_written=voted) for each in said}
    return Seen(
        battle=battle,
        arena=row.arena,
        state=State(row.state),
        void=Void(row.void) if row.void else None,
        turns=tuple(
            SeenTurn(
                prompt=each.prompt,
                images=images_of(each.images),
                left=answers.get((each.number, "left")),
                right=answers.get((each.number, "right")),
            )
            for each in asked
        ),
        revealed=revealed(connection, row) if voted else None,
    )


def _answer(row: Row[Any], *, as_written: bool) -> SeenAnswer:
    text = row.text if as_written or row.shown is None else row.shown
    return SeenAnswer(text, row.finish == FinishReason.LENGTH)
