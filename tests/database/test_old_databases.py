"""A database of every revision there was is brought up to date, and nothing in it is lost.

`rows.json` holds rows of every table, with every column that a table ever had, as a small board left them;
`since` is the revision before which there was no such row. A new revision is tested by itself; the test fails
until rows are given for what it adds, and until it is said here where what it removes has gone.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Connection, MetaData, Table, insert, inspect, select

from bakeoff.board.ranking.publishing import problems, snapshots
from bakeoff.board.registry import known
from bakeoff.board.submissions import submissions
from bakeoff.database import open_database, reading
from bakeoff.database.log import broken, events
from bakeoff.database.migrate import _config, known_revisions, migrate
from bakeoff.database.tables import metadata
from bakeoff.jobs import claim, jobs

ROWS = json.loads((Path(__file__).parent / "rows.json").read_text(encoding="utf-8"))
REVISIONS = tuple(reversed(known_revisions()))


def _scores_are_kept_by_version(connection: Connection, old: list[dict[str, object]]) -> None:
    score = metadata.tables["score"]
    kept = {
        (row.submission, row.version): (json.loads(row.content), row.created)
        for row in connection.execute(select(score))
    }
    assert kept == {
        (each["id"], 1): (json.loads(each["scores"]), each["changed"]) for each in old if each["scores"]
    }


MOVED: dict[tuple[str, str], Callable[[Connection, list[dict[str, object]]], None]] = {
    ("submission", "scores"): _scores_are_kept_by_version,
}
"""Columns that are no more, by table and name, and what must hold of their values as they were."""


def _tables(connection: Connection) -> list[Table]:
    """The tables that are there, those first which others refer to."""
    found = MetaData()
    found.reflect(connection)
    return [each for each in found.sorted_tables if each.name != "alembic_version"]


def _made_at(engine, revision):
    """Make the tables as that revision had them, and fill them; the rows by table."""
    with engine.connect() as connection:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        connection.commit()
        filled = {}
        for table in _tables(connection):
            given = [row for row in ROWS.get(table.name, ()) if row.get("since", "") <= revision]
            assert given, f"give rows of {table.name} in rows.json"
            for column in table.c:
                missing = [row for row in given if column.name not in row]
                assert not missing, f"give {table.name}.{column.name} in each row of rows.json"
            rows = [{column.name: row[column.name] for column in table.c} for row in given]
            connection.execute(insert(table), rows)
            filled[table.name] = rows
        connection.commit()
    return filled


@pytest.fixture(params=REVISIONS)
def revision(request):
    return request.param


def test_nothing_is_lost_on_the_way_to_the_newest(database, revision):
    engine = open_database(database)
    old = _made_at(engine, revision)
    migrate(engine)
    with reading(engine) as connection:
        for name, rows in old.items():
            table = metadata.tables[name]
            left = [column for column in rows[0] if column in table.c]
            query = select(*(table.c[column] for column in left)).order_by(*table.primary_key)
            now = [dict(row) for row in connection.execute(query).mappings()]
            key = [column.name for column in table.primary_key]
            expected = sorted(rows, key=lambda row: [row[column] for column in key])
            assert now == [{column: row[column] for column in left} for row in expected]
            for column in set(rows[0]) - set(left):
                MOVED[name, column](connection, rows)
        assert broken(connection) is None
        assert len(list(events(connection))) == len(old["event"])
    engine.dispose()


def test_the_queue_goes_on_from_where_it_was(database, revision):
    engine = open_database(database)
    _made_at(engine, revision)
    migrate(engine)
    assert [(each.id, each.state) for each in jobs(engine)] == [
        (row["id"], row["state"]) for row in ROWS["job"]
    ]
    # One was to be tried again; the other ran, and is taken over, since its lease has run out.
    assert [claim(engine, "w9", offers=["hf"]).job.id for _ in range(2)] == [1, 5]
    engine.dispose()


def test_a_board_is_read_and_verified_as_it_was(database, revision):
    engine = open_database(database)
    old = _made_at(engine, revision)
    migrate(engine)
    with reading(engine) as connection:
        if "submission" in old:
            assert known(connection, "small").version == 2
            assert [(each.id, each.state) for each in submissions(connection, "small")] == [
                (row["id"], row["state"]) for row in ROWS["submission"]
            ]
        if "snapshot" in old:
            assert list(problems(connection, "small")) == []
            (shot,) = snapshots(connection, "small")
            assert shot.digest == ROWS["snapshot"][0]["digest"]
    engine.dispose()


def test_the_newest_revision_has_rows_of_every_table(engine):
    with engine.connect() as connection:
        assert set(inspect(connection).get_table_names()) - {"alembic_version"} == set(ROWS)
