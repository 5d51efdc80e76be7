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
    assert (
        "as given 1 · repaired by rule 1 (a fenced json block 1) · repaired by a second turn 0 · broken 1"
        in (" ".join(shown.stdout.split()))
    )
    assert "readable as they stand  0.0 [" in shown.stdout
    assert "given where nothing is stated  100.0 [20.7, 100.0] of 1" in shown.stdout
    assert "3 in all · scored 2 · no_answer 1 · truncated 0" in shown.stdout
    assert "\x1b" not in shown.stdout


def test_machines_get_the_same(invoices):
    shown = orjson.loads(bakeoff(invoices, "show", "last", "--fields", "--json").stdout)
    found = {each["path"]: each for each in shown["fields"]["fields"]}
    assert found["total"]["recall"]["value"] == pytest.approx(1 / 3)
    assert found["due"]["precision"]["value"] == 0.5
    assert shown["fields"]["valid"]["n"] == 3
    assert "fields" not in orjson.loads(bakeoff(invoices, "show", "last", "--json").stdout)


def test_one_run_by_its_own_command_is_what_show_has(invoices):
    shown = bakeoff(invoices, "show", "last", "--fields").stdout
    alone = bakeoff(invoices, "fields", "last")
    assert alone.returncode == 0, alone.stderr
    assert shown.endswith(alone.stdout)
    machine = orjson.loads(bakeoff(invoices, "fields", "last", "--json").stdout)
    assert machine == orjson.loads(bakeoff(invoices, "show", "last", "--fields", "--json").stdout)["fields"]


@pytest.fixture
def two(invoices):
    """The folders of two runs over the same invoices: of a model, and of a better one with a strange name."""
    rows = [
        {
            "item_id": "a",
            "output": json.dumps({"due": "2024-03-05", "total": "5 EUR", "lines": [{"sku": "A"}]}),
        },
        {"item_id": "b", "output": json.dumps({"due": "2024-03-06", "total": "6 EUR"})},
        {"item_id": "c", "output": json.dumps({"total": "7 EUR"})},
    ]
    (invoices / "be\x1b[31mtter.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    first = orjson.loads(bakeoff(invoices, "fields", "last", "--json").stdout)
    assert first["samples"]["total"] == 3
    done = bakeoff(invoices, "run", "invoices.yaml", "--model", "recorded:be\x1b[31mtter.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    return [
        str(each.parent)
        for each in sorted(invoices.glob("runs/*/*/*/manifest.json"), key=lambda p: p.stat().st_mtime_ns)
    ]


def test_two_runs_are_paired_by_field_and_nothing_of_them_is_printed_raw(invoices, two):
    shown = bakeoff(invoices, "fields", *two)
    assert shown.returncode == 0, shown.stderr
    assert "\x1b" not in shown.stdout
    lines = {line.split("  ")[0].strip(): line.split() for line in reversed(shown.stdout.splitlines())}
    assert lines["total"][1:4] == ["33.3", "100.0", "+66.7"]
    assert lines["one JSON object"][3:6] == ["66.7", "100.0", "+33.3"]
    assert lines["every field right"][3:6] == ["0.0", "33.3", "+33.3"]
    assert "corrected for all 7 rows (Holm)" in shown.stdout
    assert "as given 3" in shown.stdout
    found = orjson.loads(bakeoff(invoices, "fields", *two, "--json").stdout)
    assert [row["name"] for row in found["fields"]] == ["due", "total", "lines[].sku"]
    assert found["recall"]["first"] == pytest.approx(3 / 8)


def test_a_wrong_number_of_runs_is_a_mistake_that_says_so(invoices):
    for runs in ((), ("last", "last", "last")):
        done = bakeoff(invoices, "fields", *runs)
        assert done.returncode == 2
        assert "takes one run, or two" in done.stderr


def test_a_run_of_another_scorer_says_how_to_judge_it_anew(invoices):
    judged = bakeoff(invoices, "rescore", "last", "--scorer", "json_value", "--json")
    shown = bakeoff(invoices, "show", orjson.loads(judged.stdout)["folder"], "--fields")
    assert shown.returncode == 2
    assert "bakeoff rescore" in shown.stderr
