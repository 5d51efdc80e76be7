"""Comparisons of recorded MMLU-Pro runs against paired figures computed here by other means.

Letters and answer keys: TIGER-AI-Lab/MMLU-Pro `eval_results` (Wang et al. 2024, arXiv:2406.01574), every
20th question by id and all whose key has changed since. A run whose file lacks rows, and a newer answer key,
are part of the data.
"""

import json
from itertools import combinations
from math import log
from pathlib import Path

import pytest
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import binom, norm

from bakeoff import Task, evaluate
from bakeoff.comparison.runs import compare
from bakeoff.errors import BakeoffError

pytestmark = pytest.mark.data

MODELS = ("Yi-34B", "Mixtral-8x7B-v0.1", "Meta-Llama-3-8B", "gemma-7b", "Mistral-7B-v0.1")
LACKING, NEWER = "DeepSeek-Coder-V2", "jamba-1.5-large"


@pytest.fixture(scope="module")
def letters(data_dir: Path) -> dict[str, dict[str, str | None]]:
    """By column: the letter of each question."""
    import duckdb

    file = data_dir / "mmlu_pro_predictions" / "data.parquet"
    names = ("target_v1", "target_v3", LACKING, NEWER, *MODELS)
    columns = ", ".join(f'"{name}"' for name in names)
    some = "id::INT % 20 = 0 OR target_v1 <> target_v3"
    rows = duckdb.sql(f"SELECT id, {columns} FROM '{file}' WHERE {some} ORDER BY id::INT").fetchall()
    return {name: {row[0]: row[k] for row in rows} for k, name in enumerate(names, 1)}


@pytest.fixture(scope="module")
def runs(letters, tmp_path_factory) -> dict[str, Path]:
    """By model: its run, against the key of its day."""
    folder = tmp_path_factory.mktemp("mmlu")
    found = {}
    for model in (LACKING, NEWER, *MODELS):
        key = letters["target_v3" if model == NEWER else "target_v1"]
        rows = [{"id": item, "input": f"question {item}", "target": letter} for item, letter in key.items()]
        path = folder / f"{model}.jsonl"
        said = (
            {"item_id": item, "output": letter, "model": model} for item, letter in letters[model].items()
        )
        path.write_text("".join(json.dumps(row) + "\n" for row in said))
        task = Task(name="mmlu_pro", data={"items": rows}, scorer="exact")
        found[model] = evaluate(task, f"recorded:{path}", out=folder / "runs", cache=False).folder
    return found


@pytest.fixture(scope="module")
def right(letters) -> dict[str, dict[str, bool]]:
    return {
        model: {item: letters[model][item] == letter for item, letter in letters["target_v1"].items()}
        for model in MODELS
    }


def _mid_p(b: int, c: int) -> float:
    low = min(b, c)
    return min(1.0, 2 * binom.cdf(low, b + c, 0.5) - binom.pmf(low, b + c, 0.5))


def _score_limits(b: int, c: int, n: int) -> tuple[float, float]:
    """Tango's limits from the likelihood itself: no closed form of the constrained estimate."""

    def distance(delta: float) -> float:
        # P(first alone) = q + delta, P(second alone) = q, the rest are ties.
        def minus_log_likelihood(q: float) -> float:
            first, second, tie = max(q + delta, 1e-300), max(q, 1e-300), max(1 - 2 * q - delta, 1e-300)
            return -(b * log(first) + c * log(second) + (n - b - c) * log(tie))

        q = minimize_scalar(
            minus_log_likelihood,
            bounds=(max(0, -delta), (1 - delta) / 2),
            method="bounded",
            options={"xatol": 1e-12},
        ).x
        return (b - c - n * delta) / (n * (2 * q + delta - delta**2)) ** 0.5

    z, estimate = norm.ppf(0.975), (b - c) / n
    return (
        brentq(lambda delta: distance(delta) - z, estimate - 0.3, estimate),
        brentq(lambda delta: distance(delta) + z, estimate, estimate + 0.3),
    )


def test_differences_intervals_and_p_values_are_those_of_other_computations(runs, right):
    found = compare([runs[model] for model in MODELS])
    n = found.n
    assert n == len(right["gemma-7b"]) > 600
    scores = {model: sum(right[model].values()) / n for model in MODELS}
    assert [each.label for each in found.standings] == sorted(MODELS, key=lambda model: -scores[model])
    assert [each.score.value for each in found.standings] == pytest.approx(
        sorted(scores.values(), reverse=True)
    )

    counted = {
        pair: tuple(
            sum(right[one][item] > right[other][item] for item in right[one])
            for one, other in (pair, pair[::-1])
        )
        for pair in combinations(MODELS, 2)
    }
    p = {pair: _mid_p(*counts) for pair, counts in counted.items()}
    holm, largest = {}, 0.0
    for rank, pair in enumerate(sorted(p, key=p.__getitem__)):
        largest = max(largest, min(1.0, (len(p) - rank) * p[pair]))
        holm[pair] = largest
    leader = found.standings[0].label
    for pair in found.pairs:
        key = next(key for key in p if set(key) == {leader, pair.second})
        won, lost = counted[key] if key[0] == pair.second else counted[key][::-1]
        assert (pair.won, pair.lost, pair.n) == (won, lost, n)
        assert pair.difference == pytest.approx(scores[pair.second] - scores[leader])
        assert pair.p == pytest.approx(p[key], rel=1e-9)
        assert pair.adjusted_p == pytest.approx(holm[key], rel=1e-9)
        assert (pair.interval.low, pair.interval.high) == pytest.approx(_score_limits(won, lost, n), abs=1e-6)
        assert (pair.verdict == "worse") == (holm[key] <= 0.05 and pair.interval.high < 0)
    for one, other in p:
        apart = not any({one, other} <= set(group) for group in found.groups)
        assert apart == (holm[one, other] <= 0.05)


def test_a_run_that_lacks_rows_is_refused_and_compared_on_the_rows_there_are(runs, letters):
    lacking = sum(letter is None for letter in letters[LACKING].values())
    assert lacking > 50
    pair = [runs["Yi-34B"], runs[LACKING]]
    with pytest.raises(BakeoffError, match=f"{lacking} of {len(letters[LACKING]):,} samples without a score"):
        compare(pair)
    found = compare(pair, incomplete=True)
    assert found.left_out == {"unscored: model_error": lacking}
    there = [item for item, letter in letters[LACKING].items() if letter is not None]
    assert found.n == len(there)
    values = {each.label: each.score.value for each in found.standings}
    for model, value in values.items():
        hits = sum(letters[model][item] == letters["target_v1"][item] for item in there)
        assert value == pytest.approx(hits / len(there))


def test_runs_against_two_versions_of_the_key_are_compared_on_the_questions_that_kept_theirs(runs, letters):
    pair = [runs["Yi-34B"], runs[NEWER]]
    with pytest.raises(BakeoffError, match="data: sha256"):
        compare(pair)
    found = compare(pair, across=True)
    moved = sum(letters["target_v3"][item] != key for item, key in letters["target_v1"].items())
    assert moved > 30
    assert found.left_out == {"same id, other content": moved}
    assert found.n == len(letters[NEWER]) - moved
