from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from bakeoff.stats.ratings import (
    Anchor,
    Pairs,
    bradley_terry,
    difference_interval,
    pairs_of,
    rank_ranges,
    score_intervals,
    scores,
)
from bakeoff.stats.ratings.clustered import clustered
from bakeoff.stats.ratings.scale import standard_errors
from tests.stats.ratings.votes import arena, battles, connected, table


def test_400_points_are_odds_of_ten_to_one():
    fit = bradley_terry(Pairs.of_counts([[0, 100], [10, 0]], np.zeros((2, 2))))
    assert scores(fit) == pytest.approx([1200, 800])
    assert scores(fit, Anchor(1, 1114)) == pytest.approx([1514, 1114])


@given(battles(most=60))
def test_an_anchor_moves_scores_and_intervals_and_changes_no_width(votes):
    fit = bradley_terry(pairs_of(votes))
    for model in np.flatnonzero(fit.rated):
        anchored = score_intervals(fit, Anchor(int(model), 1114.0))
        for plain, moved in zip(score_intervals(fit), anchored, strict=True):
            assert (plain is None) == (moved is None)
            if plain is not None:
                assert moved.high - moved.low == pytest.approx(plain.high - plain.low)
                assert plain.high > plain.low
        assert scores(fit, Anchor(int(model), 1114.0))[model] == pytest.approx(1114)


def test_a_difference_has_the_interval_of_a_difference():
    fit = bradley_terry(pairs_of(connected(5, np.random.default_rng(3), 400)))
    v, points = fit.covariance, 400 / np.log(10)
    se = points * np.sqrt(v[1, 1] + v[4, 4] - 2 * v[1, 4])
    interval = difference_interval(fit, 1, 4)
    middle = scores(fit)[1] - scores(fit)[4]
    assert (interval.low, interval.high) == pytest.approx((middle - 1.959964 * se, middle + 1.959964 * se))
    other = difference_interval(fit, 4, 1)
    assert (other.low, other.high) == pytest.approx((-interval.high, -interval.low))
    same = difference_interval(fit, 2, 2)
    assert (same.low, same.high) == (0, 0)


def test_votes_in_clusters_have_students_t():
    votes = connected(4, np.random.default_rng(3), 400)
    fit = clustered(bradley_terry(pairs_of(votes)), votes, [np.arange(len(votes)) % 6])
    interval = score_intervals(fit)[0]
    assert interval.method == "clustered-sandwich"
    # G* of six nearly equal groups is nearly 6, and t of 5 degrees of freedom at .975 is 2.571.
    assert (interval.high - interval.low) / 2 / standard_errors(fit)[0] == pytest.approx(2.571, abs=1e-3)


def test_unrated_models_have_no_score_interval_or_rank():
    won = np.array([[0, 3, 2, 0], [2, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
    fit = bradley_terry(Pairs.of_counts(won, np.zeros((4, 4))))
    assert np.isnan(scores(fit)[2:]).all()
    assert score_intervals(fit)[2:] == (None, None)
    assert difference_interval(fit, 0, 2) is None
    assert rank_ranges(fit)[2:] == (None, None)
    with pytest.raises(ValueError, match="model 2, is winless, not rated"):
        scores(fit, Anchor(2, 1000))


@pytest.mark.parametrize(
    ("anchor", "message"),
    [(Anchor(7, 1000), "between 0 and 1, got 7"), (Anchor(0, np.nan), "score must be finite, got nan")],
)
def test_anchors_that_are_none_are_refused(anchor, message):
    fit = bradley_terry(Pairs.of_counts([[0, 3], [1, 0]], np.zeros((2, 2))))
    with pytest.raises(ValueError, match=message):
        scores(fit, anchor)


def test_levels_and_models_that_are_none_are_refused():
    fit = bradley_terry(Pairs.of_counts([[0, 3], [1, 0]], np.zeros((2, 2))))
    with pytest.raises(ValueError, match="confidence level"):
        score_intervals(fit, level=95)
    with pytest.raises(ValueError, match="between 0 and 1, got -1"):
        difference_interval(fit, 0, -1)


def test_ranks_are_of_the_rated_models_only_and_hold_the_order():
    won = np.array([[0, 900, 950, 10], [100, 0, 900, 10], [50, 100, 0, 10], [0, 0, 0, 0]], dtype=float)
    ranges = rank_ranges(bradley_terry(Pairs.of_counts(won, np.zeros((4, 4)))))
    assert [(r.low, r.high) for r in ranges[:3]] == [(1, 1), (2, 2), (3, 3)]
    assert ranges[3] is None


@pytest.mark.data
def test_the_published_board_of_2024_08_14(data_dir):
    """128 models: scores within 3 points of the published whole numbers, which had .3 % more votes."""
    names, pairs = arena(data_dir / "arena_20240814")
    fit = bradley_terry(pairs)
    mixtral = names.index("mixtral-8x7b-instruct-v0.1")
    found = scores(fit, Anchor(mixtral, 1114))
    rows = table(data_dir / "arena_20240814" / "match_published_vs_refit.csv")
    assert len(rows) == 128
    ours = np.array([found[names.index(row["model"])] for row in rows])
    theirs = np.array([float(row["pub_score"]) for row in rows])
    assert np.abs(ours - theirs).max() < 2.76
    assert np.sqrt(((ours - theirs) ** 2).mean()) == pytest.approx(0.55, abs=0.005)
    # Their intervals are measured from mixtral, as ours of the difference from it are.
    others = [row for row in rows if row["model"] != names[mixtral]]
    theirs = [(float(row["pub_up"]) + float(row["pub_dn"])) / 2 for row in others]
    numbers = [names.index(row["model"]) for row in others]
    ours = [half_width(difference_interval(fit, number, mixtral)) for number in numbers]
    assert np.mean(theirs) == pytest.approx(5.89, abs=0.01)
    assert np.mean(ours) == pytest.approx(5.98, abs=0.06)
    # Not measured from it they are narrower.
    centred = [half_width(interval) for interval in score_intervals(fit)]
    ratio = [wide / centred[number] for wide, number in zip(ours, numbers, strict=True)]
    assert np.median(ratio) == pytest.approx(1.084, abs=0.01)


def half_width(interval):
    return (interval.high - interval.low) / 2


@pytest.mark.data
def test_standard_errors_of_the_arena_go_by_295_over_the_root_of_the_votes(data_dir):
    _, pairs = arena(data_dir / "arena_20240814")
    rule = standard_errors(bradley_terry(pairs)) * np.sqrt(pairs.battles.sum(axis=1))
    assert np.median(rule) == pytest.approx(295, abs=5)


@pytest.mark.data
def test_of_128_neighbours_on_the_arena_21_are_told_apart_one_by_one(data_dir):
    _, pairs = arena(data_dir / "arena_20240814")
    fit = bradley_terry(pairs)
    order = np.argsort(-fit.strength).tolist()
    apart = [difference_interval(fit, i, j).low > 0 for i, j in pairwise(order)]
    assert (len(apart), sum(apart)) == (128, 21)
    # And by ranks that hold for all at once, few models have a rank to themselves.
    found = rank_ranges(fit, draws=1_000)
    ranges = [found[model] for model in order]
    assert all(r.low <= place <= r.high for place, r in enumerate(ranges, start=1))
    assert sum(r.low == r.high for r in ranges) < 21
