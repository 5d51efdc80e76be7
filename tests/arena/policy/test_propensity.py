import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from bakeoff.arena.policy.propensity import overshown, tail
from bakeoff.arena.policy.sampling import Pair


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.001, 1))
def test_the_bound_is_above_the_probability(kn, p):
    k, n = kn
    assert tail(k, n, p) >= binom.sf(k - 1, n, p) * (1 - 1e-9)


@pytest.mark.parametrize(
    ("k", "n", "p", "bound"), [(3, 10, 0.5, 1), (10, 10, 0.5, 2**-10), (1, 5, 0.0, 0), (5, 5, 1.0, 1)]
)
def test_it_is_exact_at_the_ends(k, n, p, bound):
    assert tail(k, n, p) == pytest.approx(bound)


def drawn(probability, stated, total=5_000, seed=0):
    """A day of a sampler that draws pairs by `probability` and says that it draws them by `stated`."""
    counts = np.random.default_rng(seed).multinomial(total, probability)
    names = [(f"m{first}", f"m{second}") for first in range(20) for second in range(first)]
    return [
        Pair(*sorted(name), int(count), 0, float(count * p), None)
        for name, count, p in zip(names, counts, stated, strict=True)
        if count
    ]


def test_a_sampler_that_does_what_it_says_is_left_alone():
    for seed in range(200):
        skewed = np.random.default_rng(seed).dirichlet(np.ones(190))
        assert list(overshown(9, drawn(skewed, skewed, seed=seed))) == []


def test_a_sampler_that_prefers_a_pair_and_does_not_say_so_is_found():
    stated = np.full(190, 1 / 190)
    done = np.full(190, (1 - 4 / 190) / 189)
    done[0] = 4 / 190  # of 5,000 about 105 times, and 26 were stated
    for seed in range(20):
        (only,) = overshown(9, drawn(done, stated, seed=seed))
        assert (only.day, only.first, only.second, only.total) == (9, "m0", "m1", 5_000)
        assert only.shown > 60
        assert only.propensity == pytest.approx(1 / 190)
