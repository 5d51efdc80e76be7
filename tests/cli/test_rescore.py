"""`bakeoff rescore --scorer`: a name, a name with options, a file."""

import json

import orjson
import pytest

from tests.cli.command import bakeoff

TASK = """
name: invoices
data:
  items:
    - {id: a, input: "?", target: {due: 2024-03-05, lines: [{sku: A, n: 1}, {sku: B, n: 2}]}}
scorer: exact
"""
ANSWER = {"due": "5 March 2024", "lines": [{"sku": "B", "n": 2}, {"sku": "A", "n": 1}]}
FIELDS = "{name: fields, fields: {due: date, lines: {list: {of: {object: {sku: text, n: number}}}}}}"


@pytest.fixture
def invoice(tmp_path):
    """A folder with a run of one invoice, judged by `exact`."""
    (tmp_path / "invoices.yaml").write_text(TASK)
    (tmp_path / "answers.jsonl").write_text(json.dumps({"item_id": "a", "output": json.dumps(ANSWER)}))
    done = bakeoff(tmp_path, "run", "invoices.yaml", "--model", "recorded:answers.jsonl")
    assert done.returncode == 0, done.stderr
    return tmp_path


def rescored(folder, scorer: str) -> dict:
    done = bakeoff(folder, "rescore", "last", "--scorer", scorer, "--json")
    assert done.returncode == 0, done.stderr
    return orjson.loads(done.stdout)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scorer.yaml", FIELDS),
        ("scorer.yml", f"scorer: {FIELDS}"),
        ("task.yaml", TASK.replace("scorer: exact", f"scorer: {FIELDS}")),
        (
            "scorer.json",
            json.dumps(
                {
                    "name": "fields",
                    "fields": {
                        "due": "date",
                        "lines": {"list": {"of": {"object": {"sku": "text", "n": "number"}}}},
                    },
                }
            ),
        ),
    ],
)
def test_a_scorer_whose_options_are_mappings_comes_from_a_file(invoice, name, text):
    (invoice / name).write_text(text)
    found = rescored(invoice, name)
    assert found["manifest"]["task"]["scorer"].startswith('fields@1(fields={"due": "date", ')
    assert found["metrics"]["score"]["value"] == 1


def test_a_task_file_whose_scorer_is_a_name_gives_that_one(invoice):
    assert rescored(invoice, "invoices.yaml")["manifest"]["task"]["scorer"] == "exact@1"


def test_options_that_are_single_values_are_read_as_in_a_task_file(invoice):
    assert rescored(invoice, "fields:value=exact")["manifest"]["task"]["scorer"] == "fields@1(value=exact)"


@pytest.mark.parametrize(
    ("scorer", "text", "problem"),
    [
        ("none.yaml", None, "none.yaml cannot be read"),
        ("bad.yaml", "{name: fields", "this is not YAML"),
        ("list.yaml", "[fields]", "a file with a scorer in it"),
        ("empty.yaml", "", "a file with a scorer in it"),
        ("options.yaml", "fields: {due: date}", "neither `scorer` nor a scorer's `name`"),
        ("data.yaml", "name: x\ndata: {file: y.jsonl}", "neither `scorer` nor a scorer's `name`"),
        ("typo.yaml", "{name: fields, fields: {due: dat}}", "there is no kind 'dat'"),
        ("other.yaml", "{name: feilds}", "no scorer named 'feilds'"),
        ("fields:fields={due: date}", None, "go into a file"),
        ("fields:value", None, "NAME:OPTION=VALUE"),
    ],
)
def test_a_scorer_that_cannot_be_read_is_a_mistake_that_says_so(invoice, scorer, text, problem):
    if text is not None:
        (invoice / scorer).write_text(text)
    done = bakeoff(invoice, "rescore", "last", "--scorer", scorer)
    assert done.returncode == 2
    assert problem in done.stderr
    assert "Traceback" not in done.stderr
