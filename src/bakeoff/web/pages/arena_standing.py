"""How the models of an arena stand by all votes so far: what its pages are made from."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter

import numpy as np
from sqlalchemy import Connection
from starlette.exceptions import HTTPException

from bakeoff.arena.cleaning.steps import Step, clean
from bakeoff.arena.live.cleaning import LIVE
from bakeoff.arena.policy.adopting import arenas
from bakeoff.arena.policy.life import UNRELEASED
from bakeoff.arena.policy.variant import Variant
from bakeoff.arena.policy.variants import variants
from bakeoff.arena.ranking.cleaned import Stage, rank_cleaned
from bakeoff.arena.ranking.method import Method
from bakeoff.arena.ranking.ranking import Ranking, Row, rank_votes
from bakeoff.arena.ranking.segments import SegmentRanking, rank_segment
from bakeoff.arena.votes.pair_counts import PairCounts, pair_counts
from bakeoff.arena.votes.rating import rated_battles
from bakeoff.arena.votes.votes import STYLES, Mask, Votes
from bakeoff.database.log import head
from bakeoff.errors import BakeoffError
from bakeoff.stats.ratings import pairs_of, standing
from bakeoff.web.pages.arena_votes import ballots, read_votes
from bakeoff.web.reading import Kept, Library

_LATER = {"Retry-After": "10"}


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """`all` are the votes as they were read, `public` of them between models that are public, `used` of those
    what no filter set aside. `rows` are of `used`, and have no score where no two models can be rated;
    `ranking` is None then. `styles` are the differences of style that the votes tell apart. `last` is each
    model's last vote.
    """

    all: Votes
    public: int
    used: Votes
    steps: tuple[Step, ...]
    stages: tuple[Stage, ...]
    ranking: Ranking | None
    rows: tuple[Row, ...]
    counts: PairCounts
    styles: tuple[str, ...]
    last: Mapping[str, datetime]
    styled: Kept[Ranking] = field(default_factory=lambda: Kept(8))
    segments: Kept[SegmentRanking] = field(default_factory=lambda: Kept(32))

    @property
    def tags(self) -> dict[str, int]:
        """Used votes of each tag that has any, the most first, then by name."""
        names = sorted({tag for each in self.used.tags.names for tag in each.split(",")})
        counts = {name: int(self.used.tagged(name).sum()) for name in names}
        return dict(sorted(filter(itemgetter(1), counts.items()), key=lambda each: -each[1]))

    def at_equal_style(self, styles: tuple[str, ...]) -> Ranking:
        """The ranking with these differences held equal.

        Raises:
            BakeoffError: it cannot be had from these votes.
        """
        return self.styled.get(",".join(styles), lambda: rank_votes(self.used, Method(style=styles)))

    def of_segment(self, kind: str, value: str) -> SegmentRanking:
        """The board of a language or tag.

        Raises:
            BakeoffError: there are no such votes, or the others rate nobody.
        """
        made = self.segments.get
        return made(f"{kind} {value}", lambda: rank_segment(self.used, kind, value, Method()))


def known_arena(connection: Connection, arena: str) -> None:
    """Whether there is one.

    Raises:
        BakeoffError: there is no such arena.
    """
    if arena not in arenas(connection):
        raise BakeoffError(f"there is no arena {arena}", "the list of arenas has all there are")


def warm(library: Library) -> None:
    """Read the votes of all arenas before somebody asks how their models stand."""
    with library.read() as connection:
        for name in arenas(connection):
            with suppress(HTTPException, BakeoffError):  # it takes longer, and goes on; or the page says why
                standing_of(library, connection, name)


def standing_of(library: Library, connection: Connection, arena: str) -> Standing:
    """The standing of an arena: a few seconds old where votes come in, made anew in the background.

    Raises:
        BakeoffError: there is no such arena.
        HTTPException: a large arena is counted for the first time.
    """
    known_arena(connection, arena)

    def made(before: Standing | None) -> Standing:
        with library.read() as apart:
            votes = read_votes(apart, arena, None if before is None else before.all)
            return stand(votes, hidden(variants(apart, arena)))

    try:
        return library.standings.get(arena, f"{ballots(connection, arena)} {head(connection)}", made)
    except TimeoutError:
        raise HTTPException(503, "the votes are being counted: look again in a moment", _LATER) from None


def hidden(there: Iterable[Variant]) -> frozenset[str]:
    """The names of variants that were not released yet."""
    return frozenset(each.name for each in there if each.state in UNRELEASED or each.before in UNRELEASED)


def stand(votes: Votes, unreleased: Collection[str] = ()) -> Standing:
    """The standing by votes. Those on models that are not released count once they are."""
    public = votes.where(_public(votes, unreleased))
    cleaned = clean(public, LIVE)
    used = public.where(cleaned.used)
    ranking, stages = _ranked(public, used)
    styled = _styled(used) if ranking else None
    found = Standing(
        all=votes,
        public=len(public),
        used=used,
        steps=cleaned.steps,
        stages=stages,
        ranking=ranking,
        rows=_unrated(used) if ranking is None else ranking.rows,
        counts=pair_counts(used),
        styles=styled.method.style if styled else (),
        last=_last(public),
    )
    if styled:
        found.styled.get(",".join(found.styles), lambda: styled)
    return found


def _public(votes: Votes, unreleased: Collection[str]) -> Mask:
    able = np.array([name not in unreleased for name in votes.models], dtype=bool)
    return np.asarray(able[votes.model_a] & able[votes.model_b]) if len(votes) else np.zeros(0, dtype=bool)


def _ranked(public: Votes, used: Votes) -> tuple[Ranking | None, tuple[Stage, ...]]:
    """The ranking, and what every filter moved where all stages can be rated."""
    if not len(used):
        return None, ()
    try:
        found = rank_cleaned(public, LIVE, Method())
    except BakeoffError:
        try:
            return rank_votes(used, Method()), ()
        except BakeoffError:  # what each model lacks is in the rows
            return None, ()
    return found.ranking, found.stages


def _unrated(votes: Votes) -> tuple[Row, ...]:
    if not len(votes):
        return ()
    pairs = pairs_of(rated_battles(votes))
    status = standing(pairs).status
    counted, tied = pairs.battles.sum(axis=1), pairs.tied.sum(axis=1)
    return tuple(
        Row(name, status[at], int(counted[at]), int(tied[at]))
        for at, name in enumerate(votes.models)
        if counted[at]
    )


def _styled(votes: Votes) -> Ranking | None:
    """The ranking with as much of style held equal as these votes tell apart; None where that is nothing."""
    found = None
    for more in (STYLES, *((name,) for name in STYLES)):
        styles = (*(found.method.style if found else ()), *more)
        try:
            found = rank_votes(votes, Method(style=styles))
        except BakeoffError:  # of lists that always come with bold words nobody knows which it was
            continue
        if found.method.style == STYLES:
            break
    return found


def _last(votes: Votes) -> dict[str, datetime]:
    found = np.full(len(votes.models), np.datetime64("NaT", "us"))
    for side in (votes.model_a, votes.model_b):
        np.fmax.at(found, side, votes.at)
    return {
        name: at.astype(datetime).replace(tzinfo=UTC)
        for name, at in zip(votes.models, found, strict=True)
        if not np.isnat(at)
    }
