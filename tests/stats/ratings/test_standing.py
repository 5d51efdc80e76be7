import numpy as np
import pytest
from hypothesis import given

from bakeoff.stats.ratings import Battles, Pairs, bradley_terry, pairs_of, standing
from tests.stats.ratings.votes import battles


def of(models, *rows):
    """Votes written as "0>1" and "0=1"."""
    marks = {">": 1.0, "=": 0.5}
    first, mark, second = zip(*[(int(row[0]), row[1], int(row[2])) for row in rows], strict=True)
    return pairs_of(Battles(models, np.array(first), np.array(second), np.array([marks[m] for m in mark])))


@pytest.mark.parametrize(
    ("models", "rows", "status"),
    [
        (3, ["0>1", "1>2", "2>0"], ["rated"] * 3),
        (2, ["0=1"], ["rated"] * 2),
        (2, ["0>1"], ["undefeated", "winless"]),
        (3, ["0>1", "1>0"], ["rated", "rated", "unseen"]),
        (4, ["0>1", "1>0", "2>0", "1>3"], ["rated", "rated", "undefeated", "winless"]),
        (5, ["0=1", "1=2", "3=4"], ["rated"] * 3 + ["disconnected"] * 2),
        # Three beat each other in turn, and all of another two: none of the two has ever scored against them.
        (5, ["0>1", "1>2", "2>0", "0>3", "1>4", "3>4", "4>3"], ["rated"] * 3 + ["disconnected"] * 2),
        # Model 2 lost, but only to one that nobody else beats.
        (4, ["0=1", "3>2", "2>0", "3>0"], ["rated", "rated", "disconnected", "undefeated"]),
    ],
)
def test_status(models, rows, status):
    assert list(standing(of(models, *rows)).status) == status


def test_components_say_who_could_be_rated_with_whom():
    found = standing(of(8, "0=1", "1=2", "3=4", "5>6", "6>0"))
    assert found.component[:3].tolist() == [0, 0, 0]
    assert found.component[3] == found.component[4] == 1
    assert len(set(found.component[[0, 3, 5, 6]])) == 4
    assert found.component[7] == -1


def test_of_two_sets_of_one_size_the_one_with_more_votes_is_rated():
    found = standing(of(4, "0=1", "2=3", "2=3"))
    assert found.status == ("disconnected", "disconnected", "rated", "rated")


def test_without_two_models_that_scored_against_each_other_none_is_rated():
    fit = bradley_terry(of(3, "0>1", "1>2"))
    assert fit.standing.status == ("undefeated", "disconnected", "winless")
    assert np.isnan(fit.strength).all()
    assert np.isnan(fit.covariance).all()
    nothing = bradley_terry(Pairs.of_counts(np.zeros((2, 2)), np.zeros((2, 2))))
    assert nothing.standing.status == ("unseen", "unseen")


@given(battles())
def test_ford_1957_a_rated_model_scored_against_every_other_one_directly_or_through_others(votes):
    pairs = pairs_of(votes)
    found = standing(pairs)
    rated = found.rated
    reaches = (pairs.points > 0) & np.outer(rated, rated) | np.eye(votes.models, dtype=bool)
    for _ in range(votes.models):
        reaches = reaches.astype(int) @ reaches.astype(int) > 0
    assert reaches[np.ix_(rated, rated)].all()
    # And a finite maximum is found for them, always.
    assert np.isfinite(bradley_terry(pairs).strength[rated]).all()


@given(battles())
def test_what_a_status_says_is_true(votes):
    pairs = pairs_of(votes)
    scored = pairs.points > 0
    for model, status in enumerate(standing(pairs).status):
        won, lost = scored[model].any(), scored[:, model].any()
        assert {
            "rated": won and lost,
            "undefeated": won and not lost,
            "winless": lost and not won,
            "disconnected": won and lost,
            "unseen": not won and not lost,
        }[status]
