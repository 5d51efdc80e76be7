"""Algebra in a process of its own, with limits on its time and memory."""

import atexit
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Literal

from bakeoff.errors import TaskError

MEMORY = 2 << 30
"""Bytes of address space. The library itself takes a tenth."""

Finding = Literal["equal", "different", "unreadable", "limit"]
"""Of two expressions: `unreadable` where one could not be parsed, `limit` where time or memory ran out."""

# How the system ends a process that is over its limits: time, and memory that C code could not get.
_OVER_THE_LIMIT = (-signal.SIGPROF, -signal.SIGALRM, -signal.SIGSEGV, -signal.SIGABRT)


@dataclass
class Symbolic:
    """One process that compares expressions, started when first asked and again after each that was ended.

    Safe to share between threads, which wait for one another. `seconds` is processor time a question, so
    that a finding does not depend on how busy the machine is.
    """

    seconds: float
    memory: int = MEMORY
    _process: subprocess.Popen[str] | None = field(default=None, init=False)
    _owner: int = field(default=0, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def compare(self, gold: str, answer: str, tolerance: float) -> Finding:
        """Whether two LaTeX expressions are equal.

        Raises:
            TaskError: math-verify is not installed.
            RuntimeError: the process was ended by someone else.
        """
        with self._lock:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(json.dumps([gold, answer, tolerance]) + "\n")
                process.stdin.flush()
                word = process.stdout.readline().strip()
            except BrokenPipeError:
                word = ""
            match word:
                case "equal" | "different" | "unreadable" | "limit":
                    return word
            return self._ended(process)

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.communicate()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._owner != os.getpid():
            self._process, self._owner = _started(self.seconds, self.memory), os.getpid()
        return self._process

    def _ended(self, process: subprocess.Popen[str]) -> Finding:
        code = process.wait()
        self.close()
        if code in _OVER_THE_LIMIT:
            return "limit"
        raise RuntimeError(f"the process for algebra ended with {code}")


@lru_cache(maxsize=8)
def symbolic(seconds: float) -> Symbolic:
    """The process of this one for a time limit; it ends with us."""
    shared = Symbolic(seconds)
    atexit.register(shared.close)
    return shared


def _started(seconds: float, memory: int) -> subprocess.Popen[str]:
    script = Path(__file__).with_name("process.py")
    process = subprocess.Popen(  # noqa: S603 (our own script, with numbers as arguments)
        # -P: the script's folder holds modules of ours, not the ones it imports.
        [sys.executable, "-P", str(script), str(seconds), str(memory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
        # Ctrl-C is for us; the order of sets must not depend on chance.
        start_new_session=True,
        env={**os.environ, "PYTHONHASHSEED": "0"},
    )
    assert process.stdout is not None
    word = process.stdout.readline().strip()
    if word != "ready":
        process.kill()
        process.communicate()
        missing = word.removeprefix("missing ")
        raise TaskError(
            f"scorer math: {f'{missing} is not installed' if missing else 'its process did not start'}",
            "Install the extra: pip install 'bakeoff[score]'.",
        )
    return process
