"""The perplexity of a run's documents taken together."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from bakeoff.run.estimate import Estimate
from bakeoff.score.perplexity import bytes_in, words_in
from bakeoff.stats import ratio
from bakeoff.store import read_samples


@dataclass(frozen=True, slots=True)
class Perplexity:
    """Sums over all scored documents, as lm-eval has them; with L their log-likelihood in nats:

    `bits_per_byte` is -L / (bytes ln 2), `byte_perplexity` exp(-L / bytes) and `word_perplexity`
    exp(-L / words). Lower is better. Bytes are UTF-8, words the pieces between white space. Their intervals
    are those of a ratio of sums over documents (`stats.ratio`); repeats are averaged within their document.
    """

    words: int
    bytes: int
    bits_per_byte: Estimate
    byte_perplexity: Estimate
    word_perplexity: Estimate


@dataclass(frozen=True, slots=True)
class _Document:
    nats: list[float]
    words: int
    bytes: int
    group: str | None


def perplexity(folder: Path, level: float = 0.95) -> Perplexity | None:
    """The perplexity of the scored samples in `folder`; None if there are none."""
    documents: dict[str, _Document] = {}
    for sample in read_samples(folder, outcome="scored"):
        text = sample.continuations[0]
        document = documents.setdefault(
            sample.item_id, _Document([], words_in(text), bytes_in(text), sample.group)
        )
        document.nats.append(-sample.turns[-1].response.options[0].logprob)
    if not documents:
        return None
    per_byte = _ratio(list(documents.values()), lambda document: document.bytes, level)
    per_word = _ratio(list(documents.values()), lambda document: document.words, level)
    return Perplexity(
        words=sum(document.words for document in documents.values()),
        bytes=sum(document.bytes for document in documents.values()),
        bits_per_byte=_through(per_byte, lambda nats: nats / math.log(2)),
        byte_perplexity=_through(per_byte, _exp),
        word_perplexity=_through(per_word, _exp),
    )


def _ratio(documents: list[_Document], size: Callable[[_Document], int], level: float) -> Estimate:
    """Nats per byte or word."""
    nats = [sum(document.nats) / len(document.nats) for document in documents]
    sizes = [float(size(document)) for document in documents]
    groups = [document.group for document in documents]
    clusters = [group if group is not None else ("item", index) for index, group in enumerate(groups)]
    grouped = any(group is not None for group in groups)
    interval = ratio(nats, sizes, clusters, level)
    note = "" if interval else f"not estimable: all items are in {'one group' if grouped else 'one document'}"
    many = len(set(clusters)) if grouped else None
    return Estimate(math.fsum(nats) / sum(sizes), interval, len(documents), many, note)


def _through(estimate: Estimate, function: Callable[[float], float]) -> Estimate:
    """The estimate of an increasing `function` of what was estimated. No document has less than 0 nats."""
    assert estimate.value is not None
    interval = estimate.interval
    if interval is not None:
        low, high = function(max(0.0, interval.low)), function(interval.high)
        interval = replace(interval, low=low, high=high)
    return replace(estimate, value=function(estimate.value), interval=interval)


def _exp(nats: float) -> float:
    try:
        return math.exp(nats)
    except OverflowError:
        return math.inf
