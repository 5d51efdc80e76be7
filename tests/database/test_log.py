import pytest
from sqlalchemy import delete, update

from bakeoff.database import reading, writing
from bakeoff.database.log import START, broken, events, head, record
from bakeoff.database.tables import event


def _fill(engine, number=5):
    for each in range(number):
        with writing(engine) as connection:
            record(
                connection, actor="ann", kind="did", subject=f"thing {each % 2}", facts={"é": each, "x": 0.1}
            )


def _broken(engine):
    with reading(engine) as connection:
        return broken(connection)


def test_entries_come_back_as_they_were_written_each_behind_the_last(engine):
    _fill(engine)
    with reading(engine) as connection:
        found = list(events(connection))
        assert [each.number for each in found] == [1, 2, 3, 4, 5]
        assert found[0].previous == START
        assert [each.previous for each in found[1:]] == [each.digest for each in found[:-1]]
        assert found[3].facts == {"é": 3, "x": 0.1}
        assert head(connection) == found[-1].digest
        assert [each.number for each in events(connection, "thing 1")] == [2, 4]
    assert _broken(engine) is None


def test_what_is_undone_leaves_no_entry(engine):
    _fill(engine, 1)
    with pytest.raises(RuntimeError), writing(engine) as connection:  # noqa: PT012 (two steps, undone as one)
        record(connection, actor="ann", kind="did", subject="x")
        raise RuntimeError
    _fill(engine, 1)
    assert _broken(engine) is None


@pytest.mark.parametrize("column", ["at", "actor", "kind", "subject", "reason", "facts"])
def test_a_changed_entry_is_found(engine, column):
    _fill(engine)
    value = {"at": 1.0, "facts": '{"x":1}'}.get(column, "other")
    with writing(engine) as connection:
        connection.execute(update(event).where(event.c.number == 3).values({column: value}))
    assert _broken(engine) == "entry 3 was changed after it was written"


@pytest.mark.parametrize("facts", ["", "no JSON", '{"a": 1'])
def test_facts_that_cannot_be_read_are_found_and_no_crash(engine, facts):
    _fill(engine)
    with writing(engine) as connection:
        connection.execute(update(event).where(event.c.number == 2).values(facts=facts))
    assert _broken(engine) == "entry 2 was changed after it was written: its facts cannot be read"


def test_a_changed_entry_with_a_new_digest_breaks_the_chain_behind_it(engine):
    _fill(engine)
    with reading(engine) as connection:
        third = list(events(connection))[2]
    forged = type(third)(
        3, third.at, "bob", third.kind, third.subject, third.reason, third.facts, third.previous
    )
    with writing(engine) as connection:
        connection.execute(update(event).where(event.c.number == 3).values(actor="bob", digest=forged.digest))
    assert _broken(engine) == "entry 4 does not follow the one before it"


def test_a_removed_entry_is_found_and_a_cut_end_by_the_digest_kept_elsewhere(engine):
    _fill(engine)
    with reading(engine) as connection:
        kept = head(connection)
    with writing(engine) as connection:
        connection.execute(delete(event).where(event.c.number == 5))
    assert _broken(engine) is None
    with reading(engine) as connection:
        assert head(connection) != kept
    with writing(engine) as connection:
        connection.execute(delete(event).where(event.c.number == 2))
    assert _broken(engine) == "entry 2 is missing"


def test_what_is_read_of_the_log_can_be_followed_by_an_entry(engine):
    _fill(engine)
    with writing(engine) as connection:
        assert len(list(events(connection))) == 5
        record(connection, actor="ann", kind="did", subject="thing")
    assert _broken(engine) is None
    with writing(engine) as connection:
        next(events(connection))
        assert broken(connection) is None
        record(connection, actor="ann", kind="did", subject="thing")
    assert _broken(engine) is None
