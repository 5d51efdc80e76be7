import pytest

from bakeoff.errors import BakeoffError
from bakeoff.run import metrics, stored_score
from bakeoff.stats import clopper_pearson, clustered, wilson
from tests.run.runs import run

ITEMS = [{"id": str(n), "input": f"{n} + 1 =", "target": n + 1} for n in range(10)]
# Six right, one wrong, one without a number, one cut off, one error.
SAID = [
    *({"item_id": str(n), "output": str(n + 1)} for n in range(6)),
    {"item_id": "6", "output": "8"},
    {"item_id": "7", "output": "no idea"},
    {"item_id": "8", "output": "First we add", "finish_reason": "length"},
    {"item_id": "9", "error": "timeout"},
]


def test_every_count_value_and_bound_is_what_the_outcome_table_says(tmp_path):
    result = run(tmp_path, ITEMS, SAID)
    found = result.metrics
    assert found.counts == {
        "total": 10,
        "scored": 7,
        "no_answer": 1,
        "truncated": 1,
        "refused": 0,
        "empty": 0,
        "too_long": 0,
        "model_error": 1,
        "scorer_error": 0,
    }
    assert found.score.value == pytest.approx(6 / 9)
    assert found.score.n == 9
    assert found.score.interval == wilson(6, 9)
    assert found.answered.value == pytest.approx(6 / 7)
    assert found.bounds == pytest.approx((0.6, 0.7))
    assert result.manifest.status == "incomplete"
    assert result.manifest.counts == found.counts


def test_an_unscored_share_within_the_budget_is_complete(tmp_path):
    from bakeoff.run import Job, run_jobs
    from bakeoff.store import Settings, read_manifest
    from bakeoff.task import prepare
    from tests.run.runs import answers, task

    job = Job(prepare(task(ITEMS)), "")
    settings = Settings(unscored_budget=0.1)
    (folder,) = run_jobs([job], answers(tmp_path, SAID), {}, settings=settings, out=tmp_path)
    assert read_manifest(folder).status == "complete"


def test_clopper_pearson_on_request(tmp_path):
    result = run(tmp_path, ITEMS, SAID)
    found = metrics(result.folder, method="clopper-pearson", level=0.9)
    assert found.score.interval == clopper_pearson(6, 9, 0.9)


def test_clopper_pearson_is_refused_for_averaged_repeats(tmp_path):
    rows = [{"item_id": str(n), "repeat": r, "output": str(n + 1 + r)} for n in range(10) for r in range(2)]
    result = run(tmp_path, ITEMS, rows, repeats=2)
    with pytest.raises(BakeoffError, match="0 or 1"):
        metrics(result.folder, method="clopper-pearson")


def test_repeats_are_averaged_within_their_item_so_n_counts_items(tmp_path):
    rows = [
        {"item_id": str(n), "repeat": r, "output": str(n + 1 + (r == 2))} for n in range(10) for r in range(3)
    ]
    found = run(tmp_path, ITEMS, rows, repeats=3).metrics
    assert found.counts["total"] == 30
    assert found.score.n == 10
    assert found.score.value == pytest.approx(2 / 3)
    expected = wilson(20 / 3, 10)
    assert (found.score.interval.low, found.score.interval.high) == pytest.approx(
        (expected.low, expected.high)
    )


def test_items_with_groups_get_the_clustered_interval(tmp_path):
    items = [item | {"group": f"g{n // 2}"} for n, item in enumerate(ITEMS)]
    said = {str(n): str(n + 1 + (n < 4)) for n in range(10)}
    found = run(tmp_path, items, said).metrics
    values = [float(n >= 4) for n in range(10)]
    assert found.score.interval == clustered(values, [n // 2 for n in range(10)])
    assert found.score.clusters == 5


def test_one_group_is_not_estimable_and_says_so(tmp_path):
    items = [item | {"group": "only"} for item in ITEMS]
    found = run(tmp_path, items, {str(n): "1" for n in range(10)}).metrics
    assert found.score.interval is None
    assert "one group" in found.score.note


def test_a_run_without_any_score_has_no_number(tmp_path):
    found = run(tmp_path, ITEMS, {"elsewhere": "1"}).metrics
    assert found.score.value is None
    assert found.score.n == 0
    assert found.bounds == (0.0, 1.0)


def test_the_stored_score_is_the_measured_one(tmp_path):
    result = run(tmp_path, ITEMS, SAID)
    assert stored_score(result.folder) == result.metrics.score


OPTIONS = {
    "ask": "loglikelihood",
    "prompt": {"kind": "plain"},
    "scorer": "loglikelihood",
}


def test_every_normalisation_is_measured_from_the_stored_log_likelihoods(tmp_path):
    # By sum the short option wins, by character the long one (-6/12 against -1/1).
    items = [{"id": "a", "input": "q", "choices": ["x", "a long answer"[:12]], "target": 1}]
    result = run(tmp_path, items, [{"item_id": "a", "logprobs": [-1.0, -6.0]}], task=OPTIONS)
    assert {norm: each.value for norm, each in result.metrics.options.items()} | {"tokens": 0} == {
        "raw": 0.0,
        "chars": 1.0,
        "bytes": 1.0,
        "tokens": 0,
    }


def test_choices_that_fill_a_gap_are_normalised_by_their_own_length(tmp_path):
    # As lm-eval does: by the choice, although what was scored is what follows it.
    items = [{"id": "a", "input": "q", "after": "z", "choices": ["x", "long answer!"], "target": 1}]
    prompt = {"kind": "plain", "lead": " {{ target }}", "answer": "{{ after }}"}
    result = run(
        tmp_path, items, [{"item_id": "a", "logprobs": [-1.0, -6.0]}], task=OPTIONS | {"prompt": prompt}
    )
    found = {norm: each.value for norm, each in result.metrics.options.items()}
    assert (found["raw"], found["chars"], found["bytes"]) == (0.0, 1.0, 1.0)


def test_letters_are_not_normalised_by_the_length_of_the_choices_they_stand_for(tmp_path):
    items = [{"id": "a", "input": "q", "choices": ["x", "a long answer"], "target": 1}]
    result = run(
        tmp_path, items, [{"item_id": "a", "logprobs": [-1.0, -6.0]}], task=OPTIONS | {"options": "letters"}
    )
    assert "raw" in result.metrics.options
    assert not {"chars", "bytes"} & result.metrics.options.keys()
