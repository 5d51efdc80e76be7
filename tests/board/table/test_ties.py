from itertools import pairwise

import numpy as np
from hypothesis import given

from bakeoff.board.table import View, prepared, seen
from bakeoff.board.table.ties import told
from tests.board.table.making import scored, snapshot, snapshots


def test_tiers_of_a_worked_example():
    """Errors of 0.01: of three rows the margin is 2.344 standard errors of a difference, 0.0331."""
    table = prepared(snapshot(scored(1, 0.90), scored(2, 0.88), scored(3, 0.86), scored(4, None)))
    # 1 and 2 are not told apart, nor 2 and 3; but 1 is shown better than 3.
    assert table.tiers == (1, 1, 2, None)
    assert [each.key for each in seen(table, View(tied="2")).rows] == ["1", "2", "3"]
    assert [each.key for each in seen(table, View(tied="1")).rows] == ["1", "2"]
    assert [(row.low, row.high) for row in table.snapshot.rows] == [(1, 2), (1, 3), (2, 3), (None, None)]


def test_scores_without_errors_are_in_no_tier():
    assert prepared(snapshot(scored(1, 0.9, None), scored(2, 0.8, None))).tiers == (None, None)


@given(snapshots(most=20))
def test_what_is_told_apart_is_what_ranges_of_ranks_are_made_of(made):
    found = told(made)
    unknown = sum(row.place is not None and row.low is None for row in made.rows)
    ranged = sum(row.low is not None for row in made.rows)
    for place, row in enumerate(made.rows):
        if row.low is None:
            assert not found.tied(place).any()
            continue
        ahead = found.quality - found.quality[place]
        apart = found.apart(place)
        assert row.low == 1 + (apart & (ahead > 0)).sum()
        assert row.high == ranged - (apart & (ahead < 0)).sum() + unknown
        assert found.tied(place)[place]


@given(snapshots(most=20))
def test_rows_of_a_tier_are_not_told_apart_and_each_below_is_worse_than_one_of_the_tier_above(made):
    table = prepared(made)
    tiers = np.array([each or 0 for each in table.tiers])
    for place, row in enumerate(made.rows):
        tier = table.tiers[place]
        assert (tier is None) == (row.low is None)
        if tier is None:
            continue
        assert (tier == 1) == (row.low == 1)
        apart = table.told.apart(place)
        assert not (apart & (tiers == tier)).any()
        better = apart & (table.told.quality > table.told.quality[place])
        assert tier == 1 or (better & (tiers == tier - 1)).any()


@given(snapshots(most=20))
def test_being_tied_is_mutual(made):
    found = told(made)
    tied = np.array([found.tied(place) for place in range(len(made.rows))]).reshape((len(made.rows),) * 2)
    assert (tied == tied.T).all()


@given(snapshots(most=20))
def test_tiers_fall_with_the_order_of_equally_sure_scores(made):
    certain = [row for row in made.rows if row.low is not None]
    errors = {round(row.entrant.scores.score.high - row.entrant.scores.score.low, 9) for row in certain}
    if len(errors) == 1:
        tiers = [each for each in prepared(made).tiers if each is not None]
        assert all(one <= other for one, other in pairwise(tiers))
