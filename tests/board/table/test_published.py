"""What others publish, seen: boards of thousands of rows, and of many dates."""

import csv
import io
from collections import Counter

import pytest
from sqlalchemy import make_url

from bakeoff.board.ranking.publishing import dates, find
from bakeoff.board.reported.importing import import_reported
from bakeoff.board.table import View, as_csv, at, prepared, seen
from bakeoff.board.table.columns import organisation
from bakeoff.database import reading, writing
from tests.conformance.test_boards_reported import ARENA, V1, V2
from tests.database.databases import with_tables

pytestmark = pytest.mark.data

TABLES = (
    ("open-llm-v1", "open_llm_leaderboard_v1/data.parquet", V1),
    ("open-llm-v2", "open_llm_leaderboard_v2/data.parquet", V2),
    ("arena-history", "arena_history/lmarena_text_history.parquet", ARENA),
)


@pytest.fixture(scope="module")
def of(data_dir, tmp_path_factory):
    """A function that gives the table of a board at some date."""
    engine = with_tables(make_url(f"sqlite:///{tmp_path_factory.mktemp('boards') / 'boards.db'}"))
    for name, file, layout in TABLES:
        with writing(engine) as connection:
            import_reported(connection, name, data_dir / file, layout, actor="test")

    def table(board, day=""):
        with reading(engine) as connection:
            named = at(dates(connection, board), day).digest
            return prepared(find(connection, board, named), named)

    yield table
    engine.dispose()


def names(table, **view):
    return [each.row.entrant.model for each in seen(table, View(**view)).every]


def test_all_rows_are_there_with_keys_of_their_own_in_every_order(of):
    for board, rows in (("open-llm-v1", 7169), ("open-llm-v2", 4576), ("arena-history", 266)):
        table = of(board)
        assert len(set(table.keys)) == len(table.keys) == rows
        for column in table.columns:
            for sort in (column.key, f"-{column.key}"):
                assert sorted(table.order(sort).tolist()) == list(range(rows))
        pages = [seen(table, View(page=page)).rows for page in range(1, seen(table, View()).pages + 1)]
        assert [each.key for page in pages for each in page] == list(table.keys)


def test_the_orders_of_version_one_are_those_of_its_columns(of):
    table = of("open-llm-v1")
    assert names(table)[0] == "paloalma/Le_Triomphant-ECE-TW3"
    for key in ("arc", "gsm8k"):
        values = [
            row.row.entrant.scores.columns[key].value for row in seen(table, View(sort=f"score.{key}")).every
        ]
        assert values == sorted(values, reverse=True)
    sizes = [row.row.entrant.parameters for row in seen(table, View(sort="-parameters")).every]
    assert sizes[0] == max(sizes)
    assert sizes[-624:] == [0.0] * 624  # which it writes where it does not know
    assert 0.0 not in sizes[:-624]


def test_patterns_and_words_and_sizes_choose_what_counting_finds(of):
    table = of("open-llm-v1")
    rows = [row.entrant for row in table.snapshot.rows]
    assert len(names(table, search="llama 8b")) == sum(
        all(word in f"{each.model} {each.precision} {each.licence}".lower() for word in ("llama", "8b"))
        for each in rows
    )
    assert len(names(table, search="/^meta-llama//")) == sum(
        each.model.lower().startswith("meta-llama/") for each in rows
    )
    assert len(names(table, preset="small")) == sum(3 < each.parameters <= 9 for each in rows)
    assert len(names(table, licence=("mit",), parameters_max=9.0)) == sum(
        each.licence == "mit" and 0 < each.parameters <= 9 for each in rows
    )
    stated = Counter(each.licence or "-" for each in rows)
    assert {each.value: each.count for each in seen(table, View()).facets["licence"]} == stated


def test_long_names_say_their_organisation(of):
    table = of("open-llm-v2")
    named = Counter(row.entrant.model.rpartition("/")[0] for row in table.snapshot.rows)
    assert Counter(map(organisation, table.snapshot.rows)) == named
    assert {each.value: each.count for each in seen(table, View()).facets["organisation"]} == {
        name or "-": count for name, count in named.items()
    }
    found = seen(table, View(organisation=("meta-llama",)))
    assert found.matching == len(names(table, search="/^meta-llama$/"))
    assert {each.row.entrant.model.split("/")[0] for each in found.every} == {"meta-llama"}


def test_a_row_that_is_pinned_is_the_same_model_at_every_date(of):
    for board in ("open-llm-v2", "arena-history"):
        last = of(board)
        for day in ("2024-09-28", "2024-12-01"):
            earlier = of(board, day)
            both = [key for key in earlier.keys if key in last.index]
            assert len(both) > 50
            for key in both:
                now, then = (table.row(key).entrant for table in (last, earlier))
                assert (now.model, now.precision) == (then.model, then.precision)


def test_the_arenas_first_may_be_the_best_and_no_two_of_a_tier_are_told_apart(of):
    table = of("arena-history")
    for place, row in enumerate(table.snapshot.rows):
        assert (table.tiers[place] == 1) == (row.low == 1)
        tied = seen(table, View(tied=table.keys[place]))
        assert {each.key for each in tied.every} >= {
            key for key, tier in zip(table.keys, table.tiers, strict=True) if tier == table.tiers[place]
        }
        better = [
            each for each in table.snapshot.rows[:place] if each not in [line.row for line in tied.every]
        ]
        assert row.low == 1 + len(better)


def test_a_download_is_the_whole_view(of):
    found = seen(
        of("open-llm-v1"), View(search="mistral", sort="-score.gsm8k", columns=("model", "score.gsm8k"))
    )
    rows = list(csv.reader(io.StringIO(as_csv(found).decode(), newline="")))
    assert rows[0] == ["model", "score.gsm8k"]
    assert len(rows) - 1 == found.matching > 500
    assert [(name, float(value)) for name, value in rows[1:]] == [
        (line.row.entrant.model, line.row.entrant.scores.columns["gsm8k"].value) for line in found.every
    ]
