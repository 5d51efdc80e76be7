from collections import Counter

import pytest

from bakeoff.judging.people import two_people


def test_two_people_are_drawn_by_the_item_and_each_pair_as_often():
    drawn = Counter(two_people(("a", "b", "c"), f"item {i}") for i in range(6_000))
    assert len(drawn) == 6
    assert all(count == pytest.approx(1_000, abs=150) for count in drawn.values())
    assert two_people(("a", "b", "c"), "item 7") == two_people(("a", "b", "c"), "item 7")


def test_who_said_nothing_is_not_drawn():
    assert two_people((None, "a", None), "x") == ("a", None)
    assert two_people((), "x") == (None, None)
    assert set(two_people((None, 0, 1), "x")) == {0, 1}
