from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.votes import battles_of, grouped, votes_of
from tests.arena.votes.strategies import battles


@given(battles())
def test_columns_give_back_the_battles(rows: list[Battle]) -> None:
    votes = votes_of(rows)
    assert len(votes) == len(rows)
    assert list(battles_of(votes)) == rows
    assert list(battles_of(votes)) == rows, "texts can be read again"


@given(battles(min_size=1), st.data())
def test_a_choice_of_battles_is_those_battles(rows: list[Battle], data: st.DataObject) -> None:
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))))
    chosen = votes_of(rows).where(mask)
    kept = [row for row, keep in zip(rows, mask, strict=True) if keep]
    assert list(battles_of(chosen)) == kept
    again = np.arange(len(kept)) % 2 == 0
    assert list(battles_of(chosen.where(again))) == kept[::2]


@given(battles())
def test_tags_are_found_whole(rows: list[Battle]) -> None:
    rows = [replace(row, tags=(*row.tags, "math-2")) for row in rows]
    votes = votes_of(rows)
    for tag in ("math", "math-2", "mat"):
        assert votes.tagged(tag).tolist() == [tag in row.tags for row in rows]


def test_votes_of_nobody_known_are_no_group() -> None:
    numbers = np.array([0, 7, 0, 3, 7], dtype=np.uint64)
    codes, known = grouped(numbers)
    assert codes.tolist() == [-1, 1, -1, 0, 1]
    assert known.tolist() == [3, 7]


def test_models_stay_when_their_battles_go() -> None:
    votes = votes_of([Battle("1", "m", "n", "a"), Battle("2", "o", "n", "b")])
    left = votes.where(np.array([True, False]))
    assert left.models == ("m", "n", "o")
    assert int(left.key[0]) == int(pseudonym("1"), 16)
