import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.board.ladder import Release, release, rounded
from tests.board.probing import probe

SCORES = st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=2, max_size=50)


class Ladder:
    """A board that remembers what it told one submitter."""

    def __init__(self):
        self.best, self.told = None, 0.0

    def __call__(self, scores):
        found = release(scores, self.best, self.told)
        if found.improved:
            self.best = scores
        self.told = found.score
        return found.score


def test_a_first_submission_is_told_its_score_as_finely_as_its_items_can_tell():
    assert release([1.0] * 55 + [0.0] * 45, None) == Release(0.6, improved=True)
    assert release([1.0] * 54 + [0.0] * 46, None) == Release(0.5, improved=True)


def test_a_gain_within_noise_is_told_the_old_score_and_a_clear_one_the_new():
    best = [1.0] * 50 + [0.0] * 50
    # One item more: mean difference .01, standard error .01. Two items: .02 against .014.
    assert release([1.0] * 51 + [0.0] * 49, best, 0.5) == Release(0.5, improved=False)
    assert release([1.0] * 52 + [0.0] * 48, best, 0.5).improved
    # As many better, but by chance: ten won and eight lost.
    wavering = [0.0] * 8 + [1.0] * 42 + [1.0] * 10 + [0.0] * 40
    assert not release(wavering, best, 0.5).improved


@given(SCORES)
def test_the_same_again_or_worse_is_told_nothing_new(scores):
    assert release(scores, scores, 0.7) == Release(0.7, improved=False)
    assert release([0.0] * len(scores), scores, 0.7) == Release(0.7, improved=False)


@given(st.floats(0, 1), st.integers(1, 10_000))
def test_rounding_moves_a_score_by_half_a_step_at_most_and_stays_in_range(score, n):
    steps = max(1, round(n**0.5))
    assert abs(rounded(score, n) - score) <= 0.5 / steps + 1e-12
    assert 0 <= rounded(score, n) <= 1


@pytest.mark.parametrize("scores", [[], [1.5], [-0.1], [float("nan")]])
def test_what_is_no_score_is_refused(scores):
    with pytest.raises(ValueError, match=r"no score|\[0, 1\]"):
        release(scores, None)


def test_other_items_than_before_are_refused():
    with pytest.raises(ValueError, match="2 scores"):
        release([1.0, 0.0], [1.0])


def test_a_thousand_submissions_learn_the_answers_from_exact_scores_and_nothing_from_the_ladder():
    gains = {"exact": [], "ladder": []}
    for seed in range(5):
        truth = np.random.default_rng(1_000 + seed).integers(0, 2, 500)
        gains["exact"].append(probe(truth, lambda scores: float(scores.mean()), 1_000, seed) - 0.5)
        gains["ladder"].append(probe(truth, Ladder(), 1_000, seed) - 0.5)
    assert min(gains["exact"]) > 0.25
    # Five draws of 500 fair coins have a mean within .03 of 1/2.
    assert abs(np.mean(gains["ladder"])) < 0.05
