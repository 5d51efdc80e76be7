"""How long to wait before the next attempt."""

import random
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

BASE_S = 0.5
CAP_S = 60.0


def backoff(failures: int, rng: random.Random) -> float:
    """Seconds to wait after the n-th failure in a row: exponential, with full jitter.

    Uniform in [0, min(CAP_S, BASE_S · 2^(n-1))], as in M. Brooker, "Exponential Backoff and Jitter", AWS
    Architecture Blog, 2015.
    """
    return rng.uniform(0, min(CAP_S, BASE_S * 2 ** min(failures - 1, 30)))


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds the server asks to wait; None where it does not say, or says nonsense.

    Reads `retry-after-ms` (OpenAI) and `Retry-After` in seconds or as an HTTP date (RFC 9110, 10.2.3).
    A date is held against the server's own `Date`, so that a wrong clock here does no harm; without one
    against `now`, seconds since the epoch.
    """
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("Retry-After", "")
    seconds = _number(text)
    if seconds is not None:
        return seconds
    due = _date(text)
    if due is None:
        return None
    sent = _date(headers.get("Date", ""))
    return max(0.0, due - (now if sent is None else sent))


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp()
    except ValueError:
        return None
