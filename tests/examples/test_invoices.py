"""The example of extraction: its invoices state their facts, it runs, and README has its figures."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bakeoff import evaluate
from bakeoff.comparison.fieldwise import Row, compare_fields
from bakeoff.run import Estimate
from bakeoff.run.fieldwise import fieldwise
from bakeoff.score.fields.amounts import money_of
from bakeoff.score.fields.dates import days
from bakeoff.store import read_manifest
from tests.run.runs import answers

FOLDER = Path(__file__).parents[2] / "examples" / "invoices"
TASK = str(FOLDER / "task.yaml")
VARIANTS = ("default", "constrained", "example")


def rows(seed: int, n: int) -> list[dict[str, Any]]:
    """What the example's generator makes."""
    spec = importlib.util.spec_from_file_location("invoices", FOLDER / "invoices.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return list(module.invoices(seed, n))


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold().replace("&", "and")))


@pytest.mark.parametrize("row", rows(0, 40) + rows(7, 40), ids=lambda row: row["id"])
def test_every_fact_stands_in_the_text_and_what_is_left_out_does_not(row):
    text, facts = row["text"], row["facts"]
    assert facts["number"] in text
    assert words(facts["supplier"]) in words(text)
    pieces = re.findall(
        r"\d{4}-\d\d-\d\d|\d\d\.\d\d\.\d{4}|\d+ [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d+, \d{4}", text
    )
    stated = [days(piece, "dmy") for piece in pieces]
    assert stated == [days(facts[name]) for name in ("date", "due") if facts[name]] or stated == [
        days(facts["date"])
    ]
    assert (facts["due"] is None) == (len(stated) == 1)
    assert re.findall(r"PO-\d+", text) == [each for each in [facts["order"]] if each]
    amounts = [money_of(each) for each in re.findall(r"[\d.,]*\d[.,]\d\d\b", text)]
    wanted = money_of(facts["total"])
    assert wanted is not None
    assert wanted.value in [each.value for each in amounts if each]
    for line in facts["lines"]:
        price = money_of(line["price"])
        assert price is not None
        assert line["item"] in text
        assert str(line["quantity"]) in text
        assert price.value in [each.value for each in amounts if each]


def test_the_facts_fit_the_schema_and_add_up():
    schema = json.loads((FOLDER / "schema.json").read_text())
    for row in rows(0, 60):
        jsonschema.validate(row["facts"], schema)
        assert row["meta"]["schema"] == schema
        sums = sum(round(100 * float(line["price"])) * line["quantity"] for line in row["facts"]["lines"])
        assert sums == round(100 * float(row["facts"]["total"].split()[1]))


def test_a_row_depends_on_its_seed_and_place_alone_and_every_layout_occurs():
    made = rows(0, 30)
    assert made[:10] == rows(0, 10)
    assert made[0]["text"] != rows(1, 1)[0]["text"]
    assert {row["meta"]["layout"] for row in made} == {"form", "table", "letter", "german"}
    for name in ("due", "order"):
        assert 5 <= sum(row["facts"][name] is None for row in made) <= 25


def test_the_right_answers_are_all_right(tmp_path):
    made = rows(0, 30)
    said = answers(tmp_path, {row["id"]: json.dumps(row["facts"]) for row in made})
    found = fieldwise(evaluate(TASK, said, out=tmp_path / "runs").folder)
    assert (found.total.exact.value, found.total.exact.n) == (1, 30)
    assert found.valid is not None
    assert (found.valid.value, found.as_given.value) == (1, 1)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> dict[str, Path]:
    """Runs over the answers that the model gave when README was written, by variant."""
    folder = tmp_path_factory.mktemp("invoices")
    kept = [json.loads(line) for line in (FOLDER / "answers.jsonl").read_text().splitlines()]
    made = {}
    for variant in VARIANTS:
        (folder / variant).mkdir()
        said = answers(folder / variant, [row for row in kept if row["variant"] == variant])
        made[variant] = evaluate(TASK, said, out=folder / "runs").folder
    return made


def line_of(row: Row) -> str:
    shares = f"{100 * row.first:.1f} {100 * row.second:.1f} {100 * row.pair.difference:+.1f}"
    return f"{row.name} {shares}"


@pytest.mark.parametrize(("first", "second"), [("default", "constrained"), ("default", "example")])
def test_readme_has_the_figures_of_the_recorded_answers(recorded, first, second):
    readme = [" ".join(line.split()) for line in (FOLDER / "README.md").read_text().splitlines()]
    found = compare_fields(recorded[first], recorded[second])
    assert found.n == 30
    rows = [*map(line_of, (*found.answers, *found.fields))]
    assert [row for row in rows if not any(line.startswith(row) for line in readme)] == []


@pytest.mark.parametrize(("variant", "named"), [*zip(VARIANTS, ("free", *VARIANTS[1:]), strict=True)])
def test_readme_has_what_became_of_the_recorded_answers(recorded, variant, named):
    found = fieldwise(recorded[variant])

    def share(estimate: Estimate) -> str:
        if estimate.value is None or estimate.interval is None:
            return "–"
        low, high = 100 * estimate.interval.low, 100 * estimate.interval.high
        return f"{100 * estimate.value:.1f} [{low:.1f}, {high:.1f}]"

    assert found.valid is not None
    total, silent = found.total, f" of {found.total.invented.n}" if found.total.invented.n else ""
    shares = [share(each) for each in (found.valid, total.precision, total.recall, total.invented)]
    row = [named, str(found.forms["as given"]), str(found.forms["broken"]), *shares]
    assert f"| {' | '.join(row)}{silent} |" in (FOLDER / "README.md").read_text()


@pytest.mark.model
def test_it_runs_on_the_small_model_in_all_variants(tmp_path):
    folders = {
        variant: evaluate(TASK, "gguf:smollm2", variant=variant, limit=2, out=tmp_path, cache=False).folder
        for variant in VARIANTS
    }
    assert {read_manifest(folder).status for folder in folders.values()} == {"complete"}
    held = fieldwise(folders["constrained"])
    assert held.valid is not None
    assert held.samples["truncated"] or held.as_given.value == held.valid.value == 1
    found = compare_fields(folders["default"], folders["constrained"])
    assert (found.n, found.first, found.second) == (2, "default", "constrained")
