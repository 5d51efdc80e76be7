"""A run beside its baseline, in words."""

from math import fsum

from bakeoff.gate.pairing import Paired
from bakeoff.gate.words import percent, points
from bakeoff.stats import Interval


def against(paired: Paired, interval: Interval) -> str:
    """`62.0 % against 64.5 %: -2.5 points [-4.9, -0.1]`."""
    n = len(paired.items)
    run, baseline = fsum(paired.run) / n, fsum(paired.baseline) / n
    limits = f"[{points(interval.low)}, {points(interval.high)}]"
    return f"{percent(run)} against {percent(baseline)}: {points(run - baseline)} points {limits}"
