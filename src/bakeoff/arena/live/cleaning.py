"""What sets votes of a live arena aside, on its pages and in the terminal alike."""

from bakeoff.arena.cleaning.blind import NotBlind
from bakeoff.arena.cleaning.faults import Faults
from bakeoff.arena.cleaning.filter import Filter
from bakeoff.arena.cleaning.recipe import DEFAULT
from bakeoff.arena.cleaning.tagged import Tagged
from bakeoff.arena.moderation.probing import TAG

LIVE: tuple[Filter, ...] = (
    Tagged(TAG),
    *(each for each in DEFAULT if not isinstance(each, NotBlind | Faults)),
)
"""What does not count beside what is usual: prompts that ask which model answers. In a live arena nobody sees
names, and a battle with a fault has no vote."""
