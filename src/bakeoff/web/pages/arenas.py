"""The arenas there are."""

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from bakeoff.arena.policy.adopting import arenas, in_force
from bakeoff.arena.policy.life import PUBLIC
from bakeoff.arena.policy.variants import variants

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bakeoff.arena.definition.definition import Arena


@dataclass(frozen=True, slots=True)
class Card:
    """An arena in a few words: how many variants it ever knew, and how many of them are public now. Where it
    is `live` people can vote in it here, and `title` and `about` are what it says of itself.
    """

    name: str
    title: str
    about: str
    live: bool
    version: int
    variants: int
    public: int


@dataclass(frozen=True, slots=True)
class Arenas:
    """All arenas, by name."""

    cards: tuple[Card, ...]


def arenas_page(connection: Connection, live: "Mapping[str, Arena]") -> Arenas:
    """The page's data; those that are live come first."""
    cards = [_card(connection, name, live.get(name)) for name in arenas(connection)]
    return Arenas(tuple(sorted(cards, key=lambda card: not card.live)))


def _card(connection: Connection, name: str, live: "Arena | None") -> Card:
    states = Counter(each.state in PUBLIC for each in variants(connection, name))
    return Card(
        name=name,
        title=(live and live.title) or name,
        about=live.about if live else "",
        live=live is not None,
        version=in_force(connection, name).version,
        variants=states.total(),
        public=states[True],
    )
