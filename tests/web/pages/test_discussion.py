"""Threads: what is said stays, is harmless, and is moderated in sight."""

import pytest

from bakeoff.board.community.discussion import LONGEST_POST, about, thread
from bakeoff.board.community.flags import raise_flag
from bakeoff.board.registry import register
from bakeoff.database import reading, writing
from tests.board.making import BOARD
from tests.web.pages.staged import staged

ON_ONE = "task little/one"


@pytest.fixture
def stage(tmp_path):
    with staged(tmp_path) as found:
        yield found


def _thread(stage, words="board little"):
    with reading(stage.engine) as connection:
        return thread(connection, about(connection, words))


def test_a_post_is_on_its_thread_and_no_other(stage):
    number = stage.evaluated()
    stage.as_("ann")
    for on in ("", "board little", ON_ONE, f"submission {number}"):
        sent = stage.post("discussion", on=on, body=f"on {on or 'nothing'}")
        assert sent.status_code == 303
        assert "done=posted" in sent.headers["location"]
        assert "Your post is there." in stage.site.get(sent.headers["location"]).text
    assert [each.body for each in _thread(stage)] == ["on nothing", "on board little"]
    assert [each.body for each in _thread(stage, ON_ONE)] == [f"on {ON_ONE}"]
    page = stage.get(f"discussion?on=submission {number}").text
    assert "<p>on submission" in page
    assert "<p>on nothing" not in page
    assert "Task one" in page


def test_where_a_post_leads_is_its_own_place(stage):
    stage.as_("ann")
    sent = stage.post("discussion", on=ON_ONE, body="hello")
    (post,) = _thread(stage, ON_ONE)
    path, _, anchor = sent.headers["location"].partition("#")
    assert anchor == f"post-{post.id}"
    assert f'id="{anchor}"' in stage.site.get(path).text


def test_markdown_is_shown_and_nothing_of_it_does_harm(stage):
    stage.as_("ann")
    text = "**bold** <script>x()</script> ![i](https://e.example/p.png) [a](javascript:x()) \u202e"
    stage.post("discussion", body=text)
    page = stage.get("discussion").text
    assert "<strong>bold</strong>" in page
    for harmful in ("<script>x", "<img", 'href="javascript', "\u202e"):
        assert harmful not in page
    assert "\\u202e" in page


@pytest.mark.parametrize("body", ["", "   ", "x" * (LONGEST_POST + 1), "a\0b"])
def test_what_is_no_post_is_not_added_and_is_not_lost(stage, body):
    stage.as_("ann")
    answer = stage.post("discussion", body=body)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert body.strip().replace("\0", "\\u0000") in answer.text
    assert _thread(stage) == ()


@pytest.mark.parametrize("on", ["board other", "nothing", "task little/three", "submission 7", "x" * 400])
def test_a_thread_that_is_not_there_takes_no_post(stage, on):
    stage.as_("ann")
    assert stage.post("discussion", on=on, body="hello").status_code in (400, 404)
    assert stage.get(f"discussion?on={on}").status_code in (400, 404, 422)


def test_one_speaks_for_organisations_of_ones_own_that_have_handed_something_in(stage):
    stage.as_("ann")
    assert "Speaking for" not in stage.get("discussion").text
    assert stage.post("discussion", body="x", organisation="Cobalt").status_code == 403
    assert stage.post("discussion", body="x", organisation="Aurora").status_code == 400
    stage.evaluated()
    assert '<option value="Aurora">' in stage.get("discussion").text
    assert stage.post("discussion", body="for all of us", organisation="Aurora").status_code == 303
    assert "for Aurora" in stage.get("discussion").text


def test_nobody_writes_without_a_name(stage):
    assert stage.post("discussion", body="hello").status_code == 401
    assert "Log in" in stage.get("discussion").text


def _posted(stage, body="you are all fools"):
    stage.as_("ann")
    stage.post("discussion", body=body)
    return _thread(stage)[-1].id


def test_a_moderator_hides_shows_and_erases_in_sight(stage):
    post = _posted(stage)
    stage.as_("mo")
    assert stage.post(f"posts/{post}/hide", reason="an insult").status_code == 303
    page = stage.get("discussion").text
    assert "fools" not in page
    assert "an insult" in page
    again = stage.post(f"posts/{post}/hide", reason="again")
    assert again.status_code == 400
    assert f"post {post} is hidden already" in again.text
    assert stage.post(f"posts/{post}/unhide", reason="it was not").status_code == 303
    assert "fools" in stage.get("discussion").text
    assert stage.post(f"posts/{post}/erase", reason=" ").status_code == 400
    assert stage.post(f"posts/{post}/erase", reason="a right to it").status_code == 303
    page = stage.get("discussion").text
    assert "fools" not in page
    assert "a right to it" in page
    assert f"posts/{post}/hide" not in page


@pytest.mark.parametrize("act", ["hide", "unhide", "erase"])
def test_nobody_else_does(stage, act):
    post = _posted(stage)
    for name, status in (("ann", 403), ("bea", 403), (None, 401)):
        stage.as_(name)
        assert stage.post(f"posts/{post}/{act}", reason="x").status_code == status
        assert f"posts/{post}/" not in stage.get("discussion").text
    assert _thread(stage)[0].body == "you are all fools"


def test_a_post_of_another_board_is_not_reached(stage):
    post = _posted(stage)
    with writing(stage.engine) as connection:
        register(connection, BOARD.model_copy(update={"name": "other"}), actor="operator")
    stage.as_("mo")
    sent = stage.site.post(f"/boards/other/posts/{post}/hide", data={"reason": "x"})
    assert sent.status_code == 404
    assert _thread(stage)[0].hidden is None


def test_flags_are_on_the_board_s_thread_those_that_are_open_first(stage):
    one, two = stage.evaluated(), stage.evaluated(by="bea", organisation="Cobalt")
    with writing(stage.engine) as connection:
        first = raise_flag(connection, one, "conduct", "first reason", actor="bea").id
        raise_flag(connection, two, "identity", "second reason", actor="ann")
    stage.as_("mo")
    assert stage.post(f"flags/{first}/rule", ruling="dismiss", reason="nothing in it").status_code == 303
    page = stage.get("discussion").text
    assert page.index("second reason") < page.index("first reason")
    assert "second reason" not in stage.get(f"discussion?on=submission {one}").text
