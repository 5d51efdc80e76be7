"""What a rule may see."""

import numpy as np
import pytest

from bakeoff.arena.pairing.knowledge import know
from bakeoff.errors import BakeoffError
from tests.arena.pairing.making import counts, even, told


def test_votes_of_a_model_that_is_not_shown_any_more_are_known_and_its_pairs_are_not_drawn():
    known = know(counts([("a", "old", 3, 1, 0), ("b", "old", 1, 3, 2)]), ["a", "b", "new"])
    assert known.models == ("a", "b", "new", "old")
    assert known.candidates == ("a", "b", "new")
    assert known.votes == 10
    assert known.pairs.won[0, 3] == 3
    assert not known.together().battles.any()
    assert known.newcomers(5).tolist() == [True, False, True]


def test_rows_of_one_pair_are_added_up():
    known = told([("a", "b", 3, 1, 2), ("b", "a", 1, 0, 0)])
    assert known.pairs.won.tolist() == [[0, 3], [2, 0]]
    assert known.pairs.tied.tolist() == [[0, 2], [2, 0]]


def test_private_models_do_not_meet_unless_the_board_says_so():
    known = told(even(3, 2), shown=["p1", "p2"], private=["p1", "p2"])
    assert not known.eligible(private_meet=False)[3, 4]
    assert known.eligible(private_meet=False).sum() == 2 * (10 - 1)
    assert known.eligible(private_meet=True).sum() == 2 * 10
    assert not np.diag(known.eligible(private_meet=True)).any()


@pytest.mark.parametrize("shown", [[], ["a"], ["a", "a"]])
def test_an_arena_of_fewer_than_two_models_is_refused(shown):
    with pytest.raises(BakeoffError, match="has no battles"):
        know(counts([("b", "c", 1, 1, 1)]), shown)


def test_an_arena_of_private_models_alone_can_show_none():
    known = know(counts([]), ["a", "b"], ["a", "b"])
    with pytest.raises(BakeoffError, match="no two of 2 models may meet, because all are private"):
        known.eligible(private_meet=False)
    assert known.eligible(private_meet=True).sum() == 2


def test_a_private_model_that_is_not_shown_is_a_mistake():
    with pytest.raises(BakeoffError, match="c is private, and not among"):
        know(counts([]), ["a", "b"], ["c"])
