"""The json_schema scorer against the JSON Schema Test Suite and the schemas of JSONSchemaBench.

json-schema-org/JSON-Schema-Test-Suite at 44401e0, drafts 7 and 2020-12, required and optional: 3,946 cases.
guidance-ai/jsonschemabench at ba103c7 (Geng et al. 2025): 493 schemas.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Response
from bakeoff.score import build_scorer

pytestmark = pytest.mark.data

DRAFTS = {
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
# Cases whose schema, or meta-schema, is another document: by keyword file.
REFUSED = {
    "draft2020-12/refRemote": 31,
    "draft7/refRemote": 23,
    "draft2020-12/dynamicRef": 13,
    "draft2020-12/vocabulary": 5,
    "draft2020-12/optional/format-assertion": 4,
    "draft7/optional/cross-draft": 2,
    "draft2020-12/optional/cross-draft": 1,
}


@pytest.fixture(scope="module")
def cases(data_dir: Path) -> list[tuple]:
    import duckdb

    path = data_dir / "json_schema_suite" / "data.parquet"
    return duckdb.sql(f"SELECT id, input, target, meta FROM '{path}'").fetchall()


def test_every_verdict_is_the_suites_and_only_what_refers_elsewhere_is_refused(cases):
    refused: Counter[str] = Counter()
    differing, n = [], 0
    for case, text, valid, meta in cases:
        facts = json.loads(meta)
        schema = facts["schema"]
        if isinstance(schema, dict):
            schema = {"$schema": DRAFTS[facts["draft"]], **schema}
        formats = facts["keyword"].startswith("optional/format/")
        scorer = build_scorer({"name": "json_schema", "formats": formats})
        try:
            score = scorer(
                Item(case, "", metadata={"schema": schema}), Response(text=text, finish=FinishReason.STOP)
            )
        except TaskError as error:
            elsewhere = any(sign in error.message for sign in ("nothing is fetched", "meta-schema"))
            refused[case.rsplit("/", 2)[0] if elsewhere else error.message] += 1
            continue
        n += 1
        if (score.value == 1) != (valid == "true"):
            differing.append(case)
    assert differing == []
    assert refused == REFUSED
    assert n == 3867
    assert n + refused.total() == 3946


def test_every_schema_of_jsonschemabench_can_be_used_and_judges(data_dir):
    import duckdb

    path = data_dir / "jsonschemabench" / "data.parquet"
    rows = duckdb.sql(f"SELECT id, input FROM '{path}'").fetchall()
    scorer = build_scorer("json_schema")
    values = Counter(
        scorer(Item(item, "", target=(schema,)), Response(text="{}", finish=FinishReason.STOP)).value
        for item, schema in rows
    )
    assert values.total() == 493
    # An empty object satisfies a schema that requires nothing of one.
    required = sum(bool(json.loads(schema).get("required")) for _, schema in rows)
    assert values[0.0] >= required
