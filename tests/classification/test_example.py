"""examples/moderation: its files fit together, and it runs from the first command to the page."""

import json
from pathlib import Path

import pytest

from bakeoff.classification import Costs, classify, read_costs
from bakeoff.run import evaluate
from bakeoff.task import load_task

FOLDER = Path(__file__).parents[2] / "examples" / "moderation"


def test_the_items_are_as_the_readme_says():
    rows = [json.loads(line) for line in (FOLDER / "items.jsonl").read_text("utf-8").splitlines()]
    assert len({row["input"] for row in rows}) == len(rows) == 160
    assert sum(row["target"] for row in rows) == 13
    assert read_costs(str(FOLDER / "costs.yaml")) == Costs(1, 30)
    task, _ = load_task(str(FOLDER / "task.yaml"))
    shown = {shot["input"] for shot in task.shots.data.items}
    assert not shown & {row["input"] for row in rows}


@pytest.mark.model
@pytest.mark.parametrize("variant", ["default", "stated"])
def test_it_runs_on_the_quickstart_model(tmp_path, variant):
    task, _ = load_task(str(FOLDER / "task.yaml"))
    rows = [json.loads(line) for line in (FOLDER / "items.jsonl").read_text("utf-8").splitlines()]
    few = [row for row in rows if row["target"]][:3] + [row for row in rows if not row["target"]][:5]
    data = task.data.model_copy(update={"file": None, "items": tuple(few)})
    run = evaluate(
        task.model_copy(update={"data": data}), "gguf:smollm2", variant=variant, out=tmp_path
    ).folder
    report = classify(run, positive="yes", costs=Costs(1, 30), prevalence=0.01, by="meta.channel")
    assert (report.items, report.positives) == (8, 3)
    assert report.rankings
    assert {row.decision for row in report.cost} >= {"labels", "flag nothing", "flag everything"}
