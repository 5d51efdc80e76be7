"""The choice scorer against MMLU-Pro's own extraction on 6,017 recorded answers of six models.

Answers and official letters: TIGER-AI-Lab/MMLU-Pro `eval_results` (Wang et al. 2024, arXiv:2406.01574), every
12th question of the test split. The official rule takes the FIRST of

1. `answer is \\(?([A-J])\\)?`
2. `.*[aA]nswer:\\s*([A-J])`   (some runs only)
3. the last lone letter, whatever it means   (some runs only)

Rule 3 reads "I cannot provide an answer" as option I and the unit of "1.5 J" as option J; we read nothing
there. Rule 1 reads "The answer is (B) and (D)" as B; we call it ambiguous. No letter of rule 1 differs.
"""

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.score import build_scorer, judge

pytestmark = pytest.mark.data

# Right answers by the official letters, without its random guess (recorded with the data), and by ours.
RIGHT = {
    "Llama-2-7b-hf": (190, 190),
    "Meta-Llama-3_1-8B-Instruct": (455, 449),
    "Mixtral-8x7B-Instruct-v0.1": (415, 415),
    "Qwen1.5-72B-Chat": (507, 515),
    "gemini-1.5-flash-002": (662, 659),
    "jamba-1.5-large": (531, 528),
}
# Answers that name several choices at once where the official rule takes the first.
AMBIGUOUS = {
    "Llama-2-7b-hf": 2,
    "Meta-Llama-3_1-8B-Instruct": 1,
    "Mixtral-8x7B-Instruct-v0.1": 17,
    "Qwen1.5-72B-Chat": 13,
    "gemini-1.5-flash-002": 3,
    "jamba-1.5-large": 1,
}


class Answer(NamedTuple):
    item: str
    text: str
    official: str | None
    key: str
    first: Score
    last: Score

    @property
    def announced(self) -> str | None:
        """What the first official rule finds."""
        match = re.search(r"answer is \(?([A-J])\)?", self.text)
        return match.group(1) if match else None


@pytest.fixture(scope="module")
def answers(data_dir: Path) -> dict[str, list[Answer]]:
    import duckdb

    items = data_dir / "mmlu_pro" / "data.parquet"
    choices = {
        item: tuple(texts) for item, texts in duckdb.sql(f"SELECT id, choices FROM '{items}'").fetchall()
    }
    outputs = data_dir / "mmlu_pro_outputs" / "data.parquet"
    first, last = (build_scorer({"name": "choice", "take": take}) for take in ("first", "last"))
    judged: dict[str, list[Answer]] = defaultdict(list)
    for model, item_id, output, meta in duckdb.sql(
        f"SELECT model, item_id, output, meta FROM '{outputs}'"
    ).fetchall():
        facts = json.loads(meta)
        item = Item(item_id, "", choices[item_id], "ABCDEFGHIJ".index(facts["answer"]))
        response = Response(text=output, finish=FinishReason.STOP)
        scores = (judge(scorer, item, response) for scorer in (first, last))
        judged[model].append(Answer(item_id, output, facts["official_pred"], facts["answer"], *scores))
    return judged


@pytest.mark.parametrize("model", RIGHT)
def test_right_answers_by_both_extractions(answers, model):
    official, ours = RIGHT[model]
    assert sum(answer.official == answer.key for answer in answers[model]) == official
    assert sum(answer.first.value for answer in answers[model]) == ours


@pytest.mark.parametrize("model", RIGHT)
def test_where_the_official_rule_finds_an_announcement_ours_is_the_same_letter_or_two_at_once(answers, model):
    announced = [answer for answer in answers[model] if answer.announced]
    assert len(announced) >= 780
    differing = [answer.first for answer in announced if answer.first.extracted != answer.announced]
    assert len(differing) == AMBIGUOUS[model]
    for score in differing:
        assert score.outcome is Outcome.NO_ANSWER
        assert score.reason.startswith("ambiguous")


def test_the_official_letter_without_an_announcement_is_a_guess():
    """Recorded beside the counts above: what rule 3 and its successors read into these."""
    item = Item("guess", "", tuple("klmnopqrst"), 8)
    for text in ("Therefore, I cannot provide an answer.", "The work done is $0.5 = 1.5 J$. It is also the"):
        score = judge(build_scorer("choice"), item, Response(text=text, finish=FinishReason.STOP))
        assert score.extracted is None


def test_pronouns_were_counted_as_right_answers(answers):
    credited = [
        answer
        for answer in answers["gemini-1.5-flash-002"]
        if answer.announced is None and answer.official == answer.key == "I" and "I cannot" in answer.text
    ]
    assert len(credited) == 3
    assert {answer.first.outcome for answer in credited} == {Outcome.NO_ANSWER}


def test_the_letter_taken_from_models_that_run_on_depends_on_first_or_last(answers):
    """One model invents further questions: the last of its letters answers another one 109 times."""
    changed = Counter(
        model
        for model, rows in answers.items()
        for answer in rows
        if answer.announced and answer.last.extracted not in (None, answer.announced)
    )
    assert changed["Qwen1.5-72B-Chat"] == 109
    assert sum(changed.values()) - changed["Qwen1.5-72B-Chat"] <= 6
    qwen = answers["Qwen1.5-72B-Chat"]
    assert sum(answer.last.value for answer in qwen) == 444


# Items whose verdict differs, by what ours says of the answer.
DIFFERING = {
    "Meta-Llama-3_1-8B-Instruct": {"none": "288 3951 7779 9453 10220 10453"},
    "Mixtral-8x7B-Instruct-v0.1": {"ambiguous": "1260 3493 6983", "right": "3108 11077 11756"},
    "Qwen1.5-72B-Chat": {
        "ambiguous": "2804 5609 7008 10392",
        "right": "348 809 3108 4500 5747 5943 6488 6742 6802 7527 8732 10991",
    },
    "gemini-1.5-flash-002": {"none": "11744 11816 11864"},
    "jamba-1.5-large": {"none": "1296 2766 10586"},
}


@pytest.mark.parametrize("model", RIGHT)
def test_every_verdict_that_differs_was_read(answers, model):
    found: dict[str, list[int]] = defaultdict(list)
    for answer in answers[model]:
        if (answer.official == answer.key) != (answer.first.value == 1):
            ambiguous = answer.first.reason.startswith("ambiguous")
            kind = "right" if answer.first.value == 1 else "ambiguous" if ambiguous else "none"
            found[kind].append(int(answer.item))
    expected = {kind: list(map(int, ids.split())) for kind, ids in DIFFERING.get(model, {}).items()}
    assert {kind: sorted(ids) for kind, ids in found.items()} == expected
