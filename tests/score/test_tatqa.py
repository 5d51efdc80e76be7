"""Numbers with a scale."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import Item
from bakeoff.score import build_scorer, judge
from tests.score.making import said


def value(
    targets: str | list[str], scale: str, text: str, kind: str = "arithmetic", **options: Any
) -> float | None:
    accepted = (targets,) if isinstance(targets, str) else tuple(targets)
    item = Item("i", "", target=accepted, metadata={"scale": scale, "answer_type": kind})
    return judge(build_scorer({"name": "tatqa", **options}), item, said(text)).value


@pytest.mark.parametrize(
    ("target", "scale", "text"),
    [
        ("5.2", "million", "5.2 million"),
        ("5.2", "million", "$5.2 million."),
        ("5.2", "million", "5,200,000"),
        ("5.2", "million", "5,200 thousand"),
        ("5.2", "million", "0.0052 billion"),
        ("5.2", "million", "The answer is $5.2 (in millions)."),
        ("5.2", "million", "a loss of 5.2 million dollars"),
        ("$788,948", "thousand", "788,948 thousand"),
        ("$25.7 million", "", "$25.7 million"),
        ("12.3", "percent", "12.3%"),
        ("12.3", "percent", "12.30 percent"),
        ("12.3", "percent", "0.123"),
        ("12.34", "percent", "12.3412%"),
        ("-12.6", "million", "(12.6) million"),
        ("-12.6", "million", "-$12.6 million"),
        ("(19)", "thousand", "-19 thousand"),
        ("0.0123", "", "0.0123"),
        ("2019", "", "2019"),
        ("0", "percent", "0"),
        ("3", "", "3"),
    ],
)
def test_a_number_in_whatever_scale_it_is_written(target, scale, text):
    assert value(target, scale, text) == 1


@pytest.mark.parametrize(
    ("target", "scale", "text"),
    [
        ("5.2", "million", "5.2"),
        ("5.2", "million", "5.2 thousand"),
        ("5.2", "million", "5.2%"),
        ("5.2", "", "5.2 million"),
        ("5.2", "million", "5 million"),
        ("5.2", "million", "52 million"),
        ("12.3", "percent", "12.3"),
        ("12.34", "percent", "12.35%"),
        ("-12.6", "million", "12.6 million"),
        ("0.0123", "", "0.0124"),
        ("2019", "", "2018"),
        ("5.2", "million", "5.2 million in 2019 and 4 million in 2018"),
    ],
)
def test_a_right_number_with_the_wrong_scale_or_sign_is_wrong(target, scale, text):
    assert value(target, scale, text) == 0


@pytest.mark.parametrize(
    ("text", "exact", "f1"),
    [
        ("1,751 thousand and 1,694 thousand", 1, 1),
        ("1,694 and 1,751 thousand", 1, 1),  # one scale for all
        ("1,751,000; 1,694,000", 1, 1),
        ('["$1,751 thousand", "$1,694 thousand"]', 1, 1),
        ("1,751 thousand", 0, 0.5),
        ("1,751 and 1,694", 0, 0),
    ],
)
def test_several_numbers_are_all_wanted(text, exact, f1):
    for targets in (["$1,751", "$1,694"], '["$1,751", "$1,694"]'):
        assert value(targets, "thousand", text, "multi-span") == exact
        assert value(targets, "thousand", text, "multi-span", measure="f1") == f1


def test_spans_are_texts():
    assert value("net sales", "", "Net sales.", "span") == 1
    assert value("net sales", "", "sales", "span") == 0
    assert value("net sales", "", "sales", "span", measure="f1") == 0.67


@given(
    st.decimals(min_value=-(10**6), max_value=10**6, places=2),
    st.sampled_from(["thousand", "million", "billion"]),
)
def test_a_number_equals_itself_written_out(number, scale):
    written_out = number * {"thousand": 10**3, "million": 10**6, "billion": 10**9}[scale]
    for text in (f"{number} {scale}", f"{number:,} {scale}", f"{written_out:,}", f"{written_out}"):
        assert value(str(number), scale, text) == 1, text
    assert value(str(number), scale, f"{number + 1} {scale}") == 0
    assert value(str(number), scale, str(number)) == float(number == 0)


def test_an_unknown_scale_is_the_tasks_mistake():
    with pytest.raises(TaskError, match="item i"):
        value("5", "dozen", "5")
