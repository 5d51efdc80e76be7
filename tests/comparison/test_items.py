"""Items over runs: difficulty, discrimination, and whether the best can be told apart."""

import numpy as np
import pytest

from bakeoff.comparison.items import editions, items_look
from bakeoff.errors import BakeoffError
from bakeoff.run.index import RunIndex
from bakeoff.stats.items.items import item_analysis
from bakeoff.store import read_manifest, write_manifest
from tests.comparison.making import run


def listed(folder):
    return RunIndex(folder / "runs").runs()


def test_items_have_the_means_and_correlations_of_the_table_of_scores(tmp_path):
    right = {"a": [0, 1, 2, 3, 4, 9], "b": [0, 1, 2, 3, 9], "c": [0, 1, 9], "d": [0, 5]}
    for model, items in right.items():
        run(tmp_path, model, items, 10)
    found = items_look(listed(tmp_path))
    table = np.array([[float(n in items) for n in range(10)] for items in right.values()])
    wanted = {str(n): item for n, item in enumerate(item_analysis(table))}
    assert {each.item_id: (each.mean, each.item_rest, each.flags) for each in found.items} == {
        name: (item.mean, pytest.approx(item.item_rest) if item.item_rest is not None else None, item.flags)
        for name, item in wanted.items()
    }
    assert [each.mean for each in found.items] == sorted(each.mean for each in found.items)
    # By hand: item 0 is right for all; 6 to 8 for none; 5 for the weakest alone.
    assert (found.all_right, found.all_wrong, found.negative) == (1, 3, 1)
    assert [each.item_id for each in found.items if "negative discrimination" in each.flags] == ["5"]


def test_the_best_is_told_apart_where_the_runs_tell_it(tmp_path):
    run(tmp_path, "strong", range(95), 100)
    run(tmp_path, "weak", range(40), 100)
    assert items_look(listed(tmp_path)).first == ("strong",)
    run(tmp_path, "near", [*range(94), 97], 100)
    assert set(items_look(listed(tmp_path)).first) == {"strong", "near"}


def test_one_run_a_model_counts_the_newest_that_is_complete_and_not_a_trial(tmp_path):
    old = run(tmp_path, "a", [1], 20)
    new = run(tmp_path, "a", [1, 2], 20)
    failed = run(tmp_path, "b", [1], 20)
    kept = run(tmp_path, "b", [1, 2, 3], 20)
    trial = run(tmp_path, "c", [1], 20, limit=5)
    for number, (folder, status) in enumerate(
        [(old, "complete"), (new, "complete"), (kept, "complete"), (failed, "failed"), (trial, "complete")]
    ):
        manifest = read_manifest(folder).model_copy(
            update={"status": status, "created": f"2026-01-0{number + 1}T00:00:00+00:00"}
        )
        write_manifest(folder, manifest)
    found = items_look(listed(tmp_path))
    assert {each.folder for each in found.runs} == {new, kept}
    assert {each.folder for each in found.left_out} == {old, failed, trial}
    assert len(found.items) == 20


def test_one_model_alone_judges_no_item(tmp_path):
    run(tmp_path, "a", [1], 9)
    run(tmp_path, "a", [2], 9)
    with pytest.raises(BakeoffError, match="two models or more, and there are 1"):
        items_look(listed(tmp_path))
    with pytest.raises(BakeoffError, match="there are none"):
        items_look([])


def test_the_edition_that_most_models_ran_comes_first(tmp_path):
    run(tmp_path, "a", [1], 9)
    run(tmp_path, "b", [1], 9)
    for _ in range(3):
        run(tmp_path, "a", [1], 9, variant="terse")
    found = editions(listed(tmp_path))
    assert [({each.title for each in edition}, len(edition)) for edition in found] == [
        ({"sums"}, 2),
        ({"sums:terse"}, 3),
    ]
    with pytest.raises(BakeoffError, match="of tasks that differ"):
        items_look([*found[0], *run_of_another_model(tmp_path)])


def run_of_another_model(folder):
    run(folder, "z", [1], 9, variant="polite")
    return [each for each in listed(folder) if each.model == "z"]


@pytest.mark.data
def test_gsm8k_items_over_six_recorded_models(data_dir, tmp_path):
    """The share of items that all six have right is that of the recorded answers, judged by us."""
    from bakeoff import evaluate
    from bakeoff.store import read_samples
    from bakeoff.task import load_task

    task, _ = load_task("gsm8k", data=str(data_dir / "gsm8k" / "data.parquet"))
    answers = data_dir / "gsm8k_outputs" / "data.parquet"
    models = ("gpt-3.5-turbo", "tora-70b", "metamath_7b")
    values = [
        {
            each.item_id: each.score.value
            for each in read_samples(
                evaluate(task, f"recorded:{answers}#{model}", out=tmp_path / "runs", cache=False).folder
            )
        }
        for model in models
    ]
    found = items_look(listed(tmp_path))
    assert len(found.items) == 1319
    assert found.all_right == sum(all(each[item] == 1 for each in values) for item in values[0])
    assert found.all_wrong == sum(all(each[item] == 0 for each in values) for item in values[0])
