"""Rows of MuSR."""

import ast
from collections.abc import Mapping
from typing import Any

from bakeoff.digest import digest


def row(row: Mapping[str, Any]) -> dict[str, Any]:
    """TAUR-Lab/MuSR, a split for each of its three tasks; the choices are the text of a Python list.

    Questions on one story are a group.
    """
    return {
        "input": f"{row['narrative']}\n\n{row['question']}",
        "choices": ast.literal_eval(row["choices"]),
        "target": row["answer_index"],
        "group": digest(row["narrative"]).removeprefix("sha256:")[:12],
        "meta": {},
    }
