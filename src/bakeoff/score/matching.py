"""The process that searches with a task's pattern: a bad one on an unlucky text would search for years.

Started by `regex` as a script. It reads `[pattern, flags, take, text]` a line and writes where the group of
the match lies, `[start, end]`, or `null`. A signal ends it when a search takes too long: Python's engine
looks at nothing else while it searches.
"""

import json
import os
import re
import resource
import signal
import sys

_WALL_TO_CPU = 10
"""How much longer a search may take on the clock than on the processor, on a busy machine."""


def main() -> None:
    """Answer questions until the input ends. Argument: CPU seconds a search."""
    seconds = float(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    answers = os.fdopen(os.dup(1), "w")
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        pattern, flags, take, text = json.loads(line)
        _allow(seconds)
        found = search(pattern, flags, take, text)
        _allow(0)
        print(json.dumps(found), file=answers, flush=True)


def search(pattern: str, flags: int, take: str, text: str) -> tuple[int, int] | None:
    """Where the one group of the first or the last match lies in which it captures anything."""
    found = None
    for match in re.compile(pattern, flags).finditer(text):
        if match.group(1) is not None:
            found = match.span(1)
            if take == "first":
                break
    return found


def _allow(seconds: float) -> None:
    """Let the system end this process after so many seconds; 0 takes that back."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * _WALL_TO_CPU)


if __name__ == "__main__":
    main()
