import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax

from bakeoff.stats.confidence.reliability import ece
from bakeoff.stats.confidence.temperature import cross_fit, fit_status, fit_temperature


def overconfident(n, temperature, seed=0):
    """Items of two to five options whose targets are drawn from the softmax of the logits / temperature."""
    random = np.random.default_rng(seed)
    logits, target = [], []
    for size in random.integers(2, 6, n):
        row = random.normal(0, 3, size)
        logits.append(row.tolist())
        target.append(int(random.choice(size, p=np.exp(log_softmax(row / temperature)))))
    return logits, target


def keys(n):
    return [f"item {i}" for i in range(n)]


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.5])
def test_it_finds_the_temperature_that_the_targets_were_drawn_with(temperature):
    fitted = fit_temperature(*overconfident(4_000, temperature))
    assert fitted == pytest.approx(temperature, rel=0.1)


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_no_other_temperature_makes_the_targets_more_likely(seed):
    logits, target = overconfident(40, 2.0, seed)
    fitted = fit_temperature(logits, target)

    def loss(log_temperature):
        rows = zip(logits, target, strict=True)
        return -sum(log_softmax(np.array(row) / np.exp(log_temperature))[t] for row, t in rows)

    if fitted is None:
        assert fit_status(logits, target) != "fitted"
        assert loss(10) <= loss(1) or loss(-3) <= loss(-2)
        return
    best = minimize_scalar(loss, bounds=(-6, 12), method="bounded", options={"xatol": 1e-10})
    assert loss(np.log(fitted)) <= best.fun + 1e-9


@given(st.floats(1e-4, 1e4))
def test_scaled_log_likelihoods_scale_the_temperature(scale):
    logits, target = overconfident(60, 1.5)
    fitted = fit_temperature([[x * scale for x in row] for row in logits], target)
    assert fitted == pytest.approx(scale * fit_temperature(logits, target), rel=1e-9)


def test_a_constant_for_all_options_of_an_item_changes_nothing():
    logits, target = overconfident(60, 1.5)
    lower = [[x - 100 * i for x in row] for i, row in enumerate(logits)]
    assert fit_temperature(lower, target) == pytest.approx(fit_temperature(logits, target), rel=1e-9)


@pytest.mark.parametrize(
    ("logits", "target", "status"),
    [
        ([[2, 1], [0, 3]], [0, 1], "all right"),
        ([[2, 1], [0, 3]], [1, 0], "all wrong"),
        ([[3, 2, 0], [3, 2, 0]], [1, 1], "all wrong"),
        ([[2, 0], [0, 3]], [0, 0], "no signal"),
        ([[1, 1], [4, 4]], [0, 1], "no signal"),
        ([[2, 0], [0, 1]], [0, 0], "fitted"),
    ],
)
def test_where_no_temperature_is_best_it_says_why(logits, target, status):
    assert fit_status(logits, target) == status
    assert (fit_temperature(logits, target) is None) == (status != "fitted")


def test_cross_fitting_mends_overconfidence():
    logits, target = overconfident(4_000, 2.5)
    result = cross_fit(logits, target, keys=keys(4_000))
    assert result.status == "fitted"
    assert result.temperature == fit_temperature(logits, target)
    assert result.fold_temperatures == pytest.approx([2.5] * 5, rel=0.15)
    assert result.ece_before > 0.15
    assert result.ece_after < 0.03
    assert result.ece_before == ece(result.raw, result.correct)
    assert result.ece_after == ece(result.calibrated, result.correct)
    assert result.correct[:50] == tuple(
        int(np.argmax(row) == t) for row, t in zip(logits[:50], target[:50], strict=True)
    )
    assert result.raw[0] == pytest.approx(np.exp(log_softmax(logits[0])).max())


def test_no_items_target_touches_its_own_confidence_nor_that_of_its_group():
    logits, target = overconfident(60, 1.5)
    groups = [f"passage {i // 3}" for i in range(60)]
    before = cross_fit(logits, target, keys=groups)
    changed = list(target)
    changed[7] = 0 if target[7] else 1
    after = cross_fit(logits, changed, keys=groups)
    same = {i for i in range(60) if before.calibrated[i] == after.calibrated[i]}
    assert {6, 7, 8} <= same
    # About a fifth of all are in its fold, and the others' temperature has changed.
    assert len(same) <= 20


def test_neither_the_order_of_items_nor_of_folds_is_a_matter_of_position():
    logits, target = overconfident(80, 1.5)
    result = cross_fit(logits, target, keys=keys(80))
    order = np.random.default_rng(1).permutation(80)
    shuffled = cross_fit(
        [logits[i] for i in order], [target[i] for i in order], keys=[keys(80)[i] for i in order]
    )
    assert shuffled.calibrated == pytest.approx([result.calibrated[i] for i in order], rel=1e-9)
    assert shuffled.fold_temperatures == pytest.approx(result.fold_temperatures, rel=1e-9)
    other = cross_fit(logits, target, keys=keys(80), seed=1)
    assert other.fold_temperatures != result.fold_temperatures


def test_a_fit_that_fails_says_so_and_leaves_no_confidences():
    result = cross_fit([[2, 0]] * 6, [0] * 6, keys=keys(6), folds=3)
    assert (result.status, result.temperature, result.calibrated, result.ece_after) == (
        "all right",
        None,
        None,
        None,
    )
    assert result.ece_before == pytest.approx(1 - 1 / (1 + np.exp(-2)))
    # One wrong answer: without it, its own fold's temperature cannot be fitted.
    lone = cross_fit([[2, 0]] * 6, [1] + [0] * 5, keys=keys(6), folds=6)
    assert (lone.status, lone.calibrated) == ("all right", None)
    assert lone.temperature is not None
    assert lone.fold_temperatures.count(None) == 1


@pytest.mark.parametrize(
    ("logits", "target", "options", "named"),
    [
        ([], [], {"keys": []}, "at least one item"),
        ([[1, 2]], [2], {"keys": ["a"]}, "target of item 0 .* 2 options, got 2"),
        ([[1, 2]], [0, 1], {"keys": ["a"]}, "1 rows of log_likelihoods and 2 targets"),
        ([[1, float("-inf")]], [0], {"keys": ["a"]}, "item 0 must be finite, got -inf"),
        ([[1, 2], [2, 1]], [0, 0], {"keys": ["a"]}, "2 items and 1 keys"),
        ([[1, 2], [2, 1]], [0, 0], {"keys": ["a", "b"], "folds": 1}, "folds must be at least 2, got 1"),
        ([[1, 2], [2, 1]], [0, 0], {"keys": ["a", "a"], "folds": 2}, "the 1 different keys, got 2"),
    ],
)
def test_bad_input_is_refused_with_its_value(logits, target, options, named):
    with pytest.raises(ValueError, match=named):
        cross_fit(logits, target, **options)
