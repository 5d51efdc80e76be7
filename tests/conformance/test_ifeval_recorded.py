"""The instruction scorer against recorded verdicts of the official checkers, instruction by instruction.

IFEval: GPT-4's answers to 540 prompts with 832 instructions, as recorded by google-research, and the official
checker's verdicts on them (Podtech-AI/IFEval; Zhou et al. 2023, arXiv:2311.07911).

Each disagreement was read. In all of them the official verdict is wrong, or random.
"""

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import orjson
import pytest

from bakeoff.nouns import FinishReason, Item, Response, Score
from bakeoff.score import build_scorer, judge
from bakeoff.score.instructions.given import given_instructions
from bakeoff.score.instructions.scorer import pooled
from bakeoff.score.instructions.table import CHECKERS

pytestmark = pytest.mark.data

TAKEN_FOR = "English that langdetect takes for another language: "
DISAGREEMENTS = {
    # One to three English words in small letters or capitals, and a list of English names in capitals.
    ("1843", "change_case:english_lowercase"): TAKEN_FOR + "es",
    ("202", "change_case:english_lowercase"): TAKEN_FOR + "de",
    ("2341", "change_case:english_capital"): TAKEN_FOR + "cy",
    ("2571", "change_case:english_capital"): TAKEN_FOR + "tl",
    ("3456", "change_case:english_capital"): TAKEN_FOR + "de",
}
# The letter asked for is "#"; the official checker counts a letter drawn at random, once for the strict and
# once for the loose verdict. The answer has four, and four were asked for.
RANDOM = {("1122", "keywords:letter_frequency")}


class Answer(NamedTuple):
    item: str
    strict: dict[str, bool]
    loose: dict[str, bool]
    scores: dict[str, Score]

    def ours(self, mode: str) -> dict[str, bool]:
        """Our verdicts by instruction."""
        enough = ("strict",) if mode == "strict" else ("strict", "loose")
        kept = orjson.loads(self.scores[mode].extracted)
        return {name: how in enough for name, how in kept.items()}


@pytest.fixture(scope="module")
def items(data_dir: Path) -> dict[str, Item]:
    return _items(data_dir / "ifeval" / "data.jsonl")


@pytest.fixture(scope="module")
def answers(data_dir: Path, items: dict[str, Item]) -> list[Answer]:
    import duckdb

    path = data_dir / "ifeval_outputs" / "data.parquet"
    rows = duckdb.sql(f"SELECT item_id, output, meta FROM '{path}' ORDER BY item_id").fetchall()
    return [_judged(items[item_id], output, json.loads(meta)) for item_id, output, meta in rows]


@pytest.mark.parametrize("mode", ["strict", "loose"])
def test_every_verdict_agrees_but_for_those_that_were_read(answers, mode):
    assert len(answers) == 540
    assert sum(len(answer.strict) for answer in answers) == 832
    differing = {
        (answer.item, name)
        for answer in answers
        for name, recorded in getattr(answer, mode).items()
        if recorded != answer.ours(mode)[name]
    }
    assert differing == set(DISAGREEMENTS) | (RANDOM if mode == "loose" else set())


@pytest.mark.parametrize(
    ("mode", "prompts", "recorded_prompts", "instructions", "recorded_instructions"),
    [("strict", 422, 417, 702, 697), ("loose", 436, 430, 718, 712)],
)
def test_accuracies_are_the_recorded_ones_and_the_verdicts_that_were_read(
    answers, mode, prompts, recorded_prompts, instructions, recorded_instructions
):
    assert sum(all(getattr(answer, mode).values()) for answer in answers) == recorded_prompts
    assert sum(sum(getattr(answer, mode).values()) for answer in answers) == recorded_instructions
    assert sum(answer.scores[mode].value for answer in answers) == prompts
    level = pooled([answer.scores[mode].extracted for answer in answers], mode)
    assert level == pytest.approx(instructions / 832)


def test_no_kind_of_instruction_but_english_ones_and_letters_disagrees(answers):
    """So the other 22 kinds agree on every answer, strict and loose."""
    agreeing = Counter(name.partition(" ")[0] for answer in answers for name in answer.strict)
    assert len(agreeing) == 25
    assert {name for _, name in DISAGREEMENTS.keys() | RANDOM} == {
        "change_case:english_lowercase",
        "change_case:english_capital",
        "keywords:letter_frequency",
    }


def test_the_same_answer_has_the_same_verdict_again(answers, items):
    """Neither an unseeded detector nor a random letter is in it (peers' faults)."""
    again = [_judged(items[answer.item], "ONE TWO THREE, four # !", {}) for answer in answers[:60]]
    once = [_judged(items[answer.item], "ONE TWO THREE, four # !", {}) for answer in answers[:60]]
    assert [answer.scores for answer in again] == [answer.scores for answer in once]


def test_every_instruction_of_the_published_files_can_be_read(data_dir, items):
    ifbench = _items(data_dir / "ifbench" / "data.jsonl")
    assert (len(items), len(ifbench)) == (541, 300)
    given = [one for item in (*items.values(), *ifbench.values()) for one in given_instructions(item)]
    assert Counter(one.id for one in given).keys() == CHECKERS.keys()
    assert len(given) == 834 + 344


def _items(path: Path) -> dict[str, Item]:
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: Item(row["id"], "", metadata={"instructions": row["target"]}) for row in rows}


def _judged(item: Item, output: str, recorded: dict) -> Answer:
    response = Response(text=output, finish=FinishReason.STOP)
    scores = {
        mode: judge(build_scorer({"name": "ifeval", "mode": mode}), item, response)
        for mode in ("strict", "loose")
    }
    names = orjson.loads(scores["strict"].extracted)
    verdicts = (dict(zip(names, recorded.get(mode, [False] * len(names)), strict=True)) for mode in scores)
    return Answer(item.id, *verdicts, scores)
