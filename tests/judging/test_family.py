import numpy as np
import pytest

from bakeoff.judging.family import own_family
from bakeoff.judging.trait import trait_bias


@pytest.mark.parametrize(
    ("families", "own"),
    [
        (("gpt", "llama"), 0),
        (("llama", "gpt"), 1),
        (("gpt", "gpt"), None),
        (("llama", "qwen"), None),
        (("gpt", None), None),
        ((None, None), None),
    ],
)
def test_the_judges_own_answer_is_the_only_one_of_its_family(families, own):
    assert own_family(families, "gpt") == own


@pytest.mark.parametrize("loyal", [0.0, 0.3])
def test_own_family_bias_is_what_is_added_to_peoples_own_preference_for_that_family(loyal):
    """A judge that errs in 20 % whoever wrote it, and takes its own family's answer in a share of the cases.

    People themselves prefer that family in 70 %.
    """
    random = np.random.default_rng(1)
    n = 20_000
    own = random.integers(0, 2, n)
    better = np.where(random.random(n) < 0.7, own, 1 - own)
    won = np.where(random.random(n) < 0.8, better, 1 - better)
    won = np.where(random.random(n) < loyal, own, won)
    found = trait_bias([[int(each)] for each in won], better.tolist(), own.tolist())
    assert found.bias == pytest.approx(loyal, abs=0.02)
    assert found.people_take == pytest.approx(0.7, abs=0.01)
    assert found.judge_takes == pytest.approx((won == own).mean())
    # Rogan and Gladen: taking the judge's errors off its share gives people's.
    corrected = (found.judge_takes + found.right_without - 1) / (found.right_with + found.right_without - 1)
    assert corrected == pytest.approx(found.people_take)
    assert (found.interval.low > 0) is (loyal > 0)


def test_what_is_no_pair_with_a_trait_is_refused():
    with pytest.raises(ValueError, match="each pair needs its verdicts"):
        trait_bias([[0]], [0], [])
    with pytest.raises(ValueError, match="0, 1 or None"):
        trait_bias([[0]], [0], [2])
