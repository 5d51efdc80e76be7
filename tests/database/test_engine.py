import pytest
from sqlalchemy import text

from bakeoff.database import database_url, open_database, reading, shown_url, writing
from bakeoff.database.clock import current
from bakeoff.errors import StoreError


@pytest.mark.parametrize("given", ["mysql://u:secret@h/d", "nonsense", "://secret@", "redis://secret@h"])
def test_what_is_no_address_of_ours_is_refused_without_repeating_it(given):
    with pytest.raises(StoreError) as error:
        database_url(given)
    assert "secret" not in str(error.value)
    assert "postgresql://" in error.value.hint


def test_an_address_is_shown_without_its_password(monkeypatch):
    monkeypatch.setenv("BAKEOFF_DATABASE_URL", "postgresql://ann:hunter2@db/boards")
    shown = shown_url(database_url())
    assert "hunter2" not in shown
    assert "ann" in shown


def test_a_server_that_is_not_there_is_an_error_without_the_password():
    with pytest.raises(StoreError) as error:
        open_database(database_url("postgresql://ann:hunter2@127.0.0.1:9/boards"))
    assert "hunter2" not in str(error.value)


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(StoreError, match="there is no folder"):
        open_database(database_url(f"sqlite:///{tmp_path / 'none' / 'x.db'}"))


def test_what_raises_is_undone_whole(engine):
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE t (x INTEGER)"))
    with pytest.raises(RuntimeError), writing(engine) as connection:  # noqa: PT012 (two steps, undone as one)
        connection.execute(text("INSERT INTO t VALUES (1)"))
        raise RuntimeError
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM t")).scalar() == 0


def test_a_reader_sees_one_state_while_others_write(engine):
    with writing(engine) as connection:
        connection.execute(text("CREATE TABLE t (x INTEGER)"))
    with reading(engine) as view:
        assert view.execute(text("SELECT count(*) FROM t")).scalar() == 0
        with writing(engine) as connection:
            connection.execute(text("INSERT INTO t VALUES (1)"))
        assert view.execute(text("SELECT count(*) FROM t")).scalar() == 0
    with reading(engine) as view:
        assert view.execute(text("SELECT count(*) FROM t")).scalar() == 1


def test_the_databases_clock_is_seconds_since_1970_and_runs_on(engine):
    with reading(engine) as connection:
        first = current(connection)
        second = current(connection)
    assert 1.7e9 < first <= second < 1e10
