from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from bakeoff.stats.prompts.variants import cps, kendall_w, rank_ranges, robustness

TOY = [[1, 1, 0, 1, 0, 1], [1, 0, 0, 1, 0, 1], [1, 1, 1, 1, 0, 1], [1, 1, 0, 0, 0, 1]]
PARAPHRASES = Path(__file__).parents[1] / "cases" / "causal_judgement_paraphrases.csv"
# CPS of each model as published with the data, without a filter on paraphrases.
PUBLISHED_CPS = {
    "falcon-7b-instruct": 0.5230235294117647,
    "mpt-7b-instruct": 0.4537834224598931,
    "flan-t5-xl": 0.633287165775401,
    "flan-t5-xxl": 0.6517112299465243,
    "t0pp": 0.6343572192513368,
    "alpaca-13b": 0.6424930481283424,
    "airoboros-13b": 0.4092545454545454,
    "nous-hermes-13b": 0.5616593582887698,
    "ultralm-13b": 0.5292363636363637,
    "vicuna-13b": 0.6398181818181818,
    "minotaur-15b": 0.274,
}


def tables(values):
    return st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
        lambda shape: st.lists(
            st.lists(st.sampled_from(values), min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        )
    )


@pytest.fixture(scope="module")
def paraphrases():
    names = PARAPHRASES.read_text().splitlines()[3].split(",")
    counts = np.loadtxt(PARAPHRASES, delimiter=",", skiprows=4)
    return names, counts / 100


def test_four_prompts_of_a_worked_example():
    found = robustness(TOY)
    assert (found.variants, found.items, found.mean) == (4, 6, 0.625)
    assert (found.flip_rate, found.consistency) == (pytest.approx(0.25), 0.5)
    assert (found.worst_case, found.best_case) == pytest.approx((0.3333, 0.8333), abs=5e-5)
    assert (found.lowest, found.highest, found.spread) == pytest.approx((1 / 2, 5 / 6, 1 / 3))
    assert found.sd == pytest.approx(np.std([4 / 6, 3 / 6, 5 / 6, 3 / 6], ddof=1))
    assert (found.q05, found.q50, found.q95) == pytest.approx((0.5, 7 / 12, 0.85 * 5 / 6 + 0.15 * 4 / 6))


# Mizrahi et al. 2024, one of their tasks.
def test_the_paraphrases_of_one_task(paraphrases):
    names, scores = paraphrases
    assert scores.shape == (187, 11)
    one = scores[:, names.index("flan-t5-xxl")]
    # A column is one model's mean scores: here as if each paraphrase had a single graded item.
    found = robustness(one[:, None])
    assert found.mean == pytest.approx(0.631016, abs=5e-7)
    assert (found.lowest, found.highest) == (0.58, 0.70)
    assert found.sd == pytest.approx(0.02174, abs=5e-6)
    assert found.cps == pytest.approx(PUBLISHED_CPS["flan-t5-xxl"], abs=1e-9)


def test_cps_reproduces_what_was_published(paraphrases):
    names, scores = paraphrases
    ours = {name: cps(column) for name, column in zip(names, scores.T, strict=True)}
    assert ours == pytest.approx(PUBLISHED_CPS, abs=1e-9)


def test_kendalls_w_of_the_paraphrases(paraphrases):
    assert kendall_w(paraphrases[1]) == pytest.approx(0.816, abs=5e-4)


@given(tables([0, 1]))
def test_rates_are_counts_of_items_and_of_pairs_of_variants(rows):
    found, items = robustness(rows), list(zip(*rows, strict=True))
    assert found.worst_case == pytest.approx(np.mean([all(item) for item in items]))
    assert found.best_case == pytest.approx(np.mean([any(item) for item in items]))
    assert found.consistency == pytest.approx(np.mean([len(set(item)) == 1 for item in items]))
    flips = [a != b for item in items for a, b in combinations(item, 2)]
    assert found.flip_rate == (pytest.approx(np.mean(flips)) if len(rows) > 1 else None)


@given(tables([0.0, 0.3, 0.5, 1.0]), st.randoms(use_true_random=False))
def test_graded_scores_flip_by_how_much_they_differ_and_order_changes_nothing(rows, order):
    table = np.array(rows)
    found = robustness(table)
    differences = [abs(a - b) for item in table.T for a, b in combinations(item, 2)]
    assert found.flip_rate == (pytest.approx(np.mean(differences), abs=1e-12) if len(rows) > 1 else None)
    assert found.worst_case <= found.lowest + 1e-12
    assert found.highest <= found.best_case + 1e-12
    axes = [list(range(n)) for n in table.shape]
    for axis in axes:
        order.shuffle(axis)
    other = robustness(table[np.ix_(*axes)])
    assert [other.mean, other.q05, other.cps] == pytest.approx([found.mean, found.q05, found.cps])


def test_one_variant_has_a_mean_but_no_spread_to_speak_of():
    found = robustness([[1, 0, 1, 1]])
    assert (found.sd, found.flip_rate, found.spread, found.consistency) == (None, None, 0.0, 1.0)
    assert found.cps == found.mean == 0.75


# Kendall & Gibbons 1990: without ties W = (1 + (m - 1) mean Spearman correlation) / m.
@given(st.integers(2, 6), st.integers(2, 7), st.integers(0, 1_000))
def test_w_is_the_mean_rank_correlation_of_pairs_of_variants(variants, models, seed):
    scores = np.random.default_rng(seed).random((variants, models))
    correlations = [spearmanr(a, b).statistic for a, b in combinations(scores, 2)]
    assert kendall_w(scores) == pytest.approx((1 + (variants - 1) * np.mean(correlations)) / variants)


# With ties the same holds where all variants tie equally often, as Spearman's is then Pearson's of midranks.
def test_w_allows_for_ties():
    scores = np.array([[1, 1, 2, 3], [3, 1, 2, 3], [1, 2, 2, 0]])
    correlations = [spearmanr(a, b).statistic for a, b in combinations(scores, 2)]
    assert kendall_w(scores) == pytest.approx((1 + 2 * np.mean(correlations)) / 3)
    assert kendall_w([[1, 1, 2]] * 5) == pytest.approx(1)


def test_w_of_agreement_and_of_nothing():
    assert kendall_w([[1, 2, 3], [10, 20, 30]]) == pytest.approx(1)
    assert kendall_w([[1, 2, 3], [3, 2, 1]]) == pytest.approx(0)
    assert kendall_w([[1, 2, 3]]) is None
    assert kendall_w([[1], [2]]) is None
    assert kendall_w([[5, 5], [7, 7]]) is None


def test_a_models_best_and_worst_place():
    ranges = rank_ranges([[0.9, 0.8, 0.8], [0.5, 0.6, 0.7], [0.3, 0.3, 0.1]])
    assert ranges == ((1, 3), (1, 2), (1, 3))


@pytest.mark.parametrize(
    ("function", "scores", "named"),
    [
        (robustness, [], "2 dimension"),
        (robustness, [[1, 2]], "between 0 and 1, got 2"),
        (robustness, [[1, float("nan")]], "finite, got nan"),
        (cps, [], "at least one"),
        (cps, [50], "got 50"),
        (kendall_w, [[1, None]], "model 0 on task 1 is missing"),
        (rank_ranges, [[1, float("inf")]], "got inf"),
    ],
)
def test_bad_input_is_refused_with_its_value(function, scores, named):
    with pytest.raises(ValueError, match=named):
        function(scores)
