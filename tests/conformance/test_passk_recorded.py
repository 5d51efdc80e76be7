"""pass^k and majority votes over recorded answers: τ-bench airline and MATH.

τ-bench: 50 tasks, 4 trials each by gpt-4o with tool calls (sierra-research/tau-bench, its recorded trials;
Yao et al. 2024, arXiv:2406.12045); pass^1 to pass^4 as its README prints them.

MATH: 100 problems, 8 answers each by Qwen2.5-Math (QwenLM/Qwen2.5-Math, evaluation example; Yang et al.
2024, arXiv:2409.12122). It prints no figure; counted from its verdicts, 91.00 of 100 answers are right, 96
problems are solved once or more, and the majority of its extracted answers is right on 93, ties going to the
answer seen first.
"""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from bakeoff.stats.mean.passk import majority_at_k, pass_at_k, pass_hat_k
from bakeoff.stats.mean.repeats import sampling_split

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def rewards(data_dir: Path) -> list[list[float]]:
    """Of each task its trials' rewards."""
    by_task: dict[str, list[float]] = defaultdict(list)
    for line in (data_dir / "tau_bench_airline_outputs" / "data.jsonl").read_text().splitlines():
        row = json.loads(line)
        by_task[row["item_id"]].append(row["score"])
    return list(by_task.values())


@pytest.fixture(scope="module")
def answers(data_dir: Path) -> list[list[tuple[str, bool]]]:
    """Of each problem its answers, as extracted, with their verdicts."""
    import duckdb

    file = data_dir / "math_samples" / "data.parquet"
    by_problem: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for item, verdict, meta in duckdb.sql(
        f"SELECT item_id, score, meta FROM '{file}' ORDER BY item_id, id"
    ).fetchall():
        by_problem[item].append((json.loads(meta)["official_pred"], verdict == "true"))
    return list(by_problem.values())


@pytest.mark.parametrize(("k", "published"), [(1, 0.420), (2, 0.273), (3, 0.220), (4, 0.200)])
def test_tau_bench_airline_has_its_published_pass_hat_k(rewards, k, published):
    assert [len(task) for task in rewards] == [4] * 50
    found = [pass_hat_k(4, round(sum(task)), k) for task in rewards]
    assert sum(found) / 50 == pytest.approx(published, abs=5e-4)


def test_most_of_the_error_of_tau_bench_airline_is_the_choice_of_tasks(rewards):
    # A task's variance within is p(1-p) 4/3, averaged by hand from the rewards.
    split = sampling_split(rewards)
    within = sum(sum(task) / 4 * (1 - sum(task) / 4) * 4 / 3 for task in rewards) / 50
    assert split.mean == pytest.approx(0.42)
    assert split.sampling == pytest.approx(within / 4 / 50)
    assert 0.1 < split.share < 0.4


def test_math_is_solved_as_often_as_recorded(answers):
    right = [sum(verdict for _, verdict in problem) for problem in answers]
    assert sum(pass_at_k(8, c, 1) for c in right) == pytest.approx(91.00)
    assert sum(pass_at_k(8, c, 8) for c in right) == 96


def test_the_majority_of_all_eight_is_the_recorded_one_with_ties_shared(answers):
    expected, first_seen = 0.0, 0
    for problem in answers:
        votes = Counter(answer for answer, _ in problem)
        verdicts = dict(problem)
        most = max(votes.values())
        leading = [answer for answer, count in votes.items() if count == most]
        first_seen += verdicts[leading[0]]
        expected += sum(verdicts[answer] for answer in leading) / len(leading)
    found = sum(majority_at_k(_counts(problem), 8) for problem in answers)
    assert first_seen == 93
    assert found == pytest.approx(expected)
    assert found == pytest.approx(93, abs=2)


def test_more_votes_never_hurt_where_right_answers_lead(answers):
    for problem in answers:
        counts = _counts(problem)
        if counts[0] > sum(counts[1:]):
            odd = [majority_at_k(counts, k) for k in (1, 3, 5, 7)]
            assert odd == sorted(odd)


def _counts(problem: list[tuple[str, bool]]) -> list[int]:
    """How often the right answer was given, then each wrong one. No problem has two right spellings."""
    wrong = Counter(answer for answer, verdict in problem if not verdict)
    assert len({answer for answer, verdict in problem if verdict}) <= 1
    return [sum(verdict for _, verdict in problem), *wrong.values()]
