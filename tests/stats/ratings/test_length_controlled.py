import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.ratings.length_controlled import (
    Reference,
    Weights,
    formula_se,
    length_controlled,
    win_rate_of,
)
from tests.stats.ratings.votes import table

TRUE = Weights(-1.0, 0.5, 0.3)


def verdicts(n, seed, weights=TRUE, mean=200.0):
    """Preferences, differences of lengths and difficulties by the model itself."""
    random = np.random.default_rng(seed)
    difficulty, delta = random.normal(0, 1, n), random.normal(mean, 500, n)
    z = weights.length * np.tanh(delta / delta.std(ddof=1)) + weights.difficulty * difficulty + weights.model
    return (random.random(n) < 1 / (1 + np.exp(-z))).astype(float), delta, difficulty


def test_by_hand():
    weights = Weights(-2, 1, 0)
    chances = np.array([1 / (1 + np.e), 0.5, np.e / (1 + np.e)])
    assert win_rate_of(weights, [-1, 0, 1]) == pytest.approx(0.5)
    assert formula_se(weights, [-1, 0, 1]) == pytest.approx(chances.std(ddof=1) / np.sqrt(3))


def test_scikit_learns_penalised_logistic_regression_gives_the_same():
    linear = pytest.importorskip("sklearn.linear_model")
    random = np.random.default_rng(0)
    _, delta, difficulty = verdicts(300, 1)
    y = random.random(300)
    x = np.column_stack([np.tanh(delta / delta.std(ddof=1)), difficulty, np.ones(300)])
    oracle = linear.LogisticRegression(C=1 / 2.5, tol=1e-10, fit_intercept=False, max_iter=10_000)
    oracle.fit(np.tile(x, (2, 1)), np.repeat([1, 0], 300), sample_weight=np.append(y, 1 - y))
    found = length_controlled(y, delta, difficulty, penalty=2.5, draws=10).weights
    assert [found.length, found.difficulty, found.model] == pytest.approx(oracle.coef_[0].tolist(), abs=1e-5)


def test_weights_come_back_and_the_plain_win_rate_is_another():
    y, delta, difficulty = verdicts(40_000, 2, TRUE)
    found = length_controlled(y, delta, difficulty, draws=50)
    assert [found.weights.length, found.weights.difficulty, found.weights.model] == pytest.approx(
        [-1, 0.5, 0.3], abs=0.08
    )
    assert found.win_rate == pytest.approx(win_rate_of(TRUE, difficulty), abs=0.015)
    assert found.plain < found.win_rate - 0.05
    assert found.plain == y.mean()


@given(st.integers(0, 1_000))
def test_with_sides_exchanged_the_win_rate_is_the_rest(seed):
    y, delta, difficulty = verdicts(60, seed)
    one = length_controlled(y, delta, difficulty, draws=50)
    other = length_controlled(1 - y, -delta, -difficulty, draws=50)
    assert other.weights.difficulty == pytest.approx(one.weights.difficulty, abs=1e-7)
    assert other.win_rate == pytest.approx(1 - one.win_rate, abs=1e-7)
    assert other.interval.low == pytest.approx(1 - one.interval.high, abs=1e-6)
    assert one.interval.low <= one.win_rate <= one.interval.high


def test_each_draw_is_fitted_to_the_end():
    """A draw's weights are those of its instructions, each as often as drawn."""
    y, delta, difficulty = verdicts(80, 4)
    again = length_controlled(y, delta, difficulty, draws=1, seed=7, level=0.5)
    drawn = np.random.default_rng(7).multinomial(80, np.full(80, 1 / 80), 1)[0]
    from scipy.optimize import minimize

    x = np.column_stack([np.tanh(delta / delta.std(ddof=1)), difficulty, np.ones(80)])

    def loss(w):
        z = x @ w
        return (drawn * (np.logaddexp(0, z) - y * z)).sum() + w @ w / 2

    w = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-8}).x
    rate = (drawn / (1 + np.exp(-w[1] * difficulty - w[2]))).sum() / 80
    assert again.interval.low == again.interval.high == pytest.approx(rate, abs=1e-6)


def test_a_reference_tells_length_from_model_where_all_answers_are_longer():
    """All answers of the model are longer. Verdicts on the baseline made longer say what length does."""
    random = np.random.default_rng(5)
    n = 800
    y, delta, difficulty = verdicts(n, 6, TRUE, mean=-3_000)
    alone = length_controlled(y, delta, difficulty, draws=20)
    length = random.normal(0, 1, 2 * n)
    instruction = np.tile(np.arange(n), 2)
    z = -np.tanh(length) + 0.5 * difficulty[instruction]
    known = Reference((random.random(2 * n) < 1 / (1 + np.exp(-z))).astype(float), length, instruction, 1.0)
    helped = length_controlled(y, delta, difficulty, reference=known, draws=20)
    truth = win_rate_of(TRUE, difficulty)
    assert abs(helped.win_rate - truth) < 0.04 < abs(alone.win_rate - truth)
    assert helped.weights.length == pytest.approx(-1, abs=0.25)


@pytest.mark.slow
def test_the_interval_covers_where_the_published_formula_does_not():
    difficulty = np.random.default_rng(1).normal(0, 1, 200_000)
    truth, covered, by_formula, tries = win_rate_of(TRUE, difficulty), 0, 0, 200
    for seed in range(tries):
        found = length_controlled(*verdicts(400, seed, TRUE), draws=200)
        covered += found.interval.low <= truth <= found.interval.high
        by_formula += abs(found.win_rate - truth) < 1.96 * found.formula_se
    assert covered / tries == pytest.approx(0.95, abs=0.04)
    assert by_formula / tries < 0.6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0.1, 0.2], [1, 2], [1]), "got 2, 2 and 1"),
        (([0.1, 1.2], [1, 2], [1, 2]), "preference must lie between 0 and 1, got 1.2"),
        (([0.1], [1], [1]), "two instructions or more"),
        (([0.1, 0.2], [5, 5], [1, 2]), "no length to control"),
        (([0.1, np.nan], [5, 6], [1, 2]), "preference must be finite"),
        ((["a", "b"], [5, 6], [1, 2]), "preference must be numbers"),
    ],
)
def test_verdicts_that_are_none_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        length_controlled(*arguments)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"penalty": 0}, "penalty must be above 0"),
        ({"draws": 0}, "at least 1 draw"),
        ({"level": 95}, "confidence level"),
        ({"reference": Reference(np.array([0.5]), np.array([1.0]), np.array([2]))}, "numbers from 0 to 1"),
        ({"reference": Reference(np.array([2.0]), np.array([1.0]), np.array([0]))}, "between 0 and 1"),
        ({"reference": Reference(np.array([1.0]), np.array([1.0, 2]), np.array([0]))}, "a length and an"),
        ({"reference": Reference(np.array([1.0]), np.array([1.0]), np.array([0]), 0.0)}, "weight must be"),
    ],
)
def test_settings_that_are_none_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        length_controlled([0.1, 0.7], [5, 6], [1, 2], **wrong)


def test_one_instruction_has_no_standard_error():
    with pytest.raises(ValueError, match="two instructions or more"):
        formula_se(Weights(0, 1, 0), [1])


@pytest.fixture(scope="module")
def published(data_dir):
    folder = data_dir / "alpacaeval2"
    weights = {}
    for row in table(folder / "published_lc_glm_weights.csv"):
        name, *numbers = row.values()
        weights[name] = Weights(*map(float, numbers))
    board = {next(iter(row.values())): row for row in table(folder / "published_leaderboard.csv")}
    difficulty = [
        float(row["difficulty_reconstructed"])
        for row in table(folder / "instruction_difficulty_RECONSTRUCTED.csv")
    ]
    return weights, board, np.array(difficulty)


def rows_of(data_dir):
    import duckdb

    path = data_dir / "alpacaeval2" / "annotations_compact.parquet"
    rows = duckdb.read_parquet(str(path)).order("model, pos").fetchnumpy()
    names = np.asarray(rows["model"])
    return {name: {key: np.asarray(rows[key])[names == name] for key in rows} for name in sorted(set(names))}


@pytest.mark.data
def test_published_win_rates_from_published_weights(published):
    """By a difficulty reconstructed from the table itself, since the official one is not public."""
    weights, board, difficulty = published
    listed = [name for name in weights if board.get(name, {}).get("length_controlled_winrate")]
    assert len(listed) == 199
    off = np.array(
        [
            100 * win_rate_of(weights[name], difficulty) - float(board[name]["length_controlled_winrate"])
            for name in listed
        ]
    )
    assert np.sqrt((off**2).mean()) == pytest.approx(0.37, abs=0.005)
    assert np.abs(off).max() < 1.26
    ratio = [
        100 * formula_se(weights[name], difficulty) / float(board[name]["lc_standard_error"])
        for name in listed
        if board[name]["lc_standard_error"] and float(board[name]["lc_standard_error"])
    ]
    assert np.median(ratio) == pytest.approx(1, abs=0.1)


@pytest.mark.data
def test_published_win_rates_and_errors_from_verdicts(published, data_dir):
    _, board, _ = published
    found = 0
    for name, rows in rows_of(data_dir).items():
        if name not in board:
            continue
        preference = np.where(rows["preference"] == 0, 1.5, rows["preference"]) - 1
        assert 100 * preference.mean() == pytest.approx(float(board[name]["win_rate"]), abs=1e-9)
        se = 100 * preference.std(ddof=1) / np.sqrt(len(preference))
        assert se == pytest.approx(float(board[name]["standard_error"]), abs=1e-9)
        found += 1
    assert found == 57


@pytest.mark.data
def test_weights_fitted_anew_come_closer_than_plain_win_rates(published, data_dir):
    """Without the verdicts on the baseline made longer and shorter, which are not public either."""
    weights, board, difficulty = published
    ours, plain, theirs, wider = [], [], [], []
    for name, rows in rows_of(data_dir).items():
        if name not in weights or not np.ptp(rows["len_base"] - rows["len_model"]):
            continue
        preference = np.where(rows["preference"] == 0, 1.5, rows["preference"]) - 1
        difference = rows["len_base"].astype(float) - rows["len_model"]
        found = length_controlled(preference, difference, difficulty[rows["instr"]], draws=100)
        ours.append(100 * found.win_rate)
        plain.append(100 * found.plain)
        theirs.append(float(board[name]["length_controlled_winrate"]))
        wider.append((found.interval.high - found.interval.low) / 2 / 1.96 / found.formula_se)
    off, raw = np.array(ours) - theirs, np.array(plain) - theirs
    assert np.sqrt((off**2).mean()) < 2.1 < 5.7 < np.sqrt((raw**2).mean())
    assert np.median(np.abs(off)) < 1
    assert np.median(wider) > 1.3
