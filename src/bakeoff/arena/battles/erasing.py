"""Texts that are erased: what was counted of them stays."""

from sqlalchemy import Connection, or_, select, update

from bakeoff.arena.battles.life import OPEN
from bakeoff.database.tables import answer, battle, turn


def erase(connection: Connection, arena: str, before: float) -> int:
    """Erase prompts, images and answers of battles that ended before a time (seconds since 1970). Of how many
    battles; those that were erased earlier are not counted again.
    """
    old = select(battle.c.id).where(
        battle.c.arena == arena,
        battle.c.changed < before,
        battle.c.state.not_in([state.value for state in OPEN]),
    )
    full = select(turn.c.battle).where(
        turn.c.battle.in_(old), or_(turn.c.prompt.is_not(None), turn.c.images.is_not(None))
    )
    ids = set(connection.execute(full).scalars())
    # What was erased already is not written once more.
    prompts = update(turn).where(
        turn.c.battle.in_(old), or_(turn.c.prompt.is_not(None), turn.c.images.is_not(None))
    )
    said = update(answer).where(answer.c.battle.in_(old), answer.c.text.is_not(None))
    connection.execute(prompts.values(prompt=None, images=None))
    connection.execute(said.values(text=None, shown=None))
    return len(ids)
