from math import nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from scipy.stats import kendalltau

from bakeoff.stats.board.winrate import borda, mean_win_rate

CASES = Path(__file__).parents[1] / "cases"


def tables(values):
    return st.integers(1, 5).flatmap(
        lambda tasks: st.lists(
            st.lists(st.sampled_from(values), min_size=tasks, max_size=tasks), min_size=1, max_size=7
        )
    )


# 72 models on ten scenarios, rounded to three places; one cell missing. Published beside them.
def test_mean_win_rate_reproduces_helm_lite():
    table = np.genfromtxt(CASES / "helm_lite_2024_08.csv", delimiter=",", skip_header=3, usecols=range(1, 12))
    published, scores = table[:, 0], table[:, 1:]
    ours = np.array(mean_win_rate(scores))
    assert scores.shape == (72, 10)
    assert np.isnan(scores).sum() == 1
    assert np.abs(ours - published).max() <= 0.005
    assert ours[:5].round(3).tolist() == [0.963, 0.915, 0.915, 0.909, 0.895]
    assert published[:5].tolist() == [0.963, 0.915, 0.915, 0.908, 0.896]


# On the 348 rows of Open LLM v2 the order by win rate against that by the mean.
def test_the_order_by_win_rate_differs_from_that_by_the_mean():
    scores = np.loadtxt(CASES / "open_llm_v2_2024_08.csv", delimiter=",", skiprows=3, usecols=range(1, 7))
    rates, means = np.array(mean_win_rate(scores)), scores.mean(axis=1)
    places = [np.argsort(np.argsort(-x, kind="stable")) for x in (rates, means)]
    assert kendalltau(rates, means).statistic == pytest.approx(0.878, abs=5e-4)
    assert np.abs(places[0] - places[1]).max() == 76
    assert len(set(np.argsort(-rates)[:10]) & set(np.argsort(-means)[:10])) == 8


def groups(rows):
    """Into how many groups models fall that share tasks with others, but none with those of another group."""
    judged = (~np.isnan(np.array(rows))).astype(int)
    shared = judged @ judged.T
    np.fill_diagonal(shared, 0)
    _, label = connected_components(shared)
    return len({each for each, others in zip(label, shared, strict=True) if others.any()})


@given(tables([nan, 0.1, 0.5, 0.9]))
def test_it_is_the_share_of_others_beaten_on_the_tasks_in_common(rows):
    if groups(rows) > 1:
        with pytest.raises(ValueError, match="share no task"):
            mean_win_rate(rows)
        return
    for i, rate in enumerate(mean_win_rate(rows)):
        shares = []
        for task in range(len(rows[0])):
            mine = rows[i][task]
            others = [row[task] for j, row in enumerate(rows) if j != i and not np.isnan(row[task])]
            if not np.isnan(mine) and others:
                shares.append(np.mean([(mine > x) + (mine == x) / 2 for x in others]))
        assert rate == (pytest.approx(np.mean(shares)) if shares else None)


@given(tables([0.1, 0.5, 0.9]))
def test_borda_counts_the_same_wins(rows):
    points = borda(rows)
    models, tasks = len(rows), len(rows[0])
    assert sum(points) == tasks * models * (models - 1) / 2
    if models > 1:
        assert points == pytest.approx([(models - 1) * tasks * rate for rate in mean_win_rate(rows)])


def test_a_model_alone_has_no_win_rate():
    assert mean_win_rate([[0.5, 0.6]]) == (None,)
    assert mean_win_rate([[0.5, None], [None, 0.6], [0.4, None]]) == (1.0, None, 0.0)


# Against C and D, which lie between them on one task only, A looks better than B; without them B does. What A
# and B scored, and the difference of their means, is the same in both tables.
def test_taking_away_other_models_can_turn_the_order_of_two_round():
    a, b, c, d = [0.9, 0.7, 0.7], [0.1, 0.8, 0.8], [0.8, 0.6, 0.6], [0.7, 0.5, 0.5]
    in_company, alone = mean_win_rate([a, b, c, d]), mean_win_rate([a, b])
    assert in_company[0] > in_company[1]
    assert alone[0] < alone[1]
    points = borda([a, b, c, d])
    assert points[0] > points[1]


@given(tables([nan, 0.1, 0.5, 0.9]).filter(lambda rows: groups(rows) < 2), st.randoms(use_true_random=False))
def test_neither_order_of_models_nor_of_tasks_matters(rows, order):
    table = np.array(rows)
    models, tasks = list(range(len(rows))), list(range(len(rows[0])))
    order.shuffle(models)
    order.shuffle(tasks)
    rates = mean_win_rate(table)
    assert mean_win_rate(table[np.ix_(models, tasks)]) == tuple(rates[m] for m in models)


@pytest.mark.parametrize(
    ("scores", "named"),
    [([[1, 2], [3]], "table of numbers"), ([1, 2], r"\(2,\)"), ([[float("-inf")]], "got -inf")],
)
def test_bad_input_is_refused_with_its_value(scores, named):
    for function in (mean_win_rate, borda):
        with pytest.raises(ValueError, match=named):
            function(scores)


def test_borda_wants_every_cell():
    with pytest.raises(ValueError, match="model 1 on task 0 is missing"):
        borda([[0.5, 0.6], [None, 0.7]])


def test_models_that_are_linked_by_no_tasks_are_refused_and_linked_ones_are_not():
    nan = float("nan")
    with pytest.raises(ValueError, match=r"models \[2, 3\] share no task.*with model 0"):
        mean_win_rate([[0.5, nan], [0.6, nan], [nan, 0.1], [nan, 0.2]])
    # The second model links the first to the third.
    assert mean_win_rate([[0.5, nan], [0.6, 0.3], [nan, 0.1]]) == (0.0, 1.0, 0.0)
    # A model judged alone has no win rate, and stops nobody else from having one.
    assert mean_win_rate([[0.5, nan], [0.6, nan], [nan, 0.1]]) == (0.0, 1.0, None)
