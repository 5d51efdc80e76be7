"""Coverage, which comes first: is there enough to judge at all?"""

from collections.abc import Iterator

from bakeoff.gate.evidence import Candidate, Evidence, fact
from bakeoff.gate.policy import Coverage
from bakeoff.gate.words import percent
from bakeoff.nouns import Outcome


def coverage(rule: Coverage, candidate: Candidate) -> Evidence:
    """Passes only if everything the rule names is there; else what the policy calls a broken coverage."""
    side, paired = candidate.side, candidate.paired
    n = len(paired.items) if paired is not None else sum(1 for _ in side.scored())
    broken = list(_broken(rule, candidate, n))
    if not broken:
        return fact("coverage", "pass", f"{_items(candidate, n)}, all that the policy asks for", n=n)
    sentences, helps = zip(*broken, strict=True)
    return fact("coverage", rule.broken, "; ".join(sentences), "; ".join(dict.fromkeys(helps)), n=n)


def _items(candidate: Candidate, n: int) -> str:
    if candidate.paired is None:
        return f"{n:,} scored items"
    return f"{n:,} items scored in the run and in the baseline"


def _broken(rule: Coverage, candidate: Candidate, n: int) -> Iterator[tuple[str, str]]:
    """What is missing, and what to do."""
    side, base, paired = candidate.side, candidate.baseline, candidate.paired
    total = side.counts.get("total", 0)
    resume = f"bakeoff run --resume {candidate.folder}"
    if side.unfinished:
        yield f"the run {side.unfinished}", "run the task on all items" if side.early else resume
    if base is not None and base.unfinished:
        yield f"the baseline {base.unfinished}", "take a baseline that has all items"
    unscored = sum(side.counts.get(outcome.value, 0) for outcome in Outcome if outcome.unscored)
    if total and unscored / total > rule.unscored:
        yield (
            f"{unscored:,} of {total:,} samples have no score, {percent(rule.unscored)} are allowed",
            resume,
        )
    answered = side.counts.get(Outcome.SCORED.value, 0)
    if total and answered / total < rule.answered:
        yield (
            f"{answered:,} of {total:,} samples hold an answer, {percent(rule.answered)} are asked for",
            f"bakeoff show {candidate.folder} --outcome no_answer",
        )
    if paired is not None and paired.missing > rule.missing * (paired.missing + n):
        yield (
            f"{paired.missing:,} of the baseline's {paired.missing + n:,} scored items have no score in the "
            f"run, {percent(rule.missing)} are allowed",
            "run the task on all of the baseline's items",
        )
    if n < rule.items:
        yield f"{_items(candidate, n)}, {rule.items:,} are asked for", "run the task on more items"
