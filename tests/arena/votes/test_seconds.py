from pathlib import Path

import duckdb
import numpy as np
import pytest

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.opening import open_votes
from bakeoff.arena.votes.table import read_votes, write_votes
from bakeoff.arena.votes.votes import Votes, battles_of, votes_of
from bakeoff.errors import BakeoffError

ROWS = [
    Battle("1", "m", "n", "a", seconds=0.0),
    Battle("2", "n", "o", "b"),
    Battle("3", "m", "o", "tie", seconds=7.25),
]


def _changed(path: Path, statement: str) -> None:
    with duckdb.connect(":memory:") as db:
        db.execute("CREATE TABLE votes AS FROM read_parquet(?)", [str(path)])
        db.execute(statement)
        db.execute(f"COPY votes TO '{path}' (FORMAT parquet)")


def test_they_come_back_from_columns_and_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "v.parquet"
    write_votes(path, ROWS)
    for votes in (votes_of(ROWS), read_votes(path)):
        assert list(battles_of(votes)) == ROWS
        assert np.array_equal(votes.seconds, [0.0, np.nan, 7.25], equal_nan=True)
        assert list(battles_of(votes.where(np.array([False, True, True])))) == ROWS[1:]


def test_a_file_of_before_has_none(tmp_path: Path) -> None:
    path = tmp_path / "v.parquet"
    write_votes(path, ROWS)
    _changed(path, "ALTER TABLE votes DROP seconds")
    votes, _ = open_votes(path)
    assert isinstance(votes, Votes)
    assert np.isnan(votes.seconds).tolist() == [True] * 3
    assert [each.id for each in battles_of(votes)] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE votes SET seconds = -1 WHERE id = '2'", "row 2: seconds is below 0"),
        ("ALTER TABLE votes ALTER seconds TYPE VARCHAR", "the column 'seconds' is VARCHAR"),
    ],
)
def test_seconds_that_cannot_be_are_named(statement: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "v.parquet"
    write_votes(path, ROWS)
    _changed(path, statement)
    with pytest.raises(BakeoffError, match=message):
        read_votes(path)


@pytest.mark.parametrize("seconds", [-0.5, float("nan"), float("inf")])
def test_a_battle_has_none_that_cannot_be(seconds: float) -> None:
    with pytest.raises(ValueError, match="seconds are a time that passed"):
        Battle("1", "m", "n", "a", seconds=seconds)
