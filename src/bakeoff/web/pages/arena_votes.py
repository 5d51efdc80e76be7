"""The votes of an arena for its pages: read once, and then only those that came since."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
from sqlalchemy import Connection, func, select

from bakeoff.arena.battles.as_votes import ALL, Chosen, battles
from bakeoff.arena.cleaning.leaks import IdentityLeaks
from bakeoff.arena.votes.joining import joined
from bakeoff.arena.votes.votes import Texts, Votes, votes_of
from bakeoff.database.tables import battle, live_arena

LEAKS = IdentityLeaks()
_PAGE = 5_000
_LATE_S = 60.0
"""A vote that was cast first may be there a little later than the next one."""


def is_live(connection: Connection, arena: str) -> bool:
    """Whether people can vote here."""
    query = select(live_arena.c.arena).where(live_arena.c.arena == arena)
    return connection.execute(query).scalar() is not None


def ballots(connection: Connection, arena: str) -> int:
    """How many votes were cast."""
    query = select(func.count()).where(battle.c.arena == arena, battle.c.outcome.is_not(None))
    return int(connection.execute(query).scalar_one())


def read_votes(connection: Connection, arena: str, before: Votes | None = None) -> Votes:
    """All votes of an arena; those of `before` are not read again. One that is not live has none.

    Their texts are left out where no model is named in them: a filter need not look there again.
    """
    if not is_live(connection, arena):
        return votes_of(())
    if before is None or not len(before):
        return joined(_pages(connection, arena, ALL))
    since = before.at.max() - np.timedelta64(int(1e6 * _LATE_S), "us")
    chosen = Chosen(since=since.astype("datetime64[us]").astype(np.int64) / 1e6)
    new = (each.where(~np.isin(each.key, before.key)) for each in _pages(connection, arena, chosen))
    votes = joined([before, *new])
    if len(votes) != ballots(connection, arena):
        return read_votes(connection, arena)
    return votes


def _pages(connection: Connection, arena: str, chosen: Chosen) -> Iterator[Votes]:
    rows = battles(connection, arena, chosen)
    while page := list(islice(rows, _PAGE)):
        yield _lean(votes_of(page))


def _lean(votes: Votes) -> Votes:
    """Without the texts of answers that name nobody."""
    leaking = LEAKS(votes).mask.tolist()
    texts = tuple(
        said if leak else Texts(said.id, None, *(None if each is None else "" for each in said[2:]))
        for said, leak in zip(votes.texts, leaking, strict=True)
    )
    return joined([votes], texts)
