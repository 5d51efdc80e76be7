"""Log-ins that were begun here and go on at a provider: each ends once, in the browser that began it."""

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

LONGEST_S = 600.0
"""So long somebody may take at the provider."""
MOST = 10_000


@dataclass(frozen=True, slots=True)
class Errand:
    """What one set out with. `state` is returned by the provider and `nonce` stands in its statement; the
    `verifier` shows the provider that who comes for the statement is who sent for it. `then` is the path to
    go on to, `begun` a time of the monotonic clock.
    """

    state: str
    nonce: str
    verifier: str
    then: str
    begun: float


class Errands:
    """Those that go on, in memory: whoever is on one while the server is started anew begins again. Safe for
    threads; the oldest give way where there are too many.
    """

    def __init__(self) -> None:
        self._open: OrderedDict[str, Errand] = OrderedDict()
        self._lock = Lock()

    def begin(self, then: str) -> tuple[str, Errand]:
        """A new one, and the secret that the browser is to keep meanwhile."""
        key, state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(4))
        made = Errand(state, nonce, verifier, then, time.monotonic())
        with self._lock:
            self._open[key] = made
            while len(self._open) > MOST:
                self._open.popitem(last=False)
        return key, made

    def end(self, key: str, state: str) -> Errand | None:
        """The errand of a browser that comes back with that state: the first time, and in time; else None."""
        with self._lock:
            found = self._open.pop(key, None)
        if found is None or time.monotonic() - found.begun > LONGEST_S:
            return None
        same = secrets.compare_digest(found.state.encode(), state.encode("utf-8", "surrogatepass"))
        return found if same else None
