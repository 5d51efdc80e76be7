from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, insert, select, update

from bakeoff.board.community.discussion import LONGEST_POST, about, erase, hide, problems, say, thread, unhide
from bakeoff.board.definition import Board
from bakeoff.board.registry import register
from bakeoff.board.submissions import submit
from bakeoff.database import reading, writing
from bakeoff.database.log import broken, events
from bakeoff.database.tables import post as table
from bakeoff.errors import BakeoffError
from tests.board.little import LITTLE
from tests.board.making import model

MODERATED = Board(**(LITTLE.model_dump() | {"name": "strict", "moderators": ("mod",)}))
TASK = "sums"
SUBJECTS = ("board small", f"task small/{TASK}", "submission 1")


@pytest.fixture
def boards(engine):
    """Two boards with a submission each, 1 to `small` and 2 to `strict`."""
    with writing(engine) as connection:
        for number, board in enumerate((LITTLE, MODERATED)):
            register(connection, board, actor="bob")
            submit(connection, board, model(number), organisation="org", submitter="ann")
    return engine


def _say(engine, body, subject="board small", author="eve", **how):
    with writing(engine) as connection:
        return say(connection, about(connection, subject), body, author=author, **how)


def _do(engine, act, *given, **how):
    with writing(engine) as connection:
        return act(connection, *given, **how)


def _thread(engine, subject="board small"):
    with reading(engine) as connection:
        return thread(connection, about(connection, subject))


def _problems(engine, board="small"):
    with reading(engine) as connection:
        assert broken(connection) is None
        return list(problems(connection, board))


def test_a_thread_is_on_one_subject_and_in_order(boards):
    for subject in SUBJECTS:
        for body in ("first", "second"):
            _say(boards, f"{body} on {subject}", subject)
    for subject in SUBJECTS:
        found = [(each.subject, each.body) for each in _thread(boards, subject)]
        assert found == [(subject, f"first on {subject}"), (subject, f"second on {subject}")]
    assert _problems(boards) == []


NO_SUBJECTS = [
    "",
    "board",
    "board none",
    "board small extra",
    "task",
    f"task {TASK}",
    "task small/none",
    f"task none/{TASK}",
    "task small/",
    "submission",
    "submission 3",
    "submission -1",
    "submission one",
    "submission ١",
    f"submission {10**30}",
    "post 1",
    "Board small",
]


def test_there_is_no_thread_on_what_does_not_exist(boards):
    for words in NO_SUBJECTS:
        with pytest.raises(BakeoffError, match="there is no"):
            _say(boards, "hello", words)
        with pytest.raises(BakeoffError, match="there is no"):
            _thread(boards, words)


def test_however_a_subject_is_written_its_thread_is_one(boards):
    _say(boards, "hello", "submission 001")
    assert [each.body for each in _thread(boards, " submission   1 ")] == ["hello"]


def test_a_post_is_text_of_some_length(boards):
    for body in ("", " \n\t", "x" * (LONGEST_POST + 1), "a\0b", "\udcff"):
        with pytest.raises(BakeoffError, match="the post"):
            _say(boards, body)
    assert _thread(boards) == ()
    assert _say(boards, "é" * LONGEST_POST).body == "é" * LONGEST_POST


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None, database=None
)
@given(body=st.text(max_size=50))
def test_a_post_is_kept_as_it_was_written_or_refused(boards, body):
    try:
        made = _say(boards, body)
    except BakeoffError:
        assert not body.strip() or "\0" in body
        return
    assert made.body == body.strip()
    assert _thread(boards)[-1] == made


def test_one_speaks_for_an_organisation_that_one_handed_in_for(boards):
    assert _say(boards, "we are sorry", author="ann", organisation="org").organisation == "org"
    with pytest.raises(BakeoffError, match="does not speak for org"):
        _say(boards, "we are sorry", author="eve", organisation="org")
    with pytest.raises(BakeoffError, match="does not speak for other"):
        _say(boards, "we are sorry", author="ann", organisation="other")


def test_what_is_hidden_shows_who_did_it_when_and_why_until_it_is_shown_again(boards):
    made = _say(boards, "you fool")
    before = datetime.now(UTC).timestamp()
    _do(boards, hide, made.id, actor="mod", reason="an insult")
    (found,) = _thread(boards)
    assert (found.body, found.author, found.created) == ("", "eve", made.created)
    assert (found.hidden.by, found.hidden.reason) == ("mod", "an insult")
    assert abs(found.hidden.at - before) < 60
    _do(boards, unhide, made.id, actor="mod", reason="sharp, and no insult")
    assert _thread(boards) == (made,)
    _do(boards, hide, made.id, actor="carl", reason="an insult after all")
    assert _thread(boards)[0].hidden.by == "carl"
    with reading(boards) as connection:
        told = [(each.kind, each.actor, each.reason) for each in events(connection, "board small")][1:]
    assert told == [
        ("post added", "eve", ""),
        ("post hidden", "mod", "an insult"),
        ("post shown", "mod", "sharp, and no insult"),
        ("post hidden", "carl", "an insult after all"),
    ]
    assert _problems(boards) == []


def test_what_is_erased_is_nowhere_in_the_database_and_its_place_says_why(boards):
    secret = "Ann Example, 5 Main Street"
    made = _say(boards, secret)
    _say(boards, "another")
    _do(boards, erase, made.id, actor="mod", reason="a private address")
    found, other = _thread(boards)
    assert (found.id, found.body, found.author) == (made.id, "", "eve")
    assert (found.erased.by, found.erased.reason) == ("mod", "a private address")
    assert other.body == "another"
    with reading(boards) as connection:
        kept = [
            str(row) for each in table.metadata.sorted_tables for row in connection.execute(each.select())
        ]
    assert not any(secret in row for row in kept)
    assert _problems(boards) == []


def test_the_log_never_holds_a_text_of_a_post(boards):
    _say(boards, "something to be forgotten one day")
    with reading(boards) as connection:
        assert not any("forgotten" in str(each) for each in events(connection))


ACTS = (hide, unhide, erase)


def _for(act, engine, subject="submission 2"):
    """A post that the act can be done to."""
    made = _say(engine, "a post", subject)
    if act is unhide:
        _do(engine, hide, made.id, actor="mod", reason="to be shown again")
    return made


def test_what_moderators_do_needs_a_reason(boards):
    for act in ACTS:
        made = _for(act, boards)
        for reason in ("", "  \n", "x" * 2_001, "a\0b"):
            with pytest.raises(BakeoffError, match="the reason"):
                _do(boards, act, made.id, actor="mod", reason=reason)


def test_where_moderators_are_named_nobody_else_is_one(boards):
    for act in ACTS:
        for subject in ("submission 2", "board strict", f"task strict/{TASK}"):
            made = _for(act, boards, subject)
            before = _thread(boards, subject)
            for actor in ("eve", "ann", "Mod", "mod ", ""):
                with pytest.raises(BakeoffError, match="no moderator of strict"):
                    _do(boards, act, made.id, actor=actor, reason="because")
            assert _thread(boards, subject) == before


def test_where_nobody_is_named_all_who_can_write_moderate(boards):
    for act in ACTS:
        _do(boards, act, _for(act, boards, "submission 1").id, actor="anybody", reason="because")


def test_nothing_is_done_twice_nor_to_a_post_that_is_not_there(boards):
    for act in ACTS:
        made = _for(act, boards)
        _do(boards, act, made.id, actor="mod", reason="because")
        with pytest.raises(BakeoffError, match=f"post {made.id}"):
            _do(boards, act, made.id, actor="mod", reason="because")
        for number in (0, -1, 99, 2**63, 10**30):
            with pytest.raises(BakeoffError, match=f"there is no post {number}"):
                _do(boards, act, number, actor="mod", reason="because")


def test_a_reason_is_one_line_and_cannot_pass_for_several(boards):
    made = _for(hide, boards)
    _do(boards, hide, made.id, actor="mod", reason="because\n2026-01-01\u2028bob  submission\x85published")
    with reading(boards) as connection:
        told = list(events(connection, "submission 2"))[-1].reason
    assert told == "because 2026-01-01 bob submission published"


def test_of_an_erased_post_nothing_is_left_to_hide(boards):
    made = _say(boards, "an address")
    _do(boards, hide, made.id, actor="mod", reason="an address")
    _do(boards, erase, made.id, actor="mod", reason="an address")
    for act in (hide, unhide, erase):
        with pytest.raises(BakeoffError, match="was erased"):
            _do(boards, act, made.id, actor="mod", reason="because")


EDITS = [
    {"body": "something else"},
    {"body": ""},
    {"author": "somebody else"},
    {"organisation": "org"},
    {"subject": "submission 2"},
    {"created": 0.0},
    {"hidden_by": "mod", "hidden_for": "because"},
]


def test_a_post_that_was_edited_in_the_database_is_found_and_left_alone(boards):
    made = _say(boards, "a post", "submission 1")
    _say(boards, "another", "submission 2")
    for values in EDITS:
        with writing(boards) as connection:
            row = connection.execute(select(table).where(table.c.id == made.id)).one()._asdict()
            connection.execute(update(table).where(table.c.id == made.id).values(**values))
        (problem,) = _problems(boards)
        assert problem.startswith(f"post {made.id}: it was changed after entry ")
        assert len(_problems(boards, "strict")) == int("subject" in values)
        for subject in ("submission 1", "submission 2"):
            _thread(boards, subject)  # what was edited can still be read
        if values.get("body") != "":
            with pytest.raises(BakeoffError, match="not as the log says"):
                _do(boards, erase, made.id, actor="mod", reason="because")
        with writing(boards) as connection:
            connection.execute(update(table).where(table.c.id == made.id).values(**row))
        assert _problems(boards) == []


def test_a_post_that_is_gone_and_one_that_nobody_wrote_are_found(boards):
    made = _say(boards, "a post", f"task small/{TASK}")
    with writing(boards) as connection:
        connection.execute(delete(table))
        connection.execute(
            insert(table).values(
                id=made.id + 1,
                subject="submission 1",
                author="ann",
                organisation="",
                body="I did it",
                created=0.0,
            )
        )
    assert _problems(boards) == [
        f"post {made.id + 1}: the log does not know it",
        f"post {made.id}: the log tells of it, and it is gone",
    ]
    assert _problems(boards, "strict") == []
