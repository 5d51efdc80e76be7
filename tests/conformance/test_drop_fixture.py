"""DROP's measures on real questions and on the decimals of TAT-QA; exact match and F1 on HotpotQA.

allenai/allennlp-models `drop.json` (Dua et al. 2019), 19 questions. TAT-QA dev (Zhu et al. 2021), 403 targets
with decimals. HotpotQA (Yang et al. 2018), 100 questions. The first public use of DROP on a leaderboard cut
answers at the full stop of their decimals; here none is.
"""

import json
import re
from pathlib import Path

import pytest

from bakeoff.nouns import FinishReason, Item, Response, Score
from bakeoff.score import build_scorer, judge
from bakeoff.score.drop import drop_exact, drop_f1

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def questions(data_dir: Path) -> list[Item]:
    lines = (data_dir / "drop_fixture" / "data.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [Item(row["id"], row["input"], metadata=row["meta"]) for row in rows]


@pytest.fixture(scope="module")
def decimals(data_dir: Path) -> list[str]:
    import duckdb

    path = data_dir / "tatqa" / "data.parquet"
    targets = [json.loads(target) for (target,) in duckdb.sql(f"SELECT target FROM '{path}'").fetchall()]
    return [
        str(target)
        for target in targets
        if not isinstance(target, list) and re.search(r"\d\.\d", str(target))
    ]


def gold(item: Item) -> list[str]:
    answer = item.metadata["answer"]
    return [answer["number"]] if answer["number"] else answer["spans"]


def score(item: Item, text: str, **options: str) -> Score:
    return judge(
        build_scorer({"name": "drop", **options}), item, Response(text=text, finish=FinishReason.STOP)
    )


def test_every_gold_answer_is_right_as_it_is_in_a_sentence_and_with_a_full_stop(questions):
    assert len(questions) == 19
    for item in questions:
        for text in (
            ", ".join(gold(item)),
            f"The answer is {', '.join(gold(item))}.",
            f"**{gold(item)[0]}**",
        ):
            assert score(item, text).value == 1, item.id
            assert score(item, text, measure="exact").value == 1, item.id


def test_the_gold_answer_of_another_question_is_right_only_where_it_is_the_same(questions):
    for item in questions:
        for other in questions:
            same = gold(item) == gold(other)
            assert (score(item, ", ".join(gold(other)), measure="exact").value == 1) is same
            assert (score(item, ", ".join(gold(other))).value == 1) is same


def test_the_decimals_of_403_real_targets_are_neither_cut_nor_glued(decimals):
    assert len(decimals) == 403
    for target in decimals:
        number = float(target.replace(",", "").strip("$%"))
        for written in (target, f"{target}.", f"{number:,}", f"({target})"):
            assert drop_f1([written], [target]) == drop_exact([written], [target]) == 1, (written, target)
        cut, glued = target.partition(".")[0], target.replace(".", "", 1)
        assert drop_f1([cut], [target]) == drop_exact([cut], [target]) == float(number == int(number))
        assert drop_exact([glued], [target]) == 0 or number == 0


def test_the_targets_of_tatqa_are_right_with_their_scale_and_wrong_without(data_dir):
    import duckdb

    rows = duckdb.sql(f"SELECT id, target, meta FROM '{data_dir / 'tatqa' / 'data.parquet'}'").fetchall()
    scorer = build_scorer("tatqa")
    scaled = empty = 0
    for item_id, target, meta in rows:
        facts = json.loads(meta)
        value = json.loads(target)
        spans = [str(span) for span in value] if isinstance(value, list) else [str(value)]
        item = Item(item_id, "", target=tuple(spans), metadata=facts)
        empty += "" in spans
        spans = [span for span in spans if span]
        has_own = any(re.search(r"%|percent|[mb]illion|thousand", span.lower()) for span in spans)
        unit = "" if has_own else f" {facts['scale']}"
        with_scale = json.dumps([span + unit for span in spans]) if len(spans) > 1 else spans[0] + unit
        assert judge(scorer, item, Response(text=with_scale, finish=FinishReason.STOP)).value == 1, item_id
        if facts["scale"] and not has_own:
            scaled += 1
            without = json.dumps(spans) if len(spans) > 1 else spans[0]
            judged = judge(scorer, item, Response(text=without, finish=FinishReason.STOP))
            # Nothing is nothing in every scale.
            assert judged.value == float(spans == ["0"]), item_id
    assert len(rows) == 1668
    assert scaled == 873
    assert empty == 1  # d47306cf-e276-4836-a827-ebebdc47e078 lists three spans of which one is empty


def test_hotpotqa_gold_answers_score_1_and_no_other_questions_answer_matches_exactly(data_dir):
    lines = (data_dir / "hotpotqa" / "data.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 100
    f1 = build_scorer({"name": "token_f1", "closed": True})
    exact = build_scorer({"name": "token_f1", "closed": True, "measure": "exact"})
    items = [Item(row["id"], row["input"], target=(row["target"],)) for row in rows]
    for item in items:
        target = item.target[0]
        for text in (target, f"The {target}.", f"The answer is: {target}", f"**{target.upper()}**"):
            answer = Response(text=text, finish=FinishReason.STOP)
            assert judge(f1, item, answer).value == 1, item.id
            assert judge(exact, item, answer).value == 1, item.id
        for other in items:
            answer = Response(text=other.target[0], finish=FinishReason.STOP)
            values = judge(f1, item, answer).value, judge(exact, item, answer).value
            assert values[0] >= values[1]
            assert values[1] == float(target.lower() == other.target[0].lower())
            if target in ("yes", "no"):
                assert values[0] == values[1]
