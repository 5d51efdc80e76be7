from datetime import date
from pathlib import Path

import pytest

from bakeoff.arena.votes.usage import Beside, Share, beside, read_usage, shares
from bakeoff.errors import BakeoffError

CSV = """day,model,tokens,requests
2026-01-01,m,300,3
2026-01-01,n,100,
2026-01-02,m,0,1
2026-01-02,o,600,2
"""


def test_shares_by_hand(tmp_path: Path) -> None:
    (tmp_path / "usage.csv").write_text(CSV)
    usage = read_usage(tmp_path / "usage.csv")
    m, n, o = (Share(name, amount, amount / 1000, 1) for name, amount in (("m", 300), ("n", 100), ("o", 600)))
    assert shares(usage, "tokens") == (o, m, n)
    assert shares(usage, "requests") == (Share("m", 4, 4 / 6, 2), Share("o", 2, 2 / 6, 1))
    first, second = date(2026, 1, 1), date(2026, 1, 2)
    assert shares(usage, "tokens", until=first) == (Share("m", 300, 0.75, 1), Share("n", 100, 0.25, 1))
    assert shares(usage, "requests", since=second) == (Share("o", 2, 2 / 3, 1), Share("m", 1, 1 / 3, 1))
    assert shares(usage[::-1], "tokens") == shares(usage, "tokens")


def test_nothing_used_is_no_share(tmp_path: Path) -> None:
    (tmp_path / "usage.csv").write_text("day,model,tokens\n2026-01-01,m,0\n")
    assert shares(read_usage(tmp_path / "usage.csv"), "tokens") == (Share("m", 0, 0.0, 0),)
    assert shares((), "tokens") == ()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("yesterday,m,1,1", r":3: day: must be a date"),
        ("2026-01-01,,1,1", r":3: model: is empty"),
        ("2026-01-01,m,-1,1", r":3: tokens: counts something"),
        ("2026-01-01,m,1,1.5", r":3: requests: counts something"),
        ("2026-01-01,m,,", r":3: tokens: is empty, and so is requests"),
        ("2026-01-01,z,5,5", r":3: model: 'z' has two rows for 2026-01-01"),
    ],
)
def test_usage_that_cannot_be_is_named(row: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "usage.csv").write_text(f"day,model,tokens,requests\n2026-01-01,z,1,1\n{row}\n")
    with pytest.raises(BakeoffError, match=message):
        read_usage(tmp_path / "usage.csv")


def test_scores_and_shares_stand_beside_one_another_as_they_are() -> None:
    used = (Share("m", 9, 0.9, 1), Share("new", 1, 0.1, 1))
    assert beside({"m": 1000.0, "n": 1100.0}, used) == (
        Beside("n", 1100.0, None),
        Beside("m", 1000.0, 0.9),
        Beside("new", None, 0.1),
    )
