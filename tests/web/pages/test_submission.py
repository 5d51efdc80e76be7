"""A submission's page, and what can be done to it by whom."""

import pytest

from bakeoff.board.community.flags import flags, raise_flag
from bakeoff.board.community.votes import votes
from bakeoff.board.registry import register
from bakeoff.board.submissions import publish, submit
from bakeoff.database import reading, writing
from bakeoff.database.log import events
from bakeoff.jobs import Fault, claim, fail, jobs
from tests.board.making import BOARD, model
from tests.web.pages.staged import staged

ACTS = ("vote", "publish", "reject", "withdraw", "retry", "flag")


@pytest.fixture
def stage(tmp_path):
    with staged(tmp_path) as found:
        yield found


def _flag(stage, number, *, by="bea"):
    with writing(stage.engine) as connection:
        return raise_flag(connection, number, "conduct", "it was gamed", actor=by).id


def _flags(stage, number):
    with reading(stage.engine) as connection:
        return flags(connection, "little").get(number, ())


def test_it_says_what_it_is_where_it_stands_and_what_happened(stage):
    number = stage.evaluated(9)
    page = stage.get(f"submissions/{number}").text
    for words in (
        "waits for a moderator",
        "75.0",
        "handed in",
        "began to evaluate it",
        "gave it to the moderators",
        "stated by the submitter",
    ):
        assert words in page
    assert page.count("<li><p><time") == len(_told(stage, number))


def _told(stage, number):
    with reading(stage.engine) as connection:
        return list(events(connection, f"submission {number}"))


def test_who_is_not_logged_in_can_do_nothing_and_sees_no_form(stage):
    number = stage.evaluated()
    assert 'method="post"' not in stage.get(f"submissions/{number}").text
    before = _told(stage, number)
    for act in ACTS:
        assert stage.post(f"submissions/{number}/{act}", reason="x", rule="conduct").status_code == 401
    assert _told(stage, number) == before


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("ann", {"flag", "withdraw"}),
        ("bea", {"flag"}),
        ("mo", {"flag", "publish", "reject"}),
    ],
)
def test_of_what_is_in_review_each_sees_what_they_may_do_and_can_do_nothing_else(stage, name, may):
    number = stage.evaluated()
    stage.as_(name)
    page = stage.get(f"submissions/{number}").text
    assert {act for act in ACTS if f"submissions/{number}/{act}" in page} == may
    for act in ("publish", "reject", "withdraw"):
        if act not in may:
            assert stage.post(f"submissions/{number}/{act}", reason="because").status_code == 403
    assert stage.state(number) == "review"


def test_a_board_that_names_its_moderators_has_no_others(tmp_path):
    with staged(tmp_path, definition="moderators: [moira]\n") as stage:
        number = stage.evaluated()
        stage.as_("mo")
        assert stage.post(f"submissions/{number}/publish").status_code == 403
        stage.as_("moira")
        answer = stage.post(f"submissions/{number}/publish")
        assert (answer.status_code, stage.state(number)) == (303, "published")


def test_after_an_act_its_page_says_so_once(stage):
    number = stage.evaluated()
    stage.as_("mo")
    answer = stage.post(f"submissions/{number}/publish")
    assert answer.headers["location"] == f"/boards/little/submissions/{number}?done=published"
    assert "It is published. The next snapshot has it." in stage.site.get(answer.headers["location"]).text
    assert "The next snapshot" not in stage.get(f"submissions/{number}").text
    assert "<b>nothing</b>" not in stage.get(f"submissions/{number}?done=<b>nothing</b>").text


@pytest.mark.parametrize("act", ["reject", "withdraw"])
def test_without_a_reason_nothing_is_done_and_what_was_typed_is_kept(stage, act):
    number = stage.evaluated()
    stage.as_("mo" if act == "reject" else "ann")
    answer = stage.post(f"submissions/{number}/{act}", reason="   ")
    assert answer.status_code == 400
    assert "the reason is empty" in answer.text
    long = "x" * 2_001
    answer = stage.post(f"submissions/{number}/{act}", reason=long)
    assert long in answer.text
    assert "2,000 is the most" in answer.text
    assert stage.state(number) == "review"
    assert stage.post(f"submissions/{number}/{act}", reason="wrong weights").status_code == 303
    assert stage.state(number) == {"reject": "rejected", "withdraw": "withdrawn"}[act]
    assert "wrong weights" in stage.get(f"submissions/{number}").text


def test_what_is_withdrawn_has_no_work_any_more(stage):
    number = stage.hand_in()
    stage.as_("ann")
    stage.post(f"submissions/{number}/withdraw", reason="a mistake")
    assert [each.state for each in jobs(stage.engine)] == ["cancelled"]
    assert "failed" not in stage.get(f"submissions/{number}").text


def test_whoever_speaks_for_the_organisation_can_withdraw_what_another_handed_in_for_it(stage):
    number = stage.evaluated(by="operator", organisation="Aurora")
    stage.as_("bea")
    assert stage.post(f"submissions/{number}/withdraw", reason="x").status_code == 403
    stage.as_("ann")
    assert stage.post(f"submissions/{number}/withdraw", reason="x").status_code == 303


def test_a_vote_counts_once(stage):
    number = stage.hand_in()
    stage.as_("bea")
    assert stage.post(f"submissions/{number}/vote").status_code == 303
    assert f"submissions/{number}/vote" not in stage.get(f"submissions/{number}").text
    again = stage.post(f"submissions/{number}/vote")
    assert again.status_code == 400
    assert "bea has voted for submission" in again.text
    with reading(stage.engine) as connection:
        assert votes(connection, "little") == {number: 1}


def _failed(stage, fault):
    number = stage.hand_in()
    held = claim(stage.engine, "w1", offers=["recorded"])
    while fail(stage.engine, held, fault, "the disk is full\nmake room"):
        with writing(stage.engine) as connection:
            connection.exec_driver_sql("UPDATE job SET not_before = 0")
        held = claim(stage.engine, "w1", offers=["recorded"])
    return number


def test_what_failed_by_no_fault_of_its_own_is_tried_again_by_a_moderator(stage):
    number = _failed(stage, Fault.OURS)
    stage.as_("ann")
    assert stage.post(f"submissions/{number}/retry").status_code == 403
    stage.as_("mo")
    page = stage.get(f"submissions/{number}").text
    assert "the disk is full" in page
    assert "make room" in page
    assert "by no fault of the submission" in page.lower()
    assert stage.post(f"submissions/{number}/retry").status_code == 303
    assert stage.state(number) == "validating"


def test_what_failed_by_its_own_fault_is_not_tried_again(stage):
    number = _failed(stage, Fault.SUBMITTER)
    stage.as_("mo")
    assert f"submissions/{number}/retry" not in stage.get(f"submissions/{number}").text
    assert "hand it in as a new submission" in stage.post(f"submissions/{number}/retry").text


def test_a_flag_is_raised_answered_and_ruled_on(stage):
    number = stage.evaluated()
    stage.as_("bea")
    wrong = stage.post(f"submissions/{number}/flag", rule="no such rule", reason="it was gamed")
    assert wrong.status_code == 400
    assert "it was gamed" in wrong.text
    assert stage.post(f"submissions/{number}/flag", rule="conduct", reason="it was gamed").status_code == 303
    (flag,) = _flags(stage, number)
    stage.as_("ann")
    assert stage.post(f"flags/{flag.id}/reply", reply="it was not").status_code == 303
    stage.as_("mo")
    assert stage.post(f"flags/{flag.id}/rule", ruling="neither", reason="x").status_code == 400
    assert stage.post(f"flags/{flag.id}/rule", ruling="uphold", reason="the log shows it").status_code == 303
    (flag,) = _flags(stage, number)
    assert (flag.state, flag.reply, flag.ruled_by) == ("upheld", "it was not", "mo")
    page = stage.get(f"submissions/{number}").text
    assert "the log shows it" in page
    assert "it was not" in page


def test_a_flag_is_upheld_before_the_reply_only_as_urgent(stage):
    number = stage.evaluated()
    flag = _flag(stage, number)
    stage.as_("mo")
    early = stage.post(f"flags/{flag}/rule", ruling="uphold", reason="at once")
    assert early.status_code == 400
    assert "has not replied" in early.text
    assert "at once" in early.text
    done = stage.post(f"flags/{flag}/rule", ruling="uphold", reason="at once", urgent="yes")
    assert done.status_code == 303
    assert "urgent: before the organisation" in stage.get(f"submissions/{number}").text


@pytest.mark.parametrize(("name", "path"), [("bea", "reply"), ("ann", "rule"), ("bea", "rule")])
def test_nobody_answers_for_others_or_rules_without_the_role(stage, name, path):
    flag = _flag(stage, stage.evaluated())
    stage.as_(name)
    answer = stage.post(f"flags/{flag}/{path}", reply="no", ruling="dismiss", reason="no")
    assert answer.status_code == 403
    assert _flags(stage, 1)[0].state == "open"


def test_who_raised_a_flag_does_not_rule_on_it(stage):
    number = stage.evaluated()
    flag = _flag(stage, number, by="mo")
    stage.as_("mo")
    assert f"flags/{flag}/rule" not in stage.get(f"submissions/{number}").text
    assert stage.post(f"flags/{flag}/rule", ruling="dismiss", reason="no").status_code == 400


def test_a_submission_is_reached_by_its_own_board_alone(stage):
    number = stage.evaluated()
    flag = _flag(stage, number)
    with writing(stage.engine) as connection:
        register(connection, BOARD.model_copy(update={"name": "other"}), actor="operator")
    stage.as_("mo")
    for path in (f"submissions/{number}", f"discussion?on=submission {number}"):
        assert stage.site.get(f"/boards/other/{path}").status_code in (400, 404)
    for path in (f"submissions/{number}/publish", f"flags/{flag}/rule"):
        sent = stage.site.post(f"/boards/other/{path}", data={"ruling": "dismiss", "reason": "x"})
        assert sent.status_code == 404, path
    assert stage.state(number) == "review"


@pytest.mark.parametrize("number", [0, -1, 2**63, 10**30, "x", "1;DROP TABLE submission"])
def test_a_number_that_is_none_is_no_bug(stage, number):
    stage.as_("mo")
    assert stage.get(f"submissions/{number}").status_code in (404, 422)
    assert stage.post(f"submissions/{number}/publish").status_code in (404, 422)
    assert stage.post(f"flags/{number}/rule", ruling="dismiss", reason="x").status_code in (404, 422)


def test_a_form_of_another_site_does_nothing(stage):
    number = stage.evaluated()
    stage.as_("mo")
    sent = stage.site.post(
        f"/boards/little/submissions/{number}/publish", headers={"sec-fetch-site": "cross-site"}
    )
    assert sent.status_code == 403
    assert stage.state(number) == "review"


def test_a_row_that_replaces_another_says_so_and_so_does_the_other(stage):
    first = stage.evaluated()
    with writing(stage.engine) as connection:
        publish(connection, first, actor="mo")
    with writing(stage.engine) as connection:
        second = submit(
            connection, stage.board, model(99), organisation="Aurora", submitter="ann", supersedes=first
        ).id
    link = f'is to replace <a href="/boards/little/submissions/{first}"'
    assert link in stage.get(f"submissions/{second}").text
    assert "is to replace it" in stage.get(f"submissions/{first}").text
