import numpy as np
import pytest

from bakeoff.stats.ratings import Battles
from bakeoff.stats.ratings.elo import elo
from tests.stats.ratings.votes import llmfao, table


def test_three_votes_by_hand():
    votes = Battles(3, np.array([0, 1, 0]), np.array([1, 2, 2]), np.array([1, 0.5, 0]))
    # Equal: +2, -2. Then 998 against 1000 draw: 4 (.5 - .49712). Then 1002 loses to 1000 - that.
    first = 1 / (1 + 10 ** (2 / 400))
    drawn = 4 * (0.5 - first)
    last = 4 * (0 - 1 / (1 + 10 ** ((1000 - drawn - 1002) / 400)))
    assert elo(votes) == pytest.approx([1002 + last, 998 + drawn, 1000 - drawn - last])


def test_the_order_of_the_votes_matters_and_the_sum_does_not_move():
    votes = Battles(2, np.zeros(20, int), np.ones(20, int), np.repeat([1.0, 0.0], 10))
    back = Battles(2, votes.first, votes.second, votes.outcome[::-1])
    assert elo(votes, k=32)[0] < 1000 < elo(back, k=32)[0]
    assert elo(votes, k=32).sum() == pytest.approx(2000)


def test_models_without_a_vote_stay_and_lopsided_ratings_do_not_overflow():
    votes = Battles(3, np.zeros(50, int), np.ones(50, int), np.tile([0.0, 1.0], 25))
    ratings = elo(votes, k=1e6, initial=1500)
    assert np.isfinite(ratings).all()
    assert ratings[2] == 1500


@pytest.mark.parametrize("wrong", [{"k": 0}, {"k": np.inf}, {"scale": -1}, {"initial": np.nan}])
def test_settings_that_are_none_are_refused(wrong):
    with pytest.raises(ValueError, match="k and scale must be above 0"):
        elo(Battles(2, np.array([0]), np.array([1]), np.array([1])), **wrong)


@pytest.mark.data
def test_evalicas_golden_scores_of_llmfao(data_dir):
    names, votes, *_ = llmfao(data_dir / "llmfao")
    golden = {
        row["item"]: float(row["score"])
        for row in table(data_dir / "llmfao" / "evalica_golden_scores.csv")
        if row["algorithm"] == "elo"
    }
    assert elo(votes) == pytest.approx([golden[name] for name in names], abs=1e-9)
