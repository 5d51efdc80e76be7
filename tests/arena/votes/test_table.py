from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.style import Style
from bakeoff.arena.votes.table import COLUMNS, read_votes, write_votes
from bakeoff.arena.votes.votes import battles_of, votes_of
from bakeoff.errors import BakeoffError
from tests.arena.votes.strategies import battles

TWO = [Battle("1", "m", "n", "a", language="en", share=0.75), Battle("2", "n", "o", "both_bad")]


@settings(max_examples=12)
@given(battles(max_size=6))
def test_a_file_gives_back_the_battles(rows: list[Battle]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "votes'1.parquet"
        assert write_votes(path, rows) == len(rows)
        votes = read_votes(path)
        assert list(battles_of(votes)) == rows
        assert list(battles_of(votes.where(np.arange(len(rows)) % 2 == 0))) == rows[::2]
        assert [each.name for each in Path(folder).iterdir()] == [path.name], "nothing is left beside it"
        memory = votes_of(rows)
        for name in (
            "models",
            "model_a",
            "model_b",
            "outcome",
            "key",
            "voter",
            "prompt",
            "blind",
            "gold",
        ):
            assert np.array_equal(getattr(votes, name), getattr(memory, name)), name
        for name in ("model_a", "outcome", "key", "voter", "blind", "gold", "share", "style"):
            assert getattr(votes, name).dtype == getattr(memory, name).dtype, name
        assert votes.style.shape == (len(rows), 2, 4)


def test_battles_of_two_row_groups_keep_their_order_and_their_texts(tmp_path: Path) -> None:
    path = tmp_path / "votes.parquet"
    n = 65_000
    write_votes(
        path, (Battle(str(i), f"m{i % 7}", f"n{i % 5}", "tie", prompt_text=f"text {i}") for i in range(n))
    )
    votes = read_votes(path)
    assert [said.id for said in votes.texts] == [str(i) for i in range(n)]
    assert [votes.models[code] for code in votes.model_a] == [f"m{i % 7}" for i in range(n)]
    assert [said.prompt for said in votes.where(np.arange(n) == n - 1).texts] == [f"text {n - 1}"]


def test_times_of_other_zones_are_utc_in_the_file(tmp_path: Path) -> None:
    at = datetime(2024, 5, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    write_votes(tmp_path / "v.parquet", [Battle("1", "m", "n", "a", at=at)])
    (battle,) = battles_of(read_votes(tmp_path / "v.parquet"))
    assert battle.at == datetime(2024, 4, 30, 23, 30, tzinfo=UTC)


def test_style_of_one_answer_alone_is_kept(tmp_path: Path) -> None:
    rows = [Battle("1", "m", "n", "a", style_b=Style(9)), Battle("2", "m", "n", "b")]
    write_votes(tmp_path / "v.parquet", rows)
    assert list(battles_of(read_votes(tmp_path / "v.parquet"))) == rows


def test_two_battles_of_one_id_are_refused_and_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "votes.parquet"
    write_votes(path, TWO)
    with pytest.raises(BakeoffError, match="two battles have the id 'x'"):
        write_votes(path, [Battle("x", "m", "n", "a"), Battle("x", "m", "o", "b")])
    assert list(battles_of(read_votes(path))) == TWO
    assert [each.name for each in tmp_path.iterdir()] == ["votes.parquet"]


def test_a_reader_that_breaks_off_leaves_no_file(tmp_path: Path) -> None:
    def broken() -> object:
        yield TWO[0]
        raise BakeoffError("line 2 is broken")

    with pytest.raises(BakeoffError, match="line 2"):
        write_votes(tmp_path / "votes.parquet", broken())  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BakeoffError, match="nowhere"):
        write_votes(tmp_path / "nowhere" / "votes.parquet", TWO)
    with pytest.raises(BakeoffError, match=r"there is no file .*nowhere"):
        read_votes(tmp_path / "nowhere.parquet")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("model_a = NULL", r"row 2: model_a is empty"),
        ("model_b = ''", r"row 2: model_b is empty"),
        ("model_b = model_a", r"row 2: model_b is the same model"),
        ("outcome = 'left'", r"row 2: outcome is none of a, b, tie, both_bad"),
        ("outcome = NULL", r"row 2: outcome is none of"),
        ("gold = 'x'", r"row 2: gold is none of"),
        ("share = 1.5", r"row 2: share lies outside"),
        ("key = NULL", r"row 2: key is empty"),
    ],
)
def test_a_row_that_cannot_be_is_named(change: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "votes.parquet"
    write_votes(path, TWO)
    _rewrite(path, lambda db: db.execute(f"UPDATE votes SET {change} WHERE id = '2'"))
    with pytest.raises(BakeoffError, match=rf"{path}: {message}"):
        read_votes(path)


@pytest.mark.parametrize("column", COLUMNS)
def test_a_column_that_is_missing_or_of_another_type_is_named(column: str, tmp_path: Path) -> None:
    path = tmp_path / "votes.parquet"
    write_votes(path, TWO)
    _rewrite(path, lambda db: db.execute(f'ALTER TABLE votes ALTER "{column}" TYPE STRUCT(x INT) USING NULL'))
    with pytest.raises(BakeoffError, match=rf"the column '{column}' is STRUCT"):
        read_votes(path)
    _rewrite(path, lambda db: db.execute(f'ALTER TABLE votes DROP "{column}"'))
    with pytest.raises(BakeoffError, match=rf"the column '{column}' is missing"):
        read_votes(path)


def test_a_file_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    path = tmp_path / "votes.parquet"
    path.write_text("model_a,model_b\n")
    with pytest.raises(BakeoffError, match=rf"{path} cannot be read as Parquet"):
        read_votes(path)


def _rewrite(path: Path, change: Callable[[duckdb.DuckDBPyConnection], object]) -> None:
    with duckdb.connect(":memory:") as db:
        db.execute("CREATE TABLE votes AS FROM read_parquet(?)", [str(path)])
        change(db)
        db.execute(f"COPY votes TO '{path}' (FORMAT parquet)")
