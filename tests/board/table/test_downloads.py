import csv
import io
import json
from urllib.parse import parse_qsl

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.board.reported.importing import LOWER
from bakeoff.board.scores import Value
from bakeoff.board.table import View, as_csv, as_json, as_parquet, prepared, seen
from bakeoff.board.table.downloads import disarmed
from tests.board.table.making import HOSTILE, scored, snapshot, snapshots


@st.composite
def sights(draw):
    """What is seen of some board with some view."""
    table = prepared(draw(snapshots()))
    keys = [each.key for each in table.columns]
    return seen(
        table,
        View(
            columns=tuple(draw(st.lists(st.sampled_from(keys), unique=True, max_size=6))),
            sort=draw(st.just("") | st.sampled_from(keys)),
            state=draw(st.sampled_from(("all", "ranked"))),
            pin=table.keys[-1:],
            per_page=draw(st.none() | st.just(2)),
        ),
    )


def expected(found, lines):
    """Rows of what is seen by the names of what is written, read from the rows of the snapshot."""
    return [{name: read(line.row) for each in found.columns for name, read in each.cells} for line in lines]


def csv_rows(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


@given(sights())
def test_a_csv_file_holds_what_is_seen(found):
    for page, lines in ((False, found.every), (True, found.rows)):
        rows = csv_rows(as_csv(found, page=page))
        assert len(rows) == len(lines)
        for row, wanted in zip(rows, expected(found, lines), strict=True):
            assert row.keys() == wanted.keys()
            for name, value in wanted.items():
                match value:
                    case None:
                        assert row[name] == ""
                    case str():
                        assert row[name] == disarmed(value)
                    case _:
                        assert float(row[name]) == value


@given(sights())
def test_a_json_file_holds_what_is_seen_and_says_of_what(found):
    told = json.loads(as_json(found))
    assert [row.pop("key") for row in told["rows"]] == [line.key for line in found.every]
    assert told["rows"] == expected(found, found.every)
    assert (told["board"], told["snapshot"]) == ("small", found.table.snapshot.digest)
    assert (told["n"], told["matching"], told["level"]) == (found.total, found.matching, 0.95)
    assert told["lower_is_better"] == (LOWER in found.table.snapshot.notes)
    assert [each["key"] for each in told["columns"]] == [each.key for each in found.columns]
    assert View.parse(parse_qsl(told["query"])) == found.view
    assert len(json.loads(as_json(found, page=True))["rows"]) == len(found.rows)


@settings(max_examples=30)
@given(sights())
def test_a_parquet_file_holds_what_is_seen(tmp_path_factory, found):
    file = tmp_path_factory.mktemp("parquet") / "rows.parquet"
    file.write_bytes(as_parquet(found))
    table = duckdb.read_parquet(str(file))
    wanted = expected(found, found.every)
    names = list(dict.fromkeys(name for each in found.columns for name, _ in each.cells))
    assert table.columns == names
    rows = [dict(zip(names, row, strict=True)) for row in table.fetchall()]
    for row in rows:
        if row.get("first_seen") is not None:
            row["first_seen"] = row["first_seen"].isoformat()
    assert rows == [{name: row[name] for name in names} for row in wanted]


def test_duckdb_reads_the_csv_file_as_it_was_written(tmp_path):
    columns = {"core/Maths": Value(1 / 3, 0.1, 0.7, 9)}
    made = snapshot(
        *(
            scored(n, n / 100, model=name, columns=columns)
            for n, name in enumerate(HOSTILE, 1)
            if "\0" not in name
        )
    )
    found = seen(prepared(made), View(columns=("model", "score", "score.core-maths", "cost")))
    file = tmp_path / "rows.csv"
    file.write_bytes(as_csv(found))
    rows = duckdb.read_csv(str(file), all_varchar=True, quotechar='"', escapechar='"', header=True).fetchall()
    assert [row[0] for row in rows] == [disarmed(line.row.entrant.model) for line in found.every]
    assert [float(row[1]) for row in rows] == [line.row.entrant.scores.score.value for line in found.every]
    assert {row[4] for row in rows} == {"0.3333333333333333"}


@pytest.mark.parametrize("text", [each for each in HOSTILE if each[0] in "=+-@\t\r\n"])
def test_no_cell_of_text_is_a_formula(text):
    assert disarmed(text) == f"'{text}"
    entry = scored(
        1, 0.5, model=text, organisation=text, licence=text, precision=text, flags=(text,), revision=text
    )
    table = prepared(snapshot(entry))
    (row,) = csv_rows(as_csv(seen(table, View(columns=tuple(each.key for each in table.columns)))))
    assert all(
        row[name] == f"'{text}"
        for name in ("model", "organisation", "licence", "precision", "flags", "revision")
    )


def test_a_number_below_zero_stays_a_number():
    table = prepared(snapshot(scored(1, -0.25, None), unit="raw"))
    assert as_csv(seen(table, View(columns=("score",)))) == b"score\r\n-0.25\r\n"


def test_lines_end_as_the_standard_says():
    table = prepared(snapshot(scored(1, 0.5, model='a "b", c\nd', organisation="é")))
    assert as_csv(seen(table, View(columns=("model", "organisation")))) == (
        'model,organisation\r\n"a ""b"", c\nd",é\r\n'.encode()
    )


def test_every_page_is_in_the_file_unless_one_is_asked_for():
    table = prepared(snapshot(*(scored(number) for number in range(1, 8))))
    found = seen(table, View(per_page=3, page=2, pin=("7",)))
    assert [row["model"][-1] for row in csv_rows(as_csv(found))] == list("7123456")
    assert [row["model"][-1] for row in csv_rows(as_csv(found, page=True))] == list("7456")
