from datetime import datetime
from typing import Any

import pytest

from bakeoff.arena.votes.battle import Battle, nearer

GOOD: dict[str, Any] = {"id": "1", "model_a": "m", "model_b": "n", "outcome": "a"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", ""),
        ("model_a", ""),
        ("model_b", ""),
        ("model_b", "m"),
        ("outcome", "left"),
        ("outcome", None),
        ("gold", "c"),
        ("voter", "10.0.0.1"),
        ("voter", "ABCDEFABCDEFABCD"),
        ("prompt", "What is your name?"),
        ("at", datetime(2024, 1, 1)),
        ("share", 1.5),
        ("share", float("nan")),
        ("tags", ("a,b",)),
        ("tags", ("",)),
    ],
)
def test_a_battle_that_cannot_be_is_refused_by_its_field(field: str, value: Any) -> None:
    Battle(**GOOD)
    with pytest.raises(ValueError, match="tag" if field == "tags" else field):
        Battle(**GOOD | {field: value})


@pytest.mark.parametrize(("share", "outcome"), [(0.0, "b"), (0.499, "b"), (0.5, "tie"), (0.501, "a")])
def test_a_share_goes_to_the_nearer_side(share: float, outcome: str) -> None:
    assert nearer(share) == outcome
