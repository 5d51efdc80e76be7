"""Which choice a gold answer names."""

import pytest

from bakeoff.task.gold import resolve_choice


@pytest.mark.parametrize(
    ("value", "choices", "typed", "index"),
    [
        (1, ("x", "y"), True, 1),
        ("B", ("x", "y"), True, 1),
        ("y", ("x", "y"), True, 1),
        ("1", ("x", "y"), True, 1),
        ("1", ("x", "y"), False, 1),
        # A number is an index, even among numbers; its text is the choice of that text.
        (1, ("1", "2"), True, 1),
        ("1", ("1", "2"), True, 0),
        # Both readings agree.
        ("1", ("0", "1"), False, 1),
        ("A", ("A", "B"), True, 0),
        # Digits beyond the choices can only be a text.
        ("20", ("10", "20"), False, 1),
        # A letter beyond the choices can only be a text.
        ("Z", ("X", "Z"), True, 1),
    ],
)
def test_a_gold_answer_is_an_index_a_letter_or_a_text(
    value: object, choices: tuple[str, ...], typed: bool, index: int
) -> None:
    assert resolve_choice(value, choices, typed=typed) == index


@pytest.mark.parametrize(
    ("value", "choices", "typed"),
    [
        ("0", ("1", "0"), False),
        ("A", ("B", "A"), True),
        ("C", ("x", "y"), True),
        ("b", ("x", "y"), True),
        (-1, ("x", "y"), True),
        (2, ("x", "y"), True),
        (True, ("x", "y"), True),
        (0.0, ("x", "y"), True),
        ("١", ("x", "y"), True),
        ("", ("x", "y"), True),
    ],
)
def test_what_names_no_choice_or_two_is_never_guessed(
    value: object, choices: tuple[str, ...], typed: bool
) -> None:
    with pytest.raises(LookupError):
        resolve_choice(value, choices, typed=typed)
