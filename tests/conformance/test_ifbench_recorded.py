"""The instruction scorer against recorded verdicts of IFBench's checker, instruction by instruction.

Answers and verdicts: allenai/IFBench `data/sample_output.jsonl` and `eval/` (Pyatkin et al. 2025,
arXiv:2507.02833), 293 prompts with 334 instructions; the repository does not name the model.

Each disagreement was read.
"""

import json
from pathlib import Path

import orjson
import pytest

from bakeoff.nouns import FinishReason, Item, Response
from bakeoff.score import build_scorer, judge

pytestmark = pytest.mark.data

IMPERATIVE = "the tagger takes a capitalised imperative (Conceive, Understand, Build) for a noun or a name"
BLANK_LINE = "loose alone: the checker fails on a blank line between paragraphs or bullets"
OLDER = "recorded by an older checker; today's says what we say"
DISAGREEMENTS = {
    ("257", "words:start_verb"): IMPERATIVE,
    ("258", "words:start_verb"): IMPERATIVE,
    ("261", "words:start_verb"): IMPERATIVE,
    ("98", "format:no_bullets_bullets"): BLANK_LINE,
    ("163", "ratio:sentence_type"): OLDER,
}


@pytest.fixture(scope="module")
def answers(data_dir: Path) -> list[tuple[str, dict, dict[str, str]]]:
    path = data_dir / "ifbench_outputs" / "data.jsonl"
    if not path.exists():
        pytest.skip(f"no recorded answers to IFBench at {path}")
    targets = {row["id"]: row["target"] for row in _rows(data_dir / "ifbench" / "data.jsonl")}
    scorer = build_scorer("ifeval")
    judged = []
    for row in _rows(path):
        item = Item(row["item_id"], "", metadata={"instructions": targets[row["item_id"]]})
        score = judge(scorer, item, Response(text=row["output"], finish=FinishReason.STOP))
        judged.append((row["item_id"], row["meta"], orjson.loads(score.extracted)))
    return judged


def test_every_verdict_agrees_but_for_those_that_were_read(answers):
    assert len(answers) == 293
    assert sum(len(ours) for _, _, ours in answers) == 334
    differing = {
        (item, name)
        for item, meta, ours in answers
        for (name, how), *recorded in zip(ours.items(), meta["strict"], meta["loose"], strict=True)
        if recorded != [how == "strict", how != "no"]
    }
    assert differing == set(DISAGREEMENTS)


def _rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
