"""Runs as a gate sees them, without a folder."""

from collections.abc import Sequence
from pathlib import Path

from bakeoff.gate.evidence import Candidate
from bakeoff.gate.pairing import pair
from bakeoff.gate.side import ItemResult, Side


def side(
    values: Sequence[float | None],
    *,
    groups: Sequence[str | None] | None = None,
    ids: Sequence[str] | None = None,
    task: str = "sums",
    variant: str = "default",
    **changes,
) -> Side:
    """A finished run with these scores, its items named q0000 and so on; None is a model_error."""
    items = tuple(
        ItemResult(
            ids[i] if ids else f"q{i:04}",
            None if value is None else float(value),
            "model_error" if value is None else "scored",
            groups[i] if groups else None,
        )
        for i, value in enumerate(values)
    )
    unscored = sum(value is None for value in values)
    facts = {
        "label": "runs/x",
        "run_id": "x",
        "digest": "sha256:same",
        "parts": {},
        "model": "model",
        "expected": len(items),
        "counts": {"total": len(items), "scored": len(items) - unscored, "model_error": unscored},
        "folder": Path("runs/x"),
    }
    return Side(task=task, variant=variant, items=items, **facts | changes)


def candidate(
    run: Sequence[float | None], baseline: Sequence[float | None] | None = None, **changes
) -> Candidate:
    """A run against a baseline on the same items."""
    ours = side(run, **changes)
    if baseline is None:
        return Candidate(ours, None, None)
    theirs = side(baseline, **changes | {"label": "main", "run_id": "b", "folder": None})
    return Candidate(ours, theirs, pair(ours, theirs))
