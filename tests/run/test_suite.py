import json
import re
from pathlib import Path

import pytest

from bakeoff.errors import BakeoffError
from bakeoff.run.suite import suite_runs, suite_scores
from bakeoff.stats import wilson
from bakeoff.task.suite import Suite, load_suite
from tests.gate.folders import Answer, scores, write_run


@pytest.fixture
def out(tmp_path):
    made = iter(range(1000))

    def run(task, answers, *, variant="default", model="model", **facts):
        name = f"20260101T{next(made):06}Z-abc"
        return write_run(
            tmp_path / task / model / name, answers, task=task, variant=variant, model=model, **facts
        )

    run.path = tmp_path
    return run


def answers(right: int, n: int, **metadata) -> list[Answer]:
    name = "-".join(map(str, metadata.values()))
    return [Answer(f"{name}{i:04}", float(i < right), metadata=metadata) for i in range(n)]


def suite(*columns, **facts) -> Suite:
    return Suite(name="s", columns=columns, **facts)


def column(name, *parts, **facts):
    return {"name": name, "parts": parts, **facts}


def only(found):
    (row,) = found
    return row


def test_a_suite_of_one_task_is_the_task(out):
    folder = out("sums", scores([1] * 30 + [0] * 10))
    row = only(suite_scores(suite(column("Sums", {"tasks": "sums"})), [folder]))
    expected = wilson(30, 40, 0.95)
    assert row.value == row.columns[0].value == 0.75
    assert (row.interval.low, row.interval.high) == pytest.approx((expected.low, expected.high))
    assert row.columns[0].n == 40


# The board's own worked examples: GPQA .6 is 46.67; MuSR .7, .4 and .6 are 40, 25 and 40, and 35.00 together.
def test_the_worked_examples_of_the_leaderboards_normalisation(out):
    v2 = load_suite("open-llm-v2")
    gpqa = [
        out(f"gpqa_{name}", scores([1] * right + [0] * (n - right)), variant="open-llm-v2")
        for name, right, n in (("main", 30, 40), ("extended", 20, 50), ("diamond", 10, 10))
    ]
    musr = [
        out(f"musr_{name}", scores([1] * right + [0] * (10 - right)), variant="open-llm-v2")
        for name, right in (("murder_mysteries", 7), ("object_placements", 4), ("team_allocation", 6))
    ]
    columns = {each.name: each for each in only(suite_scores(v2, gpqa + musr)).columns}
    assert 100 * columns["GPQA"].value == pytest.approx(46.67, abs=0.005)
    assert [100 * cell.value for cell in columns["MuSR"].cells] == pytest.approx([40, 25, 40])
    assert 100 * columns["MuSR"].value == pytest.approx(35.00, abs=0.005)


def test_below_its_floor_a_score_counts_as_nothing_only_where_the_suite_clips(out):
    folder = out("sums", scores([1] * 10 + [0] * 90))
    part = {"tasks": "sums", "floor": 0.25}
    assert only(suite_scores(suite(column("A", part), clip=True), [folder])).value == 0
    row = only(suite_scores(suite(column("A", part)), [folder]))
    assert row.value == pytest.approx(-0.2)
    assert row.interval.low < row.value < row.interval.high


def test_the_floor_of_chance_is_that_of_the_items_of_the_tasks(out):
    folders = [
        out("a", scores([1] * 6 + [0] * 4), chance=0.25),
        out("b", scores([1] * 24 + [0] * 6), chance=0.5),
    ]
    row = only(suite_scores(suite(column("C", {"tasks": ["a", "b"], "floor": "chance"})), folders))
    chance = (10 * 0.25 + 30 * 0.5) / 40
    assert row.value == pytest.approx((30 / 40 - chance) / (1 - chance))


def test_subjects_count_the_same_however_many_items_they_have(out):
    folder = out("quiz", answers(9, 10, subject="law") + answers(10, 90, subject="art"))
    by = only(suite_scores(suite(column("Quiz", {"tasks": "quiz", "by": "subject"})), [folder]))
    assert by.value == pytest.approx((9 / 10 + 10 / 90) / 2)
    assert [cell.name for cell in by.columns[0].cells] == ["art", "law"]
    assert only(suite_scores(suite(column("Quiz", {"tasks": "quiz"})), [folder])).value == 0.19


def test_pooled_tasks_count_by_their_items_and_parts_the_same(out):
    folders = [out("a", scores([1] * 10)), out("b", scores([0] * 30))]
    pooled = suite(column("P", {"tasks": ["a", "b"]}))
    apart = suite(column("P", {"tasks": "a"}, {"tasks": "b"}))
    assert only(suite_scores(pooled, folders)).value == 0.25
    assert only(suite_scores(apart, folders)).value == 0.5


def test_items_are_weighted_by_a_number_or_by_the_length_of_a_list(out):
    # One of two instructions, one of one and none of three: two of six, where the mean share is 1/2.
    shares = [("x", 0.5, ["i", "j"]), ("y", 1.0, ["i"]), ("z", 0.0, ["i", "j", "k"])]
    found = [
        Answer(name, value, metadata={"ids": ids, "n": len(ids)}, target=(json.dumps(ids),))
        for name, value, ids in shares
    ]
    folder = out("rules", found)
    for name in ("ids", "n", "target"):
        row = only(suite_scores(suite(column("R", {"tasks": "rules", "weight": name})), [folder]))
        assert row.value == pytest.approx(2 / 6)


def test_a_missing_task_is_named_and_neither_nothing_nor_left_out(out):
    folder = out("a", scores([1] * 10))
    row = only(suite_scores(suite(column("A", {"tasks": "a"}), column("B", {"tasks": "b"})), [folder]))
    assert row.value is None
    assert [each.value for each in row.columns] == [1.0, None]
    assert row.columns[1].missing == ("b",)


def test_a_subtask_with_a_floor_and_no_item_is_missing(out):
    folder = out("bbh", answers(5, 10, task="snarks"))
    floors = {"snarks": 0.5, "navigate": 0.5}
    row = only(suite_scores(suite(column("B", {"tasks": "bbh", "by": "task", "floor": floors})), [folder]))
    assert row.value is None
    assert row.columns[0].missing == ("task = navigate",)


def test_two_scores_of_the_same_items_are_as_unsure_as_one(out):
    folders = [out("a", scores([1, 0] * 50), variant=name) for name in ("strict", "loose")]
    both = suite(column("A", {"tasks": "a:strict"}, {"tasks": "a:loose"}))
    row = only(suite_scores(both, folders))
    expected = wilson(50, 100, 0.95)
    assert (row.interval.low, row.interval.high) == pytest.approx((expected.low, expected.high))


def test_the_newest_run_of_a_task_counts_and_models_are_ranked(out):
    for model, right in (("weak", 2), ("strong", 9)):
        out("a", scores([0] * 10), model=model)
        out("a", scores([1] * right + [0] * (10 - right)), model=model)
    out("other", scores([1]), model="weak")
    out("a", scores([1] * 10), model="unfinished", status="incomplete")
    made = suite(column("A", {"tasks": "a"}))
    rows = suite_scores(made, suite_runs(made, out.path))
    assert [(row.model, row.value) for row in rows] == [("strong", 0.9), ("weak", 0.2)]


def test_samples_without_a_score_are_told(out):
    folder = out("a", scores([1, 1, None]))
    row = only(suite_scores(suite(column("A", {"tasks": "a"})), [folder]))
    assert row.notes == ("a: 1 samples without a score",)


@pytest.mark.parametrize(
    ("part", "named"),
    [
        ({"tasks": "quiz", "by": "topic"}, "metadata column 'topic' \\(by\\)\n.*subject"),
        ({"tasks": "quiz", "weight": "subject"}, "a weight is a number above 0 or a list, got 'law'"),
        ({"tasks": "quiz", "by": "subject", "floor": {"art": 0.5}}, "no floor for subject = law"),
    ],
)
def test_a_column_that_is_not_there_is_named(out, part, named):
    folder = out("quiz", answers(1, 2, subject="law"))
    with pytest.raises(BakeoffError) as caught:
        suite_scores(suite(column("Q", part)), [folder])
    assert re.search(named, f"{caught.value.message}\n{caught.value.hint}")


def test_the_folder_of_a_run_is_in_the_row(out):
    folder = out("a", scores([1]))
    assert only(suite_scores(suite(column("A", {"tasks": "a"})), [folder])).runs == {"a": str(folder)}
    assert Path(folder).is_dir()
