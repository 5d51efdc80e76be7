"""The most likely choice under each norm."""

import math

import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import OptionScore, Outcome, Response
from bakeoff.score import NORMS, all_norms, build_scorer, judge
from tests.score.making import choice_item, lls


def winner(norm, item, response):
    return judge(build_scorer({"name": "loglikelihood", "norm": norm}), item, response)


# "Zoë" has 3 characters and 4 bytes; 東京都 has 3 characters and 9 bytes; "Bern" has 4 of both.
CHOICES = ("Zoë", "東京都", "Bern")
RESPONSE = Response(
    options=(
        OptionScore(-6.0, 2, None, -9.0),  # raw -6.0, chars -2.000, bytes -1.500, tokens -3.000, pmi 3.0
        OptionScore(-6.9, 2, None, -7.0),  # raw -6.9, chars -2.300, bytes -0.767, tokens -3.450, pmi 0.1
        OptionScore(-7.6, 4, None, -12.6),  # raw -7.6, chars -1.900, bytes -1.900, tokens -1.900, pmi 5.0
    )
)


@pytest.mark.parametrize(
    ("norm", "best"), [("raw", 0), ("chars", 2), ("bytes", 1), ("tokens", 2), ("pmi", 2)]
)
def test_each_norm_divides_by_what_it_names(norm, best):
    for target in range(3):
        score = winner(norm, choice_item(target, CHOICES), RESPONSE)
        assert (score.value, score.extracted) == (float(target == best), CHOICES[best])


def test_all_norms_agrees_with_the_scorer_of_each():
    for target in range(3):
        item = choice_item(target, CHOICES)
        right = all_norms(item, RESPONSE)
        assert tuple(right) == NORMS
        assert right == {norm: winner(norm, item, RESPONSE).value == 1 for norm in NORMS}


def test_norms_that_cannot_be_computed_are_none_not_false():
    right = all_norms(choice_item(), lls(-1, -0.5, -2, -3, tokens=0))
    assert right["raw"] is True
    assert right["tokens"] is None
    assert right["pmi"] is None
    assert set(all_norms(choice_item(), Response()).values()) == {None}


# lm-eval's own test data: EleutherAI/pythia-70m, float32, first ten arc_easy questions
# (tests/models/test_huggingface.py), as log-likelihoods of four choices each.
PYTHIA_ARC_EASY = [
    ((-41.902, -42.939, -33.914, -37.071), 2),
    ((-22.953, -20.342, -14.818, -27.943), 2),
    ((-15.807, -15.936, -13.052, -18.048), 2),
    ((-13.345, -13.366, -12.127, -11.872), 3),
    ((-47.106, -47.764, -36.441, -50.029), 2),
    ((-16.721, -18.536, -26.470, -20.356), 0),
    ((-17.758, -21.806, -33.199, -39.286), 0),
    ((-14.760, -16.754, -11.487, -15.422), 2),
    ((-13.158, -15.887, -15.286, -12.339), 3),
    ((-44.594, -55.409, -52.701, -56.251), 0),
]


@pytest.mark.parametrize(("logprobs", "best"), PYTHIA_ARC_EASY)
def test_the_highest_of_real_log_likelihoods_wins(logprobs, best):
    assert winner("raw", choice_item(best), lls(*logprobs)).value == 1.0


def test_of_equal_choices_the_first_is_taken_and_the_tie_is_said():
    score = winner("raw", choice_item(2), lls(-2, -1, -1, -5))
    assert (score.value, score.extracted) == (0.0, "London")
    assert "tie of choices 2, 3" in score.reason
    assert "tie" not in winner("raw", choice_item(2), lls(-2, -1, -3, -5)).reason


@pytest.mark.parametrize(
    "response",
    [
        lls(-1, -2, -3),  # one is missing
        lls(-1, -2, -3, -4, -5),
        lls(),
        lls(-1, math.nan, -3, -4),
        lls(-1, math.inf, -3, -4),
        lls(*[-math.inf] * 4),
    ],
)
def test_unusable_log_likelihoods_are_the_engine_s_failure(response):
    score = winner("raw", choice_item(), response)
    assert (score.outcome, score.value) == (Outcome.MODEL_ERROR, None)


def test_an_impossible_choice_just_loses():
    assert winner("raw", choice_item(), lls(-math.inf, -2, -3, -math.inf)).value == 1.0


@pytest.mark.parametrize(
    ("norm", "response"),
    [
        ("tokens", lls(-1, -2, -3, -4, tokens=0)),
        ("pmi", lls(-1, -2, -3, -4)),
        ("pmi", lls(-1, -2, -3, -4, unconditional=(-1, -1, None, -1))),
        ("pmi", lls(-1, -2, -3, -4, unconditional=(-1, -1, -math.inf, -1))),
    ],
)
def test_what_a_norm_needs_and_the_engine_did_not_give_is_its_failure(norm, response):
    assert winner(norm, choice_item(), response).outcome is Outcome.MODEL_ERROR


def test_an_empty_choice_has_no_length_to_divide_by():
    item = choice_item(0, ("Paris", ""))
    with pytest.raises(TaskError, match="choice 2 is empty"):
        winner("chars", item, lls(-1, -2))
    assert winner("raw", item, lls(-1, -2)).value == 1.0
    assert all_norms(item, lls(-1, -2))["bytes"] is None


def test_only_pmi_needs_log_likelihoods_without_the_context():
    needs = {norm: build_scorer({"name": "loglikelihood", "norm": norm}).unconditional for norm in NORMS}
    assert needs == {"raw": False, "chars": False, "bytes": False, "tokens": False, "pmi": True}
