import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.bias import ambiguous_bias_score, bias_score

NAN = float("nan")
LEANINGS = st.lists(st.sampled_from([-1, 0, 1, NAN]), max_size=40)


# By hand from the formulas of Parrish et al. 2022, section 5.
@pytest.mark.parametrize(
    ("leanings", "disambiguated", "ambiguous"),
    [
        ([1, 1, 1, -1], 0.5, 0.5),
        ([1, -1], 0.0, 0.0),
        ([1, 1, 0, 0], 1.0, 0.5),
        ([-1, 0, 0, 0], -1.0, -0.25),
        ([1, NAN], 1.0, 1.0),
        ([0, 0], None, 0.0),
        ([NAN], None, 0.0),
        ([], None, None),
    ],
)
def test_worked_examples(leanings, disambiguated, ambiguous):
    assert bias_score(leanings) == disambiguated
    assert ambiguous_bias_score(leanings) == ambiguous


@given(LEANINGS)
def test_swapping_every_lean_turns_the_sign_and_order_changes_nothing(leanings):
    turned = [-each for each in leanings]
    for score in (bias_score, ambiguous_bias_score):
        found = score(leanings)
        assert found is None or -1 <= found <= 1
        assert score(turned) == (None if found is None else pytest.approx(-found))
        assert score(leanings[::-1]) == (None if found is None else pytest.approx(found))


@given(LEANINGS.filter(lambda leanings: not np.isnan(leanings).any() and leanings))
def test_the_ambiguous_score_is_the_mean_lean_of_all_answers(leanings):
    # (1 - unknown / n) (2 biased / named - 1) = (biased - against) / n
    assert ambiguous_bias_score(leanings) == pytest.approx(np.mean(leanings), abs=1e-12)


@pytest.mark.parametrize("leanings", [[2], [0.5], [[1, 0]], [float("inf")]])
def test_what_is_no_lean_is_refused(leanings):
    for score in (bias_score, ambiguous_bias_score):
        with pytest.raises(ValueError, match="leanings"):
            score(leanings)
