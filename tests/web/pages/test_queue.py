"""The queue of a board, as a page and as it moves."""

import json
import re
import threading

from sqlalchemy import select

from bakeoff.board.life import State
from bakeoff.board.registry import register
from bakeoff.board.submissions import move
from bakeoff.board.work.evaluating import handler
from bakeoff.database import reading, writing
from bakeoff.database.tables import metadata
from bakeoff.jobs import claim, finish, heartbeat
from bakeoff.jobs.worker import Steps
from bakeoff.web.pages.queue import SHOWN, pulse, queue
from tests.board.making import BOARD
from tests.board.recorded import work_off
from tests.web.pages.staged import staged


def _page(stage, viewer=None):
    library = stage.site.app.state.library
    with library.read() as connection:
        return queue(library, connection, "little", viewer)


def _numbers(entries):
    return [each.submission.id for each in entries]


def test_nothing_waits_and_the_way_in_is_shown(tmp_path):
    with staged(tmp_path) as stage:
        page = stage.get("queue").text
        assert "Nothing waits" in page
        assert 'href="/boards/little/submit"' in page


def test_what_runs_waits_is_reviewed_and_ended_each_has_its_place(tmp_path):
    with staged(tmp_path) as stage:
        reviewed, gone = stage.evaluated(9), stage.evaluated(3)
        running = stage.hand_in(by="bea", organisation="Cobalt")
        held = claim(stage.engine, "w7", offers=["recorded"], lease_s=600)
        heartbeat(stage.engine, held, done=3)
        first, second = stage.hand_in(), stage.hand_in()
        with writing(stage.engine) as connection:
            move(connection, gone, State.WITHDRAWN, actor="ann", reason="wrong weights")
        page = _page(stage)
        assert _numbers(page.running) == [running]
        assert _numbers(page.waiting) == [first, second]
        assert _numbers(page.review) == [reviewed]
        assert _numbers(page.ended) == [gone]
        assert [each.wait.position for each in page.waiting] == [1, 2]
        (entry,) = page.running
        assert (entry.samples, entry.stage) == ("3 of about 5 samples", "is being looked at")
        text = stage.get("queue").text
        assert 'max="5" value="3"' in text
        assert "w7" in text
        assert "wrong weights" in text
        assert "Its score is 75.0 %" in text


def test_after_an_evaluation_the_next_one_has_a_total(tmp_path):
    with staged(tmp_path) as stage:
        stage.evaluated()
        number = stage.hand_in()
        _looked_at(stage)
        claim(stage.engine, "w7", offers=["recorded"], lease_s=600)
        (entry,) = _page(stage).running
        assert (entry.submission.id, entry.work.kind, entry.work.total) == (number, "evaluate", 24)


def _looked_at(stage):
    """Do the look at what is handed in, and not its evaluation."""
    held = claim(stage.engine, "w1", offers=["recorded"])
    handler(stage.engine, stage.folder / "runs")(held.job, Steps(stage.engine, held, threading.Event()))
    finish(stage.engine, held)


def test_votes_bring_forward_what_is_of_one_organisation(tmp_path):
    with staged(tmp_path) as stage:
        first, second = stage.hand_in(), stage.hand_in()
        stage.as_("bea")
        stage.post(f"submissions/{second}/vote")
        page = _page(stage)
        assert _numbers(page.waiting) == [second, first]
        text = stage.get("queue").text
        assert "1 vote, one of them yours" in text
        assert f"submissions/{first}/vote" in text
        assert f"submissions/{second}/vote" not in text
        stage.as_(None)
        assert "/vote" not in stage.get("queue").text


def test_what_no_worker_can_do_says_so_and_has_no_place(tmp_path):
    with staged(tmp_path) as stage:
        work_off(stage.engine, stage.folder)  # a worker was seen, which offers recorded answers alone
        stage.hand_in(ref="hf:org/name@" + "0" * 40, way="weights")
        (entry,) = _page(stage).waiting
        assert entry.wait.position is None
        text = stage.get("queue").text
        assert "no worker offers hf" in text
        assert "Its turn does not come as things are" in text


def test_a_job_that_was_lost_shows_as_failed_before_a_worker_says_so(tmp_path):
    with staged(tmp_path) as stage:
        number = stage.hand_in()
        for _ in range(5):
            claim(stage.engine, "w1", offers=["recorded"], lease_s=-1)
        assert claim(stage.engine, "w1", offers=["recorded"]) is None
        assert stage.state(number) == "validating"
        (entry,) = _page(stage).ended
        assert (entry.submission.id, entry.state) == (number, State.FAILED)
        assert "its worker died" in stage.get("queue").text
        stage.as_("mo")
        assert stage.post(f"submissions/{number}/retry").status_code == 303
        assert _numbers(_page(stage).waiting) == [number]


def test_of_many_that_ended_the_newest_are_shown_and_all_can_be(tmp_path):
    many = SHOWN + 3
    with staged(tmp_path, definition=f"policy: {{quota: {{submissions: {many}}}}}\n") as stage:
        numbers = [stage.hand_in(ref="recorded:x.jsonl") for _ in range(many)]
        with writing(stage.engine) as connection:
            for number in numbers:
                move(connection, number, State.WITHDRAWN, actor="ann", reason=f"reason {number}")
        page = _page(stage)
        assert page.all_ended == many
        assert _numbers(page.ended) == numbers[::-1][:SHOWN]
        text = stage.get("queue").text
        assert "reason 1<" not in text
        assert f"Show all {many}" in text
        assert "reason 1<" in stage.get("queue?ended=all").text


def test_the_pulse_is_another_when_the_page_is_and_not_when_a_job_gets_further(tmp_path):
    with staged(tmp_path) as stage:
        number = stage.hand_in()
        waiting = pulse(_page(stage))
        held = claim(stage.engine, "w1", offers=["recorded"], lease_s=600)
        begun = pulse(_page(stage))
        heartbeat(stage.engine, held, done=2)
        further = pulse(_page(stage))
        assert waiting.stamp != begun.stamp == further.stamp
        assert begun.progress[str(number)]["done"] == 0
        assert further.progress == {str(number): {"done": 2, "total": 5, "samples": "2 of about 5 samples"}}


def test_a_board_of_others_has_no_queue_to_show(tmp_path):
    with staged(tmp_path) as stage:
        reported = BOARD.model_copy(update={"name": "told", "suites": (), "source": "https://example.org"})
        with writing(stage.engine) as connection:
            register(connection, reported, actor="operator")
        assert "reported by others" in stage.site.get("/boards/told/queue").text
        assert "reported by others" in stage.site.get("/boards/told/submit").text


def test_a_board_that_is_not_there_is_a_page_that_says_so(tmp_path):
    with staged(tmp_path) as stage:
        for page in ("queue", "queue/events", "submit", "policy", "changes", "discussion", "submissions/1"):
            answer = stage.site.get(f"/boards/nowhere/{page}")
            assert (answer.status_code, "there is no board nowhere" in answer.text.lower()) == (404, True), (
                page
            )


def test_reading_writes_nothing(tmp_path):
    with staged(tmp_path) as stage:
        number = stage.evaluated()
        before = _all(stage)
        for page in ("queue", f"submissions/{number}", "submit", "policy", "changes", "discussion"):
            assert stage.get(page).status_code == 200
        assert _all(stage) == before


def _all(stage):
    with reading(stage.engine) as connection:
        return json.dumps(
            {each.name: repr(connection.execute(select(each)).all()) for each in metadata.sorted_tables}
        )


def test_the_page_names_the_stream_with_what_it_shows(tmp_path):
    with staged(tmp_path) as stage:
        stage.hand_in()
        found = re.search(r'data-events="([^"]+)"', stage.get("queue").text)[1]
        assert found == f"/boards/little/queue/events?seen={pulse(_page(stage)).stamp}"
