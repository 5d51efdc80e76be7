"""What a candidate takes for its answers: tokens, dollars, seconds."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import fsum
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from bakeoff.comparison.candidates import Candidate
from bakeoff.comparison.comparison import PricedBy, Spending
from bakeoff.comparison.prices import Price, own_price, price_of
from bakeoff.run import Estimate
from bakeoff.stats.mean.quantile import quantile_interval
from bakeoff.store import query

_PRICES: PricedBy = "prices"
_SETTINGS: PricedBy = "settings"


def spending(
    candidate: Candidate, items: Collection[str], prices: Mapping[str, Price], level: float
) -> Spending:
    """The spending of a candidate on `items` (ids), or on all its items where it has none by those ids, as in
    a comparison across tasks.

    Raises:
        StoreError: a run cannot be read.
    """
    rows: list[_Row] = []
    for folder, manifest in zip(candidate.runs, candidate.manifests, strict=True):
        given = price_of(manifest, prices)
        price, by = (own_price(manifest), _SETTINGS) if given is None else (given, _PRICES)
        rows += _rows(folder, set(items), price, by)
    prompts = [row.prompt_tokens for row in rows]
    completions = [row.completion_tokens for row in rows]
    costs = [row.cost for row in rows]
    times = [row.seconds for row in rows if row.seconds is not None and not row.cached]
    cost = _mean(costs)
    return Spending(
        samples=len(rows),
        prompt_tokens=_mean(prompts),
        completion_tokens=_mean(completions),
        per_thousand=None if cost is None else 1000 * cost,
        priced_by=() if cost is None else tuple(sorted({row.priced_by for row in rows if row.priced_by})),
        timed=len(times),
        cached=sum(row.cached for row in rows),
        p50=_quantile(times, 0.5, level),
        p95=_quantile(times, 0.95, level),
    )


def unpriced(spent: Mapping[str, Spending], *, asked: bool) -> tuple[str, ...]:
    """A note where only some candidates have a price, or, where the cheapest was `asked` for, none has."""
    without = sorted(label for label, each in spent.items() if each.per_thousand is None)
    if not without or (len(without) == len(spent) and not asked):
        return ()
    who = "no candidate has a" if len(without) == len(spent) else f"{', '.join(without)}: no"
    return (f"{who} price, so costs are not compared; give prices with --prices FILE",)


@dataclass(frozen=True, slots=True)
class _Row:
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    priced_by: PricedBy | None
    cached: bool
    seconds: float | None


_SAMPLES = """
    SELECT item_id, prompt_tokens, completion_tokens, cost, cached, latency_s, nullif(earlier, '[]')
    FROM samples
"""


def _rows(folder: Path, items: set[str], price: Price | None, by: PricedBy) -> list[_Row]:
    found = query(folder, _SAMPLES)
    shared = [row for row in found if row[0] in items]
    return list(_read(shared or found, price, by))


def _read(rows: list[tuple[Any, ...]], price: Price | None, by: PricedBy) -> Iterator[_Row]:
    for _, prompt, completion, cost, cached, latency, earlier in rows:
        if earlier is not None:
            turns = orjson.loads(earlier)
            prompt = _total([prompt, *(turn["prompt_tokens"] for turn in turns)])
            completion = _total([completion, *(turn["completion_tokens"] for turn in turns)])
            latency = _total([latency, *(turn["latency_s"] for turn in turns)])
        known = price is not None and prompt is not None
        if price is not None and prompt is not None:
            # An option's log-likelihood writes nothing, and engines may leave its count out.
            cost = price.of(prompt, completion or 0)
        elif cached:
            cost = None  # recorded as free, which asking anew is not
        source: PricedBy | None = by if known else None if cost is None else "run"
        yield _Row(prompt, completion, cost, source, bool(cached), latency)


def _total(values: list[Any]) -> Any:
    return None if None in values else sum(values)


def _mean(values: list[Any]) -> float | None:
    """None where a value is unknown: what is known need not be like the rest."""
    return None if not values or None in values else fsum(values) / len(values)


def _quantile(seconds: list[float], q: float, level: float) -> Estimate | None:
    if not seconds:
        return None
    return Estimate(float(np.quantile(seconds, q)), quantile_interval(seconds, q, level), len(seconds))
