import pytest
from sqlalchemy import delete, update

from bakeoff.board.life import State
from bakeoff.board.ranking.history import history
from bakeoff.board.ranking.publishing import find, latest, problems, snapshots, take
from bakeoff.board.registry import register
from bakeoff.board.scores import Scores, Value
from bakeoff.board.submissions import move, publish, score, submit
from bakeoff.database import reading, writing
from bakeoff.database.tables import event
from bakeoff.database.tables import score as score_table
from bakeoff.database.tables import snapshot as table
from bakeoff.errors import BakeoffError
from tests.board.making import BOARD, model


def _publish(engine, number, value, *, organisation="org", given=None, supersedes=None):
    with writing(engine) as connection:
        made = submit(
            connection,
            BOARD,
            given or model(number),
            organisation=organisation,
            submitter="ann",
            supersedes=supersedes,
        )
        for state in (State.VALIDATING, State.QUEUED, State.RUNNING, State.SCORING):
            move(connection, made.id, state, actor="queue")
        found = Value(value, value - 0.02, value + 0.02, 400) if value is not None else Value(None)
        incomplete = "" if value is not None else "core: gsm8k is missing"
        scores = Scores(found, {"core/Maths": found}, incomplete=incomplete)
        score(connection, made.id, scores.as_json(), actor="queue")
        move(connection, made.id, State.REVIEW, actor="queue")
        return publish(connection, made.id, actor="bob")


def _take(engine):
    with writing(engine) as connection:
        register(connection, BOARD, actor="bob")
        return take(connection, BOARD, actor="bob")


def _problems(engine):
    with reading(engine) as connection:
        return list(problems(connection, "small"))


def test_a_snapshot_is_kept_as_it_was_whatever_comes_after(engine):
    _publish(engine, 1, 0.5)
    first = _take(engine)
    _publish(engine, 2, 0.7)
    second = _take(engine)
    with reading(engine) as connection:
        assert list(snapshots(connection, "small")) == [first, second]
        assert latest(connection, "small") == second
        assert find(connection, "small", first.digest[7:15]) == first
        assert find(connection, "small", "first") == first
    assert [row.entrant.submission for row in second.rows] == [2, 1]
    assert _problems(engine) == []


def test_where_nothing_changed_there_is_no_new_snapshot(engine):
    _publish(engine, 1, 0.5)
    assert _take(engine) == _take(engine)


def test_an_incomplete_run_is_shown_and_has_no_rank(engine):
    _publish(engine, 1, None)
    (row,) = _take(engine).rows
    assert row.place is None
    assert "missing" in row.unranked


def test_taking_a_bad_score_back_leaves_its_row_and_handing_in_under_another_name_is_seen(engine):
    bad = _publish(engine, 1, 0.2)
    with writing(engine) as connection:
        move(connection, bad.id, State.WITHDRAWN, actor="ann", reason="we can do better")
    again = _publish(engine, 1, 0.9, given=model(1, name="fresh/start"))
    rows = {row.entrant.submission: row for row in _take(engine).rows}
    assert rows[bad.id].unranked == "withdrawn"
    assert rows[bad.id].entrant.scores.score.value == 0.2
    assert (rows[again.id].entrant.attempt, rows[again.id].entrant.attempts) == (2, 2)


def test_the_same_weights_twice_have_one_rank(engine):
    first = _publish(engine, 1, 0.5)
    twin = _publish(engine, 1, 0.6, given=model(1, name="other/name"), organisation="other")
    rows = {row.entrant.submission: row for row in _take(engine).rows}
    assert rows[first.id].place == 1
    assert rows[twin.id].unranked == f"the same weights as submission {first.id}"


def test_attempts_without_a_score_are_counted(engine):
    with writing(engine) as connection:
        submit(connection, BOARD, model(7), organisation="org", submitter="ann")
    _publish(engine, 1, 0.5)
    (row,) = _take(engine).rows
    assert (row.entrant.attempt, row.entrant.attempts) == (2, 2)


def _taken(engine):
    _publish(engine, 1, 0.5)
    first = _take(engine)
    _publish(engine, 2, 0.6)
    _take(engine)
    return first


def test_a_changed_snapshot_is_found(engine):
    first = _taken(engine)
    with writing(engine) as connection:
        connection.execute(
            update(table).where(table.c.digest == first.digest).values(content='{"log": "' + first.log + '"}')
        )
    assert any("changed after it was published" in each for each in _problems(engine))


def test_a_removed_snapshot_is_found(engine):
    first = _taken(engine)
    with writing(engine) as connection:
        connection.execute(delete(table).where(table.c.digest == first.digest))
    assert _problems(engine) == [f"snapshot {first.digest[7:19]}: the log tells of it, and it is gone"]


def test_a_log_whose_end_was_cut_off_is_found_by_the_snapshots(engine):
    _taken(engine)
    with writing(engine) as connection:
        numbers = [row.number for row in connection.execute(event.select().order_by(event.c.number.desc()))]
        connection.execute(delete(event).where(event.c.number > numbers[3]))
    found = _problems(engine)
    assert any("cut off" in each for each in found)
    assert any("the log does not know it" in each for each in found)


def test_an_edited_log_is_found(engine):
    _taken(engine)
    with writing(engine) as connection:
        connection.execute(update(event).where(event.c.number == 3).values(actor="nobody"))
    assert _problems(engine) == ["the log: entry 3 was changed after it was written"]


def test_a_score_edited_in_the_database_does_not_touch_what_was_published(engine):
    first = _taken(engine)
    with writing(engine) as connection:
        connection.execute(update(score_table).values(content="{}"))
    with reading(engine) as connection:
        assert find(connection, "small", first.digest) == first


def test_a_name_that_fits_nothing_is_said(engine):
    _taken(engine)
    with pytest.raises(BakeoffError, match="no snapshot"), reading(engine) as connection:
        find(connection, "small", "ffffffffffff")


def test_how_a_model_stood_over_time_is_told_snapshot_by_snapshot(engine):
    _publish(engine, 1, 0.5)
    first = _take(engine)
    _publish(engine, 2, 0.9)
    second = _take(engine)
    with reading(engine) as connection:
        told = list(history(connection, "small", "MODEL-1"))
        assert [(each.digest, each.place, each.ranked) for each in told] == [
            (first.digest, 1, 1),
            (second.digest, 2, 2),
        ]
        assert list(history(connection, "small", "nothing of that name")) == []
