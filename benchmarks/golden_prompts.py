"""Prompts as lm-evaluation-harness 0.4.13 renders them, as digests that the tests hold ours against.

    python benchmarks/golden_prompts.py [NAME ...] [--python FILE] [--out tests/conformance/golden/prompts]

NAME is a task of the catalog with or without its variant; without one, all in `parity/prompted.py`. The
harness runs its own task files, in an environment of its own (`--python`; made on first use otherwise), on
rows of the evaluation data put into the layout of its data sets. What is kept is the SHA-256 of each prompt
and continuation: no text.
"""

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from bakeoff.store import cache_folder
from parity.environment import peer_python, peer_tasks
from parity.prompted import PROMPTED, Prompted, prompt_digest
from parity.rows import write_rows

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("BAKEOFF_DATA", ROOT.parent / "shared" / "data"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--python", type=Path, help="a Python that has lm-eval 0.4.13")
    parser.add_argument("--out", type=Path, default=ROOT / "tests" / "conformance" / "golden" / "prompts")
    args = parser.parse_args()
    python = args.python or peer_python(cache_folder() / "lm-eval-0.4.13")
    for each in _chosen(args.names):
        file = args.out / f"{each.name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(golden(each, python), indent=1) + "\n", encoding="utf-8")
        print(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


def golden(each: Prompted, python: Path) -> dict[str, Any]:
    """Digests by item id, in the order of the options; and the ids of the rows shown as examples."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        names, asked = _write_tasks(each, peer_tasks(python), folder)
        job, result = folder / "job.json", folder / "result.json"
        job.write_text(json.dumps({"folder": str(folder), "tasks": names, "in_order": each.in_order}))
        script = ROOT / "benchmarks" / "parity" / "prompts_peer.py"
        env = {**os.environ, "PROMPTS_CACHE": str(folder / "cache")}
        subprocess.run([str(python), str(script), str(job), str(result)], check=True, env=env)
        theirs = json.loads(result.read_bytes())
    items: dict[str, list[str]] = {}
    for name, (rows, _) in zip(names, asked, strict=True):
        for number, (row, prompts) in enumerate(zip(rows, theirs["prompts"][name], strict=True)):
            items[str(row.get("id", number))] = [prompt_digest(prompt) for prompt in prompts]
    examples = [row["id"] for _, rows in asked for row in rows]
    return {
        "lm_eval": theirs["lm_eval"],
        "peers": sorted(each.peers.values()),
        "examples": examples,
        "items": items,
    }


def _chosen(names: Sequence[str]) -> list[Prompted]:
    chosen = [each for each in PROMPTED if not names or {each.ref, each.ref.partition(":")[0]} & {*names}]
    if not chosen:
        raise SystemExit(f"none of {', '.join(names)}; there are {', '.join(each.ref for each in PROMPTED)}")
    return chosen


def _write_tasks(each: Prompted, tasks: Path, folder: Path) -> tuple[list[str], list[Any]]:
    """A task file for each peer, which includes the harness's own and has our rows."""
    names, found = [], []
    for number, (key, (rows, examples)) in enumerate(each.asked(DATA).items()):
        name = f"prompts_{number}"
        asked = [each.columns(row) for row in rows]
        shown = [each.example(each.columns(row)) for row in examples]
        files = {"asked": str(write_rows(asked, folder / f"{name}.jsonl"))}
        if shown:
            files["pool"] = str(write_rows(shown, folder / f"{name}.pool.jsonl"))
        task = {
            "include": str(tasks / each.peers[key]),
            "task": name,
            "tag": None,
            "dataset_path": "json",
            "dataset_name": None,
            "dataset_kwargs": {"data_files": files},
            "training_split": None,
            "validation_split": None,
            "test_split": "asked",
            **each.settings,
        }
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(task, sort_keys=False), encoding="utf-8")
        names.append(name)
        found.append((rows, examples))
    return names, found


if __name__ == "__main__":
    main()
