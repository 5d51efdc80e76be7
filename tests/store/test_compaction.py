"""The table of a run against a plain reading of its journals, and the memory that making it takes."""

import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.store.compaction import write_table
from bakeoff.store.record import COLUMNS, to_row
from tests.store.samples_strategy import sample, samples


def _write(path, rows):
    path.write_bytes(b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows))
    return path


def _read(path):
    import duckdb

    with duckdb.connect() as db:
        found = db.execute(f"SELECT {', '.join(map(_quoted, COLUMNS))} FROM read_parquet('{path}')")
        return [dict(zip(COLUMNS, row, strict=True)) for row in found.fetchall()]


def _quoted(name):
    return f'"{name}"'


def _latest(rows):
    """Of each (item, repeat) the row that was finished last, and of several at one time the last written."""
    kept = {}
    for row in rows:
        key = (row["item_id"].encode(), row["repeat"])
        if key not in kept or row["finished_at"] >= kept[key]["finished_at"]:
            kept[key] = row
    return [kept[key] for key in sorted(kept)]


_rows = st.lists(
    st.builds(
        lambda each, item, at: to_row(each, float(at)) | {"item_id": item},
        samples,
        st.sampled_from(["a", "b", "B", "é", "a b", "10", "9"]),
        st.integers(0, 5),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=25, deadline=None)
@given(journals=st.lists(_rows, min_size=1, max_size=3), earlier=st.none() | _rows)
def test_the_table_holds_the_latest_row_of_each_sample_sorted(tmp_path_factory, journals, earlier):
    folder = tmp_path_factory.mktemp("run")
    table, everything = None, []
    if earlier is not None:
        table = folder / "earlier.parquet"
        write_table([_write(folder / "earlier.jsonl", earlier)], None, table)
        everything += _latest(earlier)
    paths = [_write(folder / f"journal-{n}.jsonl", rows) for n, rows in enumerate(journals)]
    everything += [row for rows in journals for row in rows]
    write_table(paths, table, folder / "table.parquet")
    assert _read(folder / "table.parquet") == _latest(everything)
    assert {path.suffix for path in folder.iterdir()} <= {".jsonl", ".parquet"}


@pytest.mark.parametrize("megabytes", [0, 3])
def test_a_line_of_any_length_comes_through_whole(tmp_path, megabytes):
    rows = [to_row(sample(each, text="x" * (megabytes * 2**20 + 1)), 0.0) for each in ("b", "a")]
    write_table([_write(tmp_path / "journal-0.jsonl", rows)], None, tmp_path / "table.parquet")
    assert [row["output"] for row in _read(tmp_path / "table.parquet")] == [rows[0]["output"]] * 2


_PEAK = """
import sys
from pathlib import Path
from bakeoff.store.compaction import write_table
journal, table = map(Path, sys.argv[1:])
write_table([journal], None, table)
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def _peak_mib(folder, count):
    """Of a process that makes a table of `count` samples; and how large their journal is."""
    journal = folder / f"{count}.jsonl"
    row = to_row(sample(text="A chain of thought. " * 100), 0.0)
    with journal.open("wb") as file:
        for number in range(count):
            named = row | {"item_id": f"item {number * 7919 % count}"}
            file.write(orjson.dumps(named, option=orjson.OPT_APPEND_NEWLINE))
    command = [sys.executable, "-c", _PEAK, str(journal), str(folder / "table.parquet")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout) / 1024, journal.stat().st_size / 2**20


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads its peak memory from /proc")
def test_memory_does_not_grow_with_the_number_of_samples(tmp_path):
    small, _ = _peak_mib(tmp_path, 1_000)
    large, journal = _peak_mib(tmp_path, 30_000)
    assert journal > 75
    assert large - small < 64, f"{small:.0f} MiB for 1,000 samples, {large:.0f} for 30,000"


def test_the_folder_is_found_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_table([_write(Path("journal-0.jsonl"), [to_row(sample("it's"), 0.0)])], None, Path("table.parquet"))
    assert [row["item_id"] for row in _read("table.parquet")] == ["it's"]
