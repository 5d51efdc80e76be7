"""MATH, its level 5, its 500, and TheoremQA: rows of the hub's layout."""

import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Response
from tests.catalog.hub_rows import items_of, on_hub_rows

MATH = {
    "problem": "What is half of $x = 3$?",
    "level": "Level 5",
    "type": "Algebra",
    "solution": "Half of it is $\\boxed{\\frac{3}{2}}$.",
}
THEOREM = {"Question": "Which?", "Answer": "[1, 2]", "Answer_type": "list of integer", "Picture": None}


@pytest.mark.parametrize("name", ["math", "math_hard"])
def test_the_target_is_what_the_solution_boxes(name):
    (item,) = items_of(name, MATH)
    assert item.input == MATH["problem"]
    assert item.target == ("\\frac{3}{2}",)
    assert item.metadata == {"subject": "Algebra", "level": 5, "solution": MATH["solution"]}


def test_of_several_boxes_in_braces_or_without_the_last_is_the_answer():
    (item,) = items_of("math", MATH | {"solution": "Not $\\fbox{1}$. So $x=\\boxed 7$."})
    assert item.target == ("7",)


def test_level_5_is_all_that_math_hard_asks():
    rows = [MATH | {"problem": level, "level": level} for level in ("Level 4", "Level 5", "Level ?")]
    assert [item.input for item in items_of("math_hard", *rows)] == ["Level 5"]
    assert [item.metadata["level"] for item in items_of("math", *rows)] == [4, 5, None]


def test_a_solution_without_an_answer_is_a_mistake_that_shows_it():
    with pytest.raises(TaskError, match=r"row 1: .* no answer is marked or announced: Half of it"):
        items_of("math", MATH | {"solution": "Half of it is what we look for."})


def test_math_500_keeps_the_ids_of_its_publishers():
    row = {"problem": "1 + 1?", "solution": "$\\boxed{2}$", "answer": "2", "subject": "Algebra", "level": 1,
           "unique_id": "test/algebra/1.json"}  # fmt: skip
    (item,) = items_of("math_500", row)
    assert (item.id, item.target, item.metadata["level"]) == ("test/algebra/1.json", ("2",), 1)


@pytest.mark.parametrize("variant", ["open-llm-v2", "open-llm-v2-chat"])
def test_four_solutions_come_before_a_problem_of_the_board(variant):
    solutions = [f"It is $\\boxed{{{n}}}$." for n in range(4)]
    shots = [
        {"id": str(n), "input": f"{n}?", "target": solution, "meta": {"solution": solution}}
        for n, solution in enumerate(solutions)
    ]
    prepared = on_hub_rows(f"math_hard:{variant}", MATH, shots=shots)
    (item,) = prepared.items()
    (turn,) = prepared.render(item).turns
    questions = [f"Problem:\n{each['input']}\n\nSolution:" for each in shots]
    last = f"Problem:\n{MATH['problem']}\n\nSolution:"
    if variant == "open-llm-v2":
        before = [f"{asked} {each['target']}" for asked, each in zip(questions, shots, strict=True)]
        assert turn == "\n\n".join([*before, last])
    else:
        assert [message.text for message in turn if message.role == "user"] == [*questions, last]
        answers = [message.text for message in turn if message.role == "assistant"]
        assert answers == [each["target"] for each in shots]


def test_a_question_with_a_picture_is_left_out():
    items = items_of(
        "theoremqa", THEOREM, THEOREM | {"Question": "See.", "Picture": {"bytes": b"", "path": "p"}}
    )
    assert [item.input for item in items] == ["Which?"]


@pytest.mark.parametrize(
    ("kind", "target", "right", "wrong", "asked"),
    [
        (
            "list of integer",
            "[1, 2]",
            ("1, 2", "[2, 1]"),
            ("1", "1, 2, 3"),
            "a list of numbers, with commas between them",
        ),
        ("integer", "12", ("12", "12.0"), ("12.6", "13"), "a whole number"),
        ("float", "0.5", ("0.5", "0.515", "1/2"), ("0.55",), "a number, as a decimal"),
        ("bool", "True", ("True", "yes"), ("False",), "True or False"),
        ("option", "(b)", ("b", "(B)"), ("c",), "the letter of an option"),
    ],
)
def test_each_type_of_answer_is_asked_for_and_judged(kind, target, right, wrong, asked):
    prepared = on_hub_rows("theoremqa", THEOREM | {"Answer": target, "Answer_type": kind})
    (item,) = prepared.items()
    (turn,) = prepared.render(item).turns
    assert f"The answer is {asked}. Think" in turn[0].text
    for answers, value in ((right, 1), (wrong, 0)):
        for answer in answers:
            response = Response(text=f"So it is.\nAnswer: {answer}", finish=FinishReason.STOP)
            assert prepared.scorer(item, response).value == value, answer
