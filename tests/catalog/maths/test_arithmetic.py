import re

import pytest

from bakeoff.catalog.maths.arithmetic import problems

ROWS = [row for seed in range(5) for row in problems(seed, 120)]

# The story in symbols, from the story's words and not from the generator.
SOLUTIONS = {
    "gain": lambda a, b: a + b,
    "loss": lambda a, b: a - b,
    "groups": lambda a, b: a * b,
    "share": lambda a, b: a / b,
    "together": lambda a, b: a + b,
    "change": lambda price, count, paid: paid - price * count,
}
SIGNS = {
    "gain": " more ",
    "loss": " left?",
    "groups": " in each box",
    "share": "equally among",
    "together": "together?",
    "change": "get back?",
}


@pytest.mark.parametrize("kind", SOLUTIONS)
def test_the_answer_follows_from_the_numbers_in_the_text(kind):
    rows = [row for row in ROWS if row["kind"] == kind]
    assert len(rows) == 100
    for row in rows:
        assert SIGNS[kind] in row["question"]
        numbers = [int(text) for text in re.findall(r"\d+", row["question"])]
        assert row["answer"] == SOLUTIONS[kind](*numbers), row["question"]


def test_answers_are_positive_whole_numbers_below_a_hundred():
    assert all(isinstance(row["answer"], int) and 1 <= row["answer"] < 100 for row in ROWS)


def test_answers_vary_so_that_no_constant_answer_scores():
    answers = [row["answer"] for row in ROWS]
    assert max(answers.count(answer) for answer in set(answers)) / len(answers) < 0.10


def test_the_two_people_of_a_story_are_different():
    for row in ROWS:
        if row["kind"] == "together":
            first, second = re.findall(r"(\w+) has \d+", row["question"])
            assert first != second
