from math import comb, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from bakeoff.stats.early.eprocess import anytime_p, mcnemar_e


# The beta-binomial mixture with a uniform prior, from its closed form in exact arithmetic.
@pytest.mark.parametrize(
    ("wins", "losses", "e"),
    [(7, 0, 16), (8, 0, 28.444), (10, 1, 15.5152), (15, 5, 3.2206), (20, 8, 2.9781), (53, 27, 9.7072)],
)
def test_mcnemar_e_reproduces_reference_values(wins, losses, e):
    assert mcnemar_e(wins, losses) == pytest.approx(e, rel=2e-5)
    assert mcnemar_e(losses, wins) == mcnemar_e(wins, losses)


def test_evidence_against_the_null_can_shrink():
    assert mcnemar_e(60, 40) == pytest.approx(0.913, abs=5e-4)
    assert mcnemar_e(0, 0) == 1


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_e_is_the_average_likelihood_ratio_over_all_shares_of_wins(wins, losses):
    integral, _ = quad(lambda share: (2 * share) ** wins * (2 * (1 - share)) ** losses, 0, 1, epsabs=0)
    assert mcnemar_e(wins, losses) == pytest.approx(integral, rel=1e-6)


@given(st.integers(0, 60))
def test_mcnemar_e_is_1_on_average_if_neither_model_is_better(m):
    assert sum(comb(m, w) * mcnemar_e(w, m - w) for w in range(m + 1)) / 2**m == pytest.approx(1)


def test_the_shortest_decision_at_5_percent_is_eight_to_nothing():
    decisive = {(w, m - w) for m in range(9) for w in range(m + 1) if mcnemar_e(w, m - w) >= 20}
    assert decisive == {(8, 0), (0, 8)}


def test_a_large_benchmark_gives_a_number_or_infinity():
    assert mcnemar_e(3400, 3300) == pytest.approx(0.032288, rel=1e-4)
    assert mcnemar_e(20_000, 0) == inf
    assert mcnemar_e(np.int64(3400), np.int64(3300)) == mcnemar_e(3400, 3300)


def test_the_anytime_p_value_never_grows():
    e = [mcnemar_e(w, 3) for w in range(20)]
    p = [anytime_p(e[: n + 1]) for n in range(20)]
    assert p == sorted(p, reverse=True)
    assert p[0] == 0.5  # three losses: e = 2
    assert p[-1] == pytest.approx(1 / max(e))


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: mcnemar_e(-1, 2), "wins"),
        (lambda: mcnemar_e(1, -2), "-2"),
        (lambda: mcnemar_e(1.5, 2), "1.5"),
        (lambda: anytime_p([]), "none"),
        (lambda: anytime_p([1.0, float("nan")]), "nan"),
        (lambda: anytime_p([-0.1]), "-0.1"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()
