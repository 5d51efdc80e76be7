"""Of every route there is: what may change something asks who it is, and what reads changes nothing."""

import itertools

import pytest
from sqlalchemy import select

from bakeoff.board.community.discussion import about, say
from bakeoff.board.community.flags import raise_flag
from bakeoff.database import reading, writing
from bakeoff.database.tables import metadata
from tests.web.every_route import routes
from tests.web.pages.staged import staged

OPEN = {"/login", "/logout"}
"""What may be sent by nobody: it changes nothing but who one is."""
NOTED = {("session", "seen"), ("token", "last_used")}
"""What reading notes."""
FIELDS = {
    "reason": "it is spam",
    "body": "a post",
    "reply": "it is not so",
    "ruling": "uphold",
    "rule": "contamination",
    "organisation": "Aurora",
    "model": "hf:org/model@0000000000000000000000000000000000000000",
    "label": "ci",
    "days": "9",
    "now": "x",
    "then": "x",
}
FILLED = {
    "board": ["little"],
    "number": ["1"],
    "act": ["publish", "reject", "retry", "withdraw", "vote", "flag", "hide", "unhide", "erase"],
}


def filled(path):
    """The path with each of its parameters given: what is there where that is known."""
    names = [part.strip("{}").partition(":")[0] for part in path.split("/") if part.startswith("{")]
    for values in itertools.product(*(FILLED.get(name, ["x"]) for name in names)):
        parts = iter(values)
        yield "/".join(next(parts) if part.startswith("{") else part for part in path.split("/"))


def content(engine):
    """Everything in the database, but for what reading notes."""
    with reading(engine) as connection:
        return {
            table.name: [
                tuple(row)
                for row in connection.execute(
                    select(*(each for each in table.c if (table.name, each.name) not in NOTED))
                )
            ]
            for table in metadata.sorted_tables
        }


WRITES = [(method, path) for method, path, _ in routes() if method not in ("GET", "HEAD", "OPTIONS")]
READS = [path for method, path, _ in routes() if method == "GET" and not path.endswith("/events")]


@pytest.fixture
def stage(tmp_path):
    """A submission in review, with a flag and a post on it."""
    with staged(tmp_path) as stage:
        number = stage.evaluated()
        with writing(stage.engine) as connection:
            say(connection, about(connection, f"submission {number}"), "a post", author="bea")
            raise_flag(connection, number, "contamination", "a reason", actor="bea")
        yield stage


def test_every_kind_of_route_is_looked_at():
    assert {method for method, *_ in routes()} <= {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
    assert len(WRITES) > 10
    assert len(READS) > 20


@pytest.mark.parametrize(("method", "path"), WRITES, ids=" ".join)
def test_nobody_changes_anything_and_nor_does_another_site(stage, method, path):
    before = content(stage.engine)
    for each in filled(path):
        stage.as_(None)
        answer = stage.site.request(method, each, data=FIELDS, follow_redirects=False)
        assert answer.status_code in ((303, 401, 403, 404, 422) if path in OPEN else (401, 403, 404, 422)), (
            each
        )
        stage.as_("mo")
        headers = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}
        answer = stage.site.request(method, each, data=FIELDS, headers=headers, follow_redirects=False)
        assert answer.status_code == 403, each
    stage.as_(None)
    made = content(stage.engine)
    made.pop("session")
    before.pop("session")  # `as_` opens one
    assert made == before


def test_the_same_requests_change_something_when_they_are_somebodys(stage):
    """Or the test above would show nothing."""
    stage.as_("mo")
    before = content(stage.engine)
    for path in ("submissions/1/vote", "posts/1/hide", "discussion", "flags/1/rule", "submissions/1/reject"):
        stage.site.post(f"/boards/little/{path}", data=FIELDS, follow_redirects=False)
    after = content(stage.engine)
    assert len(after["event"]) > len(before["event"])
    assert after["post"] != before["post"]
    assert after["submission"] != before["submission"]


def test_reading_changes_nothing_whoever_reads(stage):
    for name in (None, "ann", "mo"):
        stage.as_(name)
        before = content(stage.engine)
        for path in READS:
            for each in filled(path):
                for query in ("", "?reason=x&act=hide&done=x&then=x&q=x"):
                    answer = stage.site.get(each + query, follow_redirects=False)
                    assert answer.status_code < 500, each
        assert content(stage.engine) == before
