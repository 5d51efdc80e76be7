import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.judging.formatting import formatted, marks_of, only_formatted


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("- one\n- two", {"lists"}),
        ("1. one\n\n2) two", {"lists"}),
        ("* one\n  that goes on\n* two", {"lists"}),
        ("- one", set()),
        ("It was cold - very cold.\nAnd 2. place is fine.", set()),
        ("– No, he said.\n– Yes.", set()),
        ("# Title\ntext", {"headings"}),
        ("#hashtag and C# code", set()),
        ("a **bold** word", {"emphasis"}),
        ("__bold__ too", {"emphasis"}),
        ("2**3**4 and __init__py and ** here **", set()),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", {"tables"}),
        ("above\n---\nbelow", set()),
        ("```python\nx = 1\n```", {"code"}),
        ("the `x` of it", set()),
        ("", set()),
        ("## A\n- b\n- **c**", {"headings", "lists", "emphasis"}),
    ],
)
def test_markdown_that_a_reader_would_see_as_format(text, marks):
    assert marks_of(text) == marks
    assert formatted(text) is bool(marks)


def test_only_one_of_two_answers_can_be_the_formatted_one():
    assert [
        only_formatted(both) for both in ((True, False), (False, True), (True, True), (False, False))
    ] == [
        0,
        1,
        None,
        None,
    ]


@given(st.text(alphabet="-*_#|`:. 1\na", max_size=300))
def test_words_behind_a_text_take_no_format_away(text):
    assert marks_of(text) <= marks_of(f"{text}\n\nplain words")
