"""The JSON Schemas of `manifest.json` and of a sample row, as published in the documentation.

python -m bakeoff.store.schema docs/reference     # write them anew after a change
"""

import sys
from pathlib import Path
from typing import Any

import orjson

from bakeoff.store.manifest import SCHEMA_VERSION, Manifest
from bakeoff.store.record import COLUMNS

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TYPES = {
    "VARCHAR": "string",
    "INTEGER": "integer",
    "BIGINT": "integer",
    "DOUBLE": "number",
    "BOOLEAN": "boolean",
}
_REQUIRED = {
    "item_id",
    "repeat",
    "outcome",
    "reason",
    "scorer",
    "output",
    "reasoning",
    "finish",
    "refusal",
    "attempts",
    "cached",
    "seed",
    "finished_at",
}
_NESTED = {
    "options",
    "choices",
    "target",
    "continuations",
    "leads",
    "shots",
    "inputs",
    "earlier",
    "stages",
    "metadata",
}


def schemas() -> dict[str, dict[str, Any]]:
    """File name to schema."""
    manifest = {"$schema": _DIALECT, "title": f"Bakeoff run manifest, version {SCHEMA_VERSION}"}
    return {
        "manifest.schema.json": manifest | Manifest.model_json_schema(),
        "sample.schema.json": _sample_schema(),
    }


def _sample_schema() -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for name, kind in COLUMNS.items():
        if name in _NESTED:
            properties[name] = {"type": "string", "contentMediaType": "application/json"}
        elif name in _REQUIRED:
            properties[name] = {"type": _TYPES[kind]}
        else:
            properties[name] = {"type": [_TYPES[kind], "null"]}
    return {
        "$schema": _DIALECT,
        "title": f"Bakeoff sample, version {SCHEMA_VERSION}",
        "type": "object",
        "properties": properties,
        "required": list(COLUMNS),
        "additionalProperties": False,
    }


def main() -> None:
    """Write the schemas into the folder named on the command line."""
    for name, schema in schemas().items():
        data = orjson.dumps(schema, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        (Path(sys.argv[1]) / name).write_bytes(data)


if __name__ == "__main__":
    main()
