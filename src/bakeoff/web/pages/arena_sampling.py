"""Whom an arena shows how often, by which rule, and whether its voters can tell who answers.

What was shown today is left out: who sees it grow while a battle of theirs begins learns who was drawn.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from markupsafe import Markup
from sqlalchemy import Connection, func, select

from bakeoff.arena.battles.guessing import Guessing, guesses, guessing
from bakeoff.arena.battles.waiting import tellable
from bakeoff.arena.definition.preparing import stored
from bakeoff.arena.pairing.settings import PairingSettings, RuleName
from bakeoff.arena.policy.sampling import appearances, as_date
from bakeoff.arena.policy.variants import variants
from bakeoff.charts import Moment, Series, Timeline, raw, sparkline, timeline
from bakeoff.database.tables import battle
from bakeoff.web.pages.arena_policy import audited
from bakeoff.web.pages.arena_standing import hidden, standing_of
from bakeoff.web.pages.arena_votes import is_live
from bakeoff.web.reading import Library

DAYS = 30
_DAY_S = 86_400.0
_RULES: Mapping[RuleName, str] = {
    "variance-reduction@1": "the more one vote on a pair narrows the intervals of all scores, the more often "
    "it is drawn",
    "win-matrix@1": "the more one vote on a pair narrows what is known of it, the more often it is drawn",
    "uniform@1": "all pairs are drawn alike",
}


@dataclass(frozen=True, slots=True)
class Day:
    """Pairs shown and votes on a date, all pairs together."""

    on: date
    shown: int
    votes: int


@dataclass(frozen=True, slots=True)
class Model:
    """A model: how often it was `shown` and its `votes`, ever and in the last days; `daily` are its votes of
    each of these, the oldest first. `ratio` is how many times its fair share it was shown.
    """

    name: str
    shown: int
    votes: int
    lately: int
    daily: tuple[int, ...]
    ratio: float | None
    last: datetime | None

    @property
    def line(self) -> Markup:
        """Its votes of the last days, drawn."""
        return sparkline([float(each) for each in self.daily], f"votes a day on {self.name}")


@dataclass(frozen=True, slots=True)
class Drawn:
    """Battles whose pair was drawn by a `rule`, and the ends of their probabilities, in (0, 1]."""

    rule: str
    battles: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ArenaSamplingPage:
    """`days` are the last whole ones, the newest first. `models` are public, those shown most first; `others`
    are appearances of models that are under test. `words` are the rule of pairing; empty where the arena is
    not live. `guessed` is None where fewer than two battles were.
    """

    arena: str
    live: bool
    models: tuple[Model, ...]
    others: int
    days: tuple[Day, ...]
    drawn: tuple[Drawn, ...]
    words: tuple[str, ...]
    settings: str
    guessed: Guessing | None
    last: datetime | None

    @property
    def lately(self) -> int:
        """Votes in the last days."""
        return sum(each.votes for each in self.days)

    @property
    def chart(self) -> Markup:
        """Votes and pairs shown, a day each."""
        shown = tuple(Moment(day.on, float(day.shown)) for day in self.days)
        votes = tuple(Moment(day.on, float(day.votes)) for day in self.days)
        series = (Series("pairs shown", shown), Series("votes", votes))
        return timeline(Timeline(f"The last {DAYS} days", series, "a day", raw), "days")


def arena_sampling_page(library: Library, connection: Connection, arena: str) -> ArenaSamplingPage:
    """The page's data.

    Raises:
        BakeoffError: there is no such arena.
    """
    found = standing_of(library, connection, arena)
    ratios = {each.name: each.ratio for each in audited(library, connection, arena).report.exposure.models}
    live = is_live(connection, arena)
    settings = stored(connection, arena).pairing if live else None
    secret = hidden(variants(connection, arena))
    today = tellable(connection, arena)
    counts = tuple(each for each in appearances(connection, arena) if each[0] < today)
    return ArenaSamplingPage(
        arena=arena,
        live=live,
        models=_models(counts, secret, today, ratios, found.last),
        others=sum(shown for _, name, shown, _ in counts if name in secret),
        days=_days(counts, today),
        drawn=tuple(_drawn(connection, arena, today)),
        words=tuple(pairing_words(settings)) if settings else (),
        settings=settings.digest if settings else "",
        guessed=guessing(guesses(connection, arena)),
        last=max(found.last.values(), default=None),
    )


def pairing_words(settings: PairingSettings) -> Iterator[str]:
    """What the settings say, a sentence each."""
    yield f"Rule {settings.rule}: {_RULES[settings.rule]}. It sees votes, and neither provider nor licence."
    yield (
        f"Every pair that may meet is drawn with at least {settings.floor:g} times the probability that it "
        "would have if all were drawn alike."
    )
    yield f"Every model is shown {settings.least:g} to {settings.most:g} times its fair share."
    yield (
        f"A model with fewer than {settings.newcomer_votes:,} votes is a newcomer, and shown at least "
        f"{settings.newcomer_share:g} times its fair share, as far as newcomers together are owed a quarter "
        "of all appearances at most."
    )
    yield f"Two models that are both not public {'may' if settings.private_meet else 'never'} meet."
    yield f"Probabilities are computed anew after {settings.every:,} votes."


def _models(
    counts: Sequence[tuple[int, str, int, int]],
    secret: frozenset[str],
    today: int,
    ratios: Mapping[str, float],
    last: Mapping[str, datetime],
) -> tuple[Model, ...]:
    of_name: dict[str, list[tuple[int, int, int]]] = {}
    for day, name, shown, votes in counts:
        if name not in secret:
            of_name.setdefault(name, []).append((day, shown, votes))
    found = []
    for name, days in of_name.items():
        on = {day: votes for day, _, votes in days}
        daily = tuple(on.get(day, 0) for day in range(today - DAYS, today))
        shown, votes = sum(each[1] for each in days), sum(each[2] for each in days)
        found.append(Model(name, shown, votes, sum(daily), daily, ratios.get(name), last.get(name)))
    return tuple(sorted(found, key=lambda each: (-each.shown, each.name)))


def _days(counts: Sequence[tuple[int, str, int, int]], today: int) -> tuple[Day, ...]:
    """Each pair is two appearances."""
    shown: dict[int, int] = {}
    votes: dict[int, int] = {}
    for day, _, times, cast in counts:
        shown[day] = shown.get(day, 0) + times
        votes[day] = votes.get(day, 0) + cast
    return tuple(
        Day(as_date(day), shown.get(day, 0) // 2, votes.get(day, 0) // 2)
        for day in range(today - 1, today - DAYS - 1, -1)
    )


def _drawn(connection: Connection, arena: str, today: int) -> Iterator[Drawn]:
    p = battle.c.propensity
    query = (
        select(battle.c.rule, func.count(), func.min(p), func.max(p))
        .where(battle.c.arena == arena, battle.c.opened < today * _DAY_S)
        .group_by(battle.c.rule)
        .order_by(battle.c.rule)
    )
    for row in connection.execute(query):
        yield Drawn(*row)
