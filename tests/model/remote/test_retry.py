import random
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.model.remote.retry import BASE_S, CAP_S, backoff, retry_after

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def http_date(second: int, minute: int = 0) -> str:
    return format_datetime(NOW.replace(minute=minute, second=second), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0"}, 0.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After": http_date(30)}, 30.0),
        ({"Retry-After": http_date(30), "Date": http_date(10)}, 20.0),
        ({"Retry-After": http_date(10), "Date": http_date(30)}, 0.0),
        ({"Retry-After": "9", "retry-after-ms": "250"}, 0.25),
        ({}, None),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-3"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
    ],
)
def test_retry_after_reads_seconds_milliseconds_and_dates(headers, seconds):
    assert retry_after(headers, NOW.timestamp()) == seconds


@given(st.integers(1, 10_000), st.integers())
def test_backoff_lies_between_zero_and_the_capped_exponential(failures, seed):
    delay = backoff(failures, random.Random(seed))
    assert 0 <= delay <= min(CAP_S, BASE_S * 2.0 ** min(failures - 1, 100))


def test_backoff_with_the_same_seed_is_the_same():
    assert backoff(4, random.Random(1)) == backoff(4, random.Random(1)) != backoff(4, random.Random(2))
