"""ARC-AGI: a rule shown by pairs of grids, to be applied to one grid more."""

import json
from collections.abc import Iterable, Mapping
from typing import Any


def arc_agi(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A task in ARC's own form: example pairs in `train`, or `fewshots`, and pairs to solve in `test`, or
    `question`.

    `input` is the examples as JSON, `target` the output grids, one for each of `meta.test_inputs`.
    """
    examples = columns["fewshots"] if "fewshots" in columns else columns["train"]
    asked = columns["question"] if "question" in columns else columns["test"]
    return {
        "input": json.dumps(_pairs(examples), separators=(",", ":")),
        "target": [pair["output"] for pair in asked],
        "meta": {"test_inputs": [pair["input"] for pair in asked]},
    }


def _pairs(pairs: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{"input": pair["input"], "output": pair["output"]} for pair in pairs]
