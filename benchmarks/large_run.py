"""A large run end to end: recorded answers scored, written, compacted, reported. Prints time and peak memory.

    python benchmarks/large_run.py [ITEMS]     # 100,000 by default

The answers are made here: sums, with a chain of thought of a few hundred characters.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TASK = """\
name: sums
version: 1
description: Sums, for the benchmark.
data: {file: items.jsonl}
prompt: {template: "{{ input }}"}
generation: {max_tokens: 64}
scorer: number
"""


def write(folder: Path, items: int) -> None:
    (folder / "sums.yaml").write_text(TASK)
    with (folder / "items.jsonl").open("w") as asked, (folder / "answers.jsonl").open("w") as answers:
        for number in range(items):
            one, other = number % 997, number % 1009
            right = one + other + (number % 5 == 0)
            item = {"id": f"s{number}", "input": f"What is {one} + {other}?", "target": str(one + other)}
            thought = f"First take {one}, then add {other}, one step after the other. " * 5
            answer = {"item_id": f"s{number}", "output": f"{thought}\\nThe answer is {right}."}
            asked.write(json.dumps(item) + "\n")
            answers.write(json.dumps(answer) + "\n")


def main() -> None:
    items = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    bakeoff = Path(sys.executable).with_name("bakeoff")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, items)
        for title, arguments in (
            ("run", ["run", "sums.yaml", "--model", "recorded:answers.jsonl", "--json"]),
            ("show", ["show", "last"]),
        ):
            begun = time.perf_counter()
            subprocess.run([str(bakeoff), *arguments], cwd=folder, capture_output=True, check=True)
            seconds = time.perf_counter() - begun
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            rate = items / seconds
            print(f"{title:<5} {items:,} samples: {seconds:.1f} s, {rate:,.0f} samples/s, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
