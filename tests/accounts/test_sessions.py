import pytest
from sqlalchemy import func, select, update

from bakeoff.accounts import add, by_session, close, close_all, open_session, sessions_of
from bakeoff.accounts.sessions import IDLE_S, LIFETIME_S, MOST_SESSIONS, is_stale, note_use
from bakeoff.database.clock import current
from bakeoff.database.tables import session as table


@pytest.fixture
def ann(connection):
    return add(connection, "ann", actor="root")


def test_a_session_is_its_accounts_and_each_log_in_has_its_own(connection, ann):
    first, second = open_session(connection, ann), open_session(connection, ann)
    assert first != second
    assert by_session(connection, first)[0] == by_session(connection, second)[0] == ann
    assert {each.digest for each in sessions_of(connection, ann)} == {
        by_session(connection, each)[1].digest for each in (first, second)
    }


def test_its_digest_does_not_open_it(connection, ann):
    """Whoever reads the database, or the page that lists sessions, is not logged in by it."""
    _, session = by_session(connection, open_session(connection, ann))
    assert by_session(connection, session.digest) is None
    assert by_session(connection, session.digest.removeprefix("sha256:")) is None


@pytest.mark.parametrize("secret", ["", "x", "\0", "\ud800", "x" * 10_000, "' OR 1=1 --"])
def test_what_is_no_session_is_nobody(connection, ann, secret):
    open_session(connection, ann)
    assert by_session(connection, secret) is None


@pytest.mark.parametrize(
    ("changes", "goes_on"),
    [
        ({"seen": -IDLE_S + 60}, True),
        ({"seen": -IDLE_S - 1}, False),
        ({"expires": 60}, True),
        ({"expires": -1}, False),
    ],
)
def test_it_ends_when_it_was_not_used_or_is_old(connection, ann, changes, goes_on):
    secret = open_session(connection, ann)
    at = current(connection)
    connection.execute(update(table).values({name: at + value for name, value in changes.items()}))
    assert (by_session(connection, secret) is not None) is goes_on
    assert len(sessions_of(connection, ann)) == goes_on
    # The next log-in clears away what has ended.
    open_session(connection, ann)
    assert connection.execute(select(func.count()).select_from(table)).scalar_one() == 1 + goes_on


def test_use_does_not_prolong_its_life(connection, ann):
    secret = open_session(connection, ann)
    _, before = by_session(connection, secret)
    assert before.expires - before.created == pytest.approx(LIFETIME_S, abs=5)
    assert not is_stale(before, before.seen + 3599)
    assert is_stale(before, before.seen + 3600)
    connection.execute(update(table).values(seen=before.seen - 7200))
    note_use(connection, before)
    _, after = by_session(connection, secret)
    assert after.seen == pytest.approx(before.seen, abs=60)
    assert after.expires == before.expires


def test_one_is_closed_and_others_go_on(connection, ann):
    first, second = open_session(connection, ann), open_session(connection, ann)
    digest = by_session(connection, first)[1].digest
    assert close(connection, ann, digest)
    for none in (digest, "", "\0", "\ud800", "' OR 1=1 --"):
        assert not close(connection, ann, none)
    assert by_session(connection, first) is None
    assert by_session(connection, second)


def test_nobody_closes_the_session_of_another(connection, ann):
    bob = add(connection, "bob", actor="root")
    secret = open_session(connection, ann)
    assert not close(connection, bob, by_session(connection, secret)[1].digest)
    assert close_all(connection, bob) == 0
    assert by_session(connection, secret)


def test_all_are_closed_but_the_one_that_asks(connection, ann):
    secrets = [open_session(connection, ann) for _ in range(3)]
    own = by_session(connection, secrets[1])[1].digest
    assert close_all(connection, ann, but=own) == 2
    assert [by_session(connection, each) is not None for each in secrets] == [False, True, False]
    assert close_all(connection, ann) == 1
    assert sessions_of(connection, ann) == ()


def test_the_oldest_give_way(connection, ann):
    secrets = []
    for each in range(MOST_SESSIONS + 3):
        secrets.append(open_session(connection, ann))
        connection.execute(update(table).values(created=table.c.created - 10, seen=table.c.seen - 1 - each))
    kept = [by_session(connection, each) is not None for each in secrets]
    assert kept == [False] * 3 + [True] * MOST_SESSIONS
