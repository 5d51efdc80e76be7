"""A ceiling for what an answer costs."""

from bakeoff.gate.evidence import Candidate, Evidence, fact
from bakeoff.gate.policy import Cost
from bakeoff.gate.words import dollars
from bakeoff.store import query

_COSTS = """
    SELECT count(*), count(*) FILTER (cached), count(cost) FILTER (NOT cached), sum(cost) FILTER (NOT cached)
    FROM samples
"""


def cost(rule: Cost, candidate: Candidate) -> Evidence:
    """A fact, without a test: what this run was billed, per answer that was paid for."""
    total, cached, priced, paid = query(candidate.folder, _COSTS)[0]
    if cached == total:
        return fact(
            "cost", "inconclusive", "all answers came from the cache and cost nothing", _NO_CACHE, n=0
        )
    if priced < total - cached:
        return fact(
            "cost",
            "inconclusive",
            f"{total - cached - priced:,} of {total - cached:,} answers have no price",
            "run with the model's prices, --set price_in=… --set price_out=…",
            n=priced,
        )
    each = paid / priced
    sentence = f"{dollars(each)} an answer, {dollars(rule.per_item)} is the ceiling"
    if cached:
        sentence += f"; {cached:,} answers from the cache are left out"
    within = each <= rule.per_item
    return fact("cost", "pass" if within else "fail", sentence, n=priced, value=each, limit=rule.per_item)


_NO_CACHE = "run the task again with --no-cache"
