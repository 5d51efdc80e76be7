"""One item, asked and judged: the record everything else is made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bakeoff.nouns.item import Message
from bakeoff.nouns.response import Response
from bakeoff.nouns.score import Score


@dataclass(frozen=True, slots=True)
class Turn:
    """What was sent and what came back. Items with scripted turns have several, others one."""

    input: str | tuple[Message, ...]
    response: Response


@dataclass(frozen=True, slots=True)
class Sample:
    """An item's record in a run. (item_id, repeat) is unique in a run; the last turn is the one scored.

    `choices` and `target` are as shown to the model, after any shuffling. `continuations` are what a
    log-likelihood request scored, and `leads` what stood before each, if anything did. `shots` are the ids
    of the examples shown. `cached` says the answer came from the response cache; its latency is then None.
    `cost` is in US dollars, None without a price. `item_digest` names what was asked and what is right, so
    that items of two runs can be matched; "" in records older than it.
    """

    item_id: str
    repeat: int
    group: str | None
    choices: tuple[str, ...]
    target: int | tuple[str, ...]
    continuations: tuple[str, ...]
    shots: tuple[str, ...]
    seed: int
    turns: tuple[Turn, ...]
    score: Score
    cached: bool = False
    cost: float | None = None
    leads: tuple[str, ...] = ()
    item_digest: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
