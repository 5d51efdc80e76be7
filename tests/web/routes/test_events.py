"""Live progress: what a run says while it goes on."""

import json
import threading
import time
import urllib.error
import urllib.request

import pytest

from bakeoff.run.execute import finish
from bakeoff.store import compact
from bakeoff.web.following import Following
from tests.web.live import client, server
from tests.web.runs import append, going_on, hostile


@pytest.fixture
def begun(tmp_path):
    """A run of 20 samples that goes on, and its samples."""
    (like,) = hostile(tmp_path, "a")
    return going_on(tmp_path, like, 20)


def events(address, **headers):
    """The events of a stream until it ends: (id, name, data)."""
    request = urllib.request.Request(address, headers={"Accept": "text/event-stream", **headers})
    with urllib.request.urlopen(request, timeout=60) as stream:
        found, now = [], {}
        for line in stream:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                now[name] = value
            elif now:
                found.append((now.get("id"), now.get("event"), json.loads(now["data"])))
                now = {}
        return found


def test_what_is_followed_is_what_was_written(begun):
    run, _, samples = begun
    following = Following(run, 20)
    assert (following.look().done, following.look().rate) == (0, None)
    append(run, *samples[:7])
    following = Following(run, 20)
    sight = following.look()
    assert (sight.seen, sight.done, sight.total, sum(sight.outcomes.values())) == (7, 7, 20, 7)
    append(run, *samples[5:9])  # asked again: the last one counts
    time.sleep(1)
    sight = following.look()
    assert (sight.seen, sight.done) == (11, 9)
    assert sight.rate > 0
    assert sight.left == pytest.approx((20 - 9) / sight.rate)


def test_a_line_that_is_being_written_waits_and_a_torn_one_is_passed_over(begun):
    run, _, samples = begun
    append(run, *samples[:2])
    journal = run / "journal-0.jsonl"
    whole = journal.read_bytes()
    with journal.open("ab") as file:
        file.write(whole[:50])
    following = Following(run, 20)
    assert following.look().done == 2
    with journal.open("ab") as file:
        file.write(b"\n")
    append(run, samples[2])
    time.sleep(1)
    assert following.look().done == 3


def test_a_run_taken_up_again_counts_what_it_had(begun):
    run, _, samples = begun
    append(run, *samples[:5])
    compact(run)
    append(run, *samples[5:8])
    assert Following(run, 20).look().done == 8


def test_the_stream_tells_of_every_sample_and_ends_with_the_run(tmp_path, begun):
    run, manifest, samples = begun
    append(run, samples[0])

    def go_on():
        for sample in samples[1:]:
            append(run, sample)
            time.sleep(0.1)
        time.sleep(1.5)
        finish(run, manifest)

    with server(tmp_path) as site:
        thread = threading.Thread(target=go_on)
        thread.start()
        found = events(f"{site}/runs/{run.name}/events")
        thread.join()
        *told, last = found
        assert last[1] == "end"
        done = [data["done"] for _, name, data in told if name == "progress"]
        assert done == sorted(set(done))
        assert done[-1] == 20
        assert len(done) > 1
        assert [int(number) for number, *_ in told] == done
        # Whoever comes back after the end is told not to come again.
        with urllib.request.urlopen(f"{site}/runs/{run.name}/events", timeout=10) as answer:
            assert answer.status == 204


@pytest.mark.parametrize("last", ["3", "", "99", "-1", "x\ty", "9" * 5000])
def test_one_who_comes_back_has_missed_nothing(tmp_path, begun, last):
    """What one has seen is not told again; anything else is. Then the run ends."""
    run, manifest, samples = begun
    append(run, *samples[:3])
    with server(tmp_path) as site:
        timer = threading.Timer(1.5, lambda: finish(run, manifest))
        timer.start()
        found = events(f"{site}/runs/{run.name}/events", **{"Last-Event-ID": last})
        timer.join()
    assert [name for _, name, _ in found] == (["end"] if last == "3" else ["progress", "end"])


def test_no_more_streams_are_open_than_allowed(tmp_path, begun):
    run, _, samples = begun
    append(run, samples[0])
    with client(tmp_path, streams=0) as site:
        answer = site.get(f"/runs/{run.name}/events")
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0


def test_streams_that_are_left_are_closed(tmp_path, begun):
    run, manifest, samples = begun
    append(run, samples[0])
    with server(tmp_path, streams=2) as site:
        address = f"{site}/runs/{run.name}/events"
        for _ in range(6):
            stream = urllib.request.urlopen(address, timeout=10)
            assert stream.readline().startswith(b"id:")
            stream.close()
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline and _full(address):
                time.sleep(0.5)
            assert not _full(address)
        finish(run, manifest)


def _full(address):
    """Whether no more streams may be opened."""
    try:
        with urllib.request.urlopen(address, timeout=10) as stream:
            stream.readline()
            return False
    except urllib.error.HTTPError as error:
        return error.code == 503
