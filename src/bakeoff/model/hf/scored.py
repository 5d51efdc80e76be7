"""What scoring gives, and what it cost."""

from collections.abc import Callable
from dataclasses import dataclass

from bakeoff.model.pair import Pair


@dataclass(frozen=True, slots=True)
class Scored:
    """A continuation's log-probability in nats, and whether each of its tokens was the most likely."""

    logprob: float
    greedy: bool


Deliver = Callable[[Pair, Scored | None], None]
"""Takes a pair's score; None where memory did not suffice for it."""


@dataclass(slots=True)
class Tally:
    """Tokens that the requests have in all, option by option, and tokens that went through the network."""

    asked: int = 0
    computed: int = 0
