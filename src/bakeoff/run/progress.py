"""How far a run is, for whoever watches."""

import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from bakeoff.nouns import Outcome, Sample

_RATE_WINDOW = 200


@dataclass(slots=True)
class Progress:
    """Counts of a run as it goes on. One writer (the run), any number of readers."""

    title: str
    total: int
    done: int = 0
    """Samples on disk, those of earlier attempts included."""
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    value: float = 0.0
    """Sum of the values of this attempt's samples; divide by `valued`."""
    valued: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    cached: int = 0
    started: float = field(default_factory=time.monotonic)
    each: Callable[[], None] | None = None
    """Called after each; a `BakeoffError` that it raises stops the run, which can be resumed."""
    _recent: deque[float] = field(default_factory=lambda: deque(maxlen=_RATE_WINDOW))

    def advance(self) -> None:
        """Count one thing done."""
        self.done += 1
        self._recent.append(time.monotonic())

    def add(self, sample: Sample) -> None:
        """Count one finished sample."""
        self.advance()
        self.outcomes[sample.score.outcome] += 1
        if sample.score.value is not None:
            self.value += sample.score.value
            self.valued += 1
        self.cached += sample.cached
        if not sample.cached:
            for turn in sample.turns:
                self.prompt_tokens += turn.response.usage.prompt_tokens or 0
                self.completion_tokens += turn.response.usage.completion_tokens or 0
        if sample.cost is not None:
            self.cost = (self.cost or 0.0) + sample.cost
        if self.each is not None:
            self.each()

    @property
    def rate(self) -> float | None:
        """Samples a second over the last few hundred; None before there are two."""
        if len(self._recent) < 2:
            return None
        # Measured to now, not to the last sample, so that a stall shows.
        span = time.monotonic() - self._recent[0]
        return (len(self._recent) - 1) / span if span > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """Time to go at the present rate; None before there is a rate."""
        rate = self.rate
        return (self.total - self.done) / rate if rate else None


Watch = Callable[[Progress], None]
"""Called with the progress of each run, and of what comes before it, as it begins."""
