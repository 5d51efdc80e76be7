"""A battle begins: the pair is drawn, and counted as shown."""

from sqlalchemy import Connection, insert, select

from bakeoff.arena.battles.life import State
from bakeoff.arena.battles.limits import DEFAULT, Limits, check_limits
from bakeoff.arena.battles.live_arena import live_arena
from bakeoff.arena.battles.prompt import Prompt, images_as_json, kept
from bakeoff.arena.pairing.draw import Draw
from bakeoff.arena.policy.sampling import Tally, count
from bakeoff.arena.votes.pseudonym import is_pseudonym, normal, pseudonym
from bakeoff.database.clock import current, now
from bakeoff.database.tables import battle as table
from bakeoff.database.tables import turn
from bakeoff.errors import BakeoffError


def open_battle(
    connection: Connection,
    arena: str,
    voter: str,
    draw: Draw,
    battle: str,
    prompt: Prompt,
    *,
    held_back: bool = False,
    limits: Limits | None = DEFAULT,
) -> None:
    """Begin a battle with its first turn; both models are to answer now. `draw.first` is left.

    The pair is counted as shown, with the probability at which it was drawn, whatever comes of the battle.
    `held_back` ones are never given out. `limits` are None where they were looked at in this transaction.

    Raises:
        BakeoffError: no such arena, the id is taken, the voter has done as much as one may, or the pair may
            not be shown. No message names a model.
        ValueError: the voter is no pseudonym.
    """
    if not is_pseudonym(voter):
        raise ValueError(f"voter is a pseudonym of 16 hex digits, got {voter!r}")
    salt = live_arena(connection, arena).salt
    if limits is not None:
        check_limits(connection, arena, voter, limits)
    if connection.execute(select(table.c.id).where(table.c.id == battle)).scalar() is not None:
        raise BakeoffError("there is a battle of that id already", "begin another one")
    at = current(connection)
    connection.execute(
        insert(table).values(
            id=battle,
            arena=arena,
            voter=voter,
            left=draw.first,
            right=draw.second,
            propensity=draw.propensity,
            rule=draw.rule,
            state=State.ANSWERING.value,
            turns=1,
            language=prompt.language,
            held_back=held_back,
            opened=at,
            changed=at,
        )
    )
    add_turn(connection, battle, 1, prompt, salt)
    try:
        count(connection, arena, [Tally(draw.first, draw.second, shown=1, propensity=draw.propensity)])
    except BakeoffError:
        # It would say which models these are.
        raise BakeoffError("the pair that was drawn is not to be shown", "begin another battle") from None


def add_turn(connection: Connection, battle: str, number: int, prompt: Prompt, salt: str) -> None:
    """Keep what was asked. Prompts of one text have one pseudonym, without regard to case and white space."""
    images = images_as_json(prompt.images)
    connection.execute(
        insert(turn).values(
            battle=battle,
            number=number,
            prompt=kept(prompt.text),
            images=images,
            pseudonym=pseudonym(normal(prompt.text) + (images or ""), salt),
            tags=",".join(prompt.tags),
            asked=now(),
        )
    )
