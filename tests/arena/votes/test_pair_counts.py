from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from bakeoff.arena.votes.battle import Battle, Outcome
from bakeoff.arena.votes.pair_counts import PairCounts, pair_counts, read_pair_counts, write_pair_counts
from bakeoff.arena.votes.votes import votes_of
from bakeoff.errors import BakeoffError
from tests.arena.votes.strategies import battles

SWAPPED: dict[Outcome, Outcome] = {"a": "b", "b": "a", "tie": "tie", "both_bad": "both_bad"}


def test_counts_by_hand() -> None:
    rows = [
        Battle("1", "m", "n", "a"),
        Battle("2", "n", "m", "a"),
        Battle("3", "n", "m", "b"),
        Battle("4", "m", "n", "tie"),
        Battle("5", "n", "m", "both_bad"),
        Battle("6", "o", "m", "a"),
    ]
    found = pair_counts(votes_of(rows))
    assert table(found) == {("m", "n"): [2, 1, 1, 1], ("m", "o"): [0, 1, 0, 0]}
    assert found.total == 6


@given(battles())
def test_sides_and_order_do_not_change_counts(rows: list[Battle]) -> None:
    swapped = [
        replace(row, model_a=row.model_b, model_b=row.model_a, outcome=SWAPPED[row.outcome]) for row in rows
    ]
    expected = pair_counts(votes_of(rows))
    assert expected.total == len(rows)
    assert (
        table(pair_counts(votes_of(swapped))) == table(pair_counts(votes_of(rows[::-1]))) == table(expected)
    )


def test_a_file_gives_back_the_counts(tmp_path: Path) -> None:
    expected = pair_counts(votes_of([Battle("1", 'a "b", c', "n", "a"), Battle("2", "n", "ö", "both_bad")]))
    write_pair_counts(tmp_path / "pairs.csv", expected)
    assert table(read_pair_counts(tmp_path / "pairs.csv")) == table(expected)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("m,n,1,2,x,0", r":3: ties: must be a number, got 'x'"),
        ("m,n,1,-2,0,0", r":3: wins_b: is no count: -2"),
        ("m,n,1.5,2,0,0", r":3: wins_a: is no count: 1.5"),
        ("m,n,,2,0,0", r":3: wins_a: is empty"),
        (",n,1,2,0,0", r":3: model_a: is empty"),
        ("m,m,1,2,0,0", r":3: model_b: is the same model as model_a"),
        ("m,n,1,2", r":3: 4 cells, but the header names 6"),
    ],
)
def test_a_count_that_cannot_be_is_named(row: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text(f"model_a,model_b,wins_a,wins_b,ties,ties_bothbad\na,b,1,2,3,4\n{row}\n")
    with pytest.raises(BakeoffError, match=message):
        read_pair_counts(path)


def test_ties_where_both_are_bad_need_no_column(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("model_a,model_b,wins_a,wins_b,ties\nm,n,1,2,3\n")
    assert table(read_pair_counts(path)) == {("m", "n"): [1, 2, 3, 0]}


@pytest.mark.data
def test_the_public_votes_of_august_2024_are_all_there(data_dir: Path) -> None:
    folder = data_dir / "arena_20240814"
    csv, parquet = (read_pair_counts(folder / f"pair_counts.{end}") for end in ("csv", "parquet"))
    assert csv.total == parquet.total == 1_670_250
    assert len(csv.models) == 129
    assert len(csv.counts) == 3_460
    assert np.array_equal(csv.counts, parquet.counts)


def table(pairs: PairCounts) -> dict[tuple[str, str], list[int]]:
    rows = zip(pairs.model_a, pairs.model_b, pairs.counts.tolist(), strict=True)
    return {(pairs.models[a], pairs.models[b]): counts for a, b, counts in rows}
