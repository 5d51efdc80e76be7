from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.stats.mean.passk import majority_at_k, pass_at_k, pass_hat_k

recorded = st.integers(0, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, 45)))


# Chen et al. 2021 (arXiv 2107.03374), their estimator.
@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [
        (10, 3, 1, 0.3),
        (10, 3, 5, 0.916667),
        (5, 3, 2, 0.9),
        (200, 1, 100, 0.5),
        (200, 10, 10, 0.408548),
        (5, 0, 3, 0),
        (5, 5, 3, 1),
    ],
)
def test_pass_at_k_reproduces_published_values(n, c, k, expected):
    assert pass_at_k(n, c, k) == pytest.approx(expected, abs=5e-7)


# Yao et al. 2024 (arXiv 2406.12045), their estimator.
@pytest.mark.parametrize(
    ("n", "c", "k", "expected"),
    [(8, 6, 1, 0.75), (8, 6, 4, 0.214286), (8, 6, 8, 0), (8, 8, 8, 1), (10, 7, 3, 0.291667)],
)
def test_pass_hat_k_reproduces_published_values(n, c, k, expected):
    assert pass_hat_k(n, c, k) == pytest.approx(expected, abs=5e-7)


@pytest.mark.parametrize(
    ("counts", "k", "expected"),
    [
        ((4, 3, 3), 1, 0.4),
        ((4, 3, 3), 3, 0.433333),
        ((4, 3, 3), 5, 0.476190),
        ((6, 4), 3, 0.666667),
        ((6, 4), 5, 0.738095),
    ],
)
def test_majority_at_k_reproduces_published_values(counts, k, expected):
    assert majority_at_k(counts, k) == pytest.approx(expected, abs=5e-7)


def drawn(estimator, n, p, k):
    """Mean and standard deviation of an estimator over the binomial number of right answers."""
    probability = [comb(n, c) * p**c * (1 - p) ** (n - c) for c in range(n + 1)]
    values = [estimator(n, c, k) for c in range(n + 1)]
    mean = sum(q * v for q, v in zip(probability, values, strict=True))
    return mean, sum(q * (v - mean) ** 2 for q, v in zip(probability, values, strict=True)) ** 0.5


@pytest.mark.parametrize(("n", "deviation"), [(5, 0.3739), (10, 0.2092), (20, 0.1344)])
def test_pass_at_k_is_unbiased_and_spreads_as_published(n, deviation):
    mean, found = drawn(pass_at_k, n, 0.3, 5)
    assert mean == pytest.approx(1 - 0.7**5, abs=1e-12)
    assert mean == pytest.approx(0.83193, abs=5e-6)
    assert found == pytest.approx(deviation, abs=5e-5)


def test_plugging_in_the_share_is_biased_as_published():
    # Too low for pass@k, too high for pass^k.
    def at_k(n, c, k):
        return 1 - (1 - c / n) ** k

    def hat_k(n, c, k):
        return (c / n) ** k

    assert drawn(at_k, 10, 0.3, 5)[0] - (1 - 0.7**5) == pytest.approx(-0.0722, abs=5e-5)
    assert drawn(at_k, 5, 0.3, 5)[0] - (1 - 0.7**5) == pytest.approx(-0.1434, abs=5e-5)
    assert drawn(hat_k, 8, 0.75, 4)[0] - 0.75**4 == pytest.approx(0.0763, abs=5e-5)
    assert drawn(hat_k, 8, 0.75, 8)[0] - 0.75**8 == pytest.approx(0.128, abs=5e-4)


@given(p=st.floats(0, 1), n=st.integers(1, 25), data=st.data())
def test_both_are_exactly_unbiased(p, n, data):
    k = data.draw(st.integers(1, n))
    assert drawn(pass_at_k, n, p, k)[0] == pytest.approx(1 - (1 - p) ** k, abs=1e-12)
    assert drawn(pass_hat_k, n, p, k)[0] == pytest.approx(p**k, abs=1e-12)


@given(case=recorded)
def test_all_right_is_the_reverse_of_one_wrong(case):
    n, c, k = case
    if n < k:
        assert pass_at_k(n, c, k) is pass_hat_k(n, c, k) is None
    else:
        assert pass_hat_k(n, c, k) == pytest.approx(1 - pass_at_k(n, n - c, k), abs=1e-12)
        assert pass_hat_k(n, c, k) <= c / n + 1e-12 <= pass_at_k(n, c, k) + 2e-12


def test_fewer_answers_than_k_estimate_nothing():
    # A much copied implementation returns 1 here.
    assert pass_at_k(4, 4, 5) is None
    assert pass_hat_k(4, 4, 5) is None
    assert majority_at_k((2, 2), 5) is None
    assert pass_at_k(0, 0, 1) is None


def vote_by_vote(counts, k):
    answers = [answer for answer, count in enumerate(counts) for _ in range(count)]
    won = 0.0
    for chosen in combinations(answers, k):
        votes = [chosen.count(answer) for answer in range(len(counts))]
        most = max(votes)
        won += (votes[0] == most) / votes.count(most)
    return won / comb(len(answers), k)


@settings(max_examples=60)
@given(
    counts=st.lists(st.integers(0, 4), min_size=1, max_size=5).filter(lambda counts: sum(counts) <= 13),
    data=st.data(),
)
def test_the_majority_is_counted_over_every_choice_of_k(counts, data):
    k = data.draw(st.integers(1, max(1, sum(counts))))
    found = majority_at_k(counts, k)
    if sum(counts) < k:
        assert found is None
    else:
        assert found == pytest.approx(vote_by_vote(counts, k), abs=1e-12)


@given(counts=st.lists(st.integers(0, 12), min_size=1, max_size=8), k=st.integers(1, 20))
def test_every_answer_has_its_chance_to_win_and_one_does(counts, k):
    if sum(counts) < k:
        return
    each = [majority_at_k([counts[i], *counts[:i], *counts[i + 1 :]], k) for i in range(len(counts))]
    assert sum(each) == pytest.approx(1, abs=1e-9)
    assert all((chance > 0) <= (count > 0) for chance, count in zip(each, counts, strict=True))


def test_many_answers_of_many_kinds_are_counted():
    # Without favourites each of 64 answers wins as often as the others.
    assert majority_at_k([1] * 64, 32) == pytest.approx(1 / 64)
    assert majority_at_k([16] * 4, 32) == pytest.approx(1 / 4)
    assert 0.8 < majority_at_k([10] + [3] * 18, 32) < 1


@given(counts=st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_one_vote_is_the_share_of_right_answers(counts):
    if sum(counts):
        assert majority_at_k(counts, 1) == pytest.approx(counts[0] / sum(counts))


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: pass_at_k(5, 6, 1), "n=5, got 6"),
        (lambda: pass_at_k(-1, 0, 1), "n .* -1"),
        (lambda: pass_at_k(5, -1, 1), "c .* -1"),
        (lambda: pass_at_k(5, 1, 0), "k .* 0"),
        (lambda: pass_at_k(5, 1.5, 1), "c .* 1.5"),
        (lambda: pass_hat_k(5, 6, 1), "n=5, got 6"),
        (lambda: pass_hat_k(5, float("nan"), 1), "nan"),
        (lambda: majority_at_k([], 1), "none"),
        (lambda: majority_at_k([1, -1], 1), "-1"),
        (lambda: majority_at_k([1, 0.5], 1), "0.5"),
        (lambda: majority_at_k([1, 1], 0), "k .* 0"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()
