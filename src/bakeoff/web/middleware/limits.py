"""How often one visitor may ask: often enough for people, too seldom for those who try a million times."""

import math
import time
from collections.abc import Callable, Iterable
from ipaddress import IPv6Address, ip_address
from threading import Timer
from typing import TYPE_CHECKING

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter, RateLimiter, SlidingWindowCounterRateLimiter
from starlette.exceptions import HTTPException
from starlette.requests import Request

from bakeoff.web.answers import refusal

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

READS, WRITES = "1200/minute", "30/minute"
NEWCOMERS = "60/hour"
WRONG_OF_NAME, TRIES_OF_ADDRESS = "10/15 minute", "100/15 minute"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_LONGEST_NAME = 200
_FORGET_S = 60.0


class Limits:
    """Refuses the visitor who asks too often; `who` names the visitor, "" is not counted.

    Reads are counted roughly (a sliding counter), writes exactly. Reading from the machine itself is free:
    what is not reached by way of a proxy that is trusted is a person's own server there. Writes to `but`, a
    path, have limits of their own.
    """

    def __init__(
        self,
        app: "ASGIApp",
        who: Callable[[Request], str],
        *,
        reads: str = READS,
        writes: str = WRITES,
        but: str = "/login",
    ) -> None:
        self._app = app
        self._but = but
        self._who = who
        storage = Counts()
        self._reads = (SlidingWindowCounterRateLimiter(storage), parse(reads))
        self._writes = (MovingWindowRateLimiter(storage), parse(writes))

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """One request."""
        if scope["type"] == "http" and (wait := self._wait(Request(scope))) is not None:
            await too_often(Request(scope), wait)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _wait(self, request: Request) -> int | None:
        who = self._who(request)
        safe = request.method in _SAFE
        if not who or (_is_here(who) if safe else _path(request) == self._but):
            return None
        limiter, rate = self._reads if safe else self._writes
        return None if limiter.hit(rate, who) else _seconds_until(limiter, rate, who)


class Counts(MemoryStorage):
    """Who asked how often, in memory. The library's own storage forgets what is over at each hit, in a new
    thread that walks through all visitors while the event loop waits for its start: here once a minute.
    """

    @property
    def timer(self) -> Timer:
        """What the library starts unless it is alive."""
        return self._timer

    @timer.setter
    def timer(self, timer: Timer) -> None:
        self._timer = _Seldom(timer.interval, timer.function)


class _Seldom(Timer):
    """Counts as alive for a while, be it over."""

    def __init__(self, interval: float, function: Callable[..., object]) -> None:
        super().__init__(interval, function)
        self.daemon = True
        self._until = time.monotonic() + _FORGET_S

    def is_alive(self) -> bool:
        return time.monotonic() < self._until


class LoginLimits:
    """How often a password may be tried: of one account from one address, and from one address at all.

    Nobody can lock out somebody else who comes from another address. Within the window an address that tried
    a hundred times waits, whoever else is behind it: each try is much work.
    """

    def __init__(self, *, of_name: str = WRONG_OF_NAME, of_address: str = TRIES_OF_ADDRESS) -> None:
        self._limiter = MovingWindowRateLimiter(Counts())
        self._of_name, self._of_address = parse(of_name), parse(of_address)

    def wait(self, name: str, address: str) -> int | None:
        """Count a try, before it is made; so many seconds to wait where it is one too many, else None."""
        for rate, key in ((self._of_name, _pair(name, address)), (self._of_address, (address,))):
            if not self._limiter.hit(rate, *key):
                return _seconds_until(self._limiter, rate, *key)
        return None

    def right(self, name: str, address: str) -> None:
        """Forget the wrong tries of an account from an address: the password was right."""
        self._limiter.clear(self._of_name, *_pair(name, address))


class Newcomers:
    """How many may come from one address as somebody new: an account or a cookie each would be a vote each.

    Raises, where it is too many:
        HTTPException: 429.
    """

    def __init__(self, rate: str) -> None:
        self._limiter = MovingWindowRateLimiter(Counts())
        self._rate = parse(rate)

    def check(self, request: Request) -> None:
        """One more."""
        who = address_of(request)
        if not self._limiter.hit(self._rate, who):
            wait = _seconds_until(self._limiter, self._rate, who)
            raise HTTPException(429, "too many new voters came from your address", {"retry-after": str(wait)})


def address_of(request: Request) -> str:
    """The visitor's address; of IPv6 the network that one customer has (RFC 6177), or they would have
    any number of addresses.
    """
    text = request.client.host if request.client else ""
    try:
        found = ip_address(text)
    except ValueError:
        return text
    if not isinstance(found, IPv6Address) or found.is_loopback:
        return str(found)
    return str(found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64))


def account_of(request: Request) -> str:
    """The viewer's account; "" for nobody."""
    viewer = getattr(request.state, "viewer", None)
    return f"account {viewer.id}" if viewer else ""


def too_often(request: Request, wait: int) -> "Response":
    """The refusal, which says when to come again."""
    minutes = math.ceil(wait / 60)
    when = f"{wait} seconds" if wait < 100 else f"{minutes} minutes"
    return refusal(request, 429, "that was too often", f"try again in {when}", {"retry-after": str(wait)})


def _pair(name: str, address: str) -> Iterable[str]:
    return name.strip().lower()[:_LONGEST_NAME], address


def _path(request: Request) -> str:
    return request.url.path.removeprefix(request.scope.get("root_path", ""))


def _is_here(who: str) -> bool:
    try:
        return ip_address(who).is_loopback
    except ValueError:
        return False


def _seconds_until(limiter: RateLimiter, rate: RateLimitItem, *key: str) -> int:
    return max(1, math.ceil(limiter.get_window_stats(rate, *key).reset_time - time.time()))
