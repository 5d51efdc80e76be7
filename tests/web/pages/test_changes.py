"""Snapshots, and what changed between two of them."""

import pytest

from bakeoff.board.life import State
from bakeoff.board.ranking.publishing import dates, take
from bakeoff.board.submissions import move, publish
from bakeoff.database import writing
from bakeoff.web.pages.changes import SHOWN, changes_page
from tests.web.live import client
from tests.web.pages.staged import staged
from tests.web.showcase import BOARD, entrants
from tests.web.showcase import publish as published


@pytest.fixture
def stage(tmp_path):
    with staged(tmp_path) as found:
        found.as_("bea")  # who is nobody may be half a second behind
        yield found


def _take(stage):
    with writing(stage.engine) as connection:
        return take(connection, stage.board, actor="operator")


def test_without_a_snapshot_and_with_one_there_is_nothing_to_compare(stage):
    assert "Nothing is published yet" in stage.get("changes").text
    _take(stage)
    assert "There is one snapshot" in stage.get("changes").text


def test_what_came_and_what_went_is_said(stage):
    first = stage.evaluated(9)
    with writing(stage.engine) as connection:
        publish(connection, first, actor="mo")
    old = _take(stage)
    second = stage.evaluated(11)
    with writing(stage.engine) as connection:
        publish(connection, second, actor="mo")
        move(connection, first, State.WITHDRAWN, actor="ann", reason="wrong weights")
    new = _take(stage)
    page = stage.get("changes").text
    assert "new: rank 1" in page
    assert "has no rank any more: withdrawn" in page
    back = stage.get(f"changes?from={new.digest[7:19]}&to={old.digest[7:19]}").text
    assert "gone without a trace" in back
    assert "Nothing changed." in stage.get(f"changes?from={new.digest}&to={new.digest}").text
    first_alone = stage.get(f"changes?to={old.digest[7:19]}").text
    assert "It is the first." in first_alone


@pytest.mark.parametrize("name", ["zzz", "", "%27%20OR%201=1", "sha256:", "x" * 81, "sha256:%25"])
def test_a_snapshot_that_is_not_there_is_said_and_is_no_bug(stage, name):
    stage.evaluated()
    _take(stage)
    with writing(stage.engine) as connection:
        publish(connection, 1, actor="mo")
    _take(stage)
    wanted = {"": 200, "x" * 81: 422}.get(name, 404)
    assert stage.get(f"changes?from={name}&to={name}").status_code == wanted


def test_of_many_changes_the_first_are_shown_and_all_can_be(tmp_path):
    with client(tmp_path) as site:
        library = site.app.state.library
        with library.write() as connection:
            published(connection, rows=entrants(12), made="2026-03-01T12:00:00+00:00")
            published(connection, rows=entrants(SHOWN + 40), made="2026-03-02T12:00:00+00:00")
        with library.read() as connection:
            page = changes_page(library, connection, BOARD.name)
            whole = changes_page(library, connection, BOARD.name, whole=True)
            assert len(dates(connection, BOARD.name)) == 2
        (added,) = [each for each in page.groups if each.kind == "added"]
        assert len(added.changes) == SHOWN < added.total
        assert all(len(each.changes) == each.total for each in whole.groups)
        text = site.get(f"/boards/{BOARD.name}/changes").text
        assert f"Show all {added.total}" in text
        everything = site.get(f"/boards/{BOARD.name}/changes?all=yes").text
        assert everything.count("<tr>") > text.count("<tr>")
