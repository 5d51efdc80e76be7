"""Aggregates that leaderboards published, recomputed from the scores they published beside them.

Open LLM Leaderboard v1 (Beeching et al. 2023) and v2 (Fourrier et al. 2024), LiveBench (White et al. 2024),
HELM Classic (Liang et al. 2022), and the agreement between tasks in the sense of Zhang & Hardt 2024 (ICML),
whose tables of BIG-Bench Hard and SuperGLUE these are.
"""

from pathlib import Path

import numpy as np
import pytest

from bakeoff.stats.board.aggregate import normalised, weighted_mean
from bakeoff.stats.board.winrate import mean_win_rate
from bakeoff.stats.prompts.variants import kendall_w

pytestmark = pytest.mark.data

V2_SCORES = "ifeval, bbh, math_lvl_5, gpqa, musr, mmlu_pro"
# Averages of scores published to two places; the last snapshot has all of them.
V2_SNAPSHOTS = {
    "2024-07-13": (237, 0.0067),
    "2024-09-28": (1174, 0.0067),
    "2024-12-07": (2167, 0.0067),
    "2025-03-21": (4576, 1e-9),
}


@pytest.mark.parametrize("snapshot", V2_SNAPSHOTS)
def test_open_llm_v2_averages_six_tasks(data_dir: Path, snapshot):
    rows, rounding = V2_SNAPSHOTS[snapshot]
    table = query(
        f"SELECT average, {V2_SCORES} FROM '{data_dir}/open_llm_leaderboard_v2/data.parquet' "
        f"WHERE snapshot = '{snapshot}'"
    )
    assert len(table) == rows
    assert np.abs(np.array(weighted_mean(table[:, 1:]).mean) - table[:, 0]).max() <= rounding


# The two tasks without subtasks of different chance; the leaderboard clips at 0 what is below chance.
@pytest.mark.parametrize(("task", "chance", "some_below"), [("gpqa", 0.25, True), ("mmlu_pro", 0.1, False)])
def test_open_llm_v2_normalises_by_chance_and_clips(data_dir: Path, task, chance, some_below):
    table = query(
        f"SELECT {task}, {task}_raw FROM '{data_dir}/open_llm_leaderboard_v2/data.parquet' "
        "WHERE snapshot = '2025-03-21'"
    )
    ours = 100 * normalised(table[:, 1], chance)
    assert np.abs(np.maximum(0, ours) - table[:, 0]).max() < 1e-9
    assert (ours < 0).any() == some_below


def test_open_llm_v1_averages_six_tasks(data_dir: Path):
    table = query(
        "SELECT average, arc, hellaswag, mmlu, truthfulqa, winogrande, gsm8k "
        f"FROM '{data_dir}/open_llm_leaderboard_v1/data.parquet'"
    )
    assert len(table) == 7169
    assert np.abs(np.array(weighted_mean(table[:, 1:]).mean) - table[:, 0]).max() < 0.0084


def test_livebench_averages_six_categories(data_dir: Path):
    _, metrics, table = leaderboard(data_dir, "ibm_benchbench", "livebench: %", "2024-08-29")
    overall = metrics.index("livebench: livebench_240725")
    means = np.array(weighted_mean(np.delete(table, overall, axis=1)).mean)
    assert table.shape == (70, 7)
    assert np.abs(means - table[:, overall]).max() <= 0.0067


@pytest.fixture(scope="module")
def helm_classic(data_dir: Path):
    _, metrics, table = leaderboard(data_dir, "helm_classic", "accuracy: %")
    published = metrics.index("accuracy: Mean win rate")
    return table[:, published], np.delete(table, published, axis=1)


# 67 models on 16 scenarios; the scores and win rates are rounded, and many cells are missing.
def test_mean_win_rate_reproduces_helm_classic(helm_classic):
    published, scores = helm_classic
    differences = np.abs(np.array(mean_win_rate(scores)) - published)
    assert scores.shape == (67, 16)
    assert differences.max() == pytest.approx(0.0189, abs=5e-5)
    assert differences.mean() == pytest.approx(0.0022, abs=5e-5)


def test_dropping_a_model_moves_others_on_helm_classic(helm_classic):
    _, scores = helm_classic
    rates = np.array(mean_win_rate(scores))
    moved = 0
    for dropped in range(67):
        rest = np.delete(np.arange(67), dropped)
        moved += int((places(rates[rest]) != places(np.array(mean_win_rate(scores[rest])))).sum())
    assert moved == 543
    assert 67 * 66 == 4422


@pytest.mark.parametrize(
    ("board", "left_out", "shape", "diversity"),
    [("bbh", ["Average"], (107, 27), 0.32), ("superglue", ["Score", "AX-b", "AX-g"], (28, 8), 0.13)],
)
def test_tasks_agree_on_the_order_of_models_as_published(data_dir: Path, board, left_out, shape, diversity):
    _, metrics, table = leaderboard(data_dir, board)
    scores = table[:, [metric not in left_out for metric in metrics]]
    assert scores.shape == shape
    assert 1 - kendall_w(scores.T) == pytest.approx(diversity, abs=0.005)


def query(sql: str) -> np.ndarray:
    import duckdb

    return np.array(duckdb.sql(sql).fetchall(), dtype=float)


def leaderboard(data_dir: Path, name: str, metric: str = "%", snapshot: str = "%"):
    """Models, metrics and the table of one leaderboard, NaN where it has no value."""
    import duckdb

    rows = duckdb.sql(
        f"SELECT model, metric, value FROM '{data_dir}/leaderboards/data.parquet' "
        f"WHERE leaderboard = '{name}' AND metric LIKE '{metric}' AND snapshot LIKE '{snapshot}'"
    ).fetchall()
    models, metrics = (sorted({row[i] for row in rows}) for i in (0, 1))
    table = np.full((len(models), len(metrics)), np.nan)
    for model, column, value in rows:
        table[models.index(model), metrics.index(column)] = value
    return models, metrics, table


def places(scores: np.ndarray) -> np.ndarray:
    """How many are above each."""
    return (scores[None, :] > scores[:, None]).sum(axis=1)
