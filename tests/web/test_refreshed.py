"""Values that are made in the background."""

import threading
from concurrent.futures import wait

import pytest

from bakeoff.web import refreshed
from bakeoff.web.refreshed import Refreshed


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(refreshed, "EVERY_S", 0.0)
    monkeypatch.setattr(refreshed, "_SHARE", 1e9)


def finished(found):
    """Wait until nothing is being made any more."""
    wait(list(found._work.values()))


def test_the_first_value_is_waited_for_and_the_same_state_is_never_made_twice():
    found, made = Refreshed(), []
    for _ in range(3):
        assert found.get("a", "one", lambda before: made.append(before) or len(made)) == 1
    assert made == [None]


def test_a_new_state_is_shown_once_it_is_made_and_is_made_from_the_last():
    found, let = Refreshed(), threading.Event()
    found.get("a", "one", lambda _: "old")

    def slow(before):
        let.wait()
        return f"new after {before}"

    # It goes on being made; nobody waits, and nobody makes it once more.
    assert [found.get("a", "two", slow) for _ in range(3)] == ["old"] * 3
    let.set()
    finished(found)
    assert found.get("a", "two", slow) == "new after old"


def test_no_value_is_made_anew_before_it_is_due(monkeypatch):
    monkeypatch.setattr(refreshed, "EVERY_S", 3600.0)
    found = Refreshed()
    found.get("a", "one", lambda _: "old")
    found.get("a", "two", lambda _: "new")
    finished(found)
    assert found.get("a", "two", lambda _: "new") == "old"


def test_keys_have_values_of_their_own():
    found = Refreshed()
    assert [found.get(key, "one", lambda _, key=key: key) for key in "abab"] == list("abab")


def test_a_failure_is_told_once_and_then_it_is_tried_again():
    found = Refreshed()
    found.get("a", "one", lambda _: "old")

    def failing(_):
        raise ValueError("no")

    assert found.get("a", "two", failing) == "old"
    finished(found)
    with pytest.raises(ValueError, match="no"):
        found.get("a", "two", lambda _: "new")
    assert found.get("a", "two", lambda _: "new") == "old"
    finished(found)
    assert found.get("a", "two", lambda _: "new") == "new"


def test_who_waits_too_long_for_the_first_value_is_told_so(monkeypatch):
    monkeypatch.setattr(refreshed, "PATIENCE_S", 0.01)
    found, let = Refreshed(), threading.Event()
    with pytest.raises(TimeoutError):
        found.get("a", "one", lambda _: let.wait() and "there")
    let.set()
    finished(found)
    assert found.get("a", "one", lambda _: "never") == "there"
