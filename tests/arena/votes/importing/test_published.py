"""Real files, and the figures that were published with them."""

import csv
from collections import Counter
from itertools import groupby
from pathlib import Path

import duckdb
import pytest

from bakeoff.arena.votes.importing.importing import import_votes, read_battles
from bakeoff.arena.votes.importing.llmbar import BETTER
from bakeoff.arena.votes.importing.rows import rows_of
from bakeoff.arena.votes.pair_counts import pair_counts
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.table import read_votes
from bakeoff.arena.votes.votes import grouped, votes_of
from tests.arena.votes.importing.rows import ALPACA, written

pytestmark = pytest.mark.data


def test_all_votes_of_the_llmfao_crowd_are_taken(data_dir: Path, tmp_path: Path) -> None:
    source = data_dir / "llmfao" / "crowd-comparisons.csv"
    imported = import_votes(source, tmp_path / "votes.parquet")
    assert (imported.format, imported.total, imported.taken, imported.untaken) == ("llmfao", 8931, 8931, {})
    votes = read_votes(tmp_path / "votes.parquet")
    assert len(grouped(votes.voter)[1]) == 124
    assert len(votes.models) == 59
    assert len(grouped(votes.prompt)[1]) == 13
    with source.open(encoding="utf-8") as file:
        raw = list(csv.DictReader(file))
    wins = Counter(row[row["winner"]] for row in raw if row["winner"] != "tie")
    found = Counter(
        {
            model: int(
                ((votes.model_a == code) & (votes.outcome == 0)).sum()
                + ((votes.model_b == code) & (votes.outcome == 1)).sum()
            )
            for code, model in enumerate(votes.models)
        }
    )
    assert +found == wins
    assert pair_counts(votes).counts[:, 2].sum() == sum(row["winner"] == "tie" for row in raw)


def test_judges_on_llmfao_have_no_worker(data_dir: Path) -> None:
    battles, imported = read_battles(data_dir / "llmfao" / "gpt4-comparisons.csv")
    assert imported.taken == imported.total == 3236
    assert all(battle.voter is None for battle in battles)


def test_the_better_output_of_llmbar_wins_as_often_as_was_published(data_dir: Path) -> None:
    battles, imported = read_battles(data_dir / "judge_llmbar" / "verdicts.parquet")
    assert imported.total == 2 * 40_413
    assert imported.taken == imported.total - imported.untaken["no verdict"]
    runs = {}
    for (tags, voter), run in groupby(
        sorted(battles, key=lambda each: (each.tags, str(each.voter))), lambda each: (each.tags, each.voter)
    ):
        won = [(each.outcome == "a") == (each.model_a == BETTER) for each in run]
        assert won
        runs[tags[0], voter] = sum(won)
    with (data_dir / "judge_llmbar" / "published_stats.csv").open(encoding="utf-8") as file:
        published = list(csv.DictReader(file))
    assert len(published) == len(runs) == 499
    for row in published:
        right = runs[row["subset"], pseudonym(f"{row['judge']}/{row['method']}")]
        # A verdict that could not be read is wrong in the published figure.
        assert right / (2 * int(row["n"])) == pytest.approx(float(row["pub"]), abs=1e-9), row


def test_mean_shares_are_the_published_win_rates_of_alpacaeval(data_dir: Path, tmp_path: Path) -> None:
    folder = data_dir / "alpacaeval2"
    with (folder / "published_leaderboard.csv").open(encoding="utf-8") as file:
        published = {row[""]: float(row["win_rate"]) for row in csv.DictReader(file)}
    with duckdb.connect(":memory:") as db:
        models = db.execute(
            "SELECT DISTINCT model FROM read_parquet(?) ORDER BY model LIMIT 5",
            [str(folder / "annotations_compact.parquet")],
        ).fetchall()
    wanted = {model for (model,) in models}
    rows = [
        ALPACA
        | {
            "generator_2": row.columns["model"],
            "instruction": f"instruction {row.columns['instr']} at {row.columns['pos']}",
            "output_1": "x" * row.columns["len_base"],
            "output_2": "x" * row.columns["len_model"],
            "preference": row.columns["preference"],
        }
        for row in rows_of(folder / "annotations_compact.parquet")
        if row.columns["model"] in wanted  # type: ignore[index]
    ]
    battles, imported = read_battles(written(tmp_path, *rows))
    assert imported.untaken.keys() <= {"no verdict"}
    votes = votes_of(battles)
    for model in wanted:
        code = votes.models.index(model)
        found = 100 * (1 - votes.share[votes.model_b == code].mean())
        assert found == pytest.approx(published[model], abs=1e-8), model
