import random
import shutil
from concurrent.futures import ThreadPoolExecutor

import orjson
import pytest

from bakeoff.errors import StoreError
from bakeoff.store import Journal, compact, finished_keys, journal_path, query, read_samples
from bakeoff.store.record import to_row
from tests.store.samples_strategy import sample


def _write(folder, *samples, worker=0):
    with Journal(journal_path(folder, worker)) as journal:
        for each in samples:
            journal.append(each)


def test_compaction_keeps_the_latest_record_of_each_sample_sorted(tmp_path):
    _write(
        tmp_path,
        sample("b"),
        sample("a", value=None),
        sample("b", repeat=1),
        sample("a", text="5", value=0.0),
    )
    record = compact(tmp_path)
    assert record.rows == 3
    assert not list(tmp_path.glob("journal*"))
    assert [(s.item_id, s.repeat, s.score.value) for s in read_samples(tmp_path)] == [
        ("a", 0, 0.0),
        ("b", 0, 1.0),
        ("b", 1, 1.0),
    ]


def test_reading_gives_the_same_before_and_after_compaction(tmp_path):
    _write(tmp_path, *(sample(str(number), text="é\n\t'\"") for number in range(50)))
    before = list(read_samples(tmp_path))
    compact(tmp_path)
    assert list(read_samples(tmp_path)) == before
    assert len(before) == 50


def test_a_kill_between_writing_the_table_and_removing_the_journal_is_harmless(tmp_path):
    _write(tmp_path, sample("a"), sample("b"))
    copy = tmp_path / "copy"
    shutil.copy(journal_path(tmp_path), copy)
    first = compact(tmp_path)
    copy.rename(journal_path(tmp_path))
    assert [s.item_id for s in read_samples(tmp_path)] == ["a", "b"]
    assert compact(tmp_path).rows == first.rows


def test_samples_asked_again_after_compaction_replace_the_old_ones(tmp_path):
    _write(tmp_path, sample("a", value=None), sample("b"))
    compact(tmp_path)
    assert finished_keys(tmp_path) == {("a", 0), ("b", 0)}
    assert finished_keys(tmp_path, again=["model_error"]) == {("b", 0)}
    _write(tmp_path, sample("a"))
    assert finished_keys(tmp_path, again=["model_error"]) == {("a", 0), ("b", 0)}
    compact(tmp_path)
    assert [s.score.value for s in read_samples(tmp_path)] == [1.0, 1.0]


def test_journals_of_several_workers_become_one_table(tmp_path):
    _write(tmp_path, sample("a"), worker=0)
    _write(tmp_path, sample("b"), worker=1)
    assert compact(tmp_path).rows == 2


def test_a_damaged_journal_is_refused_not_thinned_out(tmp_path):
    _write(tmp_path, sample("a"))
    with journal_path(tmp_path).open("ab") as file:
        file.write(b'{"item_id": broken}\n')
    with pytest.raises(StoreError, match="cannot be read"):
        compact(tmp_path)
    assert journal_path(tmp_path).exists()
    assert not (tmp_path / "samples.parquet").exists()


def test_samples_can_be_chosen_by_outcome_and_item(tmp_path):
    _write(tmp_path, sample("a"), sample("b", value=0.0), sample("c", value=None))
    assert [s.item_id for s in read_samples(tmp_path, outcome="right")] == ["a"]
    assert [s.item_id for s in read_samples(tmp_path, outcome="wrong")] == ["b"]
    assert [s.item_id for s in read_samples(tmp_path, outcome="model_error")] == ["c"]
    assert [s.item_id for s in read_samples(tmp_path, item_id="b")] == ["b"]
    assert [s.item_id for s in read_samples(tmp_path, limit=2)] == ["a", "b"]


def test_a_folder_with_a_quote_in_its_name_works(tmp_path):
    folder = tmp_path / "it's"
    folder.mkdir()
    _write(folder, sample("a"))
    compact(folder)
    assert query(folder, "SELECT count(*) FROM samples") == [(1,)]


def test_a_folder_without_samples_says_so(tmp_path):
    with pytest.raises(StoreError, match="no samples"):
        compact(tmp_path)


@pytest.mark.parametrize("column", ["leads"])
def test_a_run_written_before_a_column_existed_is_read_and_resumed(tmp_path, column):
    import duckdb

    _write(tmp_path, sample("a"), sample("b", value=None))
    compact(tmp_path)
    table, old = tmp_path / "samples.parquet", tmp_path / "old.parquet"
    duckdb.sql(f"COPY (SELECT * EXCLUDE {column} FROM '{table}') TO '{old}'")
    old.replace(table)
    assert list(read_samples(tmp_path)) == [sample("a"), sample("b", value=None)]
    _write(tmp_path, sample("b"))
    assert list(read_samples(tmp_path)) == [sample("a"), sample("b")]
    compact(tmp_path)
    assert list(read_samples(tmp_path)) == [sample("a"), sample("b")]


def test_a_journal_written_before_a_column_existed_is_read(tmp_path):
    import json

    _write(tmp_path, sample("a"))
    path = journal_path(tmp_path)
    row = json.loads(path.read_text())
    del row["leads"]
    path.write_text(json.dumps(row) + "\n")
    assert list(read_samples(tmp_path)) == [sample("a")]


def test_samples_with_long_prompts_are_compacted_and_read(tmp_path):
    # More rows than DuckDB takes at once, each far longer than usual: long contexts, tens of shots.
    row = to_row(sample("long"), 0.0)
    with journal_path(tmp_path).open("wb") as file:
        for number in range(2100):
            text = random.Random(number).randbytes(32_000).hex()
            asked = {"item_id": f"item {number}", "inputs": orjson.dumps([text]).decode()}
            file.write(orjson.dumps(row | asked, option=orjson.OPT_APPEND_NEWLINE))
    for state in ("journal", "table"):
        if state == "table":
            assert compact(tmp_path).rows == 2100
        lengths = {len(each.turns[0].input) for each in read_samples(tmp_path)}
        assert lengths == {64_000}


def test_runs_are_read_side_by_side_in_one_thread_and_in_several(tmp_path):
    folders = [tmp_path / str(number) for number in range(8)]
    for number, folder in enumerate(folders):
        folder.mkdir()
        _write(folder, *(sample(f"{number} {item}") for item in range(300)))
        if number % 2:
            compact(folder)
    readers = map(read_samples, folders)
    for item, together in enumerate(zip(*readers, strict=True)):
        assert [each.item_id.split()[0] for each in together] == list("01234567"), item

    def names(folder):
        return [each.item_id.split()[0] for each in read_samples(folder)]

    with ThreadPoolExecutor(8) as pool:
        for number, found in enumerate(pool.map(names, folders * 4)):
            assert found == [str(number % 8)] * 300


def test_a_table_that_was_just_replaced_is_read_anew(tmp_path):
    for text in ("1", "2", "3"):  # as many bytes, within the same moment
        _write(tmp_path, sample("a", text=text))
        compact(tmp_path)
        assert [each.turns[-1].response.text for each in read_samples(tmp_path)] == [text]
