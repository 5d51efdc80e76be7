"""What the database holds of a live arena beside its definition, and who votes in it."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, select

from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.database.tables import live_arena as table
from bakeoff.errors import BakeoffError

Kind = Literal["cookie", "account", "invitation"]
"""How a voter is known: by the secret of a cookie, the name of an account, the secret of an invitation."""


@dataclass(frozen=True, slots=True)
class LiveArena:
    """`salt` is secret and makes voters pseudonyms; `seed` is what all chance in the arena comes from."""

    name: str
    salt: str
    seed: int


def live_arena(connection: Connection, arena: str) -> LiveArena:
    """The live arena of a name.

    Raises:
        BakeoffError: there is none.
    """
    query = select(table.c.salt, table.c.seed).where(table.c.arena == arena)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise BakeoffError(
            f"there is no live arena {arena}", "it begins with its file: bakeoff arena serve FILE"
        )
    return LiveArena(arena, row.salt, row.seed)


def voter(arena: LiveArena, kind: Kind, secret: str) -> str:
    """The pseudonym of a voter: the same whenever they come, another in every arena."""
    return pseudonym(f"{kind}:{secret}", arena.salt)
