import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.mean.repeats import Split, sampling_split

ragged = st.lists(
    st.lists(st.sampled_from([0, 0.25, 0.5, 1]), min_size=1, max_size=6), min_size=2, max_size=30
)


# Miller 2024 (arXiv 2411.00640), section 3.1: each item's chance of a right answer drawn uniformly from
# (0, 1). Then 0, 1, ..., K right answers of K are equally likely, so that this board of as many items with
# each of them has the variances of the text exactly: 1/12 between items, 1/6 within.
def uniform_board(repeats, of_each):
    rows = [[1] * right + [0] * (repeats - right) for right in range(repeats + 1)]
    return np.repeat(np.array(rows, dtype=float), of_each, axis=0)


@pytest.mark.parametrize(("repeats", "cut"), [(2, 1 / 3), (4, 1 / 2), (6, 5 / 9)])
def test_repeats_cut_the_variance_by_the_published_part(repeats, cut):
    split = sampling_split(uniform_board(repeats, 2_000))
    n = split.items
    one_answer = 1 / 4 / n
    assert split.variance == pytest.approx((1 - cut) * one_answer, rel=1e-3)
    assert split.variance_with(1) == pytest.approx(one_answer, rel=1e-3)
    assert Split(0.5, 1, 1, 1 / 12, 1 / 6, None, None).variance_with(repeats) == pytest.approx((1 - cut) / 4)


@pytest.mark.parametrize("repeats", [2, 3, 4, 6, 10])
def test_the_parts_do_not_depend_on_the_number_of_repeats(repeats):
    split = sampling_split(uniform_board(repeats, 2_000))
    assert split.within == pytest.approx(1 / 6)
    assert split.between == pytest.approx(1 / 12, rel=1e-3)
    assert split.share == pytest.approx(1 / 6 / repeats / (1 / 12 + 1 / 6 / repeats), rel=1e-3)


def test_the_part_within_right_or_wrong_is_p_times_1_minus_p_with_its_correction():
    # σ̂² = p(1-p) K/(K-1) for each item.
    scores = [[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    split = sampling_split(scores)
    assert split.within == pytest.approx((0.25 + 0.1875 + 0) / 3 * 4 / 3)
    assert split.sampling == pytest.approx(split.within / 4 / 3)
    assert split.mean == pytest.approx(0.75)
    assert split.variance == pytest.approx(np.var([0.5, 0.75, 1], ddof=1) / 3)


def test_one_answer_for_every_item_tells_nothing_apart():
    split = sampling_split([[1], [0], [1]])
    assert split.variance == pytest.approx(1 / 9)
    assert (split.between, split.within, split.sampling, split.share) == (None, None, None, None)
    assert split.variance_with(4) is None


def test_one_item_has_no_variance_to_split():
    assert sampling_split([[1, 0, 1]]) is None


def test_equal_scores_have_no_share():
    split = sampling_split([[1, 1], [1, 1]])
    assert (split.variance, split.within, split.share) == (0, 0, None)


def test_an_item_with_one_answer_is_taken_to_be_as_noisy_as_the_others():
    split = sampling_split([[1, 0], [1, 0], [1]])
    assert split.within == pytest.approx(0.5)
    assert split.sampling == pytest.approx((0.25 + 0.25 + 0.5) / 9)


@given(rows=ragged, order=st.randoms(use_true_random=False))
def test_neither_the_order_of_items_nor_of_answers_matters(rows, order):
    shuffled = [order.sample(row, len(row)) for row in order.sample(rows, len(rows))]
    one, other = sampling_split(rows), sampling_split(shuffled)
    for name in ("mean", "variance", "between", "within", "sampling"):
        assert getattr(other, name) == pytest.approx(getattr(one, name), abs=1e-12)


@given(rows=ragged)
def test_the_parts_add_up(rows):
    split = sampling_split(rows)
    if split.within is None:
        return
    assert split.between / split.items + split.sampling == pytest.approx(split.variance, abs=1e-12)
    assert split.share is None or 0 <= split.share <= 1


@pytest.mark.slow
def test_both_parts_are_unbiased_with_few_uneven_repeats():
    random = np.random.default_rng(3)
    draws, found = 3_000, []
    for _ in range(draws):
        chance = random.random(12)
        rows = [(random.random(2 + i % 3) < p).astype(float) for i, p in enumerate(chance)]
        split = sampling_split(rows)
        found.append((split.between, split.within))
    error = np.std(found, axis=0) / draws**0.5
    assert np.all(np.abs(np.mean(found, axis=0) - (1 / 12, 1 / 6)) < 4 * error)


@pytest.mark.parametrize(
    ("scores", "named"),
    [
        ([], "none"),
        ([[1], []], "item 1"),
        ([[1, float("nan")], [0, 1]], "item 0 .* nan"),
        ([1, 0], "item 0"),
    ],
)
def test_bad_input_is_refused_with_its_place(scores, named):
    with pytest.raises(ValueError, match=named):
        sampling_split(scores)


def test_a_plan_without_repeats_is_refused():
    with pytest.raises(ValueError, match="repeats=0"):
        sampling_split([[1, 0], [1, 1]]).variance_with(0)
