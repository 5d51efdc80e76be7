"""Algebra in a process of its own, with limits on its time and memory."""

import atexit
from functools import lru_cache
from pathlib import Path
from typing import Literal

from bakeoff.errors import TaskError
from bakeoff.score.limited import Limited

MEMORY = 2 << 30
"""Bytes of address space. The library itself takes a tenth."""

Finding = Literal["equal", "different", "unreadable", "limit"]
"""Of two expressions: `unreadable` where one could not be parsed, `limit` where time or memory ran out."""


class Symbolic:
    """One process that compares expressions. `seconds` is processor time a question, so that a finding does
    not depend on how busy the machine is; `memory` is bytes."""

    def __init__(self, seconds: float, memory: int = MEMORY) -> None:
        script = Path(__file__).with_name("process.py")
        self._process = Limited(script, (str(seconds), str(memory)), _missing)

    def compare(self, gold: str, answer: str, tolerance: float) -> Finding:
        """Whether two LaTeX expressions are equal.

        Raises:
            TaskError: math-verify is not installed.
            RuntimeError: the process was ended by someone else.
        """
        match self._process.ask([gold, answer, tolerance]):
            case "equal" | "different" | "unreadable" as word:
                return word
            case "limit" | None:
                return "limit"
            case word:
                raise RuntimeError(f"the process for algebra said {word!r:.80}")

    @property
    def process_id(self) -> int | None:
        """Of the process that answers at the moment; None while there is none."""
        return self._process.process_id

    def close(self) -> None:
        """End the process."""
        self._process.close()


@lru_cache(maxsize=8)
def symbolic(seconds: float) -> Symbolic:
    """The process of this one for a time limit; it ends with us."""
    shared = Symbolic(seconds)
    atexit.register(shared.close)
    return shared


def _missing(word: str) -> TaskError:
    missing = word.removeprefix("missing ")
    return TaskError(
        f"scorer math: {f'{missing} is not installed' if missing else 'its process did not start'}",
        "Install the extra: pip install 'bakeoff[score]'.",
    )
