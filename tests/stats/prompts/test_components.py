import random
from math import prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.stats import t as student

from bakeoff.stats.prompts.components import components

# Four prompts by six items; its mean squares and all that follows were worked independently.
TOY = [[1, 1, 0, 1, 0, 1], [1, 0, 0, 1, 0, 1], [1, 1, 1, 1, 0, 1], [1, 1, 0, 0, 0, 1]]
tables = st.tuples(st.integers(1, 5), st.integers(2, 6), st.integers(1, 3)).flatmap(
    lambda shape: st.lists(st.sampled_from([0.0, 0.1, 1.0]), min_size=prod(shape), max_size=prod(shape)).map(
        lambda cells: np.reshape(cells, shape)
    )
)


def test_the_two_way_layout_of_a_worked_example():
    found = components(TOY)
    assert found.mean == 0.625
    assert found.mean_squares == pytest.approx(
        {"variants": 0.152778, "items": 0.675, "residual": 0.119444}, abs=5e-7
    )
    assert (found.variants, found.items, found.residual) == pytest.approx(
        (0.005556, 0.138889, 0.119444), abs=5e-7
    )
    assert found.variance == pytest.approx(0.029514, abs=5e-7)
    assert (found.interaction, found.repeats) == (None, None)
    assert found.shares == pytest.approx(
        {
            "variants": found.variants / 4 / found.variance,
            "items": found.items / 6 / found.variance,
            "residual": found.residual / 24 / found.variance,
        }
    )


# Satterthwaite 1946: (MS_v + MS_i - MS_r)² over Σ MS²/df, with 3, 5 and 15 degrees of freedom.
def test_satterthwaites_degrees_of_freedom():
    variants, items, residual = 0.152778, 0.675, 0.119444
    df = (variants + items - residual) ** 2 / (variants**2 / 3 + items**2 / 5 + residual**2 / 15)
    assert components(TOY).df == pytest.approx(df, rel=1e-5)


def test_wide_of_the_bounds_the_interval_is_students():
    random = np.random.default_rng(0)
    table = (random.random((40, 300)) < 0.5).astype(float)
    found = components(table)
    half = student.ppf(0.975, found.df) * found.standard_error
    assert (found.interval.low, found.interval.high) == pytest.approx(
        (found.mean - half, found.mean + half), abs=2e-4
    )


@given(tables)
def test_the_mean_squares_split_the_sum_of_squares(cells):
    variants, items, repeats = cells.shape
    found = components(cells)
    df = {
        "variants": variants - 1,
        "items": items - 1,
        "interaction": (variants - 1) * (items - 1),
        "residual": (variants - 1) * (items - 1),
        "repeats": variants * items * (repeats - 1),
    }
    total = sum(df[source] * square for source, square in found.mean_squares.items())
    assert total == pytest.approx(((cells - cells.mean()) ** 2).sum(), abs=1e-9)


@given(tables)
def test_the_variance_of_the_mean_is_the_sum_of_its_parts(cells):
    variants, items, repeats = cells.shape
    found = components(cells)
    draws = {
        "variants": variants,
        "items": items,
        "interaction": variants * items,
        "residual": variants * items,
        "repeats": variants * items * repeats,
    }
    parts = {source: getattr(found, source) for source in draws}
    expected = {source for source, n in draws.items() if parts[source] is not None}
    assert expected == set(found.mean_squares)
    assert all(parts[source] >= 0 for source in expected)
    assert found.variance == pytest.approx(sum(parts[s] / draws[s] for s in expected), abs=1e-12)
    if found.variance > 0:
        assert sum(found.shares.values()) == pytest.approx(1)
        assert set(found.shares) == expected
    else:
        assert found.shares == {}


def test_without_truncation_it_is_ms_variants_plus_ms_items_less_ms_residual():
    assert components(TOY).variance == pytest.approx((0.1527778 + 0.675 - 0.1194444) / 24, abs=1e-6)


# Searle, Casella & McCulloch 1992: the estimates are unbiased, truncation at 0 aside.
@pytest.mark.slow
def test_the_components_are_those_that_the_scores_were_made_of():
    random, truth = np.random.default_rng(1), (0.02, 0.04, 0.01, 0.05)
    variants, items, repeats = 6, 40, 3
    found = []
    for _ in range(600):
        effects = [
            random.uniform(-1, 1, shape) * (3 * variance) ** 0.5
            for variance, shape in zip(
                truth,
                [(variants, 1, 1), (1, items, 1), (variants, items, 1), (variants, items, repeats)],
                strict=True,
            )
        ]
        # Scaled into [0, 1]; the variances shrink by the square.
        one = components(0.5 + sum(effects) / 4)
        found.append([one.variants, one.items, one.interaction, one.repeats, one.variance])
    means, errors = np.mean(found, axis=0), np.std(found, axis=0) / len(found) ** 0.5
    parts = np.array(truth) / 16
    expected = [*parts, parts @ [1 / 6, 1 / 40, 1 / 240, 1 / 720]]
    assert np.abs(means - expected) == pytest.approx(np.zeros(5), abs=4 * errors.max())
    assert (np.abs(means - expected) < 4 * errors).all()


def test_repeats_that_say_the_same_change_nothing():
    once, thrice = components(TOY), components(np.repeat(np.array(TOY)[:, :, None], 3, axis=2))
    assert thrice.repeats == 0
    assert thrice.interaction == pytest.approx(once.residual)
    assert thrice.variance == pytest.approx(once.variance)
    assert thrice.df == pytest.approx(once.df)
    assert thrice.interval.low == pytest.approx(once.interval.low)


def test_one_variant_says_nothing_of_others():
    found = components([TOY[0]])
    assert (found.variants, found.residual, found.interaction, found.repeats) == (None, None, None, None)
    assert found.items == pytest.approx(np.var(TOY[0], ddof=1))
    assert found.variance == pytest.approx(np.var(TOY[0], ddof=1) / 6)
    assert found.df == pytest.approx(5)
    repeated = components(np.array(TOY).T[None, :, :])
    assert (repeated.variants, repeated.interaction) == (None, None)
    assert repeated.repeats == pytest.approx(np.var(TOY, axis=0, ddof=1).mean())
    assert repeated.variance == pytest.approx(np.var(np.mean(TOY, axis=0), ddof=1) / 6)


def test_one_item_says_nothing_of_others():
    assert components([[1], [0], [1]]) is None


def test_with_fixed_variants_only_the_items_are_a_sample():
    found = components(TOY, variants_fixed=True)
    assert found.variants == pytest.approx(0.005556, abs=5e-7)
    assert found.variance == pytest.approx(np.var(np.mean(TOY, axis=0), ddof=1) / 6)
    assert found.df == pytest.approx(5)
    assert "variants" not in found.shares
    random, fixed = components(TOY).interval, found.interval
    assert fixed.high - fixed.low < random.high - random.low


@pytest.mark.parametrize("value", [0, 0.1, 0.5, 1])
@pytest.mark.parametrize("shape", [(1, 50), (4, 50), (4, 50, 3)])
def test_without_spread_there_is_still_doubt(value, shape):
    found = components(np.full(shape, value))
    assert (found.variance, found.shares) == (0, {})
    assert found.interval.method == "wilson-satterthwaite (n_eff = items)"
    assert found.interval.high - found.interval.low > 0.05


def test_prompts_that_differ_by_a_constant_are_all_variance_of_variants():
    found = components([[0.2] * 10, [0.4] * 10, [0.9] * 10])
    assert found.shares == pytest.approx({"variants": 1, "items": 0, "residual": 0})
    assert found.df == pytest.approx(2)
    fixed = components([[0.2] * 10, [0.4] * 10, [0.9] * 10], variants_fixed=True)
    assert fixed.variance == 0
    assert fixed.interval.high - fixed.interval.low > 0.05


def test_differences_of_two_models_are_mirrored_by_exchanging_them():
    first, second = np.array(TOY), np.array(TOY)[::-1, ::-1]
    one, other = components(first - second, lowest=-1), components(second - first, lowest=-1)
    assert one.interval.method == "tango-satterthwaite"
    assert (one.interval.low, one.interval.high) == pytest.approx((-other.interval.high, -other.interval.low))
    assert one.variance == other.variance
    equal = components(first - first, lowest=-1)
    assert equal.interval.low < 0 < equal.interval.high


@given(tables)
def test_the_interval_contains_the_mean_stays_in_range_and_never_collapses(cells):
    for table, lowest in ((cells, 0), (cells - cells[::-1, ::-1], -1)):
        found = components(table, lowest=lowest)
        assert lowest <= found.interval.low <= found.mean + 1e-9
        assert found.mean - 1e-9 <= found.interval.high <= 1
        assert found.interval.high - found.interval.low > 1e-3


# One odd cell of four: the mean squares of variants, items and residual are equal but for rounding.
@example(np.reshape([0.1, 0.1, 0.1, 1.0], (2, 2)), random.Random(0))
@example(np.reshape([0.1, 0.1, 0.1, 1.0], (2, 2)), random.Random(3))
@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_variants_items_and_repeats_changes_nothing(cells, order):
    axes = [list(range(n)) for n in cells.shape]
    for axis in axes:
        order.shuffle(axis)
    found, other = components(cells), components(cells[np.ix_(*axes)])
    assert other.mean_squares == pytest.approx(found.mean_squares, abs=1e-12)
    assert other.variance == pytest.approx(found.variance, abs=1e-12)
    assert other.interval.low == pytest.approx(found.interval.low, abs=1e-6)


# Right or wrong with a probability whose logit has normal parts of the variant, the item and the pair. 800
# draws: the standard error of a coverage is 0.009. With two or three variants it stays below 0.95: nearly
# nothing is known of their variance, and the method cannot make up for it.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("variants", "items", "repeats", "mean", "at_least"),
    [
        (10, 100, 1, 0.5, 0.93),
        (5, 100, 1, 0.5, 0.92),
        (5, 60, 3, 0.5, 0.92),
        (5, 100, 1, 4, 0.92),
        (3, 100, 1, 0.5, 0.90),
    ],
)
def test_the_mean_over_new_items_and_variants_is_covered(variants, items, repeats, mean, at_least):
    random, spread = np.random.default_rng(2), (0.5, 1.5, 0.5)
    covered = naive = 0
    logit = mean + np.sqrt(np.square(spread).sum()) * random.normal(size=400_000)
    truth = (1 / (1 + np.exp(-logit))).mean()
    for _ in range(800):
        logit = (
            mean
            + spread[0] * random.normal(size=(variants, 1, 1))
            + spread[1] * random.normal(size=(1, items, 1))
            + spread[2] * random.normal(size=(variants, items, 1))
        )
        scores = random.random((variants, items, repeats)) < 1 / (1 + np.exp(-logit))
        found = components(scores.astype(float) if repeats > 1 else scores[:, :, 0].astype(float))
        covered += found.interval.low <= truth <= found.interval.high
        cells = variants * items * repeats
        naive += abs(found.mean - truth) <= 1.96 * (found.mean * (1 - found.mean) / cells) ** 0.5
    assert covered / 800 >= at_least
    assert naive / 800 < 0.85


# Both models see the same items, and the same prompts, which they take differently.
@pytest.mark.slow
def test_the_difference_of_two_models_over_new_items_and_variants_is_covered():
    random, variants, items = np.random.default_rng(3), 6, 100
    logits = 0.4 + 1.6 * random.normal(size=400_000)
    truth = (1 / (1 + np.exp(-logits))).mean() - 0.5
    covered = 0
    for _ in range(800):
        shared = 1.2 * random.normal(size=(1, items))
        scores = []
        for mean in (0.4, 0.0):
            # The variances add up to 1.6² for each model.
            logit = (
                mean
                + shared
                + 0.5 * random.normal(size=(variants, 1))
                + 0.8 * random.normal(size=(1, items))
                + 0.23**0.5 * random.normal(size=(variants, items))
            )
            scores.append((random.random((variants, items)) < 1 / (1 + np.exp(-logit))).astype(float))
        found = components(scores[0] - scores[1], lowest=-1)
        covered += found.interval.low <= truth <= found.interval.high
    assert covered / 800 >= 0.92


@pytest.mark.parametrize(
    ("scores", "options", "named"),
    [
        ([], {}, "scores must have 2"),
        ([[1, 0], [1]], {}, "scores must be numbers"),
        ([[[[1]]]], {}, "scores must have 2"),
        ([[1, float("nan")]], {}, "finite, got nan"),
        ([[1, 1.5]], {}, "between 0 and 1, got 1.5"),
        ([[1, -0.5]], {}, "between 0 and 1, got -0.5"),
        ([[1, -1.5]], {"lowest": -1}, "between -1 and 1, got -1.5"),
        ([[1, 0]], {"level": 95}, "95"),
    ],
)
def test_bad_input_is_refused_with_its_value(scores, options, named):
    with pytest.raises(ValueError, match=named):
        components(scores, **options)
