"""One pace for both columns, so that its speed does not give a model away.

Both columns have the same number of characters at any time, until the shorter answer is whole. How fast they
grow follows the slower side, evened out over `BUFFER_S`, and never exceeds `STEADY`. What a voter can still
see: how long the answers are; how fast the slower of the two is, but not which that is; and, once the shorter
answer is whole, the speed of the longer one, if that is below `STEADY`.
"""

from dataclasses import dataclass

STEADY = 300.0
"""Characters a second: about what 75 tokens a second are, and more than anybody reads."""

BUFFER_S = 0.5
"""What has come is spread over so many seconds, so that bursts and pauses of a server do not show."""

RISE_S = 2.0
"""From standing still to `STEADY` it takes so long: an answer's end must not show as a leap."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How far both columns are: `shown` characters of each, or all of a shorter answer. `rate` is in
    characters a second, `at` a time in seconds."""

    shown: float
    rate: float
    at: float

    def columns(self, lengths: tuple[int, int]) -> tuple[int, int]:
        """Characters to show of the left and the right answer, of which `lengths` have come."""
        shown = int(self.shown)
        return min(shown, lengths[0]), min(shown, lengths[1])


def begin(at: float) -> Pace:
    """The first character of each, once both sides have one."""
    return Pace(1.0, STEADY / 2, at)


def step(pace: Pace, lengths: tuple[int, int], ended: tuple[bool, bool], now: float) -> Pace:
    """How far the columns are `now`, when `lengths` characters have come and those that `ended` are whole."""
    running = [length for length, over in zip(lengths, ended, strict=True) if not over]
    reach = min(running, default=max(lengths))
    passed = max(0.0, now - pace.at)
    wanted = (reach - pace.shown) / BUFFER_S if running else STEADY
    rate = max(0.0, min(STEADY, wanted, pace.rate + STEADY * passed / RISE_S))
    shown = max(pace.shown, min(float(reach), pace.shown + rate * passed))
    return Pace(shown, rate, max(now, pace.at))
