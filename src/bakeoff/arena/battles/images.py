"""An image of a battle, for its voter."""

from sqlalchemy import Connection, select

from bakeoff.arena.battles.prompt import images_of
from bakeoff.arena.battles.rows import own
from bakeoff.database.tables import turn
from bakeoff.errors import BakeoffError
from bakeoff.nouns.item import Part


def image(connection: Connection, battle: str, voter: str, number: int) -> Part:
    """The image of that number in a voter's own battle, counted from 0 over all its turns.

    Raises:
        BakeoffError: the voter has no such battle, or it has no such image: it may have been erased.
    """
    own(connection, battle, voter)
    asked = connection.execute(select(turn.c.images).where(turn.c.battle == battle).order_by(turn.c.number))
    found = (each for written in asked.scalars() for each in images_of(written))
    wanted = next((each for place, each in enumerate(found) if place == number), None)
    if wanted is None:
        raise BakeoffError("there is no such image", "the page of the battle has all there are")
    return wanted
