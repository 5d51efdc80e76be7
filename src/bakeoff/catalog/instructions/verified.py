"""IFEval and IFBench: prompts with instructions that a rule can verify."""

from collections.abc import Mapping
from typing import Any


def verified(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of google/IFEval or allenai/IFBench_test: `key`, `prompt`, `instruction_id_list`, `kwargs`.

    Parquet gives every instruction the arguments of all; those that are null were not given.
    `meta.instruction_id_list` has one entry an instruction, by which a mean over instructions is weighted.
    """
    names = list(columns["instruction_id_list"])
    return {
        "id": str(columns["key"]),
        "input": columns["prompt"],
        "target": [
            {"instruction_id": name, "kwargs": {k: v for k, v in given.items() if v is not None}}
            for name, given in zip(names, columns["kwargs"], strict=True)
        ],
        "meta": {"instruction_id_list": names},
    }
