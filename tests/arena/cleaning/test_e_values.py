from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.cleaning.e_values import e_bh


def test_by_hand() -> None:
    """K = 4 and α = .1 ask for 40, 20, 13.3 and 10."""
    assert e_bh(np.log([39.0, 1, 1, 1]), 0.1).tolist() == [False] * 4
    assert e_bh(np.log([1.0, 40, 1, 1]), 0.1).tolist() == [False, True, False, False]
    assert e_bh(np.log([14.0, 14, 1, 14]), 0.1).tolist() == [True, True, False, True]
    assert e_bh(np.log([10.0, 10, 10, 10]), 0.1).tolist() == [True] * 4
    assert e_bh([], 0.1).tolist() == []
    assert e_bh([-np.inf, np.inf], 0.1).tolist() == [False, True]


@given(st.lists(st.floats(-20, 20), max_size=30), st.floats(0.01, 0.99))
def test_what_is_rejected_is_self_consistent_and_the_most(logs: list[float], alpha: float) -> None:
    found = e_bh(logs, alpha)
    k, n = int(found.sum()), len(logs)
    assert all(log(n / (alpha * k)) <= each + 1e-9 for each, bad in zip(logs, found, strict=True) if bad)
    ordered = sorted(logs, reverse=True)
    for more in range(k + 1, n + 1):
        assert ordered[more - 1] < log(n / (alpha * more)) + 1e-9
    ranked = [bad for _, bad in sorted(zip(logs, found.tolist(), strict=True), reverse=True)]
    assert all(a >= b for a, b in pairwise(ranked))


@pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0])
def test_alpha_is_a_share(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha"):
        e_bh([0.0], alpha)


def test_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="not a number"):
        e_bh([float("nan")], 0.05)
