import threading
import time

import pytest
from limits import parse
from limits.strategies import MovingWindowRateLimiter, SlidingWindowCounterRateLimiter
from starlette.requests import Request

from bakeoff.web.middleware import limits
from bakeoff.web.middleware.limits import Counts, Limits, LoginLimits, address_of
from tests.web.middleware.plain import behind


def statuses(client, method, count, path="/x"):
    return [client.request(method, path).status_code for _ in range(count)]


def visitor(host):
    return Request({"type": "http", "client": (host, 1), "headers": []})


def test_writes_beyond_the_limit_are_refused_and_say_when_to_come_again():
    client = behind(Limits, who=address_of, writes="3/minute")
    assert statuses(client, "POST", 5) == [200, 200, 200, 429, 429]
    refused = client.post("/x")
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    assert "too often" in refused.text
    # Reading goes on.
    assert statuses(client, "GET", 5) == [200] * 5


def test_reads_have_a_limit_of_their_own():
    client = behind(Limits, who=address_of, reads="3/minute", writes="3/minute")
    assert statuses(client, "GET", 5) == [200, 200, 200, 429, 429]
    assert statuses(client, "POST", 1) == [200]


def test_who_reads_on_the_machine_itself_is_not_counted_and_who_writes_is():
    for host in ("127.0.0.1", "127.8.8.8", "::1"):
        client = behind(Limits, client=host, who=address_of, reads="3/minute", writes="3/minute")
        assert statuses(client, "GET", 5) == [200] * 5
        assert statuses(client, "POST", 4) == [200, 200, 200, 429]


def test_one_visitor_does_not_use_up_the_limit_of_another():
    names = iter(["a"] * 4 + ["b"] * 4 + [""] * 9)
    client = behind(Limits, who=lambda _: next(names), writes="3/minute")
    assert statuses(client, "POST", 4) == [200, 200, 200, 429]
    assert statuses(client, "POST", 4) == [200, 200, 200, 429]
    assert statuses(client, "POST", 9) == [200] * 9


def test_log_ins_have_limits_of_their_own():
    client = behind(Limits, who=address_of, writes="3/minute")
    assert statuses(client, "POST", 9, "/login") == [200] * 9
    assert statuses(client, "POST", 3, "/login/x") == [200] * 3
    assert statuses(client, "POST", 1, "/login/x") == [429]


@pytest.mark.parametrize(
    ("host", "one"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::9", "2001:db8:1:2::"),
        ("2001:db8:1:3::9", "2001:db8:1:3::"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::1", "::1"),
        ("testclient", "testclient"),
    ],
)
def test_an_address_stands_for_the_customer_who_has_it(host, one):
    assert address_of(visitor(host)) == one


def test_ten_tries_of_a_name_from_an_address_and_no_more():
    limits = LoginLimits()
    assert [limits.wait("ann", "a") for _ in range(10)] == [None] * 10
    wait = limits.wait(" ANN", "a")
    assert 0 < wait <= 15 * 60
    # Another name from there, and the same name from elsewhere, are not locked out by it.
    assert limits.wait("bob", "a") is None
    assert limits.wait("ann", "b") is None


def test_a_right_password_forgets_the_wrong_ones():
    limits = LoginLimits()
    for _ in range(3):
        assert [limits.wait("ann", "a") for _ in range(10)] == [None] * 10
        limits.right("Ann", "a")
    assert limits.wait("ann", "a") is None


def test_a_hundred_tries_from_an_address_whatever_the_names():
    limits = LoginLimits()
    assert [limits.wait(f"n{each}", "a") for each in range(100)] == [None] * 100
    assert limits.wait("bob", "a") > 0
    assert limits.wait("bob", "b") is None


def test_what_was_refused_is_not_counted_as_a_try():
    """Five hundred tries of one name leave room for the others behind the address."""
    limits = LoginLimits()
    assert sum(limits.wait("ann", "a") is None for _ in range(500)) == 10
    assert all(limits.wait(f"n{each}", "a") is None for each in range(90))


@pytest.mark.parametrize("strategy", [MovingWindowRateLimiter, SlidingWindowCounterRateLimiter])
def test_a_visitor_costs_no_thread(strategy, monkeypatch):
    started = []
    start = threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda self: (started.append(self), start(self)))
    limiter, taken = strategy(Counts()), []
    for _ in range(5):
        started[-1].join()  # while it runs, the library starts no other
        taken.append(limiter.hit(parse("3/minute"), "who"))
    assert taken == [True] * 3 + [False] * 2
    assert len(started) == 1


def test_what_is_over_is_forgotten_now_and_then(monkeypatch):
    monkeypatch.setattr(limits, "_FORGET_S", 0.0)
    counts = Counts()
    limiter = MovingWindowRateLimiter(counts)
    for number in range(20):
        assert limiter.hit(parse("3/second"), f"{number}")
    deadline = time.monotonic() + 60
    while sum(map(bool, counts.events.values())) > 1:
        assert time.monotonic() < deadline, "nothing is forgotten"
        time.sleep(0.2)
        limiter.hit(parse("1/hour"), "another")
