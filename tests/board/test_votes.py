import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import delete, insert, select, update

from bakeoff.board.community.votes import WAITING, problems, vote, votes
from bakeoff.board.definition import Board
from bakeoff.board.life import State
from bakeoff.board.registry import register
from bakeoff.board.submissions import get, move, submit
from bakeoff.board.work.evaluating import enqueue
from bakeoff.database import reading, writing
from bakeoff.database.log import broken, events
from bakeoff.database.tables import job
from bakeoff.database.tables import submission as submissions
from bakeoff.database.tables import vote as table
from bakeoff.errors import BakeoffError
from bakeoff.jobs import claim
from tests.board.little import LITTLE
from tests.board.making import model
from tests.board.recorded import answers, submitted, work_off

FREE = Board(**(LITTLE.model_dump() | {"policy": {"quota": {"submissions": 100}}}))


def _draft(engine, number=0, organisation="org", submitter="ann"):
    with writing(engine) as connection:
        register(connection, FREE, actor="bob")
        return submit(connection, FREE, model(number), organisation=organisation, submitter=submitter)


def _queued(engine, number=0, *, priority=0, **how):
    made = _draft(engine, number, **how)
    with writing(engine) as connection:
        enqueue(connection, FREE, made, model="hf:org/m", settings={}, actor="ann", priority=priority)
    return made


def _vote(engine, made, voter):
    with writing(engine) as connection:
        return vote(connection, made.id, voter=voter)


def _job_votes(engine):
    with reading(engine) as connection:
        return dict(connection.execute(select(job.c.key, job.c.votes)).all())


def _problems(engine):
    with reading(engine) as connection:
        assert broken(connection) is None
        return list(problems(connection, "small"))


def _claimed(engine):
    held = claim(engine, "w", offers=["hf"])
    return held and held.job.payload["submission"]


def test_votes_are_counted_and_in_the_log(engine):
    made, other = _queued(engine), _queued(engine, 1)
    assert [_vote(engine, made, each) for each in ("eve", "bob", "ann")] == [1, 2, 3]
    assert _vote(engine, other, "eve") == 1
    with reading(engine) as connection:
        assert votes(connection, "small") == {made.id: 3, other.id: 1}
        assert votes(connection, "none") == {}
        told = [each.actor for each in events(connection, f"submission {made.id}") if each.kind == "voted"]
    assert told == ["eve", "bob", "ann"]
    assert _job_votes(engine) == {f"validate submission {made.id}": 3, f"validate submission {other.id}": 1}
    assert _problems(engine) == []


def test_nobody_votes_twice(engine):
    made = _queued(engine)
    _vote(engine, made, "eve")
    with pytest.raises(BakeoffError, match="eve has voted"):
        _vote(engine, made, "eve")
    assert _job_votes(engine) == {f"validate submission {made.id}": 1}


def test_an_organisation_has_one_vote_for_its_own_and_its_people_have_theirs_for_others(engine):
    made, _ = _queued(engine), _queued(engine, 1, submitter="kim")
    other = _queued(engine, 2, organisation="zoo", submitter="zoe")
    _vote(engine, made, "kim")
    for own in ("ann", "kim"):
        with pytest.raises(BakeoffError, match="voted"):
            _vote(engine, made, own)
    assert _vote(engine, made, "zoe") == 2
    assert [_vote(engine, other, each) for each in ("ann", "kim")] == [1, 2]


def test_many_at_once_are_each_counted_once(engine):
    made = _queued(engine)

    def attempt(voter):
        try:
            return _vote(engine, made, voter)
        except BakeoffError:
            return None

    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(attempt, ["a", "b", "c", "a", "b", "c", "d", "d"]))
    assert sorted(each for each in results if each) == [1, 2, 3, 4]
    assert _job_votes(engine) == {f"validate submission {made.id}": 4}
    assert _problems(engine) == []


def test_no_vote_is_lost_while_a_worker_goes_from_one_job_to_the_next(engine, board, tmp_path):
    number = submitted(engine, board, answers(tmp_path))
    ended = threading.Event()

    def give(name):
        given = 0
        while not ended.is_set() and given < 40:
            try:
                with writing(engine) as connection:
                    vote(connection, number, voter=f"{name} {given}")
                given += 1
            except BakeoffError as error:
                assert "meanwhile" in error.message or "does not wait" in error.message  # noqa: PT017
        return given

    def state():
        with reading(engine) as connection:
            return get(connection, number).state

    with ThreadPoolExecutor(3) as pool:
        voters = [pool.submit(give, name) for name in ("eve", "bob")]
        try:
            while state() in WAITING:  # a worker passes by a job that is being voted for
                work_off(engine, tmp_path)
        finally:
            ended.set()
        given = sum(each.result() for each in voters)
    with reading(engine) as connection:
        assert votes(connection, "little") == ({number: given} if given else {})
        assert list(problems(connection, "little")) == []
        assert get(connection, number).state is State.REVIEW
        assigned = select(job.c.votes).join(submissions, submissions.c.job == job.c.id)
        assert connection.execute(assigned).scalar_one() == given


def test_there_are_votes_for_what_waits_alone(engine):
    made = _draft(engine)
    for voter, state in enumerate(State):
        with writing(engine) as connection:
            connection.execute(update(submissions).values(state=state.value))
        if state in WAITING:
            _vote(engine, made, f"v{voter}")
        else:
            with pytest.raises(BakeoffError, match=f"is {state}, and does not wait"):
                _vote(engine, made, f"v{voter}")
    with reading(engine) as connection:
        assert votes(connection, "small") == {made.id: len(WAITING)}


def test_what_waits_is_what_has_not_been_worked_on_or_was_put_back():
    assert {each.value for each in WAITING} == {"draft", "validating", "queued", "preempted"}


def test_there_is_no_vote_for_what_is_not_there(engine):
    _queued(engine)
    for number in (0, -1, 99):
        with pytest.raises(BakeoffError, match=f"no submission {number}"), writing(engine) as connection:
            vote(connection, number, voter="eve")


def test_votes_bring_a_job_forward_among_equals(engine):
    first, second, third = (_queued(engine, each, organisation=f"o{each}") for each in range(3))
    for voter in ("eve", "bob"):
        _vote(engine, third, voter)
    _vote(engine, second, "eve")
    assert [_claimed(engine) for _ in range(4)] == [third.id, second.id, first.id, None]


def test_votes_do_not_overtake_a_higher_priority_nor_another_owners_turn(engine):
    urgent = _queued(engine, 0, priority=1, organisation="o0")
    mine, wanted = (_queued(engine, each, organisation="o1") for each in (1, 2))
    quiet = _queued(engine, 3, organisation="o2")
    for voter in range(20):
        _vote(engine, wanted, f"v{voter}")
    # Once one of o1's is running it is o2's turn, whatever the votes for o1's other.
    _vote(engine, mine, "eve")
    assert [_claimed(engine) for _ in range(4)] == [urgent.id, wanted.id, quiet.id, mine.id]


def test_votes_move_nothing_but_the_votes_of_the_job(engine):
    made = _queued(engine)
    with reading(engine) as connection:
        before = connection.execute(select(job)).one()._asdict(), get(connection, made.id)
    _vote(engine, made, "eve")
    with reading(engine) as connection:
        after = connection.execute(select(job)).one()._asdict(), get(connection, made.id)
    assert after == (before[0] | {"votes": 1}, before[1])


def test_votes_for_a_draft_count_when_it_is_queued(engine):
    made = _draft(engine)
    _vote(engine, made, "eve")
    with writing(engine) as connection:
        enqueue(connection, FREE, made, model="hf:org/m", settings={}, actor="ann")
    assert _job_votes(engine) == {f"validate submission {made.id}": 1}


def test_a_vote_in_the_database_that_nobody_gave_is_found(engine):
    made = _queued(engine)
    _vote(engine, made, "eve")
    with writing(engine) as connection:
        connection.execute(insert(table).values(submission=made.id, voter="ghost", created=0.0))
    assert _problems(engine) == [
        f"submission {made.id}: the log does not know the vote of ghost",
        f"submission {made.id}: its job counts 1 votes, and it has 2",
    ]


def test_a_vote_that_is_gone_is_found(engine):
    made = _queued(engine)
    _vote(engine, made, "eve")
    with writing(engine) as connection:
        connection.execute(delete(table))
    assert f"submission {made.id}: the log tells of the vote of eve, and it is gone" in _problems(engine)


def test_a_job_with_votes_that_nobody_gave_is_found(engine):
    made = _queued(engine)
    with writing(engine) as connection:
        connection.execute(update(job).values(votes=1_000))
    assert _problems(engine) == [f"submission {made.id}: its job counts 1000 votes, and it has 0"]
    _vote(engine, made, "eve")
    assert _job_votes(engine) == {f"validate submission {made.id}": 1}


def test_withdrawing_ends_the_voting(engine):
    made = _queued(engine)
    with writing(engine) as connection:
        move(connection, made.id, State.WITHDRAWN, actor="ann", reason="a mistake")
    with pytest.raises(BakeoffError, match="withdrawn"):
        _vote(engine, made, "eve")
