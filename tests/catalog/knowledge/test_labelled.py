"""ARC, OpenBookQA and CommonsenseQA: choices with labels."""

import pytest

from tests.catalog.hub_rows import items_of, on_hub_rows

CHOICES = {"text": ["wood", "iron", "wool"], "label": ["A", "B", "C"]}
ROWS = {
    "arc_easy": {"id": "q1", "question": "Which rusts?", "choices": CHOICES, "answerKey": "B"},
    "arc_challenge": {"id": "q1", "question": "Which rusts?", "choices": CHOICES, "answerKey": "B"},
    "openbookqa": {"id": "q1", "question_stem": "Which rusts?", "choices": CHOICES, "answerKey": " B"},
    "commonsense_qa": {
        "id": "q1",
        "question": "Which rusts?",
        "question_concept": "rust",
        "choices": CHOICES,
        "answerKey": "B",
    },
}


@pytest.mark.parametrize("name", ROWS)
def test_the_key_is_found_among_the_labels(name):
    (item,) = items_of(name, ROWS[name])
    assert (item.id, item.input, item.choices, item.target) == (
        "q1",
        "Which rusts?",
        ("wood", "iron", "wool"),
        1,
    )


def test_an_exam_may_number_its_options():
    row = ROWS["arc_easy"] | {"choices": CHOICES | {"label": ["1", "2", "3"]}, "answerKey": "3"}
    (item,) = items_of("arc_easy", row)
    assert item.target == 2
    assert item.metadata["labels"] == ["1", "2", "3"]


def test_a_row_whose_answer_is_withheld_has_no_target():
    (item,) = items_of("commonsense_qa", ROWS["commonsense_qa"] | {"answerKey": ""})
    assert item.target == ()


@pytest.mark.parametrize(
    ("name", "text"), [("arc_easy", "Question: Which rusts?\nAnswer:"), ("openbookqa", "Which rusts?")]
)
def test_the_options_are_not_shown_but_scored(name, text):
    prepared = on_hub_rows(name, ROWS[name])
    (item,) = prepared.items()
    rendered = prepared.render(item)
    assert (rendered.turns, rendered.continuations) == ((text,), (" wood", " iron", " wool"))


def test_the_board_s_25_examples_of_arc_are_drawn_item_by_item():
    train = [ROWS["arc_challenge"] | {"id": f"t{n}", "question": f"{n}?"} for n in range(40)]
    asked = [ROWS["arc_challenge"] | {"id": f"q{n}", "question": f"asked {n}?"} for n in range(3)]
    prepared = on_hub_rows("arc_challenge:open-llm-v1", *asked, shots=train)
    shots = [prepared.render(item).shots for item in prepared.items()]
    assert all(len(set(each)) == 25 for each in shots)
    assert len(set(shots)) == 3
    assert prepared.scorer.id == "loglikelihood@1(norm=chars)"
