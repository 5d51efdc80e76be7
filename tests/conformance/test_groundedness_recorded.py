"""What people agree on, and what rules say of it, on the sets that a judge of grounded answers is held to.

RAGChecker (Ru et al. 2024, arXiv:2408.08067): 280 pairs of answers, two annotators each, graded from -2 (the
first is better) to 2. A rule prefers the answer whose value is higher by as much. BEGIN (Dziri et al. 2022,
arXiv:2105.00071) and SummEdits (Laban et al. 2023, arXiv:2305.14540) have one label an answer. `supported` on
all of them is in test_overlap_recorded.py.
"""

import json
import re
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

from bakeoff.score.overlap import share_of_words, support
from bakeoff.score.token_f1 import squad_normal, token_f1
from bakeoff.stats.agreement.krippendorff import krippendorff
from bakeoff.stats.confidence.auroc import auroc
from tests.conformance.test_overlap_recorded import recorded, rows

pytestmark = pytest.mark.data

DRAWS = 2000
# Exact, within one grade, Pearson's r and its bootstrap interval over pairs, Krippendorff's α (ordinal).
PEOPLE = {
    "overall": (55.4, 90.4, 0.70, 0.63, 0.76, 0.68),
    "correctness": (50.0, 90.7, 0.64, 0.56, 0.71, 0.59),
    "completeness": (60.0, 91.8, 0.72, 0.65, 0.78, 0.68),
}
# Pearson's r with the mean of both annotators and its interval, then with either annotator alone.
RULES = {
    "token F1": (0.56, 0.47, 0.65, 0.55, 0.49),
    "token F1, plain words": (0.55, 0.46, 0.64, 0.54, 0.48),
    "token recall": (0.48, 0.38, 0.58, 0.46, 0.43),
    "supports more of the gold answer": (0.54, 0.45, 0.63, 0.52, 0.48),
    "length in characters": (0.21, 0.08, 0.33, 0.19, 0.20),
}
CONTEXT_F1 = {"begin_wow": (0.837, 0.824, 0.849), "summedits": (0.426, 0.4, 0.453)}


class Pair(NamedTuple):
    gold: str
    first: str
    second: str
    people: dict[str, list[int]]


@pytest.fixture(scope="module")
def pairs(data_dir) -> list[Pair]:
    found: dict[str, Pair] = {}
    for id_, gold, label, meta in rows(data_dir, "ragchecker_human", "id, context, label, meta"):
        facts = json.loads(meta)
        new = Pair(gold, facts["output_1"], facts["output_2"], {name: [] for name in PEOPLE})
        pair = found.setdefault(id_.rpartition("/")[0], new)
        grades = {"overall": json.loads(label)} | {name: facts[name] for name in list(PEOPLE)[1:]}
        for name, grade in grades.items():
            pair.people[name].append(int(grade))
    assert len(found) == 280
    assert all(len(grades) == 2 for pair in found.values() for grades in pair.people.values())
    return list(found.values())


def correlated(one, other) -> tuple[float, float, float]:
    """Pearson's r, and its percentile bootstrap over pairs."""
    one, other = np.asarray(one, float), np.asarray(other, float)
    random = np.random.default_rng(0)
    drawn = (random.integers(len(one), size=len(one)) for _ in range(DRAWS))
    spread = [np.corrcoef(one[each], other[each])[0, 1] for each in drawn]
    low, high = np.quantile(spread, [0.025, 0.975])
    return round(float(np.corrcoef(one, other)[0, 1]), 2), round(float(low), 2), round(float(high), 2)


@pytest.mark.parametrize("what", PEOPLE)
def test_people_agree_as_published(pairs, what):
    grades = np.array([pair.people[what] for pair in pairs], float)
    apart = np.abs(grades[:, 0] - grades[:, 1])
    alpha = krippendorff(grades, "ordinal")
    found = (
        round(100 * float((apart == 0).mean()), 1),
        round(100 * float((apart <= 1).mean()), 1),
        *correlated(*grades.T),
        round(alpha.value, 2),
    )
    assert found == PEOPLE[what]


def plain(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def plain_f1(said: str, gold: str) -> float:
    shared = (Counter(plain(said)) & Counter(plain(gold))).total()
    return 2 * shared / (len(plain(said)) + len(plain(gold)))


def token_recall(said: str, gold: str) -> float:
    words = squad_normal(gold).split()
    return (Counter(squad_normal(said).split()) & Counter(words)).total() / len(words)


VALUES = {
    "token F1": token_f1,
    "token F1, plain words": plain_f1,
    "token recall": token_recall,
    "supports more of the gold answer": lambda said, gold: share_of_words(support(gold, said)),
    "length in characters": lambda said, _: len(said),
}


@pytest.mark.parametrize("rule", RULES)
def test_rules_correlate_with_people_as_published_or_as_the_page_says(pairs, rule):
    value = VALUES[rule]
    preferred = [value(pair.second, pair.gold) - value(pair.first, pair.gold) for pair in pairs]
    grades = np.array([pair.people["overall"] for pair in pairs], float)
    alone = [correlated(preferred, grades[:, place])[0] for place in (0, 1)]
    assert (*correlated(preferred, grades.mean(axis=1)), *alone) == RULES[rule]


@pytest.mark.parametrize("name", CONTEXT_F1)
def test_token_f1_with_the_context_is_a_floor_too(data_dir, name):
    answers = recorded(data_dir, name)
    found = auroc([token_f1(each.text, each.context) for each in answers], [each.good for each in answers])
    assert (
        tuple(round(each, 3) for each in (found.value, found.interval.low, found.interval.high))
        == CONTEXT_F1[name]
    )
