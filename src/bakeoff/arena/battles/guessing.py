"""Whether voters can tell who answers before names are revealed: a test of how blind the arena is."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, case, select

from bakeoff.database.tables import battle, guess
from bakeoff.stats.interval import Interval
from bakeoff.stats.mean.clustered import clustered, clustered_difference


@dataclass(frozen=True, slots=True)
class Guess:
    """A voter `named` a variant for an answer; `truth` wrote it."""

    battle: str
    voter: str
    named: str
    truth: str


@dataclass(frozen=True, slots=True)
class Guessing:
    """How often guesses are right, in [0, 1], and how often they would be if answers told nothing: `chance`.

    Intervals are by voters; None where one voter alone guessed. `above` is for accuracy minus chance: names
    leak where it lies above 0.
    """

    guesses: int
    voters: int
    accuracy: float
    interval: Interval | None
    chance: float
    above: Interval | None


def guesses(connection: Connection, arena: str) -> tuple[Guess, ...]:
    """All guesses in an arena."""
    truth = case((guess.c.side == "left", battle.c.left), else_=battle.c.right)
    query = (
        select(guess.c.battle, battle.c.voter, guess.c.named, truth)
        .join(battle, battle.c.id == guess.c.battle)
        .where(battle.c.arena == arena)
        .order_by(guess.c.battle, guess.c.side)
    )
    return tuple(Guess(*row) for row in connection.execute(query))


def guessing(found: Sequence[Guess], level: float = 0.95) -> Guessing | None:
    """How well voters guess; None with fewer than two battles.

    The chance of a guess is the share of its name among the answers of all other battles that were guessed:
    who always names the model that is shown most often is right often without knowing anything (the expected
    agreement of Cohen 1960, without the battle itself). That both come from the same guesses makes `above`
    wider than it had to be, if anything. Models that come and go are known to be there only for a time,
    which counts as knowing: compare spans in which the arena had the same models.

    Raises:
        ValueError: level outside (0, 1).
    """
    by_battle: dict[str, Counter[str]] = {}
    for each in found:
        by_battle.setdefault(each.battle, Counter())[each.truth] += 1
    if len(by_battle) < 2:
        return None
    truths = Counter(each.truth for each in found)
    right = [float(each.named == each.truth) for each in found]
    chances = [
        (truths[each.named] - by_battle[each.battle][each.named])
        / (len(found) - by_battle[each.battle].total())
        for each in found
    ]
    voters = [each.voter for each in found]
    beyond = [one - other for one, other in zip(right, chances, strict=True)]
    return Guessing(
        guesses=len(found),
        voters=len(set(voters)),
        accuracy=sum(right) / len(found),
        interval=clustered(right, voters, level),
        chance=sum(chances) / len(found),
        above=clustered_difference(beyond, voters, level),
    )
