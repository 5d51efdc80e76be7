from math import exp, lgamma, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.pair.paired import tango_score
from bakeoff.stats.pair.unconditional import non_inferiority_p

tables = st.integers(1, 14).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n)).filter(
        lambda t: t[0] + t[1] <= t[2]
    )
)


def probability(b, c, n, rate, margin):
    """Of one table, where the first alone is right with probability `rate`, the second alone margin more."""
    cells = ((b, rate), (c, rate + margin), (n - b - c, 1 - 2 * rate - margin))
    if any(count and p <= 0 for count, p in cells):
        return 0.0
    ways = lgamma(n + 1) - sum(lgamma(count + 1) for count, _ in cells)
    return exp(ways + sum(count * log(p) for count, p in cells if count))


@given(tables, st.sampled_from([0.05, 0.1, 0.3]))
def test_it_is_the_sum_over_all_tables_that_say_as_much_at_the_worst_rate(bcn, margin):
    b, c, n = bcn
    seen = tango_score(b, c, n, -margin)
    as_much = [
        (i, j)
        for i in range(n + 1)
        for j in range(n + 1 - i)
        if tango_score(i, j, n, -margin) >= seen - 1e-9 * (1 + abs(seen))
    ]
    worst = max(
        sum(probability(i, j, n, rate, margin) for i, j in as_much)
        for rate in (1 - margin) / 2 * np.linspace(0, 1, 64) ** 3
    )
    assert non_inferiority_p(b, c, n, margin) == pytest.approx(worst, abs=1e-9)


def test_without_any_disagreement_it_is_the_chance_of_none():
    # Where the first is never right alone, no loss in n items has probability (1 - margin)^n. On more items
    # other tables say as much.
    for n, margin in ((10, 0.2), (30, 0.1)):
        assert non_inferiority_p(0, 0, n, margin) == pytest.approx((1 - margin) ** n)
    assert non_inferiority_p(0, 0, 100, 0.05) > 0.95**100


@pytest.mark.slow
@pytest.mark.parametrize(("n", "margin"), [(30, 0.1), (40, 0.05), (60, 0.02)])
def test_a_model_worse_by_the_margin_is_shown_not_to_be_at_most_as_often_as_stated(n, margin):
    # Tango's own test exceeds .05 in each of these cases, by up to .021.
    shown = []
    for b in range(n + 1):
        # More losses show less: the most that still show it, by bisection.
        low, high = -1, n - b
        while low < high:
            middle = (low + high + 1) // 2
            if non_inferiority_p(b, middle, n, margin) <= 0.05:
                low = middle
            else:
                high = middle - 1
        shown += [(b, c) for c in range(low + 1)]
    rates = np.concatenate([[0.0], np.geomspace(1e-4, (1 - margin) / 2, 100)])
    size = max(sum(probability(b, c, n, rate, margin) for b, c in shown) for rate in rates)
    assert 0.02 < size <= 0.0501


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: non_inferiority_p(1, 1, 0, 0.1), "n=0"),
        (lambda: non_inferiority_p(6, 6, 10, 0.1), "b=6 and c=6"),
        (lambda: non_inferiority_p(-1, 6, 10, 0.1), "-1"),
        (lambda: non_inferiority_p(1.5, 6, 10, 0.1), "1.5"),
        (lambda: non_inferiority_p(1, float("nan"), 10, 0.1), "nan"),
        (lambda: non_inferiority_p(1, 6, 10, 2), "2"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()
