"""Finished runs of a few models over recorded answers, and aligned scores without any run."""

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from bakeoff import Task, evaluate
from bakeoff.comparison.align import Aligned
from bakeoff.comparison.candidates import Candidate
from bakeoff.store import Manifest, read_manifest, write_manifest
from bakeoff.store.values import RunValues


def items(number: int, groups: int = 0) -> list[dict]:
    """Questions `0` to `number - 1`, in groups where any are asked for."""
    return [
        {"id": str(n), "input": f"{n} + 1 =", "target": n + 1}
        | ({"group": f"g{n % groups}"} if groups else {})
        for n in range(number)
    ]


def run(
    folder: Path,
    model: str,
    right: Sequence[int] | Sequence[Sequence[int]],
    asked: list[dict] | int = 30,
    *,
    unanswered: Sequence[int] = (),
    variant: str = "default",
    name: str = "sums",
    changes: Mapping | None = None,
    **chosen,
) -> Path:
    """A run of `model` that has the items numbered in `right` right (one list of them for each repeat)."""
    rows = items(asked) if isinstance(asked, int) else asked
    repeats = [right] if not right or isinstance(right[0], int) else right
    answers = [
        {
            "item_id": row["id"],
            "repeat": repeat,
            "output": str(row["target"] if n in said else 0),
            "model": model,
        }
        for n, row in enumerate(rows)
        if n not in unanswered
        for repeat, said in enumerate(repeats)
    ]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"answers-{len(list(folder.glob('answers-*')))}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in answers))
    task = Task(
        name=name,
        data={"items": rows},
        scorer="number",
        variants={
            "terse": {"prompt": {"template": "{{ input }} "}},
            "polite": {"prompt": {"system": "Please."}},
        },
        **(changes or {}),
    )
    return evaluate(
        task,
        f"recorded:{path}",
        variant=variant,
        repeats=len(repeats),
        out=folder / "runs",
        cache=False,
        **chosen,
    ).folder


def altered(folder: Path, to: Path, **identity: object) -> Path:
    """A copy of a run, under another id, whose model has another identity."""
    shutil.copytree(folder, to)
    manifest = read_manifest(folder)
    model = manifest.model.model_copy(update={"identity": manifest.model.identity | identity})
    write_manifest(to, manifest.model_copy(update={"run_id": to.name, "model": model}))
    return to


def rewritten(folder: Path, select: str) -> None:
    """The run's table replaced by a query over it, `FROM samples`."""
    import duckdb

    path = folder / "samples.parquet"
    with duckdb.connect() as db:
        db.execute(f"CREATE TABLE samples AS FROM '{path}'")
        db.execute(f"COPY ({select}) TO '{path}' (FORMAT parquet)")


def aligned(scores: Mapping[str, Sequence[float]], groups: Sequence[str | None] | None = None) -> Aligned:
    """One score per candidate and item, as `align` would give them."""
    labels = sorted(scores)
    values = np.array([scores[label] for label in labels], dtype=float)[:, None, :]
    number = values.shape[2]
    names = tuple(f"{n:04}" for n in range(number))
    groups = (None,) * number if groups is None else tuple(groups)
    own = tuple(
        (
            RunValues(
                items=names,
                scores=row.T,
                groups=None if all(group is None for group in groups) else groups,
                digests=None,
                unscored={},
                counts={"total": number, "scored": number},
                cost=None,
                latencies=np.array([]),
            ),
        )
        for row in values
    )
    manifests: tuple[Manifest, ...] = ()
    return Aligned(
        task="made",
        variants=("default",),
        candidates=tuple(Candidate(label, label, (Path(label),), manifests) for label in labels),
        items=names,
        groups=groups,
        values=values,
        within=np.full(values.shape, np.nan),
        repeats=np.ones(values.shape, np.int64),
        left_out={},
        notes=(),
        chance=None,
        scores=values[..., None],
        own=own,
    )
