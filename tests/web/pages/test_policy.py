"""The rules in words, versions and what differs, and the log with its check."""

import re

import pytest
from sqlalchemy import text

from bakeoff.board.changelog import TOPICS
from bakeoff.board.community.discussion import about, say
from bakeoff.board.registry import register
from bakeoff.database import reading, writing
from bakeoff.database.log import events
from bakeoff.web.pages.policy import ENTRIES, policy_page
from bakeoff.web.pages.rule import changes, eligibility, policy
from tests.board.making import BOARD
from tests.web.pages.staged import staged


@pytest.fixture
def stage(tmp_path):
    with staged(tmp_path) as found:
        yield found


def _page(stage, **how):
    library = stage.site.app.state.library
    with library.read() as connection:
        return policy_page(library, connection, "little", **how)


def test_it_says_what_is_asked_and_how_a_row_loses_its_rank(stage):
    page = stage.get("policy").text
    for words in (
        "Each organisation may submit 5 times in 7 days",
        "the model was trained on items of the board",
        "95 % confidence",
        "<bdi>one</bdi>",
    ):
        assert words in page


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"eligibility": {"licences": ["mit", "apache-2.0"]}}, "The licence is one of mit, apache-2.0."),
        ({"eligibility": {"max_parameters": 2.5}}, "Up to 2.5 billion parameters."),
        ({"eligibility": {"openness": "weights"}}, "Open weights alone"),
        ({"policy": {"quota": {"submissions": 1, "days": 30}}}, "may submit once in 30 days"),
        ({"policy": {"ranked_per_organisation": 2}}, "the 2 newest rows have a rank"),
        ({"policy": {"unscored_budget": 0.02}}, "more than 2 % of a task&#39;s"),
        ({"policy": {"private": True}}, "Answers are private."),
        ({"limit": 100}, "Of each task 100 items are asked"),
        ({"level": 0.9}, "with 90 % confidence"),
        ({"moderators": ["mia"]}, "posts hidden, by mia."),
    ],
)
def test_every_part_of_a_rule_has_its_words(rules, said):
    board = BOARD.model_validate(BOARD.model_dump() | rules)
    assert any(said.replace("&#39;", "'") in each for each in (*eligibility(board), *policy(board)))


def _rule(**changes):
    suite = {
        "weight": 1.0,
        "suite": {"name": "core", "columns": [{"name": "One"}]},
        "tasks": {"one": "sha256:1", "two": "sha256:2"},
    }
    return {
        "suites": [suite],
        "source": "",
        "limit": None,
        "level": 0.95,
        "eligibility": {"licences": [], "max_parameters": None},
        "policy": {"quota": {"submissions": 5, "days": 7}, "private": False},
    } | changes


def _suite(**changes):
    return _rule()["suites"][0] | changes


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ({}, []),
        ({"limit": 100}, ["The limit of items is 100, before not limited."]),
        ({"level": 0.9}, ["The level is 0.9, before 0.95."]),
        ({"suites": [_suite(tasks={"one": "sha256:1"})]}, ["The task two is gone."]),
        (
            {"suites": [_suite(tasks={"one": "sha256:9", "two": "sha256:2", "three": "sha256:3"})]},
            ["The task one is another.", "The task three is new."],
        ),
        (
            {"suites": [_suite(), _suite(weight=3.0, suite={"name": "code"}, tasks={})]},
            ["The suite code is new.", "The suite core counts 25 %, before 100 %."],
        ),
        (
            {"suites": [_suite(suite={"name": "core", "columns": [{"name": "Two"}]})]},
            ["A suite makes its score in another way."],
        ),
        (
            {"eligibility": {"licences": ["mit"], "max_parameters": None}},
            ["Eligibility, licences: mit, before any."],
        ),
        (
            {"policy": {"quota": {"submissions": 2, "days": 7}, "private": True}},
            [
                "Policy, private: yes, before no.",
                "Policy, quota: submissions 2, days 7, before submissions 5, days 7.",
            ],
        ),
    ],
)
def test_what_differs_between_two_rules_is_said_and_nothing_else(now, said):
    assert list(changes(_rule(), _rule(**now))) == said


def test_a_new_version_says_what_is_other_than_before(stage):
    newer = stage.board.model_copy(update={"version": 2, "limit": 6})
    with writing(stage.engine) as connection:
        register(connection, newer, actor="olga")
    first, second = reversed(_page(stage).versions)
    assert (first.number, first.changes) == (1, ())
    assert (second.number, second.actor) == (2, "olga")
    assert second.changes == ("The limit of items is 6, before not limited.",)
    stage.as_("bea")
    assert "The limit of items is 6" in stage.get("policy").text


def test_the_log_has_every_entry_of_the_board_once_page_by_page(stage):
    stage.evaluated()
    with writing(stage.engine) as connection:
        for number in range(ENTRIES):
            on = about(connection, ("board little", "task little/one", "submission 1")[number % 3])
            say(connection, on, "hello", author="bea")
    with reading(stage.engine) as connection:
        there = [
            each.number
            for each in events(connection)
            if each.subject.startswith(("board little", "submission ", "task little/"))
        ]
    seen, before = [], None
    while True:
        page = _page(stage, before=before)
        seen += [each.number for each in page.log]
        assert page.total == len(there)
        if page.older is None:
            break
        before = page.older
    assert seen == there[::-1]
    stage.as_("bea")
    assert f"before={_page(stage).older}#log" in stage.get("policy").text.replace("&amp;", "&")


def test_a_topic_has_its_entries_alone_and_the_topics_have_all(stage):
    stage.evaluated()
    stage.as_("bea")
    stage.post("submissions/1/flag", rule="conduct", reason="it was gamed")
    stage.post("discussion", body="hello")
    assert [each.words for each in _page(stage, topic="posts").log] == ["wrote post 1"]
    assert _page(stage, topic="flags").matching == 1
    assert sum(_page(stage, topic=each).matching for each in TOPICS) == _page(stage).total
    page = stage.get("policy?topic=flags").text
    assert "it was gamed" in page
    assert "wrote post" not in page
    assert stage.get("policy?topic=secrets").status_code == 400


@pytest.mark.parametrize("query", ["before=-1", "before=x", f"before={2**63}", "topic=" + "x" * 100])
def test_what_is_no_place_in_the_log_is_no_bug(stage, query):
    assert stage.get(f"policy?{query}").status_code in (400, 422)


def test_whole_is_said_where_all_is_as_it_was_written(stage):
    stage.evaluated()
    page = stage.get("policy").text
    assert '<span class="whole">Whole.</span>' in page


def test_broken_is_said_where_somebody_changed_the_log(stage):
    stage.evaluated()
    with writing(stage.engine) as connection:
        connection.execute(text("UPDATE event SET reason = 'another' WHERE number = 3"))
    page = stage.get("policy").text
    assert '<span class="broken">Broken.</span>' in page
    assert "entry 3 was changed after it was written" in page


def test_the_check_is_made_once_a_minute_at_most(stage, monkeypatch):
    asked = []

    def problems(connection, board):
        asked.append(board)
        return iter(())

    monkeypatch.setattr("bakeoff.web.pages.policy.problems", problems)
    monkeypatch.setattr("bakeoff.web.pages.policy.time", lambda: 600.0)
    for _ in range(3):
        _page(stage)
    monkeypatch.setattr("bakeoff.web.pages.policy.time", lambda: 660.0)
    _page(stage)
    assert asked == ["little"] * 2


def test_each_entry_has_the_digest_that_the_log_has(stage):
    stage.evaluated()
    with reading(stage.engine) as connection:
        there = {each.number: each.digest for each in events(connection)}
    shown = re.findall(r'id="entry-(\d+)".*?title="(sha256:\w+)"', stage.get("policy").text, re.DOTALL)
    assert shown
    assert {int(number): digest for number, digest in shown}.items() <= there.items()
