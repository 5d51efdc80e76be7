import pytest

from bakeoff.board.ranking.publishing import Dated
from bakeoff.board.table import at
from bakeoff.errors import BakeoffError

DATES = (
    Dated("sha256:ab12ff", 2, "2026-03-01T10:00:00+00:00"),
    Dated("sha256:ab34ff", 1, "2026-02-01T23:59:59+00:00"),
    Dated("sha256:cd56ff", 1, "2026-02-01T08:00:00+00:00"),
    Dated("sha256:2026ff", 1, "2026-01-01T00:00:00+00:00"),
)


@pytest.mark.parametrize(
    ("name", "version", "place"),
    [
        ("", None, 0),
        ("last", None, 0),
        ("first", None, 3),
        ("", 1, 1),
        ("2026-02-01", None, 1),
        ("2026-02-20", None, 1),
        ("2026-01-01", None, 3),
        ("2030-01-01", None, 0),
        ("2030-01-01", 1, 1),
        ("cd56", None, 2),
        ("sha256:cd56ff", None, 2),
        ("2026", None, 3),
    ],
)
def test_a_snapshot_is_named_by_its_day_or_its_digest(name, version, place):
    assert at(DATES, name, version) is DATES[place]


@pytest.mark.parametrize(
    ("dates", "name", "version", "message"),
    [
        ((), "", None, "there is no snapshot"),
        (DATES, "", 3, "there is no snapshot of version 3"),
        (DATES, "2025-12-31", None, "there is no snapshot of 2025-12-31 or before"),
        (DATES, "ffff", None, "there is no snapshot whose digest begins with ffff"),
        (DATES, "2026-02-30", None, "at: 2026-02-30 is no day"),
        (DATES, "yesterday", None, "at: 'yesterday' names no snapshot"),
        (DATES, "ab", None, "at: 'ab' names no snapshot"),
        (DATES, "../../etc", None, "at: '../../etc' names no snapshot"),
        (
            (*DATES, Dated("sha256:ab1200", 2, "")),
            "ab12",
            None,
            "at: the digests of 2 snapshots begin with ab12",
        ),
    ],
)
def test_what_names_none_is_said(dates, name, version, message):
    with pytest.raises(BakeoffError) as told:
        at(dates, name, version)
    assert told.value.message.startswith(message)
