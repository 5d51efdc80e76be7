from concurrent.futures import ThreadPoolExecutor
from importlib import resources

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, make_url, text

from bakeoff.database import open_database, writing
from bakeoff.database.migrate import known_revisions, migrate, revision
from bakeoff.database.tables import metadata
from bakeoff.errors import StoreError
from tests.database.databases import with_tables


def _checks(connection):
    return {check["name"] for check in inspect(connection).get_check_constraints("job")}


def test_the_steps_lead_to_the_tables_that_the_code_knows(database):
    engine = open_database(database)
    migrate(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert revision(connection) == known_revisions()[0]
        checks = _checks(connection)
    with with_tables(make_url("sqlite://")).connect() as as_the_code_says:
        assert checks == _checks(as_the_code_says)
    engine.dispose()


def test_files_begin_with_the_revisions_they_lead_to():
    files = resources.files("bakeoff.database.migrations").joinpath("versions").iterdir()
    names = sorted(each.name for each in files if each.name.endswith(".py"))
    assert [name[:4] for name in names] == sorted(known_revisions())
    assert known_revisions()[0] == max(known_revisions())  # by which the newest is known without alembic


def test_doing_it_again_changes_nothing_and_loses_nothing(database):
    engine = open_database(database)
    migrate(engine)
    with writing(engine) as connection:
        connection.execute(
            metadata.tables["event"]
            .insert()
            .values(
                number=1,
                at=0.0,
                actor="a",
                kind="k",
                subject="s",
                reason="",
                facts="{}",
                previous="p",
                digest="d",
            )
        )
    migrate(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM event")).scalar() == 1
    engine.dispose()


def test_several_at_once_make_the_tables_once(database):
    engines = [open_database(database) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(migrate, engines))
    with engines[0].connect() as connection:
        assert set(inspect(connection).get_table_names()) == {*metadata.tables, "alembic_version"}
    for engine in engines:
        engine.dispose()


def test_a_database_of_a_newer_bakeoff_is_left_alone(database):
    engine = open_database(database)
    migrate(engine)
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'zzzz'"))
    with pytest.raises(StoreError, match="newer bakeoff"):
        migrate(engine)
    engine.dispose()
