import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.votes.coded import coded

_values = st.lists(st.none() | st.sampled_from(["a", "b", "ß", ""]))


@given(_values)
def test_codes_give_back_what_was_coded(values: list[str | None]) -> None:
    found = coded(values)
    assert [found[row] for row in range(len(found))] == values
    assert list(found.names) == sorted(found.names)
    assert sum(found.counts().values()) == sum(value is not None for value in values)


@given(_values, st.randoms(use_true_random=False))
def test_names_do_not_depend_on_the_order_of_rows(values: list[str | None], random: object) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert coded(shuffled).names == coded(values).names
    assert coded(shuffled).counts() == coded(values).counts()


def test_a_choice_of_rows_keeps_their_names() -> None:
    found = coded(["b", None, "a", "b"]).where(np.array([True, True, False, True]))
    assert [found[row] for row in range(3)] == ["b", None, "b"]
    assert found.counts() == {"b": 2}
