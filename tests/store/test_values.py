import numpy as np
import pytest

from bakeoff.errors import StoreError
from bakeoff.store import Journal, finished_keys, journal_path, query, read_samples
from bakeoff.store.values import run_values
from tests.comparison.making import items, rewritten, run


def test_the_scores_of_a_run_are_those_of_its_samples(tmp_path):
    folder = run(tmp_path, "m", [[0, 1, 2], [0, 1]], items(12, groups=5), unanswered=[4])
    (found,) = run_values([folder])
    assert found.items == tuple(sorted(str(n) for n in range(12)))
    by_key = {
        (item, repeat): value
        for item, repeat, value in query(folder, "SELECT item_id, repeat, value FROM samples")
    }
    for row, item in enumerate(found.items):
        for repeat in range(2):
            value = by_key[item, repeat]
            assert found.scores[row, repeat] == value or (
                value is None and np.isnan(found.scores[row, repeat])
            )
    assert found.groups == tuple(f"g{int(item) % 5}" for item in found.items)
    assert found.unscored == {"4": "model_error"}
    assert (found.counts["total"], found.counts["scored"], found.counts["model_error"]) == (24, 22, 2)
    assert all(digest.startswith("sha256:") for digest in found.digests)
    assert found.cost is None


def test_a_journal_reads_like_the_table_it_becomes(tmp_path):
    folder = run(tmp_path, "m", [[0, 1, 2], [0, 1]], items(12, groups=5))
    (table,) = run_values([folder])
    samples = list(read_samples(folder))
    (folder / "samples.parquet").unlink()
    with Journal(journal_path(folder)) as journal:
        for sample in samples[::-1]:
            journal.append(sample)
    (found,) = run_values([folder])
    assert len(finished_keys(folder)) == 24
    for name in ("items", "groups", "digests", "unscored", "counts", "cost"):
        assert getattr(found, name) == getattr(table, name), name
    assert np.array_equal(found.scores, table.scores)


def test_repeats_that_one_item_lacks_are_not_a_number(tmp_path):
    folder = run(tmp_path, "m", [[0, 1], [0]], 3)
    rewritten(folder, "FROM samples WHERE NOT (item_id = '1' AND repeat = 1)")
    (found,) = run_values([folder])
    assert np.isnan(found.scores[1, 1])
    assert found.scores[:, 0].tolist() == [1, 1, 0]
    assert found.unscored == {}


def test_columns_that_are_younger_than_the_run_are_empty(tmp_path):
    folder = run(tmp_path, "m", [0], 3)
    rewritten(folder, 'SELECT * EXCLUDE (item_digest, "group", cost) FROM samples ORDER BY item_id')
    (found,) = run_values([folder])
    assert found.digests is found.groups is found.cost is None


def test_cost_and_latency_are_of_all_samples(tmp_path):
    folder = run(tmp_path, "m", [0], 4)
    rewritten(
        folder,
        "SELECT * REPLACE (0.1 AS cost, if(item_id = '3', NULL, item_id::DOUBLE) AS latency_s) "
        "FROM samples ORDER BY item_id",
    )
    (found,) = run_values([folder])
    assert found.cost == pytest.approx(0.4)
    assert found.latencies.tolist() == [0, 1, 2]


def test_a_folder_without_samples_is_named(tmp_path):
    with pytest.raises(StoreError, match="holds no samples yet"):
        run_values([tmp_path])
