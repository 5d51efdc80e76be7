"""A run's score before and after a date, on 1,760 recorded verdicts of two models on dated problems.

Verdicts: LiveCodeBench/submissions (Jain et al. 2024). They are written as the run that gave them, and read
back the way `bakeoff show --by meta.contest_date --cut 2024-05` does.
"""

import json
from pathlib import Path

import pytest

from bakeoff.nouns import FinishReason, Outcome, Response, Sample, Score, Turn
from bakeoff.run import breakdown
from bakeoff.stats import wilson
from bakeoff.store import Journal, journal_path
from bakeoff.task import DataOverlay, Task, load_task, prepare

pytestmark = pytest.mark.data

# Model: right and problems in all, in contests up to 2024-04, and from 2024-05 on.
PUBLISHED = {
    "O1-Preview-2024-09-12": ((489, 880), (302, 476), (187, 404)),
    "O1-Mini-2024-09-12": ((602, 880), (368, 476), (234, 404)),
}


def rows(data_dir: Path, model: str) -> list[tuple[str, bool, dict[str, str]]]:
    import duckdb

    path = data_dir / "livecodebench_outputs" / "data.parquet"
    query = "SELECT item_id, score, meta FROM read_parquet(?) WHERE model = ?"
    found = duckdb.execute(query, [str(path), model]).fetchall()
    return [(item, json.loads(score), json.loads(meta)) for item, score, meta in found]


@pytest.mark.parametrize("model", PUBLISHED)
def test_the_published_counts_before_and_after_a_date_come_out(tmp_path, data_dir, model):
    with Journal(journal_path(tmp_path)) as journal:
        for item, right, meta in rows(data_dir, model):
            score = Score(Outcome.SCORED, float(right), None, "", "code@1")
            turn = Turn("", Response("", finish=FinishReason.STOP))
            journal.append(Sample(item, 0, None, (), (), (), (), 0, (turn,), score, metadata=meta))
    (all_right, all_n), *parts = PUBLISHED[model]
    found = breakdown(tmp_path, "meta.contest_date", cuts=["2024-05"])
    assert [part.value for part in found.parts] == ["< 2024-05", "≥ 2024-05"]
    for part, (right, n) in zip(found.parts, parts, strict=True):
        assert part.score.n == part.counts["scored"] == n
        assert part.score.value == pytest.approx(right / n)
        assert part.score.interval == wilson(right, n)
    assert sum(right for right, _ in parts) == all_right
    assert sum(n for _, n in parts) == all_n
    months = breakdown(tmp_path, "difficulty")
    assert [part.value for part in months.parts] == ["easy", "hard", "medium"]
    assert sum(part.counts["total"] for part in months.parts) == all_n


@pytest.mark.parametrize(
    ("bounds", "count"),
    [({"to": "2024-04"}, 476), ({"from": "2024-05"}, 404), ({"from": "2024-05", "to": "2024-05"}, None)],
)
def test_a_window_of_dates_asks_the_problems_of_its_contests(tmp_path, data_dir, bounds, count):
    found = rows(data_dir, "O1-Mini-2024-09-12")
    if count is None:
        count = sum(meta["contest_date"].startswith("2024-05") for _, _, meta in found)
        assert 0 < count < 404
    path = tmp_path / "task.yaml"
    path.write_text("name: dated\ndata: {file: items.jsonl}\nscorer: exact\n")
    lines = [json.dumps({"id": item, "input": "?", "target": "x", "meta": meta}) for item, _, meta in found]
    (tmp_path / "items.jsonl").write_text("\n".join(lines))
    task, _ = load_task(str(path), overlay=DataOverlay(where={"meta.contest_date": bounds}))
    assert isinstance(task, Task)
    assert prepare(task).n_items == count
