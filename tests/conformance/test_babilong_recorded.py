"""The labels scorer by BABILong's rule, against 16,500 recorded answers of two models at eleven lengths.

Answers: booydar/babilong, `babilong_evals` (Kuratov et al. 2024). The counts below are the official rule's
(`babilong/metrics.py`) on the same rows, counted apart from our code.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bakeoff.nouns import FinishReason, Item, Outcome, Response
from bakeoff.score import build_scorer, judge

pytestmark = pytest.mark.data

PLACES = ["bathroom", "bedroom", "garden", "hallway", "kitchen", "office"]
LABELS = dict.fromkeys(("qa1", "qa2", "qa3", "qa4"), PLACES) | {
    "qa5": ["Bill", "Fred", "Jeff", "Mary", "apple", "football", "milk"]
}
LENGTHS = ("0k", "1k", "2k", "4k", "8k", "16k", "32k", "64k", "128k", "512k", "1M")
RIGHT = {
    ("Phi-3-mini-128k-instruct", "qa1"): (97, 167, 142, 145, 146, 117, 111, 38, 1),
    ("Phi-3-mini-128k-instruct", "qa2"): (57, 76, 91, 73, 67, 41, 49, 15, 2),
    ("Phi-3-mini-128k-instruct", "qa3"): (32, 75, 62, 49, 52, 44, 40, 22, 4),
    ("Phi-3-mini-128k-instruct", "qa4"): (53, 99, 118, 84, 88, 89, 73, 44, 5),
    ("Phi-3-mini-128k-instruct", "qa5"): (74, 147, 137, 144, 129, 128, 125, 55, 23),
    ("gemini-3-flash-preview", "qa1"): (200, 200, 200, 198, 198, 182, 151, 75, 66, 61, 57),
    ("gemini-3-flash-preview", "qa2"): (197, 185, 186, 170, 133, 112, 94, 44, 31, 35, 28),
    ("gemini-3-flash-preview", "qa3"): (179, 171, 166, 134, 108, 88, 53, 27, 21, 21, 30),
    ("gemini-3-flash-preview", "qa4"): (200, 200, 199, 196, 195, 174, 159, 74, 62, 74, 71),
    ("gemini-3-flash-preview", "qa5"): (191, 193, 191, 189, 188, 178, 173, 77, 62, 67, 67),
}
# The model went on to a question of its own, where the official rule finds "Fred" in "Alfred" and "Freddy",
# and "Mary" in "primary".
WITHIN_WORDS = {
    "Phi-3-mini-128k-instruct/qa5/16k/152",
    "Phi-3-mini-128k-instruct/qa5/32k/1",
    "Phi-3-mini-128k-instruct/qa5/64k/93",
}


@pytest.fixture(scope="module")
def answers(data_dir: Path) -> list[Any]:
    import duckdb

    path = data_dir / "babilong_outputs" / "data.parquet"
    query = "SELECT id, model, output, target, meta FROM read_parquet(?)"
    return [
        (id_, model, output or "", json.loads(target), json.loads(meta))
        for id_, model, output, target, meta in duckdb.execute(query, [str(path)]).fetchall()
    ]


def judged(answers, **options):
    scorer = build_scorer({"name": "labels", "first_sentence": True, **options})
    for id_, model, output, target, meta in answers:
        item = Item(
            id_,
            "",
            target=(target,),
            metadata={"labels": LABELS[meta["task"]], "question": meta["question"]},
        )
        yield id_, model, meta, judge(scorer, item, Response(output, finish=FinishReason.STOP))


def test_the_official_counts_come_out_for_each_model_task_and_length(answers):
    right: Counter[tuple[str, str, str]] = Counter()
    outcomes: Counter[Outcome] = Counter()
    for _, model, meta, score in judged(answers, whole_words=False):
        right[model, meta["task"], meta["length"]] += score.value == 1
        outcomes[score.outcome] += 1
    assert right == {
        (model, task, length): count
        for (model, task), counts in RIGHT.items()
        for length, count in zip(LENGTHS, counts, strict=False)
    }
    assert right.total() == 10_411
    assert outcomes == {Outcome.SCORED: 15_197, Outcome.NO_ANSWER: 1_268, Outcome.EMPTY: 35}


def test_whole_words_differ_in_three_answers_and_are_right_there(answers):
    official = {id_: score.value for id_, _, _, score in judged(answers, whole_words=False)}
    ours = {id_: score.value for id_, _, _, score in judged(answers)}
    assert {id_ for id_, value in ours.items() if value != official[id_]} == WITHIN_WORDS
    assert all(ours[id_] == 1 for id_ in WITHIN_WORDS)
