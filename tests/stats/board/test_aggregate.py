from math import nan, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.board.aggregate import normalised, weighted_mean

CASES = Path(__file__).parents[1] / "cases"
tables = st.integers(1, 5).flatmap(
    lambda tasks: st.lists(
        st.lists(st.sampled_from([nan, 0.0, 0.2, 0.5, 1.0]), min_size=tasks, max_size=tasks),
        min_size=1,
        max_size=6,
    )
)


# Examples in the documentation of the Open LLM Leaderboard v2: GPQA with four options, MuSR with subtasks of
# two, five and three. (It prints 40.00 for the last of them and 35.00 for their mean.)
def test_normalised_reproduces_the_documented_examples():
    assert 100 * normalised(0.6, 0.25) == pytest.approx(46.67, abs=0.005)
    musr = 100 * normalised([0.7, 0.4, 0.6], [0.5, 0.2, 0.333])
    assert musr == pytest.approx([40.00, 25.00, 40.03], abs=0.005)
    assert musr.mean() == pytest.approx(35.01, abs=0.005)


def test_a_score_below_chance_stays_below_zero():
    assert normalised(0.1, 0.25) == pytest.approx(-0.2)
    assert normalised([0.25, 0.9], 0.25, 0.9) == pytest.approx([0, 1])


# 348 published averages, rounded to two places, of six scores rounded likewise.
def test_the_mean_of_six_is_the_published_average_of_open_llm_v2():
    table = np.loadtxt(CASES / "open_llm_v2_2024_08.csv", delimiter=",", skiprows=3)
    means = np.array(weighted_mean(table[:, 1:]).mean)
    assert len(means) == 348
    assert np.abs(means - table[:, 0]).max() <= 0.0067


@given(tables)
def test_a_missing_cell_is_no_zero_and_not_left_out(rows):
    found = weighted_mean(rows)
    for mean, row in zip(found.mean, rows, strict=True):
        assert (mean is None) == any(np.isnan(row))
        assert mean is None or mean == pytest.approx(np.mean(row))
    assert found.complete == tuple(i for i, mean in enumerate(found.mean) if mean is not None)


def test_none_is_a_missing_cell_too_and_a_task_without_weight_is_not_missed():
    found = weighted_mean([[0.5, None], [0.5, 0.9]], [2, 0])
    assert found.mean == (0.5, 0.5)
    assert weighted_mean([[0.5, None], [0.5, 0.9]], [3, 1]).mean == (None, pytest.approx(0.6))


@given(st.floats(0.01, 100))
def test_only_the_proportions_of_weights_matter(factor):
    scores = [[0.1, 0.5, 0.9], [0.2, 0.2, 0.3]]
    scaled = weighted_mean(scores, [factor, 2 * factor, 5 * factor])
    assert scaled.mean == pytest.approx(weighted_mean(scores, [1, 2, 5]).mean)
    assert weighted_mean(scores, [4, 4, 4]).mean == pytest.approx(weighted_mean(scores).mean)


def test_the_standard_error_adds_the_tasks_variances():
    found = weighted_mean([[0.5, 0.7], [0.6, nan]], [3, 1], standard_errors=[[0.03, 0.04], [0.01, nan]])
    assert found.standard_error == (pytest.approx(sqrt(0.75**2 * 0.03**2 + 0.25**2 * 0.04**2)), None)
    assert weighted_mean([[0.5, 0.7]]).standard_error == (None,)


# Two tasks of different size. Means are linear in the items, so the variance of the difference of two models
# must be that of the weighted differences of their items.
def test_the_covariance_of_means_gives_the_paired_error_of_a_difference():
    random = np.random.default_rng(0)
    tasks = [random.random((3, n)) + random.random(n) for n in (40, 90)]
    scores = np.stack([items.mean(axis=1) for items in tasks], axis=1)
    covariances = np.stack([np.cov(items) / items.shape[1] for items in tasks])
    found = weighted_mean(scores, [1, 2], covariances=covariances)
    differences = [items[0] - items[2] for items in tasks]
    variance = sum((w / 3) ** 2 * d.var(ddof=1) / len(d) for w, d in zip((1, 2), differences, strict=True))
    contrast = np.array([1, 0, -1])
    assert contrast @ found.covariance @ contrast == pytest.approx(variance)
    assert found.standard_error == pytest.approx(np.sqrt(np.diag(found.covariance)))
    # What is known of two models does not depend on the others in the table.
    without = weighted_mean(scores[[0, 2]], [1, 2], covariances=covariances[:, [0, 2]][:, :, [0, 2]])
    assert without.covariance == pytest.approx(found.covariance[np.ix_([0, 2], [0, 2])])


def test_the_covariance_is_that_of_the_complete_models():
    covariances = np.array([np.diag([1.0, 2.0, 3.0])] * 2)
    found = weighted_mean([[1, 1], [nan, 1], [1, 1]], covariances=covariances)
    assert found.complete == (0, 2)
    assert found.covariance == pytest.approx(np.diag([0.5, 1.5]))


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (([], 0.25), "score must hold at least one value"),
        ((nan, 0.25), "score must be finite, got nan"),
        ((0.5, float("-inf")), "floor must be finite, got -inf"),
        ((0.5, 1.0), "above the floor, got floor 1.0 and ceiling 1.0"),
    ],
)
def test_bad_bounds_are_refused_with_their_value(arguments, named):
    with pytest.raises(ValueError, match=named):
        normalised(*arguments)


@pytest.mark.parametrize(
    ("scores", "options", "named"),
    [
        ([[]], {}, r"\(1, 0\)"),
        ([0.5], {}, r"\(1,\)"),
        ([["a"]], {}, "table of numbers"),
        ([[float("inf")]], {}, "finite or missing, got inf"),
        ([[1, 2]], {"weights": [1]}, "2 tasks needs its weight, got 1"),
        ([[1, 2]], {"weights": [1, -1]}, "at least 0, got -1"),
        ([[1, 2]], {"weights": [0, 0]}, "not all be 0"),
        ([[1, 2]], {"weights": [1, nan]}, "weights must be finite"),
        ([[1, 2]], {"standard_errors": [[1]]}, r"\(1, 2\), got \(1, 1\)"),
        ([[1, 2]], {"standard_errors": [[1, -1]]}, "got -1"),
        ([[1, 2]], {"standard_errors": [[1, nan]]}, "got nan"),
        ([[1, 2]], {"covariances": [[[1]]]}, r"\(2, 1, 1\), got \(1, 1, 1\)"),
        ([[1, 2]], {"covariances": [[[1]], [[nan]]]}, "covariance must be finite, got nan"),
        ([[1, 2]], {"covariances": [[[1]], [[-3]]]}, "variance must be at least 0"),
        ([[1, 2]], {"covariances": [[[1]]] * 2, "standard_errors": [[1, 1]]}, "not both"),
    ],
)
def test_bad_input_is_refused_with_its_value(scores, options, named):
    with pytest.raises(ValueError, match=named):
        weighted_mean(scores, **options)
