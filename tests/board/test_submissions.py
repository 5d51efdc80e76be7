from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import update

from bakeoff.board.definition import Board
from bakeoff.board.life import FOLLOWING, GIVES_REASON, State, check_move
from bakeoff.board.registry import register
from bakeoff.board.submissions import get, move, publish, score, submissions, submit
from bakeoff.database import reading, writing
from bakeoff.database.log import broken, events
from bakeoff.database.tables import submission as table
from bakeoff.errors import BakeoffError
from tests.board.making import BOARD, model

WAY_TO_REVIEW = (State.VALIDATING, State.QUEUED, State.RUNNING, State.SCORING)


def _submit(engine, number=0, board=BOARD, **how):
    with writing(engine) as connection:
        given = {"organisation": "org", "submitter": "ann"} | how
        return submit(connection, board, given.pop("model", model(number)), **given)


def _move(engine, submission, *states, reason=""):
    for state in states:
        with writing(engine) as connection:
            submission = move(connection, submission.id, state, actor="queue", reason=reason)
    return submission


def _published(engine, number=0, **how):
    made = _move(engine, _submit(engine, number, **how), *WAY_TO_REVIEW)
    with writing(engine) as connection:
        score(connection, made.id, {"core": 0.5}, actor="queue")
    _move(engine, made, State.REVIEW)
    with writing(engine) as connection:
        return publish(connection, made.id, actor="bob")


def test_a_submission_goes_its_way_and_every_step_is_in_the_log(engine):
    made = _published(engine)
    assert (made.state, made.attempt, made.scores) == (State.PUBLISHED, 1, {"core": 0.5})
    with reading(engine) as connection:
        kinds = [each.kind for each in events(connection, f"submission {made.id}")]
        assert broken(connection) is None
    assert kinds == [
        "submitted",
        "submission validating",
        "submission queued",
        "submission running",
        "submission scoring",
        "scored",
        "submission review",
        "submission published",
    ]


@pytest.mark.parametrize("now", State)
@pytest.mark.parametrize("then", State)
def test_only_the_moves_of_its_life_are_possible(now, then):
    if then in FOLLOWING[now]:
        check_move(now, then, "because")
        return
    with pytest.raises(BakeoffError, match=f"is {now} cannot become {then}"):
        check_move(now, then, "because")


def test_every_state_can_be_reached_and_none_is_a_trap():
    reached, open_ = set(), {State.DRAFT}
    while open_:
        state = open_.pop()
        reached.add(state)
        open_ |= FOLLOWING[state] - reached
    assert reached == set(State)
    assert {state for state in State if state.ended} == {State.REJECTED, State.WITHDRAWN}


@pytest.mark.parametrize("then", sorted(GIVES_REASON))
def test_what_hurts_somebody_needs_a_reason(then):
    (now, *_) = (state for state in State if then in FOLLOWING[state])
    with pytest.raises(BakeoffError, match="for a reason"):
        check_move(now, then, "  ")


def test_a_bad_score_that_is_withdrawn_stays_with_its_score(engine):
    made = _published(engine)
    withdrawn = _move(engine, made, State.WITHDRAWN, reason="we did not like it")
    assert (withdrawn.state, withdrawn.scores) == (State.WITHDRAWN, {"core": 0.5})
    with reading(engine) as connection:
        assert [each.id for each in submissions(connection, "small")] == [made.id]
    with pytest.raises(BakeoffError, match="cannot become"):
        _move(engine, made, State.PUBLISHED)


def test_scores_are_kept_once(engine):
    made = _move(engine, _submit(engine), *WAY_TO_REVIEW)
    with writing(engine) as connection:
        score(connection, made.id, {"core": 0.5}, actor="queue")
    with pytest.raises(BakeoffError, match="has scores already"), writing(engine) as connection:
        score(connection, made.id, {"core": 0.9}, actor="queue")


def test_what_is_not_scored_is_not_published(engine):
    made = _move(engine, _submit(engine), *WAY_TO_REVIEW, State.REVIEW)
    with pytest.raises(BakeoffError, match="no scores"), writing(engine) as connection:
        publish(connection, made.id, actor="bob")


def test_the_same_model_under_another_name_is_linked_to_the_first(engine):
    first = _submit(engine, model=model(1))
    again = _submit(engine, model=model(1, name="other/name"), organisation="other")
    assert first.duplicate_of is None
    assert again.duplicate_of == first.id
    assert _submit(engine, model=model(1, precision="int8")).duplicate_of is None


def test_every_attempt_is_counted(engine):
    assert [_submit(engine, each).attempt for each in range(3)] == [1, 2, 3]
    assert _submit(engine, 3, organisation="other").attempt == 1


def test_the_quota_holds_also_for_many_at_once_and_ends_with_its_days(engine):
    board = Board(**(BOARD.model_dump() | {"policy": {"quota": {"submissions": 3, "days": 7}}}))

    def attempt(number):
        try:
            return _submit(engine, number, board)
        except BakeoffError as error:
            return error

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(attempt, range(8)))
    refused = [each for each in results if isinstance(each, BakeoffError)]
    assert len(refused) == 5
    assert all("the quota of small" in each.message and "days" in each.hint for each in refused)
    with writing(engine) as connection:
        connection.execute(update(table).values(created=table.c.created - 7 * 86_400))
    assert _submit(engine, 9, board).attempt == 4


def test_a_new_version_of_ones_own_row_steps_into_its_place(engine):
    old = _published(engine)
    new = _published(engine, 1, supersedes=old.id)
    with reading(engine) as connection:
        assert get(connection, old.id).state is State.SUPERSEDED
        assert get(connection, new.id).state is State.PUBLISHED


def test_anothers_row_cannot_be_superseded(engine):
    old = _published(engine)
    with pytest.raises(BakeoffError, match="not one of thief"):
        _submit(engine, 1, organisation="thief", supersedes=old.id)


def test_a_board_keeps_its_rule_for_a_version(engine):
    with writing(engine) as connection:
        register(connection, BOARD, actor="bob")
        register(connection, BOARD, actor="bob")
    changed = BOARD.model_dump() | {"level": 0.9}
    with pytest.raises(BakeoffError, match="another rule"), writing(engine) as connection:
        register(connection, Board(**changed), actor="bob")
    with writing(engine) as connection:
        register(connection, Board(**(changed | {"version": 3})), actor="bob")
    with pytest.raises(BakeoffError, match="at version 3"), writing(engine) as connection:
        register(connection, Board(**(changed | {"version": 2})), actor="bob")
    with reading(engine) as connection:
        assert [each.facts["version"] for each in events(connection, "board small")] == [1, 3]


def test_a_number_that_is_not_there_is_named(engine):
    with pytest.raises(BakeoffError, match="no submission 7"), reading(engine) as connection:
        get(connection, 7)
