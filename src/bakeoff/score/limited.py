"""A process of our own that may run out of time or memory without harm to anyone else."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

# How the system ends a process that is over its limits: time, and memory that C code could not get.
_OVER_THE_LIMIT = (-signal.SIGPROF, -signal.SIGALRM, -signal.SIGSEGV, -signal.SIGABRT)


@dataclass
class Limited:
    """A script that answers questions, started when first asked and again after each that ended it.

    It is given `arguments`, says `ready`, then reads one question a line as JSON and writes one line a
    question; it sets its own limits. `refused` makes an error of whatever it says in place of `ready`. Safe
    to share between threads, which wait for one another.
    """

    script: Path
    arguments: tuple[str, ...]
    refused: Callable[[str], Exception]
    _process: subprocess.Popen[str] | None = field(default=None, init=False)
    _owner: int = field(default=0, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)

    def ask(self, question: Any) -> str | None:
        """The answer, a line; None where time or memory ran out.

        Raises:
            RuntimeError: the process was ended by someone else.
        """
        with self._lock:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(json.dumps(question) + "\n")
                process.stdin.flush()
                line = process.stdout.readline()
            except BrokenPipeError:
                line = ""
            if line:
                return line.strip()
            self._ended(process)
            return None

    @property
    def process_id(self) -> int | None:
        """Of the process that answers at the moment; None while there is none."""
        return self._process.pid if self._process is not None else None

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.communicate()

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._owner != os.getpid():
            self._process, self._owner = self._started(), os.getpid()
        return self._process

    def _ended(self, process: subprocess.Popen[str]) -> None:
        """Make sure that it was the limits that ended it."""
        code = process.wait()
        self.close()
        if code not in _OVER_THE_LIMIT:
            raise RuntimeError(f"the process of {self.script.name} ended with {code}")

    def _started(self) -> subprocess.Popen[str]:
        process = subprocess.Popen(  # noqa: S603 (our own script, with numbers as arguments)
            # -P: the script's folder holds modules of ours, not the ones it imports.
            [sys.executable, "-P", str(self.script), *self.arguments],
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
            raise self.refused(word)
        return process
