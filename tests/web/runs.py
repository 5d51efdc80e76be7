"""Runs to look at in pages: with hostile text in every field, of private tasks, and one that goes on."""

import json
import time
from pathlib import Path

import orjson

from bakeoff import Task, evaluate
from bakeoff.nouns import Sample
from bakeoff.store import Manifest, journal_path, read_manifest, read_samples, to_row, write_manifest

HOSTILE = "<script>alert(1)</script>\x1b[31m\u202egnp\u200b' onload=x \"><img src=http://evil.test/x>"
CANARY = "zephyrcanary"


def hostile(folder: Path, *models: str, number: int = 12, repeats: int = 2, **changes) -> list[Path]:
    """Runs of one task on models of these names plus `HOSTILE`, which stands in every text there is.

    The first model has every third answer wrong, the next ones fewer. Item 3 has `HOSTILE` in its id, item 4
    a slash and dots, item 5 what means something in an address.
    """
    ids = {3: f"it {HOSTILE}", 4: "a/../b c", 5: "q?x=1&y=+ü#z"}
    items = [
        {
            "id": ids.get(n, f"item-{n}"),
            "input": f"{HOSTILE} question {n} ![x](http://evil.test/p.png)",
            "target": str(n + 100),
            "group": f"g{n % 3} {HOSTILE}",
            "metadata": {f"kind {HOSTILE}": f"{HOSTILE}{n % 2}", "level": n % 3},
        }
        for n in range(number)
    ]
    task = Task(
        name="hostile",
        data={"items": items},
        scorer="number",
        description=HOSTILE,
        prompt={"system": f"system {HOSTILE}"},
        **changes,
    )
    return [
        _run(folder, task, f"{model} {HOSTILE}", _answers(items, wrong=k + 3, repeats=repeats), repeats)
        for k, model in enumerate(models)
    ]


def private(folder: Path, *models: str) -> list[Path]:
    """Runs of a private task, with `CANARY` in every text that must stay."""
    items = [
        {
            "id": f"p{n}",
            "input": f"{CANARY} asked {n}",
            "target": f"{CANARY} right {n}",
            "metadata": {"kind": f"{CANARY} meta {n % 2}"},
        }
        for n in range(9)
    ]
    task = Task(name="secret", data={"items": items}, scorer="exact", private=True)
    rows = [
        {
            "item_id": item["id"],
            "output": item["target"] if n % 2 else f"{CANARY} said {n}",
            "reasoning": f"{CANARY} thought",
        }
        for n, item in enumerate(items)
    ]
    return [_run(folder, task, model, rows, 1) for model in models]


def going_on(folder: Path, like: Path, samples: int) -> tuple[Path, Manifest, list[Sample]]:
    """A run that has just begun, of the task of the run `like`, and the samples it will have."""
    run = folder / "runs" / "hostile" / "slow" / "20300101T000000Z-abcdef"
    run.mkdir(parents=True)
    manifest = read_manifest(like)
    repeats = manifest.settings.repeats
    begun = manifest.model_copy(
        update={
            "run_id": run.name,
            "status": "running",
            "finished": None,
            "counts": {},
            "files": {},
            "settings": manifest.settings.model_copy(update={"limit": samples // repeats}),
        }
    )
    write_manifest(run, begun)
    return run, begun, list(read_samples(like))[:samples]


def append(run: Path, *samples: Sample) -> None:
    """Lines in the journal of a run, as the runner writes them."""
    with journal_path(run).open("ab") as journal:
        for sample in samples:
            journal.write(orjson.dumps(to_row(sample, time.time())) + b"\n")


def _answers(items: list[dict], *, wrong: int, repeats: int) -> list[dict]:
    return [
        {
            "item_id": item["id"],
            "repeat": repeat,
            "output": f"# {HOSTILE}\n[a](javascript:alert(1)) ![i](http://evil.test/i.png)\n\n"
            f"The answer is {0 if (n + repeat) % wrong == 0 else item['target']}",
            "reasoning": f"thought {HOSTILE}",
            "prompt_tokens": 20,
            "completion_tokens": 10 + n,
            "latency_s": 0.1 + n / 10,
        }
        for n, item in enumerate(items)
        for repeat in range(repeats)
    ]


def _run(folder: Path, task: Task, model: str, rows: list[dict[str, object]], repeats: int) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"answers-{len(list(folder.glob('answers-*')))}.jsonl"
    path.write_text("".join(json.dumps(row | {"model": model}) + "\n" for row in rows))
    found = evaluate(task, f"recorded:{path}", repeats=repeats, out=folder / "runs", cache=False)
    return found.folder
