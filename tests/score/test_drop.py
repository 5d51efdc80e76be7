"""DROP's measures: worked examples, and the numbers that other implementations cut or glue together."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Item, Outcome
from bakeoff.score import build_scorer, judge
from bakeoff.score.drop import drop_exact, drop_f1
from tests.score.making import said, text_item


def answer(*spans: str, number: str = "", **date: str) -> dict[str, Any]:
    return {"number": number, "date": date, "spans": list(spans)}


def score(gold: dict[str, Any], text: str, others: tuple[dict[str, Any], ...] = (), **options: Any):
    item = Item("i", "", metadata={"answer": gold, "validated_answers": list(others)})
    return judge(build_scorer({"name": "drop", **options}), item, said(text))


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("12.25", "12.25"),
        ("12.25", "12.25."),
        ("12.25", "The answer is 12.25."),
        ("12.25", "**12.25%**"),
        ("12.25", "$12.25"),
        ("12.25", "12.250"),
        ("1234.5", "1,234.5"),
        ("1,234.5", "1234.5."),
        ("1,234,567", "1234567"),
        ("12", "12.0"),
        ("0.5", ".5"),
        ("-5", "-5"),
        ("-5", "−5"),
        ("-5", "(-$5)."),
        ("3", "3\n"),
        ("3", "Answer: 3"),
        ("007", "7"),
    ],
)
def test_a_number_is_read_as_a_number(gold, text):
    judged = score(answer(number=gold), text)
    assert judged.value == 1
    assert score(answer(number=gold), text, measure="exact").value == 1


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("12.25", "12"),
        ("12", "12.25"),
        ("12.25", "1225"),
        ("12345", "1,234.5"),
        ("1234.5", "1.2345"),
        ("5", "-5"),
        ("1225", "12:25"),
        ("12", "1/2"),
        ("3", "three points"),
        ("10", "10000"),
    ],
)
def test_another_number_is_wrong_however_alike_its_digits(gold, text):
    assert score(answer(number=gold), text).value == 0
    assert score(answer(number=gold), text, measure="exact").value == 0


# By hand, from Dua et al. 2019, section 5: sets of words, numbers must agree, optimal pairing.
@pytest.mark.parametrize(
    ("said_spans", "gold", "f1", "exact"),
    [
        (["Tom Brady"], ["Tom Brady"], 1.0, 1),
        (["tom brady!"], ["The Tom-Brady"], 1.0, 1),
        (["Brady"], ["Tom Brady"], 0.67, 0),
        (["Brady Brady"], ["Tom Brady"], 0.67, 0),  # sets, not bags
        (["38 yard"], ["38-yard"], 1.0, 1),
        (["39-yard"], ["38-yard"], 0.0, 0),  # a shared word, another number
        (["38"], ["38-yard"], 0.67, 0),
        (["a", "b"], ["b", "the"], 1.0, 1),  # articles leave nothing on either side
        (["red", "blue"], ["blue", "red"], 1.0, 1),
        (["red"], ["blue", "red"], 0.5, 0),
        (["red", "blue", "green"], ["blue", "red"], 0.67, 0),
        (["red one", "red"], ["red", "red two"], 0.75, 0),  # greedy pairing would find less
    ],
)
def test_worked_examples(said_spans, gold, f1, exact):
    assert drop_f1(said_spans, gold) == f1
    assert drop_exact(said_spans, gold) == exact


@pytest.mark.parametrize(
    "text",
    [
        "Tom Brady, Eli Manning",
        "Eli Manning and Tom Brady",
        "Tom Brady; Eli Manning",
        "- Tom Brady\n- Eli Manning",
        "1. Tom Brady\n2. Eli Manning",
        '["Tom Brady", "Eli Manning"]',
        "The answer is Tom Brady & Eli Manning.",
    ],
)
def test_several_spans_are_read_from_a_list(text):
    assert score(answer("Eli Manning", "Tom Brady"), text).value == 1


def test_a_list_of_numbers_is_split_between_them_and_not_within():
    assert score(answer("1234.5", "7"), "1,234.5, 7").value == 1


def test_one_span_with_a_comma_stays_one():
    assert score(answer("Paris, Texas"), "Paris, Texas").value == 1


def test_a_date_is_its_parts_in_order():
    gold = answer(day="12", month="July", year="1999")
    assert score(gold, "12 July 1999").value == 1
    assert score(gold, "July 1999").value == 0.8
    assert score(gold, "13 July 1998").value == 0


def test_the_best_of_the_validated_answers_counts():
    assert score(answer(number="3"), "4", (answer(number="4"),)).value == 1


def test_without_metadata_each_target_is_accepted():
    assert judge(build_scorer("drop"), text_item("12.25", "Tom Brady"), said("Tom Brady")).value == 1


SPANS = st.lists(
    st.sampled_from(["red", "blue kite", "38-yard", "12.5", "1,000", "tom brady"]),
    min_size=1,
    max_size=4,
    unique=True,
)


@given(SPANS, SPANS)
def test_f1_is_symmetric_but_for_the_rule_on_numbers_and_at_least_exact_match(one, other):
    assert 0 <= drop_f1(one, other) <= 1
    assert drop_f1(one, other) >= drop_exact(one, other)
    assert drop_f1(one, one) == drop_exact(one, one) == 1
    assert drop_f1(one, list(reversed(other))) == drop_f1(one, other)


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=3))
def test_a_decimal_equals_itself_in_every_way_of_writing_and_no_neighbour(number):
    for written in (f"{number}", f"{number:,}", f"{number}.", f"${number:,}", f"{number}%"):
        if not (written.startswith("$") and number < 0):
            assert drop_f1([written], [str(number)]) == 1, written
    assert drop_f1([str(int(number) + 1)], [str(number)]) == 0


def test_a_cut_answer_is_truncated():
    judged = judge(build_scorer("drop"), text_item("12.25"), said("12.2", FinishReason.LENGTH))
    assert judged.outcome is Outcome.TRUNCATED


@pytest.mark.parametrize("gold", [answer(), {}, {"number": "", "date": {"day": ""}}])
def test_a_gold_answer_without_an_answer_is_the_tasks_mistake(gold):
    with pytest.raises(TaskError, match="item i"):
        score(gold, "3")
