"""BIG-Bench Hard: rows of the hub's layout, and examples from the harness's files, invented."""

import json

import pytest

from bakeoff.catalog.reasoning.bbh import LETTERED, WORDED, answers
from bakeoff.nouns import FinishReason, Response
from bakeoff.score import judge
from bakeoff.task import load_task
from tests.catalog.hub_rows import items_of, on_hub_rows

DATE = {"input": "Which day?\nOptions:\n(A) one\n(B) two", "target": "(B)", "config": "date_understanding"}
WORDS = {"input": "Sort: b a", "target": "a b", "config": "word_sorting"}


@pytest.fixture
def harness(tmp_path, monkeypatch):
    """Task files as the harness has them, with examples of our own."""
    folder = tmp_path / "lm_eval" / "tasks" / "bbh" / "cot_fewshot"
    folder.mkdir(parents=True)
    for task in load_task("bbh")[0].data.config:
        answer = answers(task)[0] if answers(task) else "c d"
        samples = [
            {"input": f"{task} {n}?", "target": f"As {n}. So the answer is {answer}."} for n in range(3)
        ]
        content = {"description": f"Do {task}.\n\n", "fewshot_config": {"samples": samples}}
        (folder / f"{task}.yaml").write_text(json.dumps(content))
    monkeypatch.setenv("BAKEOFF_LM_EVAL", str(tmp_path))


def test_a_closed_list_of_answers_makes_choices_and_a_free_answer_none():
    date, words = items_of("bbh", DATE, WORDS)
    assert date.choices == ("(A)", "(B)", "(C)", "(D)", "(E)", "(F)")
    assert (date.target, date.metadata) == (1, {"task": "date_understanding", "closed": True})
    assert (words.choices, words.target, words.metadata["closed"]) == ((), ("a b",), False)


def test_a_target_that_is_no_option_leaves_a_free_answer():
    (item,) = items_of("bbh", DATE | {"target": "Monday"})
    assert (item.choices, item.target, item.metadata["closed"]) == ((), ("Monday",), False)


def test_three_of_the_27_tasks_have_free_answers():
    tasks = set(load_task("bbh")[0].data.config)
    assert len(tasks) == 27
    assert tasks - {*LETTERED, *WORDED} == {"dyck_languages", "multistep_arithmetic_two", "word_sorting"}
    assert not {*LETTERED, *WORDED} - tasks


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("So it must be two.\nAnswer: (B)", 1),
        ("**Answer:** (B)", 1),
        ("**Answer: (B)**", 1),
        ("Answer: (A)\nNo, wait.\nanswer: (B).\n", 1),
        ("Answer: (A)", 0),
        ("It is (B)", 0),
    ],
)
def test_the_last_line_that_announces_an_answer_counts(said, value):
    prepared = on_hub_rows("bbh", DATE)
    (item,) = prepared.items()
    assert judge(prepared.scorer, item, Response(text=said, finish=FinishReason.STOP)).value == value


@pytest.mark.usefixtures("harness")
def test_the_three_forms_show_the_same_examples():
    texts = {}
    for variant in ("cot", "direct", "open-llm-v2"):
        prepared = on_hub_rows(f"bbh:{variant}", DATE)
        (item,) = prepared.items()
        rendered = prepared.render(item)
        assert len(rendered.shots) == 3
        texts[variant] = str(rendered.turns[0])
    last = f"Q: {DATE['input']}\nA:"
    shown = [f"Q: date_understanding {n}?\nA:" for n in range(3)]
    direct = "\n\n".join([*(f"{asked} (A)" for asked in shown), last])
    assert texts["direct"] == f"Do date_understanding.\n\n{direct}"
    assert texts["open-llm-v2"] == f"Do date_understanding.{direct}"
    think = " Let's think step by step.\n"
    solved = [f"{asked}{think}As {n}. So the answer is (A)." for n, asked in enumerate(shown)]
    assert texts["cot"] == "Do date_understanding.\n\n" + "\n\n".join([*solved, last + think])


@pytest.mark.usefixtures("harness")
def test_the_board_compares_the_answers_of_closed_lists_only():
    prepared = on_hub_rows("bbh:open-llm-v2", DATE, WORDS)
    (item,) = prepared.items()
    assert prepared.render(item).continuations == tuple(f" ({letter})" for letter in "ABCDEF")
    assert prepared.chance == pytest.approx(1 / 6)
