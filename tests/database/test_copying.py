import threading
from contextlib import contextmanager

import pytest
from sqlalchemy import delete, func, insert, make_url, select, text, update

from bakeoff.database import open_database, reading, writing
from bakeoff.database.copying import copy
from bakeoff.database.log import broken, events, head, record
from bakeoff.database.migrate import migrate
from bakeoff.database.tables import event, job, job_need, metadata, post, secret, snapshot, submission
from bakeoff.errors import StoreError
from bakeoff.jobs import add, claim, finish, heartbeat, jobs
from tests.database.databases import fresh_postgres

ODD = "é 漢 🙂 \t\n'\"\\ %s :x"


@pytest.fixture
def source(database):
    """A database with a row or more of every table."""
    engine = open_database(database)
    migrate(engine)
    with writing(engine) as connection:
        for each in range(7):
            add(connection, "evaluate", {"text": ODD, "x": 0.1}, owner="us", needs=["hf", "cuda"][: each % 3])
        connection.execute(
            insert(submission).values(
                board="small",
                organisation=ODD,
                submitter="ann",
                way="weights",
                model="{}",
                identity="i",
                state="queued",
                attempt=1,
                job=1,
                created=0.1 + 0.2,
                changed=1.7e9 + 1e-6,
            )
        )
        connection.execute(insert(secret).values(submission=1, sealed="sealed", created=1.0))
        connection.execute(
            insert(snapshot).values(digest="d", board="small", version=1, made=2.0, content="x" * 5_000_000)
        )
        connection.execute(
            insert(post).values(subject="board small", author="a", organisation="o", body=ODD, created=3.0)
        )
    held = claim(engine, "w1", offers=["hf", "cuda"], memory=16.0)
    assert held is not None
    yield engine
    engine.dispose()


@contextmanager
def _target(kind, tmp_path, request):
    if kind == "sqlite":
        opened = open_database(make_url(f"sqlite:///{tmp_path / 'copy.db'}"))
        yield opened
        opened.dispose()
        return
    with fresh_postgres(request.getfixturevalue("server")) as url:
        opened = open_database(url)
        yield opened
        opened.dispose()


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request, tmp_path):
    """An empty database."""
    with _target(request.param, tmp_path, request) as opened:
        yield opened


def _rows(engine, *, without=()):
    with reading(engine) as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for table in metadata.sorted_tables
            if table.name not in without
        }


def test_a_copy_has_every_row_as_it_is_but_for_lent_keys(source, target):
    made = copy(source, target)
    assert _rows(target, without={"secret"}) == _rows(source, without={"secret"})
    assert _rows(target)["secret"] == []
    assert made.rows == {name: len(rows) for name, rows in _rows(target).items() if name != "secret"}
    with reading(source) as connection:
        assert made.head == head(connection)
    with reading(target) as connection:
        assert broken(connection) is None


def test_lent_keys_are_copied_when_that_is_asked(source, target):
    assert copy(source, target, keys=True).rows["secret"] == 1
    assert _rows(target) == _rows(source)


def test_work_goes_on_in_the_copy_with_leases_kept_and_ids_that_are_new(source, target):
    (running,) = jobs(source, state="running")
    copy(source, target)
    (found,) = jobs(target, state="running")
    assert found == running
    assert claim(target, "w2", offers=["hf", "cuda"]).job.id != running.id
    with writing(target) as connection:
        connection.execute(update(job).where(job.c.id == running.id).values(lease_until=1.0))
    taken = claim(target, "w2", offers=["hf", "cuda"])
    assert taken.job.id == running.id
    heartbeat(target, taken, done=1)
    finish(target, taken)
    with writing(target) as connection:
        assert add(connection, "evaluate", {}, owner="us") == 8
        connection.execute(
            insert(post).values(subject="board small", author="a", organisation="o", body="", created=3.0)
        )
        assert connection.execute(select(func.max(post.c.id))).scalar_one() == 2
    with reading(target) as connection:
        assert broken(connection) is None
        assert [each.number for each in events(connection)] == [1, 2, 3, 4]


def test_a_copy_of_a_copy_is_the_same(source, target, tmp_path):
    copy(source, target, keys=True)
    back = open_database(make_url(f"sqlite:///{tmp_path / 'back.db'}"))
    copy(target, back, keys=True)
    assert _rows(back) == _rows(source)
    back.dispose()


def test_a_copy_made_while_others_write_is_of_one_moment(source, target):
    stop, begun = threading.Event(), threading.Event()

    def write():
        while not stop.is_set():
            with writing(source) as connection:
                number = add(connection, "evaluate", {}, owner="us", needs=["hf"])
                record(connection, actor="ann", kind="did", subject=f"job {number}")
            begun.set()

    writers = [threading.Thread(target=write) for _ in range(2)]
    for each in writers:
        each.start()
    try:
        assert begun.wait(60)
        copy(source, target)
    finally:
        stop.set()
        for each in writers:
            each.join()
    with reading(target) as connection:
        assert broken(connection) is None
        told = {each.subject for each in events(connection) if each.kind == "did"}
        there = {f"job {each}" for each in connection.execute(select(job.c.id).where(job.c.id > 7)).scalars()}
        needed = connection.execute(select(func.count()).select_from(job_need).where(job_need.c.job > 7))
        assert needed.scalar_one() == len(there)
    # Each transaction wrote a job, its need and an entry: the copy has all three of it, or none.
    assert told == there
    assert told
    with reading(source) as connection:
        assert broken(connection) is None


def test_nothing_is_copied_over_what_is_there(source, target):
    with writing(target) as connection:
        connection.execute(text("CREATE TABLE others (x INTEGER)"))
    with writing(target) as connection:
        connection.execute(text("INSERT INTO others VALUES (1)"))
    with pytest.raises(StoreError, match="is not empty"):
        copy(source, target)
    with pytest.raises(StoreError, match="is not empty"):
        copy(source, source)


def test_an_address_with_nothing_behind_it_is_no_source(source, target):
    with pytest.raises(StoreError, match="nothing to copy"):
        copy(target, source)


@pytest.mark.parametrize(
    ("spoilt", "said"),
    [
        (update(event).values(actor="nobody"), "entry 1 was changed"),
        (text("UPDATE alembic_version SET version_num = '0001'"), "of revision 0001"),
    ],
)
def test_what_is_not_whole_is_not_copied(source, target, spoilt, said):
    with writing(source) as connection:
        connection.execute(spoilt)
    with pytest.raises(StoreError, match=said):
        copy(source, target)
    assert not any(_rows(target).values())


def test_a_row_that_the_target_cannot_keep_is_named_and_nothing_is_copied(tmp_path, server):
    source = open_database(make_url(f"sqlite:///{tmp_path / 'odd.db'}"))
    migrate(source)
    with writing(source) as connection:
        connection.execute(delete(event))
        record(connection, actor="ann\x00", kind="did", subject="thing")
    with fresh_postgres(server) as url:
        target = open_database(url)
        with pytest.raises(StoreError, match="cannot keep a row of event"):
            copy(source, target)
        assert not any(_rows(target).values())
        target.dispose()
    source.dispose()
