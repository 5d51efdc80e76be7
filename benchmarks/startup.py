"""Start-up time of the command line: the median of several runs of each command, in milliseconds.

python benchmarks/startup.py
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

RUNS = 15
BAKEOFF = Path(sys.executable).with_name("bakeoff")
COMMANDS = (
    [sys.executable, "-c", "pass"],
    [str(BAKEOFF), "--version"],
    [str(BAKEOFF), "--help"],
    [str(BAKEOFF), "task", "list"],
    [str(BAKEOFF), "run", "--help"],
    [str(BAKEOFF), "show", "--help"],
)


def milliseconds(command: list[str]) -> list[float]:
    subprocess.run(command, capture_output=True, check=True)  # warm up
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(1000 * (time.perf_counter() - begun))
    return times


def main() -> None:
    print(f"{'command':<24} {'min':>6} {'median':>7} {'max':>6}  ms")
    for command in COMMANDS:
        times = milliseconds(command)
        name = " ".join([Path(command[0]).name, *command[1:]])
        print(f"{name:<24} {min(times):>6.0f} {statistics.median(times):>7.0f} {max(times):>6.0f}")


if __name__ == "__main__":
    main()
