"""By which rule votes become a ranking."""

from dataclasses import dataclass
from typing import Literal, get_args

from bakeoff.arena.votes.votes import STYLES
from bakeoff.errors import BakeoffError

Ties = Literal["half", "davidson", "rao-kupper"]
TIES: tuple[Ties, ...] = get_args(Ties)
Together = Literal["recorded", "voter", "prompt", "both", "none"]
TOGETHER: tuple[Together, ...] = get_args(Together)


@dataclass(frozen=True, slots=True)
class Method:
    """How votes are rated; a ranking by another method is another ranking.

    `ties`: as half a win each, or as an outcome of their own. `style` are the differences of the answers that
    are held equal, of `STYLES`. `together` says which votes hang together for the intervals: those of one
    voter, on one prompt, by both, by none, or by whatever the votes have `recorded`. `even` counts every pair
    of models alike, however often it met. `anchor` is a model and its score.

    Raises:
        BakeoffError: a value that is none of these, or style together with a model of ties.
    """

    ties: Ties = "half"
    style: tuple[str, ...] = ()
    together: Together = "recorded"
    even: bool = False
    anchor: tuple[str, float] | None = None
    level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        for value, known, name in ((self.ties, TIES, "ties"), (self.together, TOGETHER, "clusters")):
            if value not in known:
                raise BakeoffError(f"{name} are {', '.join(known)}, and not {value!r}")
        for name in self.style:
            if name not in STYLES:
                raise BakeoffError(f"there is no style {name!r}", f"there are {', '.join(STYLES)}")
        if len(set(self.style)) != len(self.style):
            raise BakeoffError(f"a style is named twice: {', '.join(self.style)}")
        if not 0 < self.level < 1:
            raise BakeoffError(f"a level lies between 0 and 1, got {self.level}", "write 0.95 for 95 %")
        if self.ties != "half" and (self.style or self.even):
            raise BakeoffError(
                f"ties as {self.ties} are not fitted together with style or even pairs",
                "leave one of them out",
            )
