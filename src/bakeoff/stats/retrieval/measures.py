"""How good one query's ranking is, by the judged gains of its documents.

A ranking is a sequence of document ids, best first, each once. `gains` maps the judged documents to their
gain: above 0 is relevant, and how much says how relevant. The conventions are trec_eval's:

- What is not judged is not relevant, and keeps its rank. A gain below 0 counts as 0.
- The depth k is that of the measure: a list shorter than k has lost the places it left empty.
- Recall, average precision and nDCG look at all relevant documents, not at those that were found.

Without a relevant document nothing can be found and every measure but precision and hit would be 0/0; all of
them are None there. Every value is in [0, 1]. `k` None is the whole list.
"""

from collections.abc import Callable, Mapping, Sequence
from math import fsum, isfinite, log2
from typing import Literal

Gains = Mapping[str, float]
Gain = Literal["linear", "exponential"]

_HIGHEST = {"linear": 1e15, "exponential": 1_000.0}


def precision(ranking: Sequence[str], gains: Gains, k: int | None = None) -> float | None:
    """The share of the first k places that hold a relevant document (trec_eval `P_k`; without k `set_P`).

    Raises:
        ValueError: k < 1, a repeated document, or a gain that is not finite.
    """
    found, relevant = _hits(ranking, gains, k), _relevant(gains)
    places = k or len(ranking)
    return (sum(found) / places if places else 0.0) if relevant else None


def recall(ranking: Sequence[str], gains: Gains, k: int | None = None) -> float | None:
    """The share of the relevant documents that stand in the first k places (trec_eval `recall_k`).

    Raises:
        ValueError: as `precision`.
    """
    found, relevant = _hits(ranking, gains, k), _relevant(gains)
    return sum(found) / relevant if relevant else None


def hit(ranking: Sequence[str], gains: Gains, k: int | None = None) -> float | None:
    """1 if any relevant document stands in the first k places, else 0 (trec_eval `success_k`).

    Raises:
        ValueError: as `precision`.
    """
    found, relevant = _hits(ranking, gains, k), _relevant(gains)
    return float(any(found)) if relevant else None


def reciprocal_rank(ranking: Sequence[str], gains: Gains, k: int | None = None) -> float | None:
    """1 / the rank of the first relevant document; 0 if none stands in the first k places.

    Its mean over queries is the MRR (trec_eval `recip_rank`).

    Raises:
        ValueError: as `precision`.
    """
    found, relevant = _hits(ranking, gains, k), _relevant(gains)
    if not relevant:
        return None
    return next((1 / rank for rank, right in enumerate(found, 1) if right), 0.0)


def average_precision(ranking: Sequence[str], gains: Gains, k: int | None = None) -> float | None:
    """The mean over all relevant documents of the precision at the rank of each; 0 beyond the top k.

    Its mean over queries is the MAP (trec_eval `map`, `map_cut_k`): divided by the number of relevant
    documents also where that is above k, so that a depth below it cannot reach 1.

    Raises:
        ValueError: as `precision`.
    """
    found, relevant = _hits(ranking, gains, k), _relevant(gains)
    if not relevant:
        return None
    ranks = (rank for rank, right in enumerate(found, 1) if right)
    return fsum(so_far / rank for so_far, rank in enumerate(ranks, 1)) / relevant


def ndcg(
    ranking: Sequence[str], gains: Gains, k: int | None = None, *, gain: Gain = "linear"
) -> float | None:
    """Discounted cumulative gain over that of the best possible ranking of the judged documents.

    DCG = Σ g_r / log2(r + 1) over the ranks r from 1 to k. `linear` takes the gain itself (Järvelin &
    Kekäläinen 2002, with Burges's discount; trec_eval `ndcg_cut_k`), `exponential` 2^gain - 1 (Burges et al.
    2005), which weighs the highest grades far more. For gains of 0 and 1 they are the same.

    Raises:
        ValueError: as `precision`, or a gain above 1e15 (exponential: above 1,000).
    """
    _check(ranking, gains, k)
    if not _relevant(gains):
        return None
    highest = max(gains.values())
    if highest > _HIGHEST[gain]:
        raise ValueError(f"gains must be at most {_HIGHEST[gain]:g} for {gain} nDCG, got {highest}")

    def worth(judged: float) -> float:
        positive = max(0.0, judged)
        return positive if gain == "linear" else 2.0**positive - 1

    best = sorted(map(worth, gains.values()), reverse=True)
    ideal = _discounted(best[:k])
    return min(1.0, _discounted([worth(gains.get(each, 0.0)) for each in ranking[:k]]) / ideal)


Measure = Callable[[Sequence[str], Gains, int | None], float | None]

MEASURES: Mapping[str, Measure] = {
    "ndcg": ndcg,
    "ndcg_exp": lambda ranking, gains, k: ndcg(ranking, gains, k, gain="exponential"),
    "recall": recall,
    "precision": precision,
    "hit": hit,
    "mrr": reciprocal_rank,
    "map": average_precision,
}
"""By the names their means are known by."""


def parse_measure(text: str) -> tuple[str, int | None]:
    """The name in `MEASURES` and the depth of `ndcg@10`, or `map` for the whole list.

    Raises:
        ValueError: no such measure, or a depth that is no whole number from 1.
    """
    name, at, depth = text.partition("@")
    if name not in MEASURES:
        raise ValueError(f"there is no measure {text!r:.40}; write one of {', '.join(MEASURES)}, as ndcg@10")
    if not at:
        return name, None
    if not (depth.isascii() and depth.isdecimal() and 0 < len(depth) < 10 and int(depth)):
        raise ValueError(f"the depth of {text!r:.40} must be a whole number from 1, as in {name}@10")
    return name, int(depth)


def measured(measure: str, ranking: Sequence[str], gains: Gains) -> float | None:
    """The value of a measure by name and depth, `ndcg@10`; None where no document is relevant.

    Raises:
        ValueError: an unknown measure, or as the measure itself.
    """
    name, k = parse_measure(measure)
    return MEASURES[name](ranking, gains, k)


def _discounted(gains: Sequence[float]) -> float:
    return fsum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def _hits(ranking: Sequence[str], gains: Gains, k: int | None) -> list[bool]:
    _check(ranking, gains, k)
    return [gains.get(document, 0) > 0 for document in ranking[:k]]


def _relevant(gains: Gains) -> int:
    return sum(gain > 0 for gain in gains.values())


def _check(ranking: Sequence[str], gains: Gains, k: int | None) -> None:
    if k is not None and k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    if len(set(ranking)) != len(ranking):
        raise ValueError("a ranking holds each document once; `without_repeats` keeps the first of each")
    for document, gain in gains.items():
        if not isfinite(gain):
            raise ValueError(f"document {document}: a gain must be finite, got {gain}")
