"""BM25 on a collection with judged documents: the retrieval baseline that costs nothing.

    python benchmarks/bm25.py DATA        # the folder that holds cranfield and limit_small

Robertson's formula as in Lucene: Σ over the words of a query of idf · tf / (tf + k1 (1 - b + b · length /
mean)), idf = ln(1 + (N - n + ½) / (n + ½)). Words are runs of ASCII letters and digits without case; no
stemming, no stop words.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from math import log
from pathlib import Path

from bakeoff.stats.retrieval.measures import measured
from bakeoff.stats.retrieval.queries import mean_over_queries
from bakeoff.stats.retrieval.ranking import ranked

MEASURES = ("ndcg@10", "ndcg_exp@10", "recall@2", "recall@10", "recall@100", "precision@10", "mrr", "map")
_WORD = re.compile(r"[a-z0-9]+")


class Bm25:
    """An index over {document id: text}."""

    def __init__(self, documents: Mapping[str, str], k1: float = 1.2, b: float = 0.75) -> None:
        counts = {document: Counter(words(text)) for document, text in documents.items()}
        mean = sum(count.total() for count in counts.values()) / len(counts)
        self.postings: dict[str, dict[str, float]] = defaultdict(dict)
        for document, count in counts.items():
            norm = k1 * (1 - b + b * count.total() / mean)
            for word, times in count.items():
                self.postings[word][document] = times / (times + norm)
        self.n = len(counts)

    def search(self, query: str, k: int = 1000) -> tuple[str, ...]:
        scores: dict[str, float] = defaultdict(float)
        for word in words(query):
            found = self.postings.get(word, {})
            idf = log(1 + (self.n - len(found) + 0.5) / (len(found) + 0.5))
            for document, weight in found.items():
                scores[document] += idf * weight
        return ranked(scores)[:k]


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def collection(folder: Path) -> tuple[dict[str, str], list[tuple[str, dict[str, float]]]]:
    """{id: title and text}, and each query with the gains of its judged documents."""
    import duckdb

    corpus = duckdb.sql(f"SELECT id, title || ' ' || text FROM '{next(folder.glob('corpus.*'))}'").fetchall()
    rows = [json.loads(line) for line in (folder / "data.jsonl").read_text("utf-8").splitlines()]
    return dict(corpus), [(row["input"], row["target"]) for row in rows]


if __name__ == "__main__":
    for name in ("cranfield", "limit_small"):
        documents, queries = collection(Path(sys.argv[1]) / name)
        index = Bm25(documents)
        runs = [(index.search(query), gains) for query, gains in queries]
        print(f"{name}: {len(documents):,} documents, {len(queries):,} queries")
        for measure in MEASURES:
            found = mean_over_queries([measured(measure, ranking, gains) for ranking, gains in runs])
            if found is not None and found.interval is not None:
                low, high = found.interval.low, found.interval.high
                print(f"  {measure:<13} {found.value:.4f}  [{low:.4f}, {high:.4f}]  n={found.n}")
