"""The floor under a judge of groundedness: `supported` against people's labels on four recorded sets.

BEGIN, Wizard of Wikipedia (Dziri et al. 2022, arXiv:2105.00071); SummEdits, four domains (Laban et al. 2023,
arXiv:2305.14540); HaluEval, general (Li et al. 2023, arXiv:2305.11747), which has no context, so that the
question stands for it; RAGChecker's pairs (Ru et al. 2024, arXiv:2408.08067), where the context is the gold
answer. The AUROC is the chance that an answer people call good has the higher value. DeLong's interval takes
answers as independent; beside it stands the bootstrap over contexts, which several answers share.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from bakeoff.nouns import FinishReason, Item, Outcome, Response
from bakeoff.score import build_scorer, judge
from bakeoff.stats.confidence.auroc import auroc
from bakeoff.stats.midranks import midranks

pytestmark = pytest.mark.data

DRAWS = 1000


class Answer(NamedTuple):
    context: str
    text: str
    good: bool
    kind: str = ""


# Set, measure: AUROC and DeLong's interval; `short` prefers the shorter answer.
FLOORS = {
    ("begin_wow", "words"): (0.932, 0.924, 0.939),
    ("begin_wow", "sentences"): (0.812, 0.800, 0.823),
    ("begin_wow", "short"): (0.595, 0.577, 0.613),
    ("summedits", "words"): (0.416, 0.390, 0.443),
    ("summedits", "sentences"): (0.555, 0.535, 0.575),
    ("summedits", "short"): (0.512, 0.485, 0.538),
    ("halueval_general", "words"): (0.418, 0.396, 0.440),
    ("halueval_general", "sentences"): (0.489, 0.471, 0.506),
    ("halueval_general", "short"): (0.465, 0.442, 0.488),
}
# The bootstrap's interval over contexts.
SHARED_CONTEXTS = {
    ("begin_wow", "words"): (0.923, 0.940),
    ("begin_wow", "sentences"): (0.799, 0.824),
    ("summedits", "words"): (0.377, 0.456),
    ("summedits", "sentences"): (0.516, 0.597),
}
# AUROC of the sentences and the bootstrap's interval over documents.
DOMAINS = {
    "sales_call": (0.612, 0.563, 0.666),
    "sales_email": (0.690, 0.639, 0.738),
    "scitldr": (0.516, 0.439, 0.579),
    "qmsumm": (0.449, 0.384, 0.507),
}
# Good answers and others, the scorer's outcomes over both measures, and how many contexts there are.
COUNTS = {
    "begin_wow": (1572, 2459, {"scored": 8060, "no_answer": 2}, 1591),
    "summedits": (680, 1350, {"scored": 4060}, 72),
    "halueval_general": (3692, 815, {"scored": 8996, "refused": 18}, 4507),
}
# Which of two answers is better, by each annotator: what is compared, AUROC, the bootstrap's over pairs.
PAIRS = {
    "the gold answer supports more of it": (0.714, 0.653, 0.774),
    "it supports more of the gold answer": (0.825, 0.772, 0.874),
    "it is longer": (0.645, 0.580, 0.714),
    "the other annotator": (0.893, 0.852, 0.930),
}


def rows(data_dir: Path, name: str, columns: str) -> list[tuple[Any, ...]]:
    import duckdb

    return duckdb.sql(f"SELECT {columns} FROM '{data_dir / name / 'data.parquet'}' ORDER BY id").fetchall()


def recorded(data_dir: Path, name: str) -> list[Answer]:
    if name == "halueval_general":
        found = rows(data_dir, name, "input, output, label")
        return [Answer(*texts, json.loads(label) == "no") for *texts, label in found]
    found = rows(data_dir, name, "context, output, label, meta")
    good = {"begin_wow": "Fully attributable", "summedits": "consistent"}[name]
    # Six answers of BEGIN are generic: neither supported nor not.
    return [
        Answer(context, text, json.loads(label) == good, json.loads(meta).get("domain", ""))
        for context, text, label, meta in found
        if json.loads(label) != "Generic"
    ]


def judged(context: str, text: str, measure: str) -> tuple[float, Outcome]:
    scorer = build_scorer({"name": "supported", "measure": measure})
    response = Response(text=text, finish=FinishReason.STOP)
    score = judge(scorer, Item("answer", "", metadata={"context": context}), response)
    assert score.value is not None
    return score.value, score.outcome


@pytest.fixture(scope="module", params=COUNTS)
def measured(request, data_dir):
    """The set's name, its answers, and by measure their values and outcomes."""
    found = recorded(data_dir, request.param)
    scores = {
        measure: [judged(answer.context, answer.text, measure) for answer in found]
        for measure in ("words", "sentences")
    }
    return request.param, found, scores


def rounded(value: float, low: float, high: float) -> tuple[float, ...]:
    return round(value, 3), round(low, 3), round(high, 3)


def over_contexts(
    values: Sequence[float], good: Sequence[bool], contexts: Sequence[Hashable]
) -> tuple[float, float]:
    """The percentile bootstrap's interval of the AUROC, contexts drawn with all their answers."""
    value, right = np.array(values), np.array(good)
    places: dict[Hashable, list[int]] = defaultdict(list)
    for place, context in enumerate(contexts):
        places[context].append(place)
    groups = list(map(np.array, places.values()))
    random = np.random.default_rng(0)
    areas = []
    for _ in range(DRAWS):
        drawn = np.concatenate([groups[group] for group in random.integers(len(groups), size=len(groups))])
        hits = right[drawn]
        n = hits.sum()
        above = midranks(value[drawn])[hits].sum() - n * (n + 1) / 2
        areas.append(above / (n * (len(drawn) - n)))
    low, high = np.quantile(areas, [0.025, 0.975])
    return float(low), float(high)


def test_the_floor_is_where_the_page_says(measured):
    name, answers, scores = measured
    good = [answer.good for answer in answers]
    values = {measure: [value for value, _ in found] for measure, found in scores.items()}
    values["short"] = [-float(len(answer.text)) for answer in answers]
    for measure, each in values.items():
        found = auroc(each, good)
        assert rounded(found.value, found.interval.low, found.interval.high) == FLOORS[name, measure], measure
    outcomes = Counter(outcome.value for found in scores.values() for _, outcome in found)
    contexts = {answer.context for answer in answers}
    assert (sum(good), len(good) - sum(good), dict(outcomes), len(contexts)) == COUNTS[name]


def test_answers_that_share_a_context_know_less_than_they_seem_to(measured):
    name, answers, scores = measured
    if name == "halueval_general":
        assert len({answer.context for answer in answers}) == len(answers)
        return
    for measure, found in scores.items():
        low, high = over_contexts(
            [value for value, _ in found],
            [answer.good for answer in answers],
            [answer.context for answer in answers],
        )
        assert (round(low, 3), round(high, 3)) == SHARED_CONTEXTS[name, measure], measure
        _, delong_low, delong_high = FLOORS[name, measure]
        assert high - low > delong_high - delong_low


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_floor_in_each_domain_of_summedits(data_dir, domain):
    chosen = [answer for answer in recorded(data_dir, "summedits") if answer.kind == domain]
    values = [judged(answer.context, answer.text, "sentences")[0] for answer in chosen]
    good = [answer.good for answer in chosen]
    found = auroc(values, good)
    by_context = over_contexts(values, good, [answer.context for answer in chosen])
    assert rounded(found.value, *by_context) == DOMAINS[domain]


class Pair(NamedTuple):
    gold: str
    first: str
    second: str
    labels: list[int]


def test_which_of_two_answers_people_prefer(data_dir):
    pairs: dict[str, Pair] = {}
    for id_, gold, label, meta in rows(data_dir, "ragchecker_human", "id, context, label, meta"):
        facts = json.loads(meta)
        new = Pair(gold, facts["output_1"], facts["output_2"], [])
        # Above 0 the second answer is better: the authors correlate labels with model 2 less model 1.
        pairs.setdefault(id_.rpartition("/")[0], new).labels.append(int(json.loads(label)))
    assert len(pairs) == 280
    # Each choice of each annotator, so that the other annotator's label is held against the same ones.
    choices = [
        (id_, pair, own, other)
        for id_, pair in pairs.items()
        for own, other in (pair.labels, pair.labels[::-1])
        if own
    ]
    assert len(choices) == 390

    def support(context: str, text: str) -> float:
        return judged(context, text, "words")[0]

    differences = {
        id_: {
            "the gold answer supports more of it": support(pair.gold, pair.second)
            - support(pair.gold, pair.first),
            "it supports more of the gold answer": support(pair.second, pair.gold)
            - support(pair.first, pair.gold),
            "it is longer": float(len(pair.second) - len(pair.first)),
        }
        for id_, pair in pairs.items()
    }
    second_is_better = [own > 0 for _, _, own, _ in choices]
    for what, expected in PAIRS.items():
        values = [differences[id_].get(what, float(other)) for id_, _, _, other in choices]
        found = auroc(values, second_is_better)
        by_pair = over_contexts(values, second_is_better, [id_ for id_, *_ in choices])
        assert rounded(found.value, *by_pair) == expected, what
