"""Comparing extracted objects field by field: its time beside DeepDiff's, and whether both see the same.

    python benchmarks/extraction.py

Invoices with as many lines as the first column says, one line in five left out, one value in ten changed, and
the lines in another order. Ours pairs the lines so that most values are right; DeepDiff (`ignore_order=True`)
pairs them by distance. Both run in processes of their own on the same objects; seconds are of one object, the
best of five rounds. The last column is on objects that differ in their order alone.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LINES = (2, 10, 40)
OBJECTS, ROUNDS = 20, 5
Pair = tuple[dict[str, Any], dict[str, Any]]


def main() -> None:
    from remote_clients import environment

    pythons = {"bakeoff": sys.executable, "deepdiff": str(environment("deepdiff==9.1.0") / "python")}
    print(f"{'lines':>5} {'bakeoff ms':>11} {'deepdiff ms':>12} {'ratio':>7}  order alone is no difference")
    for lines in LINES:
        found = {name: in_process(python, name, lines) for name, python in pythons.items()}
        ours, theirs = (1000 * found[name]["seconds"] for name in pythons)
        equal = " and ".join(name for name in pythons if found[name]["equal"]) or "neither"
        print(f"{lines:>5} {ours:>11.2f} {theirs:>12.2f} {theirs / ours:>7.1f}  {equal}")


def in_process(python: str, name: str, lines: int) -> dict[str, float]:
    command = [python, __file__, "--child", name, str(lines)]
    found: dict[str, float] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def child(name: str, lines: int) -> None:
    same = METHODS[name]()
    changed, shuffled = pairs(lines, changes=True), pairs(lines, changes=False)
    same(*changed[0])  # what is imported late
    rounds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        verdicts = [same(*pair) for pair in changed]
        rounds.append(time.perf_counter() - began)
        assert not any(verdicts)
    equal = all(same(*pair) for pair in shuffled)
    print(json.dumps({"seconds": min(rounds) / OBJECTS, "equal": equal}))


def pairs(lines: int, *, changes: bool) -> list[Pair]:
    """Answers and targets."""
    draw = random.Random(lines)
    made = []
    for _ in range(OBJECTS):
        gold = [
            {
                "item": f"item {draw.randint(0, 999)}",
                "quantity": draw.randint(1, 9),
                "price": draw.randint(1, 999),
            }
            for _ in range(lines)
        ]
        said = [dict(line) for line in gold if not changes or draw.random() > 0.2] or [{"item": "none"}]
        for line in said if changes else ():
            for key in line:
                if draw.random() < 0.1:
                    line[key] = f"{line[key]}0"
        draw.shuffle(said)
        if changes:
            said[0]["item"] = "changed"
        made.append(({"total": 1, "lines": said}, {"total": 1, "lines": gold}))
    return made


def bakeoff() -> Callable[[Any, Any], bool]:
    from bakeoff.score.fields.compare import compare
    from bakeoff.score.fields.shapes import Typed

    return lambda said, gold: all(each.verdict == "right" for each in compare(Typed(), said, gold))


def deepdiff() -> Callable[[Any, Any], bool]:
    from deepdiff import DeepDiff

    return lambda said, gold: not DeepDiff(gold, said, ignore_order=True)


METHODS = {"bakeoff": bakeoff, "deepdiff": deepdiff}

if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        sys.path[:0] = [str(Path(__file__).parent)]
        child(sys.argv[2], int(sys.argv[3]))
    else:
        main()
