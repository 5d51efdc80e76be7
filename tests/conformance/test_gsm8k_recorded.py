"""The number scorer, in one configuration, against 13,190 recorded verdicts on GSM8K in four answer styles.

Answers and verdicts: openai/grade-school-math (`A: 18`; Cobbe et al. 2021), qtli/GSM-Plus (`#### 18`, `The
answer is: 18`; Li et al. 2024) and microsoft/ToRA (`\\boxed{18}` after a program; Gou et al. 2023). Published
accuracies: the GSM-Plus table (GSM8K column) and ToRA's README.

Each disagreement was read. In 25 of 27 the recorded verdict is wrong.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score import build_scorer, judge
from bakeoff.score.extract.number import read_number

pytestmark = pytest.mark.data

# What was recorded, against what the text says.
FALSE_THOUGH_EQUAL = "recorded as wrong, though the recorded prediction equals the gold answer"
ANOTHER_STEP = "recorded prediction is a step's ####; the last #### is the answer, and right"
CUT_AT_SPACE = "recorded prediction is 118 of '118 000'"
ROUNDED = "recorded as right by rounding the answer to a whole number"
NOT_BOXED = "ours is wrong: no box, and the last number of the sentence is not its answer"

DISAGREEMENTS: dict[str, dict[int, str]] = {
    "gpt4": dict.fromkeys((9, 31, 122, 144, 198, 250, 315, 324, 1021, 1264), FALSE_THOUGH_EQUAL),
    "gpt-3.5-turbo": dict.fromkeys((9, 31, 122, 198, 315, 1021, 1264), FALSE_THOUGH_EQUAL)
    | dict.fromkeys((938, 1033), ANOTHER_STEP)
    | {266: CUT_AT_SPACE},
    "abel_7b": {1113: FALSE_THOUGH_EQUAL},
    "metamath_70b": dict.fromkeys((363, 1139, 1176, 1255), ROUNDED),
    "tora-70b": dict.fromkeys((98, 288), NOT_BOXED),
}
MODELS = (
    *("openai_6b_finetuning", "openai_6b_verification", "openai_175b_finetuning", "openai_175b_verification"),
    *("gpt4", "gpt-3.5-turbo", "metamath_70b", "metamath_7b", "abel_7b", "tora-70b"),
)


class Answer(NamedTuple):
    item: int
    gold: str
    recorded: bool
    prediction: str | None
    score: Score


@pytest.fixture(scope="module")
def answers(data_dir: Path) -> dict[str, list[Answer]]:
    import duckdb

    gold = dict(_rows(duckdb, "SELECT id, target FROM ?", data_dir / "gsm8k" / "data.parquet"))
    query = "SELECT model, item_id, output, score, meta FROM ?"
    scorer = build_scorer("number")
    judged: dict[str, list[Answer]] = defaultdict(list)
    for model, item, output, verdict, meta in _rows(
        duckdb, query, data_dir / "gsm8k_outputs" / "data.parquet"
    ):
        target = json.loads(gold[item])
        prediction = json.loads(meta).get("official_pred")
        # ToRA recorded no verdicts; its rule is |prediction - answer| < 1e-4.
        right = verdict == "true" if verdict is not None else _close(prediction, target)
        response = Response(text=output, finish=FinishReason.STOP)
        score = judge(scorer, Item(item, "", target=(target,)), response)
        judged[model].append(Answer(int(item.removeprefix("test/")), target, right, prediction, score))
    return judged


@pytest.mark.parametrize("model", MODELS)
def test_every_verdict_agrees_but_for_those_that_were_read(answers, model):
    assert len(answers[model]) == 1319
    differing = {answer.item for answer in answers[model] if answer.recorded != (answer.score.value == 1)}
    assert differing == set(DISAGREEMENTS.get(model, ()))


@pytest.mark.parametrize(
    ("model", "published"), [("metamath_7b", 66.72), ("metamath_70b", 82.11), ("abel_7b", 59.51)]
)
def test_published_accuracy_is_reproduced_exactly(answers, model, published):
    # For metamath_70b and abel_7b the recorded flags give 82.41 and 59.44: the table agrees with us.
    assert round(_accuracy(answers[model]), 2) == published


@pytest.mark.parametrize(
    ("model", "published", "ours"),
    [("gpt4", 93.25, 94.01), ("gpt-3.5-turbo", 73.62, 74.37), ("tora-70b", 84.31, 84.15)],
)
def test_published_accuracy_is_ours_less_the_verdicts_that_were_read(answers, model, published, ours):
    right = [answer.score.value == 1 for answer in answers[model]]
    as_recorded = [
        answer.recorded if answer.item in DISAGREEMENTS[model] else answer.score.value == 1
        for answer in answers[model]
    ]
    assert round(100 * sum(right) / 1319, 2) == ours
    assert round(100 * sum(as_recorded) / 1319, 2) == published


def test_the_recorded_verdict_is_wrong_where_we_say_so(answers):
    for model, items in DISAGREEMENTS.items():
        for answer in answers[model]:
            why = items.get(answer.item)
            if why == FALSE_THOUGH_EQUAL:
                assert not answer.recorded
                assert _close(answer.prediction, answer.gold)
            elif why == ROUNDED:
                assert answer.recorded
                assert not _close(answer.score.extracted, answer.gold)
                assert round(float(answer.score.extracted)) == float(answer.gold)


def test_what_a_style_marks_is_found_as_marked(answers):
    """The weak rule, the last number, is the exception where a style marks its answer."""
    weak = {
        model: sum(answer.score.reason.startswith("the last number") for answer in rows)
        for model, rows in answers.items()
    }
    # gpt-3.5-turbo often forgot the #### it was asked for.
    assert weak.pop("gpt-3.5-turbo") == 105
    assert max(weak.values()) <= 11


def test_answers_without_a_number_have_an_outcome_of_their_own(answers):
    outcomes = [answer.score.outcome for answer in answers["gpt-3.5-turbo"]]
    assert outcomes.count(Outcome.NO_ANSWER) == 9
    assert outcomes.count(Outcome.EMPTY) == 1
    assert outcomes.count(Outcome.SCORED) == 1309


def _rows(duckdb, query: str, path: Path) -> list[tuple]:
    return duckdb.sql(query.replace("?", f"'{path}'")).fetchall()


def _close(prediction: str | None, gold: str) -> bool:
    left, right = read_number(prediction or ""), read_number(gold)
    return left is not None and right is not None and abs(left - right) < 1e-4


def _accuracy(rows: list[Answer]) -> float:
    return 100 * sum(answer.score.value or 0 for answer in rows) / len(rows)
