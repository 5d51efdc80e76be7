import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import t

from bakeoff.stats.classes.ppi import allocation, effective_n, labels_needed, ppi_mean
from bakeoff.stats.mean.proportion import wilson


def judged(random, n, rate, accuracy):
    labels = (random.random(n) < rate).astype(float)
    return labels, np.where(random.random(n) < accuracy, labels, 1 - labels)


def graded(seed=0, n=60, more=400):
    random = np.random.default_rng(seed)
    quality = random.normal(0, 1, n + more)
    verdicts = quality + random.normal(0.3, 0.5, n + more)
    return quality[:n] + 2, verdicts[:n], verdicts[n:]


# Angelopoulos et al. 2023 (Science 382:669): with weight 1, the mean of the verdicts and of their errors.
def test_weight_1_is_the_plain_correction():
    labels, verdicts, unlabelled = graded()
    found = ppi_mean(labels, verdicts, unlabelled, weight=1)
    assert found.value == pytest.approx(unlabelled.mean() + (labels - verdicts).mean(), abs=1e-12)
    variance = (labels - verdicts).var(ddof=1) / 60 + unlabelled.var(ddof=1) / 400
    assert found.error == pytest.approx(variance**0.5, abs=1e-12)
    half = t.ppf(0.975, 59) * variance**0.5
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (found.value - half, found.value + half)
    )


def test_weight_0_is_the_mean_of_the_labels():
    labels, verdicts, unlabelled = graded()
    found = ppi_mean(labels, verdicts, unlabelled, weight=0)
    assert found.value == pytest.approx(labels.mean())
    assert found.effective_n == pytest.approx(60)


# Angelopoulos, Duchi & Zrnic 2023, example 6.1.
def test_the_weight_is_the_one_of_least_variance():
    labels, verdicts, unlabelled = graded(n=4_000, more=20_000)
    found = ppi_mean(labels, verdicts, unlabelled)
    best = minimize_scalar(
        lambda weight: ppi_mean(labels, verdicts, unlabelled, weight=weight).error, bounds=(0, 1)
    )
    assert found.error == pytest.approx(best.fun, rel=1e-3)
    assert 0.5 < found.weight < 0.8
    correlation = np.corrcoef(labels, verdicts)[0, 1]
    assert found.effective_n == pytest.approx(effective_n(4_000, 20_000, correlation), rel=0.02)


def test_a_judge_that_contradicts_people_or_says_always_the_same_is_not_listened_to():
    labels, verdicts, unlabelled = graded()
    for other in (-verdicts, np.full(60, 3.0)):
        found = ppi_mean(labels, other, np.full(400, 3.0) if other[0] == other[1] else -unlabelled)
        assert (found.weight, found.value) == (0, pytest.approx(labels.mean()))


def test_the_judges_bias_is_taken_out():
    random = np.random.default_rng(4)
    labels, verdicts = judged(random, 20_000, 0.7, 1.0)
    verdicts = np.maximum(verdicts, random.random(20_000) < 0.5)
    found = ppi_mean(labels[:2_000], verdicts[:2_000], verdicts[2_000:])
    assert found.interval.low < 0.7 < found.interval.high
    assert verdicts.mean() > 0.8
    assert found.effective_n > 2_500


def test_differences_of_models_gain_as_scores_do():
    random = np.random.default_rng(7)
    true = random.choice([-1.0, 0.0, 1.0], 3_000, p=[0.1, 0.7, 0.2])
    seen = np.where(random.random(3_000) < 0.9, true, 0.0)
    found = ppi_mean(true[:300], seen[:300], seen[300:])
    assert found.interval.low < 0.1 < found.interval.high
    assert found.effective_n > 900


# Wilson with as many items as give the standard error.
def test_the_interval_for_verdicts_of_0_and_1_stays_inside():
    random = np.random.default_rng(3)
    labels, verdicts = judged(random, 60, 0.85, 0.85)
    _, unlabelled = judged(random, 2_000, 0.85, 0.85)
    found = ppi_mean(labels, verdicts, unlabelled)
    assert found.interval.method == "wilson-ppi"
    assert 0 < found.interval.low < found.value < found.interval.high < 1
    n, z = found.value * (1 - found.value) / found.error**2, t.ppf(0.975, 59)
    for limit in (found.interval.low, found.interval.high):
        assert (found.value - limit) ** 2 == pytest.approx(z * z * limit * (1 - limit) / n)


@pytest.mark.parametrize(
    ("labels", "verdicts"),
    [
        ([1] * 30 + [0] * 20, [1] * 30 + [0] * 20),  # never apart
        ([1] * 50, [1] * 40 + [0] * 10),  # one kind of label
        ([1] * 30 + [0] * 20, [1] * 34 + [0] * 16),  # apart four times
    ],
)
def test_where_the_judges_errors_are_hardly_known_only_the_labels_count(labels, verdicts):
    found = ppi_mean(labels, verdicts, [1, 0] * 500)
    alone = wilson(sum(labels), 50)
    assert (found.value, found.weight) == (np.mean(labels), 0)
    assert (found.interval.low, found.interval.high) == (alone.low, alone.high)
    assert found.interval.method == "wilson (labels alone)"


def test_without_spread_there_is_no_interval():
    found = ppi_mean([0.5] * 10, [0.3] * 10, [0.3] * 20)
    assert (found.value, found.error, found.interval, found.effective_n) == (0.5, None, None, None)


@given(st.integers(0, 9_999), st.sampled_from([0.5, 0.9]))
def test_the_order_of_items_changes_nothing(seed, rate):
    random = np.random.default_rng(seed)
    labels, verdicts = judged(random, 40, rate, 0.8)
    _, unlabelled = judged(random, 90, rate, 0.8)
    order = random.permutation(40)
    one, other = (
        ppi_mean(labels, verdicts, unlabelled),
        ppi_mean(labels[order], verdicts[order], unlabelled[random.permutation(90)]),
    )
    assert (other.value, other.interval.low, other.interval.high) == pytest.approx(
        (one.value, one.interval.low, one.interval.high)
    )


# The power analysis of ppi_py on its "ballots" data: Broska, Howes & van Loon 2024.
BALLOTS = 0.975093210410465


def test_the_best_allocation_of_a_budget_is_the_published_one():
    found = allocation(BALLOTS, label_cost=1, verdict_cost=0.1, budget=1_000)
    assert (found.labels, found.unlabelled) == (418, 5398)
    assert found.cost == pytest.approx(999.6)
    assert round(found.effective_n) == 3557


def test_the_cheapest_allocation_for_a_precision_is_the_published_one():
    found = allocation(BALLOTS, label_cost=1, verdict_cost=0.1, effective_n=35_000)
    assert (found.labels, found.unlabelled) == (4115, 53100)
    assert found.cost == pytest.approx(9836.5)
    assert round(found.effective_n) == 34998


@given(st.floats(0.05, 0.99), st.floats(0.01, 0.5))
def test_no_other_split_of_the_budget_does_better(correlation, price):
    found = allocation(correlation, label_cost=1, verdict_cost=price, budget=2_000)
    assert found.cost <= 2_000
    for labels in np.linspace(20, 2_000 / (1 + price), 60):
        more = max(0.0, (2_000 - labels * (1 + price)) / price)
        assert effective_n(labels, more, correlation) <= found.effective_n * 1.01 + 2


def test_a_judge_dearer_than_its_knowledge_is_not_asked():
    found = allocation(0.2, label_cost=1, verdict_cost=0.9, budget=100)
    assert (found.labels, found.unlabelled, found.cost) == (100, 0, 100)
    assert allocation(0, label_cost=1, verdict_cost=0.1, effective_n=99.5).labels == 100


# A rate of .9 to ± .05: 138 labels by Wald's formula.
def test_labels_for_a_rate():
    assert round(labels_needed(0.05, 0.09)) == 138
    assert labels_needed(0.05, 0.09, 0.8) == pytest.approx(0.36 * labels_needed(0.05, 0.09))


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 50, 200])
@pytest.mark.parametrize("rate", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("accuracy", [0.7, 0.9, 0.99])
def test_the_true_rate_is_covered(n, rate, accuracy):
    random, boards = np.random.default_rng(8), 400
    covered = []
    for _ in range(boards):
        labels, verdicts = judged(random, n, rate, accuracy)
        _, unlabelled = judged(random, 10 * n, rate, accuracy)
        interval = ppi_mean(labels, verdicts, unlabelled).interval
        covered.append(interval.low <= rate <= interval.high)
    assert np.mean(covered) > 0.92 - 2 * (0.05 * 0.95 / boards) ** 0.5


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: ppi_mean([], [], [1, 2]), "labels"),
        (lambda: ppi_mean([1, 2], [1], [1, 2]), "2 labels and 1 verdicts"),
        (lambda: ppi_mean([1], [1], [1, 2]), "got 1 and 2"),
        (lambda: ppi_mean([1, 2], [1, 2], [1]), "got 2 and 1"),
        (lambda: ppi_mean([1, float("nan")], [1, 2], [1, 2]), "labels .* nan"),
        (lambda: ppi_mean([1, 2], [1, 2], [1, 2], weight=1.5), "1.5"),
        (lambda: ppi_mean([1, 2], [1, 2], [1, 2], level=95), "95"),
        (lambda: effective_n(0, 5, 0.5), "got 0, 5"),
        (lambda: effective_n(5, float("nan"), 0.5), "got 5, nan"),
        (lambda: effective_n(5, 5, 2), "got 2"),
        (lambda: allocation(1.0, label_cost=1, verdict_cost=1, budget=9), "got 1.0"),
        (lambda: allocation(0.5, label_cost=0, verdict_cost=1, budget=9), "got 0 a label"),
        (lambda: allocation(0.5, label_cost=1, verdict_cost=1), "either budget or"),
        (lambda: allocation(0.5, label_cost=1, verdict_cost=1, budget=9, effective_n=9), "either budget or"),
        (lambda: allocation(0.5, label_cost=1, verdict_cost=1, budget=0.5), "one label"),
        (lambda: allocation(0.9, label_cost=1, verdict_cost=0.01, budget=float("nan")), "one label"),
        (lambda: labels_needed(0, 1), "got 0"),
        (lambda: labels_needed(1, 1, 7), "got 7"),
    ],
)
def test_bad_input_is_refused_with_its_value(call, named):
    with pytest.raises(ValueError, match=named):
        call()
