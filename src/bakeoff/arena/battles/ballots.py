"""Votes: each battle has one, and it is counted once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import orjson
from sqlalchemy import Connection, Row, insert, select

from bakeoff.arena.battles.life import State
from bakeoff.arena.battles.rows import cannot_move, move, own
from bakeoff.arena.policy.life import SERVED, UNRELEASED
from bakeoff.arena.policy.sampling import Tally, count
from bakeoff.arena.policy.variants import states
from bakeoff.arena.votes.battle import OUTCOMES, Outcome
from bakeoff.database.clock import current
from bakeoff.database.tables import ballot, guess
from bakeoff.errors import BakeoffError

Side = Literal["left", "right"]
_MOST_REASONS = 10
_LONGEST_REASON = 60


@dataclass(frozen=True, slots=True)
class Revealed:
    """What a voter learns by the vote: the names of both variants, and what was voted and guessed."""

    left: str
    right: str
    outcome: Outcome
    reasons: tuple[str, ...]
    guesses: Mapping[Side, str]


def cast(
    connection: Connection,
    battle: str,
    voter: str,
    outcome: Outcome,
    *,
    reasons: Sequence[str] = (),
    guesses: Mapping[Side, str] | None = None,
) -> Revealed:
    """Vote in a battle whose answers are whole; `a` is left. `guesses` say who the voter thinks answered, by
    names of `nameable`.

    How many seconds after the answers the vote came is kept, and refuses none: whose votes come faster than
    anybody reads is found when votes are cleaned. The same vote again is answered as done and changes
    nothing: a browser asks again when the answer was lost.

    Raises:
        BakeoffError: the voter has no such battle, its answers are not whole, it has ended, or has another
            vote; no such outcome; a reason or guess that cannot be. No message names a model of the battle.
    """
    before = own(connection, battle, voter, hold=True)
    reasons = tuple(reasons)
    if before.state == State.VOTED:
        done = revealed(connection, before)
        if (done.outcome, done.reasons) != (outcome, reasons):
            raise cannot_move(before)
        return done
    if before.state != State.ANSWERED:
        raise cannot_move(before)
    _check(outcome, reasons)
    _check_guesses(connection, before.arena, guesses or {})
    at = current(connection)
    if not move(connection, battle, State.VOTED, outcome=outcome, changed=at):
        raise cannot_move(before)
    connection.execute(
        insert(ballot).values(
            battle=battle,
            reasons=orjson.dumps(reasons).decode(),
            at=at,
            seconds=max(0.0, at - before.changed),
        )
    )
    for side, named in (guesses or {}).items():
        connection.execute(insert(guess).values(battle=battle, side=side, named=named, at=at))
    count(connection, before.arena, [Tally(before.left, before.right, votes=1)])
    return Revealed(before.left, before.right, outcome, reasons, dict(guesses or {}))


def nameable(connection: Connection, arena: str) -> tuple[str, ...]:
    """The names that a voter may guess: of the variants that everybody knows, in the order of letters."""
    known = SERVED - UNRELEASED
    return tuple(sorted(name for name, state in states(connection, arena).items() if state in known))


def revealed(connection: Connection, row: Row[Any]) -> Revealed:
    """What is told of the row of a battle that has its vote."""
    reasons = connection.execute(select(ballot.c.reasons).where(ballot.c.battle == row.id)).scalar_one()
    named = select(guess.c.side, guess.c.named).where(guess.c.battle == row.id)
    guesses: dict[Side, str] = dict(connection.execute(named).all())
    return Revealed(row.left, row.right, row.outcome, tuple(orjson.loads(reasons)), guesses)


def _check(outcome: str, reasons: Sequence[str]) -> None:
    if outcome not in OUTCOMES:
        raise BakeoffError(f"there is no outcome {outcome!r}", f"it is one of {', '.join(OUTCOMES)}")
    if len(reasons) > _MOST_REASONS or len(set(reasons)) < len(reasons):
        raise BakeoffError(f"a vote has {_MOST_REASONS} different reasons at most", "leave some out")
    for reason in reasons:
        if not 0 < len(reason) <= _LONGEST_REASON or not reason.isprintable():
            raise BakeoffError(
                f"a reason has 1 to {_LONGEST_REASON} characters that can be seen", "choose one of the list"
            )


def _check_guesses(connection: Connection, arena: str, guesses: Mapping[Side, str]) -> None:
    if guesses.keys() - set(get_args(Side)):
        raise BakeoffError("a guess is of the left or of the right model", "guess either, both or none")
    if guesses and set(guesses.values()) - set(nameable(connection, arena)):
        raise BakeoffError("a guess names a model that is not in the list", "choose one of the list")
