"""How far a run is, from what its journals gained since one last looked; one look serves all who watch."""

import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import orjson

from bakeoff.nouns import Outcome
from bakeoff.store import query

_RECENT = 200
"""Samples that the rate is of."""
_PAUSE = 0.8
"""Seconds between two looks at the files."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen of a run.

    `seen` counts the lines of its journals: it is another once there is anything new. `rate` is in samples a
    second over the last few hundred, up to now, so that a stall shows; `left` in seconds at that rate. Both
    are None before they can be told.
    """

    seen: int
    done: int
    total: int
    outcomes: Mapping[str, int]
    rate: float | None
    left: float | None

    @property
    def said(self) -> str:
        """It in a few words."""
        parts = []
        if self.rate is not None and self.done < self.total:
            parts.append(
                f"{self.rate:.1f} a second" if self.rate >= 0.95 else f"{60 * self.rate:.1f} a minute"
            )
        if self.left is not None and self.done < self.total:
            parts.append(f"about {_duration(self.left)} left")
        parts += [
            f"{self.outcomes[outcome]:,} {outcome.replace('_', ' ')}"
            for outcome in Outcome
            if self.outcomes.get(outcome)
        ]
        return " · ".join(parts)


class Following:
    """A run that goes on. Safe for threads; reads only what is new, at most every `_PAUSE` seconds."""

    def __init__(self, folder: Path, total: int) -> None:
        self._folder = folder
        self._total = total
        self._lock = Lock()
        self._read: dict[Path, int] = {}
        self._seen = 0
        self._ended: dict[tuple[str, int], str] = {}
        self._times: deque[float] = deque(maxlen=_RECENT)
        self._at = 0.0
        if (folder / "samples.parquet").exists():  # of earlier attempts
            rows = query(folder, "SELECT item_id, repeat, outcome FROM samples")
            self._ended = {(item, repeat): outcome for item, repeat, outcome in rows}

    def look(self) -> Sight:
        """How far it is."""
        with self._lock:
            if time.monotonic() - self._at >= _PAUSE:
                for path in sorted(self._folder.glob("journal-*.jsonl")):
                    self._take(path)
                self._at = time.monotonic()
            outcomes = Counter(self._ended.values())
            done, rate = len(self._ended), self._rate()
            left = (self._total - done) / rate if rate else None
            return Sight(self._seen, done, self._total, dict(outcomes), rate, left)

    def _take(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                file.seek(self._read.get(path, 0))
                for line in file:
                    if not line.endswith(b"\n"):  # being written
                        break
                    self._read[path] = self._read.get(path, 0) + len(line)
                    self._count(line)
        except FileNotFoundError:  # compacted just now
            return

    def _count(self, line: bytes) -> None:
        try:
            row = orjson.loads(line)
            key, outcome, finished = (row["item_id"], row["repeat"]), row["outcome"], row["finished_at"]
        except (orjson.JSONDecodeError, KeyError, TypeError):
            return  # a line torn by a kill; the run itself says so when it is taken up
        self._seen += 1
        self._ended[key] = outcome
        self._times.append(finished)

    def _rate(self) -> float | None:
        if len(self._times) < 2:
            return None
        span = time.time() - self._times[0]
        return (len(self._times) - 1) / span if span > 0 else None


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
