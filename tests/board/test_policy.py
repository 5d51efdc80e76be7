"""Every rule of the policy, and somebody who tries to get round it. Further ones are beside what they are
about: caps and duplicates in `test_snapshot`, quotas in `test_submissions`, removals in `test_flags`.
"""

import json

import pytest
from sqlalchemy import delete, update

from bakeoff.board.life import State
from bakeoff.board.ranking.publishing import problems, take
from bakeoff.board.submissions import get, move, publish, submissions
from bakeoff.database import reading, writing
from bakeoff.database.tables import event
from bakeoff.database.tables import score as score_table
from bakeoff.database.tables import submission as table
from bakeoff.errors import BakeoffError
from bakeoff.jobs import Fault, jobs
from tests.board.making import model
from tests.board.recorded import answers, submitted, work_off


def _published(engine, board, tmp_path, number=1, right=9, **how):
    made = submitted(engine, board, answers(tmp_path, right, f"m{number}"), given=model(number), **how)
    work_off(engine, tmp_path)
    with writing(engine) as connection:
        publish(connection, made, actor="bob")
    return made


def _take(engine, board):
    with writing(engine) as connection:
        return take(connection, board, actor="bob")


def _unranked(snapshot):
    return {row.entrant.submission: row.unranked for row in snapshot.rows if row.place is None}


def _problems(engine):
    with reading(engine) as connection:
        return list(problems(connection, "little"))


def test_a_bad_score_cannot_be_retracted(engine, board, tmp_path):
    bad = _published(engine, board, tmp_path, right=1)
    before = _take(engine, board)
    with writing(engine) as connection:
        move(connection, bad, State.WITHDRAWN, actor="ann", reason="we did not like it")
    (row,) = _take(engine, board).rows
    assert (row.unranked, row.entrant.scores) == ("withdrawn", before.rows[0].entrant.scores)


def test_a_model_handed_in_again_under_another_name_has_one_rank_and_counts_as_an_attempt(
    engine, board, tmp_path
):
    first = _published(engine, board, tmp_path, number=1, right=4)
    # The same answers from a file of another name, by the same organisation.
    again = _published(engine, board, tmp_path, number=1, right=4)
    shot = _take(engine, board)
    assert _unranked(shot) == {again: f"the same weights as submission {first}"}
    assert {row.entrant.attempts for row in shot.rows} == {2}


def test_a_run_that_is_not_whole_has_no_rank(engine, board, tmp_path):
    path = tmp_path / "part.jsonl"
    rows = [{"id": f"{task}{each}", "output": str(each)} for task in ("one", "two") for each in range(12)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows[:-1]))
    part = submitted(engine, board, f"recorded:{path}")
    work_off(engine, tmp_path)
    with writing(engine) as connection:
        publish(connection, part, actor="bob")
    assert _unranked(_take(engine, board)) == {part: "two: 1 of 12 samples have no score"}


def test_tasks_that_were_made_easier_after_registration_are_not_run(engine, board, tmp_path):
    made = submitted(engine, board, answers(tmp_path))
    path = tmp_path / "one.yaml"
    path.write_text(path.read_text().replace('"exact"', '"includes"'))
    work_off(engine, tmp_path)
    with reading(engine) as connection:
        assert get(connection, made).scores is None
    assert any("another rule: task one changed since" in (each.error or "") for each in jobs(engine))
    assert all(each.fault in (None, Fault.OURS) for each in jobs(engine))


def test_rows_that_were_asked_other_items_are_not_ranked_together(engine, board, tmp_path):
    # Rows of a file change without the task's own text.
    items = json.loads((tmp_path / "one.yaml").read_text())["data"]["items"]
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in items))
    (tmp_path / "one.yaml").write_text(
        json.dumps({"name": "one", "data": {"file": "items.jsonl"}, "scorer": "exact"})
    )
    first = _published(engine, board, tmp_path, number=1)
    items[0]["target"] = "another answer"
    file.write_text("".join(json.dumps(each) + "\n" for each in items))
    second = _published(engine, board, tmp_path, number=2, right=8)
    shot = _take(engine, board)
    assert [row.entrant.submission for row in shot.rows if row.place] == [first]
    assert _unranked(shot) == {second: f"one was another task than submission {first} was asked"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda number: delete(table).where(table.c.id == number), "the log tells of it, and it is gone"),
        (
            lambda number: update(table).where(table.c.id == number).values(state="published"),
            "it is published, and by the log withdrawn",
        ),
    ],
)
def test_an_attempt_cannot_be_hidden_nor_a_state_changed_behind_the_log(
    engine, board, tmp_path, change, said
):
    number = submitted(engine, board, answers(tmp_path))
    with writing(engine) as connection:
        move(connection, number, State.WITHDRAWN, actor="ann", reason="too bad")
    assert _problems(engine) == []
    with writing(engine) as connection:
        connection.execute(change(number))
    assert _problems(engine) == [f"submission {number}: {said}"]


def test_a_score_cannot_be_changed_behind_the_log(engine, board, tmp_path):
    number = _published(engine, board, tmp_path)
    with writing(engine) as connection:
        content = json.loads(
            connection.execute(score_table.select().where(score_table.c.submission == number)).one().content
        )
        content["score"]["value"] = 0.99
        connection.execute(update(score_table).values(content=json.dumps(content)))
    assert _problems(engine) == [f"submission {number}: its scores are not those that the log tells of"]


def test_a_row_cannot_be_slipped_in_behind_the_log(engine, board, tmp_path):
    _published(engine, board, tmp_path)
    with writing(engine) as connection:
        values = dict(connection.execute(table.select()).one()._mapping)
        connection.execute(table.insert().values(values | {"id": 77}))
    assert "submission 77: the log does not know it" in _problems(engine)


def test_the_log_cannot_be_edited(engine, board, tmp_path):
    _published(engine, board, tmp_path)
    with writing(engine) as connection:
        connection.execute(update(event).where(event.c.kind == "submitted").values(actor="someone else"))
    assert "the log: entry 2 was changed after it was written" in _problems(engine)


def test_what_is_published_stays_on_the_board_for_ever(engine, board, tmp_path):
    number = _published(engine, board, tmp_path)
    for state in (State.REJECTED, State.FAILED, State.DRAFT):
        with pytest.raises(BakeoffError, match="cannot become"), writing(engine) as connection:
            move(connection, number, state, actor="bob", reason="let it vanish")
    with reading(engine) as connection:
        assert [each.id for each in submissions(connection, "little")] == [number]
