"""BM25 on two collections with judged documents, through the task, the scorer and the statistics.

Cranfield (Cleverdon 1967): 225 queries, 1,400 abstracts, graded. LIMIT small (Weller et al. 2025,
arXiv:2508.21038): 1,000 queries of two relevant documents among 46. The rankings are `benchmarks/bm25.py`'s;
the figures are no one else's, and hold the whole chain still.
"""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from benchmarks.bm25 import Bm25, collection

from bakeoff.nouns import FinishReason, Item, Outcome, Response
from bakeoff.score import build_scorer, judge
from bakeoff.stats.retrieval.measures import measured
from bakeoff.stats.retrieval.queries import difference_over_queries, mean_over_queries
from bakeoff.task import Data, Task, prepare

pytestmark = pytest.mark.data

FIGURES = {
    "cranfield": {
        "ndcg@10": (0.3441, 0.3112, 0.3771),
        "ndcg_exp@10": (0.3333, 0.2999, 0.3667),
        "recall@2": (0.1371, 0.1124, 0.1618),
        "recall@10": (0.3801, 0.3415, 0.4187),
        "recall@100": (0.6959, 0.6590, 0.7328),
        "precision@10": (0.2244, 0.2026, 0.2463),
        "mrr": (0.5019, 0.4551, 0.5487),
        "map": (0.2777, 0.2480, 0.3073),
    },
    "limit_small": {
        "ndcg@10": (0.9971, 0.9914, 0.9991),
        "recall@2": (0.9915, 0.9873, 0.9957),
        "recall@10": (1.0, 0.9962, 1.0),
        "mrr": (0.9968, 0.9910, 0.9989),
        "map": (0.9955, 0.9890, 0.9982),
    },
}
# BM25 with b = 0.75 less BM25 with b = 0: nDCG@10, its interval paired by query.
DIFFERENCE = (0.0365, 0.0210, 0.0529)
SIZES = {"cranfield": (1400, 225), "limit_small": (46, 1000)}


class Searched(NamedTuple):
    item: Item
    ranking: tuple[str, ...]
    gains: dict[str, float]


def searched(folder: Path, **settings: float) -> list[Searched]:
    documents, queries = collection(folder)
    assert (len(documents), len(queries)) == SIZES[folder.name]
    index = Bm25(documents, **settings)
    task = Task(name="t", data=Data(file=str(folder / "data.jsonl")), scorer="retrieval")
    items = list(prepare(task).items())
    return [
        Searched(item, index.search(query), gains)
        for item, (query, gains) in zip(items, queries, strict=True)
    ]


@pytest.fixture(scope="module")
def runs(data_dir: Path) -> dict[str, list[Searched]]:
    return {name: searched(data_dir / name) for name in FIGURES}


@pytest.mark.parametrize(("name", "measure"), [(name, each) for name in FIGURES for each in FIGURES[name]])
def test_the_scorer_gives_the_figures_of_the_page_from_the_written_list(runs, name, measure):
    scorer = build_scorer({"name": "retrieval", "measure": measure})
    values = []
    for item, ranking, gains in runs[name]:
        answer = Response(text=json.dumps(ranking), finish=FinishReason.STOP)
        score = judge(scorer, item, answer)
        assert score.outcome is Outcome.SCORED
        assert score.value == measured(measure, ranking, gains)
        values.append(score.value)
    found = mean_over_queries(values)
    figures = (round(found.value, 4), round(found.interval.low, 4), round(found.interval.high, 4))
    assert figures == FIGURES[name][measure]
    assert (found.n, found.undefined) == (SIZES[name][1], 0)


def test_a_list_by_lines_is_worth_the_same(runs):
    for item, ranking, _ in runs["limit_small"][:200] + runs["cranfield"][:50]:
        scorer = build_scorer("retrieval")
        lines = "\n".join(f"{rank}. {document}" for rank, document in enumerate(ranking, 1))
        as_json = judge(scorer, item, Response(text=json.dumps(ranking), finish=FinishReason.STOP))
        assert judge(scorer, item, Response(text=lines, finish=FinishReason.STOP)).value == as_json.value


def test_what_length_normalisation_is_worth_on_cranfield_query_by_query(runs, data_dir):
    plain = searched(data_dir / "cranfield", b=0.0)
    first, second = (
        [measured("ndcg@10", each.ranking, each.gains) for each in run] for run in (runs["cranfield"], plain)
    )
    found = difference_over_queries(first, second)
    assert (round(found.value, 4), round(found.interval.low, 4), round(found.interval.high, 4)) == DIFFERENCE
    # The two means alone could not tell.
    alone = [mean_over_queries(values).interval for values in (first, second)]
    assert alone[0].low < alone[1].high
