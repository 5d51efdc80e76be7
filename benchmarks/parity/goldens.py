"""The harness's figures as files that tests compare ours with: numbers and ids, no text of the data."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parity.rows import Row

Run = Mapping[str, Any]


def golden(theirs: Run, rows: Sequence[Row], job: Mapping[str, Any]) -> dict[str, Any]:
    """Log-likelihoods (nats) per item of `rows`; accuracies over these. `examples` are rows only shown."""
    items = {row["id"]: theirs["items"][row["id"]] for row in rows if row["id"] in theirs["items"]}
    normed = all(item["acc_norm"] is not None for item in items.values())
    return {
        "made_with": {
            **theirs["versions"],
            "dtype": "float32",
            "batch_size": job["batch_size"],
            "chat_template": job["template"],
        },
        "acc": _mean([item["acc"] for item in items.values()]),
        "acc_norm": _mean([item["acc_norm"] for item in items.values()]) if normed else None,
        "examples": [row["id"] for row in rows if row["id"] not in items],
        "items": {
            name: {
                "logprobs": [round(value, 5) for value in item["logprobs"]],
                "greedy": [int(value) for value in item["greedy"]],
            }
            for name, item in items.items()
        },
    }


def write_golden(content: Mapping[str, Any], file: Path) -> None:
    """One item a line, so that a change shows which."""
    file.parent.mkdir(parents=True, exist_ok=True)
    head = {name: value for name, value in content.items() if name != "items"}
    text = json.dumps(head, indent=1)
    if "items" in content:
        items = ",\n".join(
            f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in content["items"].items()
        )
        text = f'{text[:-2]},\n "items": {{\n{items}\n }}\n}}'
    file.write_text(text + "\n", encoding="utf-8")


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
