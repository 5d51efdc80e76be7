"""Judges on recorded verdicts beside several people's labels: the ceiling, the floor, and what corrects them.

llmfao: 8,931 votes of 124 people on 2,139 pairs of answers of 59 models, and verdicts of GPT-4 and GPT-3 on
the same pairs (dustalov/llmfao). RAGChecker: two annotators on 280 pairs of answers (Ru et al. 2024,
arXiv:2408.08067). EVOUNA: Wang et al. 2023, arXiv:2305.12421.
"""

import csv
import json
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from bakeoff.judging.agreement import with_people
from bakeoff.judging.audit import Judgement, audit
from bakeoff.judging.correction import correction, need
from bakeoff.judging.formatting import formatted
from bakeoff.nouns import Item, Response
from bakeoff.score import build_scorer, judge

pytestmark = pytest.mark.data

WINNER = {"left": 0, "right": 1, "tie": None}
FAMILIES = {
    "openai": ("GPT 3.5", "GPT 4"),
    "anthropic": ("Claude",),
    "llama": ("LLaMA-2-Chat",),
    "cohere": ("command",),
    "vicuna": ("Vicuna",),
}


@pytest.fixture(scope="module")
def votes(data_dir: Path) -> dict[str, dict[tuple[str, ...], list[dict[str, str]]]]:
    """By who voted (`crowd`, `gpt4`, `gpt3`), the rows on each pair."""
    found = {}
    files = {"crowd": "crowd", "gpt4": "gpt4-crowd", "gpt3": "gpt3-crowd"}
    for who, name in files.items():
        pairs = defaultdict(list)
        with (data_dir / "llmfao" / f"{name}-comparisons.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                pairs[row["prompt"], row["model_x"], row["model_y"]].append(row)
        found[who] = dict(pairs)
    return found


def _audited(votes, who, family):
    """An audit of a judge's verdicts, with `family` in the place of its own."""
    begins = FAMILIES[family]
    return audit(
        Judgement(
            "/".join(pair),
            False,
            WINNER[row["winner"]],
            tuple(WINNER[vote["winner"]] for vote in votes["crowd"][pair]),
            families=tuple(family if row[side].startswith(begins) else "other" for side in ("left", "right")),
            judge_family=family,
        )
        for pair, (row,) in votes[who].items()
    )


# Share and kappa with one person, and of two people.
@pytest.mark.parametrize(("who", "share", "kappa"), [("gpt4", 62.7, 0.26), ("gpt3", 58.6, 0.16)])
def test_two_judges_agree_with_people_less_than_people_do_with_each_other(votes, who, share, kappa):
    found = _audited(votes, who, "openai")
    assert found.pairs == 2139
    assert 100 * found.people.share == pytest.approx(share, abs=0.05)
    assert found.people.kappa.value == pytest.approx(kappa, abs=0.005)
    assert (100 * found.ceiling.share, found.ceiling.kappa.value) == (
        pytest.approx(68.4, abs=0.05),
        pytest.approx(0.37, abs=0.005),
    )
    assert found.people.interval.high < found.ceiling.interval.low


# Bias towards a family in points: of the judge, and of a second person (the same for both judges).
LEANS = {
    ("gpt4", "openai"): (91.0, 32.4),
    ("gpt4", "anthropic"): (73.6, 32.0),
    ("gpt4", "llama"): (65.7, 28.3),
    ("gpt4", "cohere"): (-7.0, 7.3),
    ("gpt4", "vicuna"): (14.5, 0.1),
    ("gpt3", "openai"): (41.9, 32.4),
    ("gpt3", "anthropic"): (20.8, 32.0),
    ("gpt3", "llama"): (29.0, 28.3),
    ("gpt3", "cohere"): (14.8, 7.3),
    ("gpt3", "vicuna"): (-23.6, 0.1),
}


@pytest.mark.parametrize(("who", "family"), LEANS)
def test_a_lean_to_its_own_family_stands_beside_those_to_others_and_a_second_persons(votes, who, family):
    found = _audited(votes, who, family)
    judge, person = LEANS[who, family]
    assert 100 * found.family.bias == pytest.approx(judge, abs=0.05)
    assert 100 * found.second_person["family"].bias == pytest.approx(person, abs=0.05)


def test_where_people_all_agree_hardly_a_pair_is_left_to_tell_loyalty_from_quality(votes):
    preferred = []
    for pair, rows in votes["crowd"].items():
        winners = {WINNER[row["winner"]] for row in rows}
        own = [rows[0][side].startswith(FAMILIES["openai"]) for side in ("left", "right")]
        if len(rows) >= 3 and len(winners) == 1 and None not in winners and sum(own) == 1:
            preferred.append(own.index(True) in winners)
        assert pair
    assert (sum(preferred), len(preferred)) == (45, 46)


@pytest.fixture(scope="module")
def answers(data_dir: Path):
    """Of each pair the preferences of two annotators (above 0: the second answer), the answers, and gold."""
    import duckdb

    found = defaultdict(list)
    query = "SELECT id, context, label, meta FROM read_parquet(?) ORDER BY id"
    path = data_dir / "ragchecker_human" / "data.parquet"
    for id_, gold, label, meta in duckdb.execute(query, [str(path)]).fetchall():
        of = json.loads(meta)
        found[id_.rpartition("/")[0]].append((int(label), of["output_1"], of["output_2"], gold))
    return dict(found)


def test_rules_that_cost_nothing_beside_two_annotators(answers):
    """The data do not say which sign is whose: this is the one under which likeness to gold helps."""
    scorer = build_scorer("token_f1")

    def like(gold, text):
        return judge(scorer, Item("x", "", target=(gold,)), Response(text)).value or 0.0

    judgements = []
    for pair, rows in answers.items():
        (_, one, other, gold), _ = rows
        values = like(gold, one), like(gold, other)
        judgements.append(
            Judgement(
                pair,
                False,
                None if values[0] == values[1] else int(values[1] > values[0]),
                tuple(None if label == 0 else int(label > 0) for label, *_ in rows),
                lengths=(len(one), len(other)),
                formatted=(formatted(one), formatted(other)),
            )
        )
    found = audit(judgements)
    shares = [100 * each.share for each in (found.ceiling, found.people, found.floor)]
    assert shares == pytest.approx([88.6, 73.7, 62.8], abs=0.05)
    assert [each.items for each in (found.ceiling, found.people, found.floor)] == [158, 232, 231]
    kappas = [each.kappa.value for each in (found.ceiling, found.people, found.floor)]
    assert kappas == pytest.approx([0.77, 0.47, 0.26], abs=0.006)
    assert 100 * found.length.bias == pytest.approx(24.6, abs=0.05)
    assert 100 * found.second_person["length"].bias == pytest.approx(14.5, abs=0.05)
    assert found.format.interval.low < 0 < found.format.interval.high


# SmolLM2-135M-Instruct, Q4_1 (`hf:smollm2`), of every fifth pair in the order of their ids: which place
# it holds to be the better one, 0 or 1, with the first answer first and with the second first. Of "first"
# and "second" behind "Of the two answers, the better one is the", the one with the higher log-likelihood.
PICKS = (
    "00100100000011100000100000111100000000000000001100111100"
    "11110011100011001111111111111100011111111011001111011100"
)


def test_a_small_model_beside_its_ceiling_and_its_floor(answers):
    judgements = []
    for place, pair in enumerate(sorted(answers)[::5]):
        rows = answers[pair]
        for swapped in (False, True):
            pick = int(PICKS[2 * place + swapped])
            judgements.append(
                Judgement(
                    pair,
                    swapped,
                    1 - pick if swapped else pick,
                    tuple(None if label == 0 else int(label > 0) for label, *_ in rows),
                    lengths=(len(rows[0][1]), len(rows[0][2])),
                )
            )
    found = audit(judgements)
    shares = [100 * each.share for each in (found.ceiling, found.people, found.floor)]
    assert shares == pytest.approx([94.9, 51.9, 66.7], abs=0.05)
    assert 100 * found.position.flips == pytest.approx(85.7, abs=0.05)
    assert found.people.interval.low < 0.5 < found.people.interval.high
    assert found.people.interval.high < found.ceiling.interval.low


def test_two_annotators_on_all_five_steps(answers):
    one, other = zip(*([label for label, *_ in rows] for rows in answers.values()), strict=True)
    found = with_people(one, other, [-2, -1, 0, 1, 2], ordered=True)
    assert (found.items, 100 * found.share) == (280, pytest.approx(55.4, abs=0.05))
    assert found.alpha.value == pytest.approx(0.68, abs=0.005)


@pytest.fixture(scope="module")
def systems(data_dir: Path):
    """Of each system on NQ, by question: what a person says, and whether the answer contains gold."""
    import duckdb

    scorer = build_scorer("contains")
    found = defaultdict(dict)
    query = "SELECT id, output, target, label, meta FROM read_parquet(?)"
    path = data_dir / "evouna" / "data.parquet"
    for id_, output, target, label, meta in duckdb.execute(query, [str(path)]).fetchall():
        of = json.loads(meta)
        if of["set"] == "NQ":
            item = Item(id_, "", target=tuple(json.loads(target).split("/")))
            rule = judge(scorer, item, Response(output)).value or 0.0
            question = id_.rpartition("/")[0] or id_
            found[of["model"]][question] = (float(json.loads(label) == "correct"), rule)
    return dict(found)


def test_the_difference_of_two_systems_is_corrected_by_labels_of_both(systems):
    """The rule calls GPT-4 and a fine-tuned reader alike; people find ten points between them."""
    one, other = systems["gpt4"], systems["fid"]
    assert set(one) == set(other)
    people = {item: one[item][0] - other[item][0] for item in one}
    rule = {item: one[item][1] - other[item][1] for item in one}
    truth = np.mean(list(people.values()))
    assert (100 * truth, 100 * np.mean(list(rule.values()))) == pytest.approx((9.7, -0.5), abs=0.05)
    random = np.random.default_rng(0)
    held, widths, alone = [], [], []
    for _ in range(500):
        drawn = random.choice(sorted(one), 100, replace=False)
        found = correction(rule, {item: people[item] for item in drawn}, signed=True)
        held.append(found.interval.low <= truth <= found.interval.high)
        widths.append(found.interval.high - found.interval.low)
        alone.append(found.people_interval.high - found.people_interval.low)
    assert np.mean(held) == pytest.approx(0.970, abs=0.0006)
    assert 100 * np.mean(widths) == pytest.approx(16.2, abs=0.06)
    assert 100 * np.mean(alone) == pytest.approx(20.6, abs=0.06)


def test_as_many_labels_as_planned_give_the_width_that_was_planned(systems):
    """± 5 points of each system's share, planned from its own variance and correlation."""
    random = np.random.default_rng(0)
    for rows in systems.values():
        people, rule = (np.array(each) for each in zip(*rows.values(), strict=True))
        plan = need(
            0.05,
            variance=float(people.var(ddof=1)),
            correlation=float(np.corrcoef(people, rule)[0, 1]),
            items=len(rows),
        )
        widths = []
        for _ in range(50):
            drawn = random.choice(len(rows), plan.with_judge, replace=False)
            found = correction(
                {str(i): value for i, value in enumerate(rule)}, {str(i): people[i] for i in drawn}
            )
            widths.append(found.interval.high - found.interval.low)
        assert plan.with_judge < plan.alone
        assert np.mean(widths) / 2 == pytest.approx(0.05, abs=0.002)
