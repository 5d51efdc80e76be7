"""MMLU, MMLU-Redux and MMLU-Pro: rows of the hub's layout."""

import pytest

from bakeoff.catalog.knowledge.mmlu import category
from tests.catalog.hub_rows import items_of, on_hub_rows

MMLU = {
    "question": " Which is a prime? ",
    "subject": "number_games",
    "choices": ["4", "6", "7", "9"],
    "answer": 2,
}
REDUX = {
    "question": "Which is even?",
    "choices": ["1", "2", "3", "5"],
    "answer": 0,
    "error_type": "ok",
    "source": None,
    "correct_answer": None,
    "potential_reason": None,
    "config": "virology",
}
PRO = {
    "question_id": 70,
    "question": "Which is odd?",
    "options": ["2", " 3 ", "4"],
    "answer": "B",
    "answer_index": 1,
    "cot_content": "",
    "category": "math",
    "src": "invented",
}


def test_a_row_of_mmlu_keeps_its_subject():
    prepared = on_hub_rows("mmlu:zero_shot", MMLU)
    (item,) = prepared.items()
    assert (item.choices, item.target) == (("4", "6", "7", "9"), 2)
    assert item.metadata == {"subject": "number_games", "category": "other (business, health, misc.)"}
    rendered = prepared.render(item)
    assert rendered.turns == (
        "The following are multiple choice questions (with answers) about number games.\n\n"
        "Which is a prime?\nA. 4\nB. 6\nC. 7\nD. 9\nAnswer:",
    )
    assert rendered.continuations == (" A", " B", " C", " D")


def test_its_examples_are_the_first_five_of_the_subject():
    dev = [
        MMLU | {"question": f"{subject} {n}", "subject": subject}
        for n in range(7)
        for subject in ("law", "art")
    ]
    prepared = on_hub_rows("mmlu", MMLU | {"subject": "art"}, shots=dev)
    (item,) = prepared.items()
    (text,) = prepared.render(item).turns
    assert [line for line in str(text).splitlines() if line.startswith(("art", "law"))] == [
        f"art {n}" for n in range(5)
    ]
    assert "Answer: C\n\nWhich is a prime?" in text


@pytest.mark.parametrize(
    ("correct", "target"),
    [("1", 1), ("B", 1), (" b ", 1), ("3", 3), ("4", None), ("2 or 3", None), (None, None)],
)
def test_a_corrected_key_is_taken_where_it_names_a_choice(correct, target):
    row = REDUX | {"error_type": "wrong_groundtruth", "correct_answer": correct}
    found = {item.input: item for item in items_of("mmlu_redux:corrected", row, REDUX | {
        "question": "Another?", "error_type": "wrong_groundtruth", "correct_answer": "2"})}  # fmt: skip
    assert found["Another?"].target == 2
    assert (found["Which is even?"].target if "Which is even?" in found else None) == target


def test_mmlu_redux_asks_what_was_found_without_fault():
    kinds = ("ok", "expert", "wrong_groundtruth", "no_correct_answer", "ok")
    rows = [
        REDUX | {"question": f"{n}?", "error_type": kind, "correct_answer": "0"}
        for n, kind in enumerate(kinds)
    ]
    items = items_of("mmlu_redux", *rows)
    assert [(item.input, item.target) for item in items] == [("0?", 0), ("4?", 0)]
    assert {item.metadata["subject"] for item in items} == {"virology"}


def test_each_subject_of_mmlu_is_in_one_category():
    assert category("anatomy").startswith("other")
    assert category("astronomy") == "STEM"
    assert category("jurisprudence") == "humanities"
    assert category("sociology") == "social sciences"


def test_mmlu_pro_shows_the_worked_answers_of_the_category():
    shots = [
        PRO | {"question_id": n, "question": f"{kind} {n}?", "category": kind,
               "cot_content": f"A: Let's think step by step. As {n} shows. The answer is (B)."}
        for n in range(5) for kind in ("math", "law")
    ]  # fmt: skip
    prepared = on_hub_rows("mmlu_pro", PRO, shots=shots)
    (item,) = prepared.items()
    assert (item.id, item.target, item.metadata) == ("70", 1, {"category": "math", "src": "invented"})
    system, first, answer, *_ = prepared.render(item).turns[0]
    assert "about math. Think step by step" in system.text
    asked = "Options:\nA. 2\nB. 3\nC. 4\nAnswer: Let's think step by step."
    assert first.text == f"Question:\nmath 0?\n{asked}"
    assert answer.text == "As 0 shows. The answer is (B)."
    assert prepared.render(item).turns[0][-1].text == f"Question:\nWhich is odd?\n{asked}"


def test_the_board_shows_the_same_five_to_every_category():
    shots = [PRO | {"question_id": n, "question": f"{n}?", "category": "law"} for n in range(6)]
    prepared = on_hub_rows("mmlu_pro:open-llm-v2", PRO, shots=shots)
    (item,) = prepared.items()
    rendered = prepared.render(item)
    assert rendered.shots == ("0", "1", "2", "3", "4")
    assert str(rendered.turns[0]).endswith("\n\nWhich is odd?\nA. 2\nB.  3 \nC. 4\nAnswer:")
    assert rendered.continuations == (" A", " B", " C")
