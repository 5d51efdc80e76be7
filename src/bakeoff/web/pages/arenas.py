"""The arenas there are."""

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.arena.policy.adopting import arenas, in_force
from bakeoff.arena.policy.life import PUBLIC
from bakeoff.arena.policy.variants import variants


@dataclass(frozen=True, slots=True)
class Card:
    """An arena in a few words: how many variants it ever knew, and how many of them are public now."""

    name: str
    version: int
    variants: int
    public: int


@dataclass(frozen=True, slots=True)
class Arenas:
    """All arenas, by name."""

    cards: tuple[Card, ...]


def arenas_page(connection: Connection) -> Arenas:
    """The page's data."""
    return Arenas(tuple(_card(connection, name) for name in arenas(connection)))


def _card(connection: Connection, name: str) -> Card:
    states = Counter(each.state in PUBLIC for each in variants(connection, name))
    return Card(name, in_force(connection, name).version, states.total(), states[True])
