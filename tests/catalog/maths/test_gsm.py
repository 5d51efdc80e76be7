"""GSM8K and its perturbations: rows of the hub's layout, prompts, and what the scorers make of answers."""

import pytest

from bakeoff.nouns import FinishReason, Response
from bakeoff.task import load_task
from tests.catalog.hub_rows import items_of, on_hub_rows

GSM8K = {
    "question": "Ann has 3 bags with 500 nuts each. How many nuts has she?",
    "answer": "She has 3 * 500 = <<3*500=1500>>1,500 nuts.\n#### 1,500",
}
PLUS = {
    "question": "Ann has some bags with 500 nuts each. How many nuts has she?",
    "solution": "How many bags there are is not said.\n#### None",
    "answer": "None",
    "perturbation_type": "critical thinking",
    "seed_question": "Ann has 3 bags with 500 nuts each. How many nuts has she?",
    "seed_solution": "3 * 500 = 1500\n#### 1500",
    "seed_answer": "1500",
}
SYMBOLIC = {
    "id": 7,
    "instance": 12,
    "question": "Bo has 4 bags with 20 nuts each. How many nuts has he?",
    "answer": "4 * 20 = <<4*20=80>>80\n#### 80",
    "original_id": 501,
    "original_question": GSM8K["question"],
    "original_answer": GSM8K["answer"],
    "canary": "a canary",
}


def test_a_problem_of_gsm8k_has_its_number_as_target_and_its_solution_as_an_example_shows_it():
    prepared = on_hub_rows("gsm8k", GSM8K)
    (item,) = prepared.items()
    assert (item.input, item.target) == (GSM8K["question"], ("1500",))
    (turn,) = prepared.render(item).turns
    assert turn[0].text.startswith(GSM8K["question"] + "\n\nThink")


def test_five_examples_come_before_the_question_in_plain_text():
    shots = [
        {"question": f"How much is {n} + 1?", "answer": f"It is {n + 1}.\n#### {n + 1}"} for n in range(5)
    ]
    for variant in ("lm-eval", "open-llm-v1"):
        prepared = on_hub_rows(f"gsm8k:{variant}", GSM8K, shots=shots)
        (item,) = prepared.items()
        (text,) = prepared.render(item).turns
        *before, last = text.split("\n\n")
        assert last == f"Question: {GSM8K['question']}\nAnswer:"
        written = [f"Question: {each['question']}\nAnswer: {each['answer']}" for each in shots]
        assert sorted(before) == sorted(written)


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("She has 1500. #### 1,500", 1),
        ("#### 1500\nQuestion: another\nAnswer: #### 3", 1),
        ("#### 1500.", 1),
        ("The answer is 1500", 0),
        ("#### 15", 0),
    ],
)
def test_the_board_of_2023_reads_what_follows_the_first_hashes_alone(answer, value):
    prepared = on_hub_rows(
        "gsm8k:open-llm-v1", GSM8K, shots=[GSM8K | {"question": f"{n}?"} for n in range(5)]
    )
    (item,) = prepared.items()
    assert prepared.scorer(item, Response(text=answer, finish=FinishReason.STOP)).value == value


def test_perturbed_twins_are_a_group():
    answered = PLUS | {
        "question": "Ann has 3 bags.",
        "answer": "4.33",
        "perturbation_type": "adding operation",
    }
    for name in ("gsm_plus", "gsm_plus_mini"):
        lacking, other = items_of(name, PLUS, answered)
        assert (lacking.target, other.target) == (("None",), ("4.33",))
        assert lacking.group == other.group == PLUS["seed_question"]
        assert lacking.metadata["perturbation"] == "critical thinking"


@pytest.mark.parametrize(
    ("answer", "lacking", "number"),
    [
        ("How many bags is not said.\nAnswer: None", 1, 0),
        ("Answer: **None** (the number of bags is missing)", 1, 0),
        ("\\boxed{None}", 1, 0),
        ("#### None", 1, 0),
        ("None", 1, 0),
        ("Answer: none.", 1, 0),
        ("Answer: 4.33", 0, 1),
        ("26 / 6 = 4.333\nAnswer: 4.333", 0, 1),
        ("Answer: 4", 0, 0),
        # None is said on the way, not as the answer.
        ("None of the bags is empty. Answer: 4.33", 0, 1),
        ("Answer: None of them, so 0", 0, 0),
        ("I do not know", 0, 0),
    ],
)
def test_a_missing_fact_is_answered_by_none_and_by_nothing_else(answer, lacking, number):
    prepared = on_hub_rows("gsm_plus", PLUS, PLUS | {"question": "The mean?", "answer": "4.33"})
    response = Response(text=answer, finish=FinishReason.STOP)
    values = [prepared.scorer(item, response).value for item in prepared.items()]
    assert values == [lacking, number]


@pytest.mark.parametrize("config", ["main", "p1", "p2"])
def test_drawings_from_one_template_are_a_group_and_the_canary_is_not_shown(config):
    name = "gsm_symbolic" if config == "main" else f"gsm_symbolic_{config}"
    assert load_task(name)[0].data.config == config
    prepared = on_hub_rows(name, SYMBOLIC, SYMBOLIC | {"instance": 13, "question": "Another?"})
    first, second = prepared.items()
    assert (first.id, second.id) == ("7/12", "7/13")
    assert first.group == second.group == "7"
    assert first.target == ("80",)
    assert "canary" not in str(first)
