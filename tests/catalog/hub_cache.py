"""A hub cache laid out as data sets' repositories are, and tasks prepared from it without a network."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

PREPARE = """
import json, sys
from bakeoff.task import load_task, prepare
task, variant = load_task(sys.argv[1])
prepared = prepare(task, variant)
turns = [prepared.render(item).turns[0] for item in prepared.items()]
texts = [turn if isinstance(turn, str) else turn[0].text for turn in turns]
print(json.dumps({"texts": texts, "source": dict(prepared.source)}))
"""


def write(
    home: Path, repo: str, ref: str, commit: str, files: Mapping[str, list[Mapping[str, Any]] | None]
) -> None:
    """A snapshot in the hub's cache; a file without rows is there, and no data."""
    folder = home / "hub" / f"datasets--{repo.replace('/', '--')}"
    (folder / "refs" / ref).parent.mkdir(parents=True, exist_ok=True)
    (folder / "refs" / ref).write_text(commit)
    for name, rows in files.items():
        file = folder / "snapshots" / commit / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if rows is None:
            file.write_text("")
            continue
        source = home / "rows.json"
        source.write_text(json.dumps(rows))
        with duckdb.connect() as connection:
            connection.execute(f"COPY (FROM read_json('{source}')) TO '{file}' (FORMAT parquet)")


def prepared(ref: str, home: Path) -> dict[str, Any]:
    """In a process of its own: the hub's library reads its settings once, when it is imported."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "HUGGING"))}
    done = subprocess.run(
        [sys.executable, "-c", PREPARE, ref],
        env=kept | {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer
