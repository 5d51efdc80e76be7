"""`bakeoff show --fields`: a run field by field, for people and for machines."""

import json

import orjson
import pytest

from tests.cli.command import bakeoff

TASK = """
name: invoices
data:
  items:
    - {id: a, input: "?", target: {due: 2024-03-05, total: 5 EUR, lines: [{sku: A}, {sku: B}]}}
    - {id: b, input: "?", target: {due: 2024-03-06, total: 6 EUR, lines: [{sku: C}]}}
    - {id: c, input: "?", target: {due: null, total: 7 EUR, lines: []}}
scorer:
  name: fields
  fields:
    due: date
    total: amount
    lines: {list: {key: sku, of: {object: {sku: text}}}}
  schema: {type: object, required: [total]}
"""
ANSWERS = {
    "a": '```json\n{"due": "5 March 2024", "total": "€5.00", "lines": [{"sku": "B"}]}\n```',
    "b": "I see no invoice.",
    "c": '{"due": "2024-03-07", "\\u001b[31mvat": 1}',
}


@pytest.fixture
def invoices(tmp_path):
    """A folder with a run of a task that asks for three invoices."""
    (tmp_path / "invoices.yaml").write_text(TASK)
    rows = [{"item_id": name, "output": text} for name, text in ANSWERS.items()]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = bakeoff(tmp_path, "run", "invoices.yaml", "--model", "recorded:answers.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_people_see_every_field_what_is_valid_and_every_outcome(invoices):
    shown = bakeoff(invoices, "show", "last", "--fields")
    assert shown.returncode == 0, shown.stderr
    lines = {line.split("  ")[0].strip(): line for line in map(str.rstrip, shown.stdout.splitlines())}
    assert lines["due"].endswith("right 1 · missing 1 · hallucinated 1")
    assert lines["total"].endswith("right 1 · missing 2")
    assert lines["lines[].sku"].endswith("right 1 · missing 2")
    assert lines["(not asked for)"].endswith("hallucinated 1")
    assert lines["all values"].endswith("right 3 · missing 5 · hallucinated 2")
    assert "valid under the schema  33.3 [" in shown.stdout
    assert "3 in all · scored 2 · no_answer 1 · truncated 0" in shown.stdout
    assert "\x1b" not in shown.stdout


def test_machines_get_the_same(invoices):
    shown = orjson.loads(bakeoff(invoices, "show", "last", "--fields", "--json").stdout)
    found = {each["path"]: each for each in shown["fields"]["fields"]}
    assert found["total"]["recall"]["value"] == pytest.approx(1 / 3)
    assert found["due"]["precision"]["value"] == 0.5
    assert shown["fields"]["valid"]["n"] == 3
    assert "fields" not in orjson.loads(bakeoff(invoices, "show", "last", "--json").stdout)


def test_a_run_of_another_scorer_says_how_to_judge_it_anew(invoices):
    judged = bakeoff(invoices, "rescore", "last", "--scorer", "json_value", "--json")
    shown = bakeoff(invoices, "show", orjson.loads(judged.stdout)["folder"], "--fields")
    assert shown.returncode == 2
    assert "bakeoff rescore" in shown.stderr
