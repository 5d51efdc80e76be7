"""A large data set is read row by row, never held."""

import gc
import json
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from bakeoff.task import Task, prepare

N = 20_000
TEXT = "A question of some length that would add up if it were held. " * 4


def rows(seed: int, n: int) -> Iterator[Mapping[str, Any]]:
    for i in range(n):
        yield {"id": f"{seed}/{i}", "input": f"{i}: {TEXT}", "target": str(i)}


def as_generator(folder: Path) -> dict[str, Any]:
    return {"generator": rows, "n": N}


def as_jsonl(folder: Path) -> dict[str, Any]:
    with (folder / "items.jsonl").open("w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows(0, N))
    return {"file": folder / "items.jsonl"}


def as_csv(folder: Path) -> dict[str, Any]:
    with (folder / "items.csv").open("w") as file:
        file.write("id,input,target\n")
        file.writelines(",".join(row.values()) + "\n" for row in rows(0, N))
    return {"file": folder / "items.csv"}


def as_parquet(folder: Path) -> dict[str, Any]:
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT '0/' || i AS id, i || ': ' || ? AS input, i::VARCHAR AS target "
            f"FROM range({N}) t(i)) TO '{folder / 'items.parquet'}' (FORMAT parquet, ROW_GROUP_SIZE 10000)",
            [TEXT],
        )
    return {"file": folder / "items.parquet"}


@pytest.mark.parametrize("write", [as_generator, as_jsonl, as_csv, as_parquet])
def test_rows_pass_through_without_being_held(
    write: Callable[[Path], dict[str, Any]], tmp_path: Path
) -> None:
    prepared = prepare(Task(name="t", data=write(tmp_path), scorer="exact"))
    assert prepared.n_items == N
    gc.collect()
    tracemalloc.start()
    try:
        count = sum(1 for _ in prepared.items())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == N
    # Held at once, the inputs alone would be 5 MB.
    assert peak < 1_500_000


def test_of_a_hundred_thousand_rows_only_a_few_exist_at_any_time() -> None:
    alive = most = 0

    class Counted(dict[str, Any]):
        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def counted(seed: int, n: int) -> Iterator[Mapping[str, Any]]:
        nonlocal alive, most
        for row in rows(seed, n):
            alive += 1
            most = max(most, alive)
            yield Counted(row)

    prepared = prepare(Task(name="t", data={"generator": counted, "n": 100_000}, scorer="exact"))
    assert sum(1 for _ in prepared.items()) == prepared.n_items == 100_000
    assert most < 10


def test_only_as_many_rows_are_read_as_are_asked_for() -> None:
    made = 0

    def counted(seed: int, n: int) -> Iterator[Mapping[str, Any]]:
        nonlocal made
        for row in rows(seed, n):
            made += 1
            yield row

    prepared = prepare(Task(name="t", data={"generator": counted, "n": 1000}, scorer="exact"))
    made = 0
    assert [item.id for item in prepared.items(3)] == ["0/0", "0/1", "0/2"]
    assert made == 3


def test_the_first_rows_of_a_pool_are_all_that_is_read_for_first_shots() -> None:
    made = 0

    def pool(seed: int, n: int) -> Iterator[Mapping[str, Any]]:
        nonlocal made
        for row in rows(1, n):
            made += 1
            yield row

    shots = {"n": 2, "rule": "first", "data": {"generator": pool, "n": 1000}}
    prepare(Task(name="t", data=[{"input": "?", "target": "x"}], shots=shots, scorer="exact"))
    assert made < 10
