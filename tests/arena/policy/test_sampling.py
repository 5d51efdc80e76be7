from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from sqlalchemy import select, update

from bakeoff.arena.policy.daily import keep
from bakeoff.arena.policy.sampling import (
    appearances,
    as_date,
    close,
    closed,
    day_of,
    first_votes,
    in_all,
    pairs_of,
)
from bakeoff.database import open_database, reading, writing
from bakeoff.database.clock import current
from bakeoff.database.tables import served
from bakeoff.errors import BakeoffError
from tests.arena.policy.making import DAY_S, Arena


@pytest.fixture
def three(arena):
    for name in ("a", "b", "é"):
        arena.public(name, provider=name, family=name)
    return arena


def rows(arena):
    with reading(arena.engine) as connection:
        columns = (served.c.first, served.c.second, served.c.shown, served.c.votes, served.c.propensity)
        return sorted(map(tuple, connection.execute(select(*columns))))


def clock(arena):
    with reading(arena.engine) as connection:
        return current(connection)


def test_a_day_is_of_utc():
    assert as_date(day_of(1_796_041_000.25)) == date(2026, 11, 30)
    assert (day_of(0.0), day_of(DAY_S - 0.001), day_of(DAY_S)) == (0, 0, 1)
    assert as_date(0) == date(1970, 1, 1)


def test_counts_of_a_pair_are_one_row_whoever_is_named_first(three):
    three.count(("b", "a", 2, 1, 0.5), ("a", "b", 1, 0, 0.25), ("a", "é", 1, 1, 1.0))
    three.count(("a", "b", 0, 2))
    assert rows(three) == [("a", "b", 3, 3, 0.75), ("a", "é", 1, 1, 1.0)]
    with reading(three.engine) as connection:
        today = three.today()
        assert sorted(appearances(connection, "chat")) == [
            (today, "a", 4, 4),
            (today, "b", 3, 3),
            (today, "é", 1, 1),
        ]


def test_the_time_of_the_first_vote_stays(three):
    at = clock(three)
    three.later(1)
    three.count(("a", "b", 1, 0, 1.0), at=at - 3)
    three.count(("a", "b", 1, 1, 1.0), at=at - 2)
    three.count(("a", "b", 1, 1, 1.0), ("b", "é", 1, 1, 1.0), at=at - 1)
    with reading(three.engine) as connection:
        found = first_votes(connection, "chat")
    assert found == pytest.approx({"a": at - 2, "b": at - 2, "é": at - 1}, abs=1e-4)


def test_many_who_count_at_once_lose_nothing(database, three):
    engines = [open_database(database) for _ in range(4)]

    def counted(number):
        for _ in range(5):
            pairs = [("a", "b"), ("b", "é"), ("é", "a")]
            Arena(engines[number]).count(*((*each, 1, 1, 0.5) for each in pairs[:: 1 if number % 2 else -1]))

    with ThreadPoolExecutor(len(engines)) as pool:
        list(pool.map(counted, range(len(engines))))
    for each in engines:
        each.dispose()
    assert [row[2:] for row in rows(three)] == [(20, 20, 10.0)] * 3


@pytest.mark.parametrize(
    ("tally", "said"),
    [
        (("a", "ghost", 1, 0, 1.0), "ghost was not registered in chat"),
        (("a", "ghost", 0, 1), "ghost was not registered in chat"),
        (("a", "a", 1, 0, 1.0), "paired with itself"),
        (("a", "b", -1, 0, 0.0), "must not be below 0"),
        (("a", "b", 1, -1, 1.0), "must not be below 0"),
        (("a", "b", 1, 0, 0.0), "propensity must lie in"),
        (("a", "b", 2, 0, 2.5), "propensity must lie in"),
        (("a", "b", 0, 1, 0.5), "propensity must lie in"),
        (("a", "b", 1, 0, float("nan")), "propensity must lie in"),
        (("a", "b", 1, 0, -0.5), "propensity must lie in"),
        (("a", "gone", 1, 0, 1.0), "gone is withdrawn, and is not to be shown"),
        (("a", "new", 1, 0, 1.0), "new is registered, and is not to be shown"),
    ],
)
def test_what_may_not_be_shown_or_is_no_count_is_refused_whole(three, tally, said):
    for name in ("gone", "new"):
        three.register(name, provider="New")
    three.move("gone", "withdrawn", reason="no use")
    with pytest.raises(BakeoffError) as error:
        three.count(("a", "b", 1, 0, 1.0), tally)
    assert said in error.value.message
    assert rows(three) == []


def test_a_vote_may_come_when_its_variant_is_gone_already(three):
    three.count(("a", "b", 1, 0, 1.0))
    three.move("a", "withdrawn", reason="no use")
    three.count(("a", "b", 0, 1))
    assert rows(three) == [("a", "b", 1, 1, 1.0)]


def test_what_is_counted_late_was_registered_then(three):
    with pytest.raises(BakeoffError, match="was not registered in chat then"):
        three.count(("a", "b", 1, 1, 1.0), at=clock(three) - 60)
    assert rows(three) == []


def test_a_closed_day_takes_no_more_and_tomorrow_none_yet(three):
    three.later(3)
    yesterday = clock(three) - DAY_S
    three.count(("a", "b", 1, 1, 1.0), at=yesterday - DAY_S)
    with writing(three.engine) as connection:
        done = keep(connection, "chat", actor="cron")
        assert list(closed(connection, "chat")) == list(done.closed) == [three.today() - 2]
        assert keep(connection, "chat", actor="cron").closed == ()
    with pytest.raises(BakeoffError, match="is closed in chat"):
        three.count(("a", "b", 1, 1, 1.0), at=yesterday - DAY_S)
    three.count(("a", "b", 1, 1, 1.0), at=yesterday)
    with pytest.raises(BakeoffError, match="has not come yet"):
        three.count(("a", "b", 1, 1, 1.0), at=clock(three) + DAY_S)
    with (
        pytest.raises(BakeoffError, match="has not been over for an hour"),
        writing(three.engine) as connection,
    ):
        close(connection, "chat", three.today(), actor="cron")


def test_a_day_is_closed_once_with_the_counts_that_it_had(three):
    three.count(("a", "b", 1, 1, 1.0))
    three.later(2)
    day = three.today() - 2
    with writing(three.engine) as connection:
        made = close(connection, "chat", day, actor="cron")
        assert (made.day, made.shown, made.votes) == (day, 1, 1)
        assert close(connection, "chat", day, actor="cron") == made
        connection.execute(update(served).values(shown=5))
        with pytest.raises(BakeoffError, match="changed since it was closed"):
            close(connection, "chat", day, actor="cron")


def test_the_digest_of_a_day_does_not_depend_on_the_order_of_counting(three):
    def counted(*tallies):
        for each in tallies:
            three.count(each)
        with writing(three.engine) as connection:
            connection.execute(update(served).values(first_vote=1.0))
            found = in_all(9, pairs_of(connection, "chat", three.today()))
            connection.execute(served.delete())
        return found

    tallies = [("a", "b", 1, 1, 0.5), ("é", "a", 2, 1, 0.5), ("b", "é", 3, 1, 0.5)]
    assert counted(*tallies) == counted(*reversed(tallies))
    assert counted(*tallies) != counted(*tallies[1:])
