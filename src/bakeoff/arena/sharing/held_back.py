"""Which battles are given out, and which never: drawn for each by its id, with the arena's secret seed."""

from bakeoff.arena.battles.live_arena import LiveArena
from bakeoff.seed import item_random


def is_held_back(arena: LiveArena, battle: str, share: float) -> bool:
    """Whether a battle is among the `share`, in [0, 1], that nobody is ever given. With a larger share the
    same battles are, and others.
    """
    return _luck(arena, battle, "held back") < share


def is_given(arena: LiveArena, battle: str, share: float) -> bool:
    """Whether a battle is among the `share`, in [0, 1], that is given out: the same for everyone."""
    return _luck(arena, battle, "given out") < share


def _luck(arena: LiveArena, battle: str, purpose: str) -> float:
    return item_random(arena.seed, arena.name, battle, purpose).random()
