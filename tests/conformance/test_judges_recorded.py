"""Judges on recorded verdicts: 499 runs of six language models, and three rules that cost nothing.

LLMBar: Zeng et al. 2024, arXiv:2310.07641, verdicts of `Dataset/**/evaluators` in both orders and their
published statistics. EVOUNA: Wang et al. 2023, arXiv:2305.12421, answers of five systems that a person called
right or wrong. Neither has a second person's labels, so the ceiling is not known from them.
"""

import json
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from bakeoff.judging.agreement import with_people
from bakeoff.judging.position import position_bias
from bakeoff.judging.verbosity import verbosity_bias
from bakeoff.nouns import Item, Response
from bakeoff.score import build_scorer, judge
from bakeoff.stats.classes.ppi import ppi_mean
from bakeoff.stats.mean.proportion import wilson

pytestmark = pytest.mark.data

NATURAL = ("LLMBar/Natural",)
ADVERSARIAL = tuple(f"LLMBar/Adversarial/{name}" for name in ("GPTInst", "GPTOut", "Manual", "Neighbor"))


class Pair(NamedTuple):
    """People's preference, the judge's winner in either order (None: unreadable), lengths in characters."""

    better: int
    given: int | None
    swapped: int | None
    lengths: tuple[int, int]


@pytest.fixture(scope="module")
def runs(data_dir: Path) -> dict[tuple[str, str, str], list[Pair]]:
    import duckdb

    found = defaultdict(list)
    query = (
        "SELECT subset, judge, method, gold, winner_order1, winner_order2, len1, len2 FROM read_parquet(?)"
    )
    path = data_dir / "judge_llmbar" / "verdicts.parquet"
    for *run, gold, given, swapped, one, other in duckdb.execute(query, [str(path)]).fetchall():
        winners = (None if each is None else each - 1 for each in (given, swapped))
        found[tuple(run)].append(Pair(gold - 1, *winners, (one, other)))
    return dict(found)


@pytest.fixture(scope="module")
def published(data_dir: Path) -> dict[tuple[str, str, str], tuple[float, float, float]]:
    """Of each run: accuracy over both orders, positional agreement, Cohen's kappa of the two orders."""
    import duckdb

    query = "SELECT subset, judge, method, pub, pubagr, kappa_agreement FROM read_csv(?)"
    path = data_dir / "judge_llmbar" / "published_stats.csv"
    return {tuple(row[:3]): tuple(row[3:]) for row in duckdb.execute(query, [str(path)]).fetchall()}


def test_accuracy_of_all_499_runs_is_the_published_one(runs, published):
    assert len(runs) == len(published) == 499
    for run, pairs in runs.items():
        right = [(pair.given == pair.better) + (pair.swapped == pair.better) for pair in pairs]
        assert sum(right) / 2 / len(pairs) == pytest.approx(published[run][0], abs=1e-9), run


def test_flips_and_kappa_of_the_two_orders_are_the_published_ones_where_all_verdicts_are_readable(
    runs, published
):
    compared = 0
    for run, pairs in runs.items():
        given, swapped = [pair.given for pair in pairs], [pair.swapped for pair in pairs]
        _, agreement, kappa = published[run]
        found = position_bias(given, swapped)
        if found.left_out:
            # There they count two unreadable verdicts as agreeing with each other, and we leave them out.
            same = sum(one == other for one, other in zip(given, swapped, strict=True))
            assert same / len(pairs) == pytest.approx(agreement, abs=1e-9), run
            continue
        compared += 1
        assert 1 - found.flips == pytest.approx(agreement, abs=1e-9), run
        both = with_people(given, swapped, [0, 1])
        assert both.kappa.value == pytest.approx(kappa, abs=1e-9), run
    assert compared == 381


# By judge, prompting method "Vanilla": percent equal to people's preference with answer 0 read first, kappa,
# flips and lean in percent of items, right if people prefer the longer answer and if the shorter, in percent.
JUDGES = {
    ("natural", "GPT-4"): (95.0, 0.90, 5.0, 1.0, 97.3, 93.0),
    ("natural", "PaLM2"): (79.6, 0.59, 20.4, 10.2, 90.7, 79.1),
    ("natural", "ChatGPT"): (80.0, 0.60, 29.0, 21.0, 86.6, 75.6),
    ("natural", "ChatGPT-0301"): (84.0, 0.68, 22.0, 14.0, 91.1, 75.6),
    ("natural", "LLaMA2"): (79.0, 0.57, 21.0, 3.0, 94.6, 64.0),
    ("natural", "Falcon"): (71.0, 0.45, 48.0, 48.0, 77.7, 69.8),
    ("adversarial", "GPT-4"): (79.0, 0.58, 7.8, 2.8, 81.6, 80.8),
    ("adversarial", "PaLM2"): (65.3, 0.30, 30.0, 12.9, 58.8, 67.8),
    ("adversarial", "ChatGPT"): (28.2, -0.45, 35.7, 32.0, 36.8, 24.7),
    ("adversarial", "ChatGPT-0301"): (37.9, -0.26, 48.6, 40.4, 39.5, 36.2),
    ("adversarial", "LLaMA2"): (33.3, -0.34, 25.9, 14.5, 64.0, 26.1),
    ("adversarial", "Falcon"): (50.8, 0.00, 61.8, 57.4, 57.9, 49.4),
}
# Where the interval leaves out 0.
NO_LEAN = {("natural", "GPT-4"), ("natural", "LLaMA2"), ("adversarial", "GPT-4")}
FOR_LENGTH = {("natural", "ChatGPT-0301"), ("natural", "LLaMA2"), ("adversarial", "LLaMA2")}


@pytest.mark.parametrize(("part", "name"), JUDGES)
def test_a_judge_by_its_agreement_and_biases(runs, part, name):
    subsets = NATURAL if part == "natural" else ADVERSARIAL
    pairs = [pair for subset in subsets for pair in runs[subset, name, "Vanilla"]]
    better = [pair.better for pair in pairs]
    given, swapped = [pair.given for pair in pairs], [pair.swapped for pair in pairs]
    people = with_people(given, better, [0, 1])
    position = position_bias(given, swapped)
    length = verbosity_bias(list(zip(given, swapped, strict=True)), better, [pair.lengths for pair in pairs])
    share, kappa, flips, lean, longer, shorter = JUDGES[part, name]
    assert 100 * people.share == pytest.approx(share, abs=0.05)
    assert people.kappa.value == pytest.approx(kappa, abs=0.005)
    assert 100 * position.flips == pytest.approx(flips, abs=0.05)
    assert 100 * position.lean == pytest.approx(lean, abs=0.05)
    assert 100 * length.right_with == pytest.approx(longer, abs=0.05)
    assert 100 * length.right_without == pytest.approx(shorter, abs=0.05)
    assert (position.lean_interval.low > 0) is ((part, name) not in NO_LEAN)
    assert (length.interval.low > 0) is ((part, name) in FOR_LENGTH)
    assert length.interval.high > 0  # nowhere is a preference for the shorter answer shown


class Labelled(NamedTuple):
    """Whether a person, and each of three rules, called an answer right."""

    person: bool
    rules: dict[str, bool]


RULES = ("exact", "token_f1", "contains")


@pytest.fixture(scope="module")
def answers(data_dir: Path) -> dict[tuple[str, str], list[Labelled]]:
    import duckdb

    scorers = {name: build_scorer(name) for name in RULES}
    found = defaultdict(list)
    query = "SELECT id, output, target, label, meta FROM read_parquet(?)"
    path = data_dir / "evouna" / "data.parquet"
    for id_, output, target, label, meta in duckdb.execute(query, [str(path)]).fetchall():
        item, response = Item(id_, "", target=tuple(json.loads(target).split("/"))), Response(output)
        values = {name: judge(scorer, item, response).value or 0.0 for name, scorer in scorers.items()}
        of = json.loads(meta)
        labelled = Labelled(
            json.loads(label) == "correct", {name: value >= 0.5 for name, value in values.items()}
        )
        found[of["set"], of["model"]].append(labelled)
    return dict(found)


# By system: answers, right by a person (published); kappa with the person of each rule in the order of RULES.
SYSTEMS = {
    ("TQ", "fid"): (482, 387, (0.69, 0.89, 0.78)),
    ("TQ", "gpt35"): (482, 385, (0.07, 0.24, 0.80)),
    ("TQ", "chatgpt"): (482, 410, (0.01, 0.06, 0.74)),
    ("TQ", "gpt4"): (482, 437, (0.00, 0.04, 0.63)),
    ("TQ", "newbing"): (482, 434, (0.00, 0.00, 0.57)),
    ("NQ", "fid"): (730, 496, (0.72, 0.85, 0.79)),
    ("NQ", "gpt35"): (730, 470, (0.02, 0.05, 0.69)),
    ("NQ", "chatgpt"): (730, 534, (0.00, 0.03, 0.56)),
    ("NQ", "gpt4"): (730, 567, (0.00, 0.02, 0.56)),
    ("NQ", "newbing"): (730, 572, (0.00, 0.00, 0.57)),
}


@pytest.mark.parametrize("system", SYSTEMS, ids="-".join)
def test_a_rule_that_costs_nothing_as_judge_of_one_system(answers, system):
    rows = answers[system]
    n, right, kappas = SYSTEMS[system]
    people = [row.person for row in rows]
    assert (len(rows), sum(people)) == (n, right)
    for rule, kappa in zip(RULES, kappas, strict=True):
        found = with_people([row.rules[rule] for row in rows], people, [False, True])
        assert found.kappa.value == pytest.approx(kappa, abs=0.006), rule


def test_a_rule_is_wrong_by_another_amount_for_each_system(answers):
    gaps = {
        system: 100 * np.mean([row.person - row.rules["contains"] for row in rows])
        for system, rows in answers.items()
    }
    least, most = sorted(gaps, key=gaps.__getitem__)[:: len(gaps) - 1]
    assert (least, most) == (("TQ", "gpt35"), ("NQ", "gpt4"))
    assert (gaps[least], gaps[most]) == pytest.approx((7.5, 19.9), abs=0.05)


def test_a_hundred_labels_correct_a_rule_that_is_wrong_about_every_system(answers):
    """A thousand draws, a hundred for each system: share of intervals that hold the mean of all labels."""
    random = np.random.default_rng(0)
    held: dict[str, list[bool]] = {"ppi": [], "labels": [], "rule": []}
    widths: dict[str, list[float]] = {"ppi": [], "labels": [], "rule": []}
    for system in sorted(SYSTEMS):
        rows = answers[system]
        people = np.array([row.person for row in rows], dtype=float)
        rule = np.array([row.rules["contains"] for row in rows], dtype=float)
        for _ in range(100):
            order = random.permutation(len(rows))
            some, others = order[:100], order[100:]
            intervals = {
                "ppi": ppi_mean(people[some], rule[some], rule[others]).interval,
                "labels": wilson(people[some].sum(), 100),
                "rule": wilson(rule.sum(), len(rule)),
            }
            for name, interval in intervals.items():
                held[name].append(interval.low <= people.mean() <= interval.high)
                widths[name].append(interval.high - interval.low)
    covered = {name: np.mean(each) for name, each in held.items()}
    assert covered["rule"] == 0
    assert covered["ppi"] == pytest.approx(0.977, abs=0.0006)
    assert covered["labels"] == pytest.approx(0.974, abs=0.0006)
    assert np.mean(widths["ppi"]) == pytest.approx(0.120, abs=0.0006)
    assert np.mean(widths["labels"]) == pytest.approx(0.153, abs=0.0006)
