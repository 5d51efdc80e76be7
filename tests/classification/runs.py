"""Finished classification runs over recorded answers."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

from bakeoff import Task
from bakeoff.run import evaluate

LABELS = ("ham", "spam")


def generated(folder: Path, rows: Sequence[tuple[str, str | None]], **chosen) -> Path:
    """A run of (gold label, answer) with the scorer exact; an answer of None is a failure of the model."""
    items = [{"id": f"q{i:04}", "input": f"Text {i}.", "target": gold} for i, (gold, _) in enumerate(rows)]
    said = [answer for _, answer in rows]
    return asked(folder, items, said, **{"scorer": "exact"} | chosen)


def likely(folder: Path, rows: Sequence[tuple[str, float]], **chosen) -> Path:
    """A run of (gold label, probability of spam) by log-likelihood. Probabilities lie inside (0, 1)."""
    first = chosen.pop("first", 0)
    items = [
        {"id": f"q{i:04}", "input": f"Text {i}.", "choices": list(LABELS), "target": LABELS.index(gold)}
        | chosen.get("facts", {}).get(i, {})
        for i, (gold, _) in enumerate(rows, first)
    ]
    chosen.pop("facts", None)
    # Log-likelihoods are not normalised over the options.
    said = [[math.log(1 - p) - 3, math.log(p) - 3] for _, p in rows]
    return asked(folder, items, said, **{"scorer": "loglikelihood", "ask": "loglikelihood"} | chosen)


def asked(folder: Path, items: list[dict], said: Sequence[str | list[float] | None], **task) -> Path:
    """A run of a task over `items`, answered by texts or by log-likelihoods of the choices."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {"item_id": item["id"], "logprobs" if isinstance(each, list) else "output": each}
        for item, each in zip(items, said, strict=True)
    ]
    (folder / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    made = Task(**{"name": "mail", "data": {"items": items}} | task)
    return evaluate(made, f"recorded:{folder / 'answers.jsonl'}", out=folder / "runs").folder
