"""The parameters by which rows of a board are chosen and ordered, in the words of OpenAPI."""

from typing import Any

from bakeoff.board.table.view import MOST, MOST_ROWS

_VIEW = {
    "search": "Words that a row must all contain, or `/a pattern/`.",
    "organisation": "Rows of one of these; `-` for those that say none.",
    "licence": "Rows with one of these; `-` for those that say none.",
    "precision": "Rows with one of these; `-` for those that say none.",
    "provenance": "How scores are known: measured, reproduced, records, reported.",
    "state": "`ranked`: only rows with a rank.",
    "parameters_min": "So many parameters at least, in billions.",
    "parameters_max": "So many parameters at most, in billions.",
    "cost_max": "So many dollars at most.",
    "latency_max": "So many seconds at most.",
    "since": "Seen first on this day or later.",
    "pareto": "The front of the score against this.",
    "tied": "Rows that are not told apart from the row of this key.",
    "preset": "A view that the board offers, by its name.",
    "sort": "A column's key, best, least, newest or A first; with `-` before it the other way.",
    "pin": "Keys of rows that come first, whatever else is asked for.",
    "at": "Which state: a day, the beginning of a digest, `last` or `first`.",
    "version": "The newest state of this version of the board.",
    "page": "Counted from 1.",
    "per_page": "Rows of a part of the list; by default 500, or all of up to 1,000.",
}
"""What of a view says which rows are meant: the other fields are about how a page shows them."""


def _schema(name: str) -> dict[str, Any]:
    text = {"type": "string", "maxLength": 1000}
    match name:
        case "organisation" | "licence" | "precision" | "provenance" | "pin":
            return {"type": "array", "items": text, "maxItems": MOST}
        case "state":
            return {"type": "string", "enum": ["all", "ranked"], "default": "all"}
        case "pareto":
            return {"type": "string", "enum": ["cost", "latency", "parameters"]}
        case "parameters_min" | "parameters_max" | "cost_max" | "latency_max":
            return {"type": "number", "minimum": 0}
        case "since":
            return {"type": "string", "format": "date"}
        case "version" | "page":
            return {"type": "integer", "minimum": 1}
        case "per_page":
            return {"type": "integer", "minimum": 1, "maximum": MOST_ROWS}
        case _:
            return text


VIEW_PARAMETERS = [
    {"name": name, "in": "query", "required": False, "description": about, "schema": _schema(name)}
    for name, about in _VIEW.items()
]
"""The parameters of a view that say which rows, in the words of OpenAPI."""
