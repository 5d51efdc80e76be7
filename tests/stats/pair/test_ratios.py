"""Two ratios on the same items."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.mean.ratio import ratio
from bakeoff.stats.pair.ratios import ratio_difference

COUNTS = st.integers(1, 6).flatmap(lambda x: st.tuples(st.integers(0, x), st.integers(0, x), st.just(x)))


@given(st.lists(COUNTS, min_size=3, max_size=12))
def test_with_one_denominator_it_is_the_ratio_of_the_differences(rows):
    first, second, given_ = ([float(each) for each in column] for column in zip(*rows, strict=True))
    found = ratio_difference((first, given_), (second, given_), range(len(rows)))
    differences = [b - a for a, b in zip(first, second, strict=True)]
    expected = ratio(differences, given_, range(len(rows)))
    assert expected is not None
    if found is None:
        assert expected.high - expected.low < 1e-9
    else:
        assert found.low == pytest.approx(max(-1.0, expected.low))
        assert found.high == pytest.approx(min(1.0, expected.high))


@given(st.lists(st.tuples(COUNTS, COUNTS), min_size=2, max_size=8))
def test_the_other_way_round_it_is_the_other_sign_and_groups_of_one_are_items(rows):
    first = tuple(zip(*((float(y), float(x)) for (y, _, x), _ in rows), strict=True))
    second = tuple(zip(*((float(y), float(x)) for _, (y, _, x) in rows), strict=True))
    there = ratio_difference(first, second, range(len(rows)))
    back = ratio_difference(second, first, [f"g{n}" for n in range(len(rows))])
    assert (there is None) == (back is None)
    if there is not None and back is not None:
        assert (there.low, there.high) == (pytest.approx(-back.high), pytest.approx(-back.low))


def drawn(random: np.random.Generator, items: int) -> list[np.ndarray]:
    """Right and given values of two systems that meet the same easy and hard items."""
    ease = random.beta(2, 2, items)
    columns = []
    for base in (0.25, 0.45):
        given_ = random.integers(1, 7, items)
        columns += [random.binomial(given_, base + 0.5 * ease), given_]
    return columns


def test_the_interval_is_as_wide_as_differences_vary():
    random = np.random.default_rng(0)
    differences, widths, held = [], [], 0
    for _ in range(1000):
        y1, x1, y2, x2 = drawn(random, 40)
        found = ratio_difference((y1, x1), (y2, x2), range(40))
        assert found is not None
        differences.append(y2.sum() / x2.sum() - y1.sum() / x1.sum())
        widths.append(found.high - found.low)
        held += found.low <= 0.2 <= found.high
    assert np.mean(widths) == pytest.approx(2 * 1.96 * np.std(differences), rel=0.1)
    # 95 % ± 3 standard errors of 1,000 draws.
    assert 0.93 <= held / 1000 <= 0.97


def test_without_spread_or_with_one_group_nothing_can_be_said():
    same = ([1.0, 2.0], [1.0, 2.0])
    assert ratio_difference(same, same, [0, 1]) is None
    assert ratio_difference(([1.0, 0.0], [1.0, 2.0]), same, [0, 0]) is None


@pytest.mark.parametrize(
    ("first", "clusters", "problem"),
    [
        (([1.0], [1.0, 1.0]), [0, 1], "each item needs"),
        (([1.0, 1.0], [1.0, 1.0]), [0], "each item needs"),
        (([2.0, 1.0], [1.0, 1.0]), [0, 1], "between 0 and its denominator"),
        (([0.0, 0.0], [0.0, 0.0]), [0, 1], "a denominator above 0"),
    ],
)
def test_numbers_that_are_no_ratio_are_refused(first, clusters, problem):
    with pytest.raises(ValueError, match=problem):
        ratio_difference(first, ([1.0, 1.0], [1.0, 1.0]), clusters)
