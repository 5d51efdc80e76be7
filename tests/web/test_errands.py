import time

from bakeoff.web import errands as module
from bakeoff.web.errands import LONGEST_S, Errands


def test_an_errand_ends_once_for_who_began_it_and_knows_the_state():
    errands = Errands()
    key, begun = errands.begin("/account")
    assert errands.end("another", begun.state) is None
    assert errands.end(key, begun.state) == begun
    assert errands.end(key, begun.state) is None


def test_a_wrong_state_uses_it_up():
    errands = Errands()
    for wrong in ("", "x", "\ud800", "é"):
        key, begun = errands.begin("")
        assert errands.end(key, wrong) is None
        assert errands.end(key, begun.state) is None


def test_no_two_have_anything_in_common():
    made = [Errands().begin("") for _ in range(50)]
    words = [word for key, each in made for word in (key, each.state, each.nonce, each.verifier)]
    assert len(set(words)) == 200
    assert all(len(word) == 43 for word in words)  # 256 bits, and a verifier has 43 characters or more


def test_it_does_not_wait_for_ever(monkeypatch):
    errands = Errands()
    key, begun = errands.begin("")
    late, other = errands.begin("")
    now = time.monotonic()
    monkeypatch.setattr(module.time, "monotonic", lambda: now + LONGEST_S - 5)
    assert errands.end(key, begun.state) == begun
    monkeypatch.setattr(module.time, "monotonic", lambda: now + LONGEST_S + 5)
    assert errands.end(late, other.state) is None


def test_the_oldest_give_way_where_there_are_too_many(monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    errands = Errands()
    begun = [errands.begin("") for _ in range(5)]
    assert [errands.end(key, each.state) is not None for key, each in begun] == [
        False,
        False,
        True,
        True,
        True,
    ]
