"""Rank sets of the 41 models that answered all 1,136 LiveBench questions of the January 2025 table.

Scores: LiveBench (White et al. 2024, arXiv 2406.19314), as kept by Bowyer et al. 2025 (bayes_evals); plain
means over questions. The expected sets were made by an independent implementation of the method of Mogstad,
Romano, Shaikh & Wilhelm 2024 with 5,000 draws.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

from bakeoff.stats.arrays import FloatArray
from bakeoff.stats.interval import normal_quantile
from bakeoff.stats.many.covariance import mean_covariance
from bakeoff.stats.many.multiplicity import benjamini_hochberg, holm
from bakeoff.stats.many.ranks import RankSet, rank_sets

pytestmark = pytest.mark.data

# Per cent, and the first and last rank.
EXPECTED = {
    "claude-3-5-sonnet-20240620": (58.98, 1, 4),
    "gpt-4o-2024-08-06": (55.92, 1, 8),
    "gemini-1.5-pro-exp-0827": (55.50, 1, 9),
    "chatgpt-4o-latest": (54.48, 1, 9),
    "gpt-4o-2024-05-13": (53.78, 2, 9),
    "Meta-Llama-3.1-405B-Instruct-Turbo": (52.27, 2, 11),
    "gpt-4-turbo-2024-04-09": (52.00, 2, 13),
    "gemini-1.5-pro-exp-0801": (51.53, 2, 14),
    "claude-3-opus-20240229": (50.32, 3, 15),
}


class Board(NamedTuple):
    models: list[str]
    scores: FloatArray
    covariance: FloatArray


@pytest.fixture(scope="module")
def board(data_dir) -> Board:
    import duckdb

    rows = duckdb.sql(
        "SELECT model, list(score ORDER BY item_id) "
        f"FROM '{data_dir}/livebench_items/data.parquet' "
        "GROUP BY model HAVING count(*) = 1136 ORDER BY avg(score) DESC"
    ).fetchall()
    scores = np.array([row[1] for row in rows])
    covariance = mean_covariance(scores)
    assert covariance is not None
    return Board([row[0] for row in rows], scores, covariance)


@pytest.fixture(scope="module")
def sets(board) -> tuple[RankSet, ...]:
    return rank_sets(board.scores.mean(axis=1), board.covariance)


def test_the_table_is_the_one_that_was_ranked(board):
    assert board.scores.shape == (41, 1136)
    assert 100 * board.covariance[0, 0] ** 0.5 == pytest.approx(1.35, abs=0.005)


@pytest.mark.parametrize("model", EXPECTED)
def test_the_rank_sets_of_the_first(board, sets, model):
    place = board.models.index(model)
    score, low, high = EXPECTED[model]
    # Our copy of the table lacks 590 repeated judgements, which move chatgpt-4o's mean by a tenth of a point.
    assert 100 * board.scores[place].mean() == pytest.approx(score, abs=0.1)
    assert abs(sets[place].low - low) <= 1
    assert abs(sets[place].high - high) <= 1


def test_the_covariance_of_the_same_items_narrows_the_sets(board, sets):
    alone = rank_sets(board.scores.mean(axis=1), np.diag(np.diag(board.covariance)))
    assert width(sets) == pytest.approx(10.6, abs=0.1)
    assert width(alone) == pytest.approx(14.6, abs=0.1)


def test_how_many_of_the_pairs_among_the_first_twelve_differ(board):
    twelve = board.scores[:12]
    p = np.array([stats.ttest_rel(one, other).pvalue for one, other in combinations(twelve, 2)])
    half = normal_quantile(0.95) * np.sqrt(np.diag(board.covariance)[:12])
    low, high = twelve.mean(axis=1) - half, twelve.mean(axis=1) + half
    apart = sum(low[j] > high[k] for j, k in combinations(range(12), 2))
    assert len(p) == 66
    # 47 with the repeated judgements averaged in; here the 47th pair has p = .053.
    assert (p < 0.05).sum() == 46
    assert (np.array(benjamini_hochberg(p)) < 0.05).sum() == 43
    assert (np.array(holm(p)) < 0.05).sum() == 31
    assert (66 * p < 0.05).sum() == 28
    assert apart == 19


def width(sets: tuple[RankSet, ...]) -> float:
    """The mean number of places a set goes beyond one."""
    return float(np.mean([ranks.high - ranks.low for ranks in sets]))
