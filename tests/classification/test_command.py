"""`bakeoff classify`, for people and for machines."""

import json
import subprocess
import sys

import orjson
import pytest

from bakeoff.cli.classify import classify
from tests.classification.runs import generated, likely
from tests.classification.test_of_run import answers, spread
from tests.cli.command import bakeoff


def test_people_read_counts_rates_costs_and_what_was_assumed(tmp_path):
    likely(tmp_path, spread(200))
    done = bakeoff(tmp_path, "classify", "last", "--costs", "fp=1,fn=20", "--prevalence", "0.01")
    assert done.returncode == 0, done.stderr
    for words in (
        "positive: spam",
        "200 of 200 items count: 20 positive, 180 negative",
        "confusion",
        "at 10 % positive",
        "at 1 % positive",
        "average precision",
        "chosen on other folds",
        "own items",
        "slope, shift",
        "the rarer label counts as the positive one",
        "other shares of positives assume",
    ):
        assert words in done.stdout


def test_machines_read_the_same_as_plain_numbers(tmp_path):
    likely(tmp_path, spread(200))
    costs = tmp_path / "costs.yaml"
    costs.write_text("fp: 1\nfn: 20\n")
    done = bakeoff(tmp_path, "classify", "last", "--costs", "costs.yaml", "--prevalence", "sweep", "--json")
    assert done.returncode == 0, done.stderr
    found = orjson.loads(done.stdout)
    assert found["positive"] == "spam"
    assert (found["items"], found["positives"], found["costs"]["false_negative"]) == (200, 20, 20)
    texts = {
        "decision",
        "method",
        "status",
        "gold",
        "said",
        "ending",
        "value",
        "examples",
        "labels",
        "notes",
        "kind",
    }
    texts |= {"run", "task", "model", "positive", "no_answer", "column"}
    assert not {key for key, value in _leaves(found) if isinstance(value, str)} - texts
    assert all(isinstance(point["precision"], float) for point in found["rankings"][0]["curve"])
    assert len(found["sweep"]) == 9


def test_a_label_with_control_characters_reaches_no_terminal(tmp_path):
    generated(tmp_path, [("sp\x1b[2Jam", "sp\x1b[2Jam"), ("ham", "ham"), ("ham", "ham")])
    done = bakeoff(tmp_path, "classify", "last")
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--positive", "eggs"), "its labels are 'ham', 'spam'"),
        (("--costs", "fp=1"), "expected fp and fn"),
        (("--prevalence", "2"), "--prevalence must lie between 0 and 1"),
        (("--by", "meta.language"), "no item has a value of 'meta.language'"),
        (("--threshold-from", "last", "--costs", "fp=1,fn=2"), "generated labels have no threshold"),
    ],
)
def test_mistakes_are_told(tmp_path, options, problem):
    generated(tmp_path, answers(2, 1, 1, 8))
    done = bakeoff(tmp_path, "classify", "last", *options)
    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stdout == ""


def test_help_imports_nothing_heavy():
    script = (
        "import sys\nfrom bakeoff.cli.app import main\nsys.argv = ['bakeoff', 'classify', '--help']\n"
        "try:\n    main()\nfinally:\n    print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert "bakeoff" in loaded
    assert not loaded & {"duckdb", "numpy", "pydantic", "scipy", "polars"}


def _leaves(value, key=""):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, key)
    else:
        yield key, value


def test_the_documented_examples_run(tmp_path):
    """On a run that has what they need."""
    facts = {i: {"language": ["de", "en"][i % 2]} for i in range(200)}
    likely(tmp_path, spread(200), facts=facts, fields={"metadata": {"language": "language"}})
    lines = [line.strip() for line in (classify.__doc__ or "").splitlines()]
    examples = [line for line in lines if line.startswith("bakeoff classify last")]
    assert len(examples) == 2
    for example in examples:
        done = bakeoff(tmp_path, *example.split()[1:], "--json")
        assert done.returncode == 0, done.stderr
        json.loads(done.stdout)
