from pathlib import Path

import jsonschema
import orjson
import pytest
from hypothesis import given

from bakeoff.store import to_row
from bakeoff.store.schema import schemas
from tests.store.samples_strategy import samples
from tests.store.test_manifest import MANIFEST

DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference"


@pytest.mark.parametrize("name", sorted(schemas()))
def test_the_published_schema_is_the_one_in_force(name):
    assert orjson.loads((DOCS / name).read_bytes()) == schemas()[name], (
        "write it anew: python -m bakeoff.store.schema docs/reference"
    )


@given(samples)
def test_every_row_satisfies_the_published_schema(each):
    row = orjson.loads(orjson.dumps(to_row(each, finished_at=1.0)))
    jsonschema.validate(row, schemas()["sample.schema.json"])


def test_a_manifest_satisfies_the_published_schema():
    jsonschema.validate(MANIFEST.model_dump(mode="json"), schemas()["manifest.schema.json"])
