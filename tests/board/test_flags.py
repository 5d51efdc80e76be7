from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import delete, select, update

from bakeoff.board.community.flags import (
    REPLY_DAYS,
    flags,
    get_flag,
    problems,
    raise_flag,
    reply,
    rule_on,
)
from bakeoff.board.definition import Board
from bakeoff.board.life import State
from bakeoff.board.ranking.publishing import take
from bakeoff.board.registry import register
from bakeoff.board.scores import Scores, Value
from bakeoff.board.submissions import move, publish, score, submit
from bakeoff.database import reading, writing
from bakeoff.database.log import broken, events
from bakeoff.database.tables import flag as table
from bakeoff.database.tables import submission as submissions
from bakeoff.errors import BakeoffError
from tests.board.little import LITTLE
from tests.board.making import model

MODERATED = Board(**(LITTLE.model_dump() | {"name": "strict", "moderators": ("mod", "ann", "eve")}))
RULES = tuple(LITTLE.policy.removal)


@pytest.fixture
def boards(engine):
    """Submissions 1 to `small` and 2 to `strict` by ann, 3 to `small` by kim, for org; 4 by zoe for zoo."""
    with writing(engine) as connection:
        for board in (LITTLE, MODERATED):
            register(connection, board, actor="bob")
        for number, (board, submitter, organisation) in enumerate(
            [
                (LITTLE, "ann", "org"),
                (MODERATED, "ann", "org"),
                (LITTLE, "kim", "org"),
                (LITTLE, "zoe", "zoo"),
            ]
        ):
            submit(connection, board, model(number), organisation=organisation, submitter=submitter)
    return engine


def _do(engine, act, *given, **how):
    with writing(engine) as connection:
        return act(connection, *given, **how)


def _raise(engine, submission=1, rule="contamination", reason="see its data card", actor="eve"):
    return _do(engine, raise_flag, submission, rule, reason, actor=actor)


def _replied(engine, submission=1):
    made = _raise(engine, submission)
    return _do(engine, reply, made.id, "we left it out", actor="ann")


def _rule(engine, made, ruling="uphold", actor="mod", reason="it is so", **how):
    return _do(engine, rule_on, made.id, ruling, actor=actor, reason=reason, **how)


def _get(engine, made):
    with reading(engine) as connection:
        return get_flag(connection, made.id)


def _problems(engine, board="small"):
    with reading(engine) as connection:
        assert broken(connection) is None
        return list(problems(connection, board))


def test_a_flag_goes_its_way_in_public(boards):
    made = _raise(boards)
    assert (made.state, made.removed) == ("open", "")
    assert made.text == "flagged under contamination: see its data card"
    replied = _do(boards, reply, made.id, "we left it out", actor="ann")
    assert replied.text.endswith("; the organisation replies: we left it out")
    upheld = _rule(boards, made, reason="41 of 500 items are there")
    assert (upheld.state, upheld.urgent, upheld.ruled_by) == ("upheld", False, "mod")
    assert upheld.removed == "contamination: 41 of 500 items are there"
    assert upheld.text == f"removed under {upheld.removed}; the organisation replies: we left it out"
    lifted = _rule(boards, made, "dismiss", actor="carl", reason="another set of that name")
    assert (lifted.state, lifted.removed) == ("dismissed", "")
    with reading(boards) as connection:
        assert flags(connection, "small") == {1: (lifted,)}
        assert flags(connection, "strict") == {}
        told = [(each.kind, each.actor, each.reason) for each in events(connection, "submission 1")][1:]
    assert told == [
        ("flag raised", "eve", "see its data card"),
        ("flag replied to", "ann", "we left it out"),
        ("flag upheld", "mod", "41 of 500 items are there"),
        ("flag dismissed", "carl", "another set of that name"),
    ]
    assert _problems(boards) == []


def test_flags_are_by_submission_and_all_there(boards):
    first, second = _raise(boards), _raise(boards, rule="identity")
    third = _raise(boards, 3)
    other = _raise(boards, 2)
    dismissed = _rule(boards, second, "dismiss")
    with reading(boards) as connection:
        assert flags(connection, "small") == {1: (first, dismissed), 3: (third,)}
        assert flags(connection, "strict") == {2: (other,)}


def test_a_flag_names_a_rule_of_the_board_and_there_are_no_other_grounds(boards):
    for rule in RULES:
        assert _raise(boards, rule=rule).rule == rule
    for rule in ("", "ugly", "Contamination", "contamination ", "quota"):
        with pytest.raises(BakeoffError, match="small states no rule") as error:
            _raise(boards, 3, rule=rule)
        assert all(name in error.value.hint for name in RULES)


def test_nothing_is_said_of_a_flag_without_words(boards):
    made, other = _replied(boards), _raise(boards, rule="identity")
    for reason in ("", " \n ", "x" * 2_001, "a\0b", "\ud800"):
        with pytest.raises(BakeoffError, match="the reason"):
            _raise(boards, 3, reason=reason)
        with pytest.raises(BakeoffError, match="the reason"):
            _rule(boards, made, reason=reason)
        with pytest.raises(BakeoffError, match="the reply"):
            _do(boards, reply, other.id, reason, actor="ann")


def test_what_is_said_of_a_flag_is_one_line_and_cannot_pass_for_several(boards):
    made = _raise(boards, reason="look\n  and\u2028see\r\nhere")
    assert made.reason == "look and see here"


def test_what_is_not_there_is_said(boards):
    for number in (0, -3, 99):
        with pytest.raises(BakeoffError, match=f"there is no submission {number}"):
            _raise(boards, number)
    for number in (0, -3, 99, 2**63, 10**30):
        with pytest.raises(BakeoffError, match=f"there is no flag {number}"):
            _do(boards, reply, number, "no", actor="ann")
        with pytest.raises(BakeoffError, match=f"there is no flag {number}"):
            _do(boards, rule_on, number, "dismiss", actor="mod", reason="no")


def test_one_person_has_one_open_flag_under_a_rule_and_others_have_theirs(boards):
    made = _raise(boards)
    with pytest.raises(BakeoffError, match=f"of eve is open: flag {made.id}"):
        _raise(boards, reason="once more")
    assert _raise(boards, rule="identity").id != made.id
    assert _raise(boards, actor="kim").id != made.id
    _rule(boards, made, "dismiss")
    again = _raise(boards, reason="with what is new")
    assert (again.state, again.reply) == ("open", None)


def test_what_was_upheld_is_not_flagged_again_under_the_rule(boards):
    made = _replied(boards)
    _rule(boards, made)
    with pytest.raises(BakeoffError, match="was upheld"):
        _raise(boards, actor="zoe")
    assert _raise(boards, rule="identity", actor="zoe").state == "open"


# Who speaks for org: ann, who handed the row in, and kim, who handed in for it before the flag was raised.
def test_the_organisation_replies_and_nobody_else(boards):
    for rule, actor in (("contamination", "ann"), ("identity", "kim")):
        made = _raise(boards, rule=rule)
        for other in ("zoe", "mod", "org", ""):
            with pytest.raises(BakeoffError, match="does not speak for org"):
                _do(boards, reply, made.id, "we admit it", actor=other)
        assert _do(boards, reply, made.id, "no", actor=actor).replied_by == actor


def test_nobody_becomes_the_organisation_by_handing_in_after_the_flag(boards):
    made = _raise(boards)
    with writing(boards) as connection:
        submit(connection, LITTLE, model(9), organisation="org", submitter="mallory")
        # On a fast machine it is the same millisecond.
        late = update(submissions).where(submissions.c.submitter == "mallory")
        connection.execute(late.values(created=made.created + 1))
    with pytest.raises(BakeoffError, match="does not speak for org"):
        _do(boards, reply, made.id, "we admit it", actor="mallory")


def test_who_raised_a_flag_does_not_cut_short_the_time_to_reply(boards):
    made = _raise(boards, actor="kim")
    with pytest.raises(BakeoffError, match="raised flag"):
        _do(boards, reply, made.id, "we admit it", actor="kim")
    assert _do(boards, reply, made.id, "we do not", actor="ann").reply == "we do not"


def test_a_flag_has_one_reply_and_none_when_it_was_dismissed(boards):
    made = _replied(boards)
    with pytest.raises(BakeoffError, match="ann has replied"):
        _do(boards, reply, made.id, "and another thing", actor="kim")
    other = _raise(boards, rule="identity")
    _rule(boards, other, "dismiss")
    with pytest.raises(BakeoffError, match="was dismissed"):
        _do(boards, reply, other.id, "no", actor="ann")


def _age(engine, made, days):
    """Make the flag that old, as if the log had said so from the beginning."""
    from bakeoff.board.community import attested

    with writing(engine) as connection:
        attested.changed(
            connection,
            table,
            made.id,
            {"created": made.created - days * 86_400},
            subject=f"submission {made.submission}",
            actor="time",
            kind="flag aged",
        )


def test_it_is_not_upheld_before_the_reply_or_the_days_for_it(boards):
    made = _raise(boards)
    with pytest.raises(BakeoffError, match=r"org has not replied .* 7\.0 days more"):
        _rule(boards, made)
    _age(boards, made, REPLY_DAYS - 0.01)
    with pytest.raises(BakeoffError, match=r"0\.0 days more"):
        _rule(boards, made)
    assert _get(boards, made).state == "open"
    _age(boards, made, REPLY_DAYS)
    upheld = _rule(boards, made)
    assert (upheld.state, upheld.urgent) == ("upheld", False)


def test_dismissing_waits_for_nobody(boards):
    assert _rule(boards, _raise(boards), "dismiss").state == "dismissed"


def test_urgency_is_told_on_the_row_and_in_the_log_and_leaves_the_reply(boards):
    made = _raise(boards)
    upheld = _rule(boards, made, urgent=True)
    assert upheld.urgent
    assert "urgent" in upheld.removed
    assert "urgent" in upheld.text
    with reading(boards) as connection:
        (last,) = [each for each in events(connection, "submission 1") if each.kind == "flag upheld"]
        assert flags(connection, "small")[1][0].urgent
    assert last.facts["urgent"] is True
    replied = _do(boards, reply, made.id, "too fast", actor="ann")
    assert replied.text.endswith("the organisation replies: too fast")
    assert replied.urgent


def test_what_could_wait_was_not_urgent(boards):
    assert not _rule(boards, _replied(boards), urgent=True).urgent
    with pytest.raises(BakeoffError, match="only upholding"):
        _rule(boards, _raise(boards, rule="identity"), "dismiss", urgent=True)


# On `strict` ann handed in the row, eve raised the flag, and both are moderators.
def test_only_a_moderator_rules_and_nobody_in_their_own_cause(boards):
    refused = {"eve": "raised it", "ann": "handed in the row"}
    refused |= dict.fromkeys(("kim", "bob", "Mod", ""), "no moderator")
    made = _replied(boards, 2)
    for actor, said in refused.items():
        for ruling, urgent in (("uphold", False), ("uphold", True), ("dismiss", False)):
            with pytest.raises(BakeoffError, match=said):
                _rule(boards, made, ruling, actor=actor, urgent=urgent)
    assert _get(boards, made).state == "open"
    upheld = _rule(boards, made)
    assert upheld.state == "upheld"
    for actor, said in refused.items():
        with pytest.raises(BakeoffError, match=said):
            _rule(boards, made, "dismiss", actor=actor)
    assert _get(boards, made) == upheld


# On `small` no moderators are named.
def test_where_everybody_may_rule_the_parties_may_not(boards):
    made = _raise(boards)
    _do(boards, reply, made.id, "no", actor="kim")
    for actor in ("eve", "ann", "kim"):
        with pytest.raises(BakeoffError, match=f"{actor} .* cannot rule"):
            _rule(boards, made, actor=actor)
    assert _rule(boards, made, actor="anybody").state == "upheld"


def test_what_was_ruled_is_ruled(boards):
    made = _replied(boards)
    _rule(boards, made)
    with pytest.raises(BakeoffError, match="upheld already, by mod"):
        _rule(boards, made, actor="carl")
    _rule(boards, made, "dismiss")
    for ruling in ("uphold", "dismiss"):
        with pytest.raises(BakeoffError, match="was dismissed"):
            _rule(boards, made, ruling)


def test_a_rule_that_the_board_does_not_state_any_more_takes_no_rank(boards):
    made = _replied(boards)
    with writing(boards) as connection:
        policy = {"removal": {"identity": "the model is not the one that was named"}}
        changed = Board(**(LITTLE.model_dump() | {"version": 2, "policy": policy}))
        register(connection, changed, actor="bob")
    with pytest.raises(BakeoffError, match="states no rule contamination"):
        _rule(boards, made)
    with pytest.raises(BakeoffError, match="states no rule contamination"):
        _raise(boards, 3)
    assert _rule(boards, made, "dismiss").state == "dismissed"


def _published(engine, number, value):
    found = Value(value, value - 0.02, value + 0.02, 400)
    with writing(engine) as connection:
        for state in (State.VALIDATING, State.QUEUED, State.RUNNING, State.SCORING):
            move(connection, number, state, actor="queue")
        score(connection, number, Scores(found, {"little/Sums": found}).as_json(), actor="queue")
        move(connection, number, State.REVIEW, actor="queue")
        publish(connection, number, actor="bob")


def _rows(engine):
    with writing(engine) as connection:
        rows = take(connection, LITTLE, actor="bob").rows
    return {row.entrant.submission: row for row in rows}


def test_an_upheld_flag_takes_the_rank_and_leaves_the_row(boards):
    _published(boards, 1, 0.8)
    _published(boards, 4, 0.5)
    made = _replied(boards)
    assert [_rows(boards)[each].place for each in (1, 4)] == [1, 2]
    assert _rows(boards)[1].entrant.flags == (_get(boards, made).text,)
    _rule(boards, made, reason="41 of 500")
    rows = _rows(boards)
    assert [rows[each].place for each in (1, 4)] == [None, 1]
    assert rows[1].unranked == "removed: contamination: 41 of 500"
    assert rows[1].entrant.scores.score.value == 0.8
    _rule(boards, made, "dismiss")
    rows = _rows(boards)
    assert [rows[each].place for each in (1, 4)] == [1, 2]
    assert rows[1].entrant.flags == ()


def test_two_who_rule_at_once_rule_once(boards):
    made = _replied(boards)

    def attempt(actor):
        try:
            return _rule(boards, made, actor=actor)
        except BakeoffError as error:
            return error

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(attempt, ["mod", "carl", "dora", "emil"]))
    (upheld,) = [each for each in results if not isinstance(each, BakeoffError)]
    assert _get(boards, made) == upheld
    assert _problems(boards) == []


EDITS = [
    {"state": "upheld", "ruling": "because", "ruled_by": "mod"},
    {"submission": 3},
    {"rule": "conduct"},
    {"reason": "something else"},
    {"raised_by": "bob"},
    {"created": 0.0},
    {"reply": "we admit it", "replied_by": "ann"},
]


def test_a_flag_that_was_edited_in_the_database_is_found_and_goes_no_further(boards):
    made = _raise(boards)
    _raise(boards, 2)
    for values in EDITS:
        with writing(boards) as connection:
            row = connection.execute(select(table).where(table.c.id == made.id)).one()._asdict()
            connection.execute(update(table).where(table.c.id == made.id).values(**values))
        (problem,) = _problems(boards)
        assert problem.startswith(f"flag {made.id}: it was changed after entry ")
        assert _problems(boards, "strict") == []
        with pytest.raises(BakeoffError, match="not as the log says"):
            _rule(boards, made, "dismiss", actor="carl")
        with reading(boards) as connection:
            assert sum(map(len, flags(connection, "small").values())) == 1  # and can still be read
        with writing(boards) as connection:
            connection.execute(update(table).where(table.c.id == made.id).values(**row))
        assert _problems(boards) == []


def test_a_ruling_that_was_edited_is_found(boards):
    made = _replied(boards)
    _rule(boards, made)
    with writing(boards) as connection:
        connection.execute(update(table).values(state="dismissed"))
    assert len(_problems(boards)) == 1


def test_a_flag_that_is_gone_is_found(boards):
    made = _raise(boards)
    with writing(boards) as connection:
        connection.execute(delete(table))
    assert _problems(boards) == [f"flag {made.id}: the log tells of it, and it is gone"]
