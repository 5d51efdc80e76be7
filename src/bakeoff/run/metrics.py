"""What a run's samples say: the score with its interval, and every count beside it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from bakeoff.digest import digest_bytes
from bakeoff.errors import BakeoffError
from bakeoff.nouns import Item, Outcome
from bakeoff.run.estimate import Estimate, estimate
from bakeoff.run.modes import ModeDifference, mode_difference
from bakeoff.run.perplexity import Perplexity, perplexity
from bakeoff.run.repeated import Repeated, repeated
from bakeoff.score import NORMS, all_norms
from bakeoff.stats import Interval, clopper_pearson, wilson
from bakeoff.store import (
    FileRecord,
    Manifest,
    caveats,
    query,
    read_manifest,
    read_samples,
    write_atomically,
)

Method = Literal["auto", "wilson", "clopper-pearson", "betting"]


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds over the `n` samples that were timed."""

    n: int
    p50: float | None
    p95: float | None


@dataclass(frozen=True, slots=True)
class Metrics:
    """Everything a report shows of one run.

    `score` counts broken contracts, truncations, refusals and empty answers as the outcome table says, and
    leaves unscored samples out; `bounds` are the score if every unscored sample were wrong, and if every one
    were right. `answered` is the score among the samples an answer was extracted from.
    """

    score: Estimate
    answered: Estimate
    bounds: tuple[float, float] | None
    items: int
    repeats: int
    counts: dict[str, int]
    prompt_tokens: int | None
    completion_tokens: int | None
    latency: Latency
    first_token: Latency
    cost: float | None
    cached: int
    retried: int
    options: dict[str, Estimate] = field(default_factory=dict)
    """For log-likelihood runs: accuracy under every normalisation, from the stored log-likelihoods."""
    modes: ModeDifference | None = None
    """For log-likelihood runs: what building requests in another way would move; None where nothing would."""
    repeated: Repeated | None = None
    """For runs that asked each item more than once."""
    perplexity: Perplexity | None = None
    """For perplexity runs: the headline. `score` is then the mean probability per byte."""


def counts(folder: Path) -> dict[str, int]:
    """Samples in all (`total`) and by outcome, zeros included."""
    found = dict(query(folder, "SELECT outcome, count(*) FROM samples GROUP BY outcome"))
    return {"total": sum(found.values())} | {
        outcome.value: found.get(outcome.value, 0) for outcome in Outcome
    }


def metrics(folder: Path, *, method: Method = "auto", level: float = 0.95) -> Metrics:
    """Measure the samples of a run, finished or not.

    `auto` takes the clustered interval where items have groups, else Wilson's, or `bounded_mean` where scores
    are partial. `wilson`, `clopper-pearson` and `betting` take items as independent. Repeats are averaged
    within their item first, so n counts items.

    Raises:
        BakeoffError: Clopper-Pearson was asked for scores that are not counts of right and wrong.
    """
    count = counts(folder)
    total = count["total"]
    task = read_manifest(folder).task
    found = _Totals(*query(folder, _TOTALS)[0])
    values = query(folder, _VALUES)
    return Metrics(
        score=item_mean([(value, group) for value, _, group in values], method, level),
        answered=item_mean([(value, group) for _, value, group in values], method, level),
        bounds=(found.known / total, (found.known + found.open) / total) if total else None,
        items=found.items,
        repeats=found.repeats,
        counts=count,
        prompt_tokens=found.prompt,
        completion_tokens=found.completion,
        latency=Latency(found.timed, found.p50, found.p95),
        first_token=Latency(found.first_timed, found.first_p50, found.first_p95),
        cost=found.cost,
        cached=found.cached,
        retried=found.retried,
        repeated=_repeated(folder, method, level) if found.repeats > 1 else None,
        # Another scorer of log-likelihoods may have several right choices, which a norm's winner does not do.
        options=_options(folder, method, level) if task.scorer.startswith("loglikelihood@") else {},
        modes=None if task.ask == "generate" else mode_difference(folder),
        perplexity=perplexity(folder, level) if task.ask == "perplexity" else None,
    )


def measure(folder: Path, manifest: Manifest) -> FileRecord:
    """Write `metrics.json`, with the default intervals."""
    value = asdict(metrics(folder)) | {
        "schema_version": manifest.schema_version,
        "scorer": manifest.task.scorer,
        "caveats": caveats(manifest),
    }
    data = orjson.dumps(
        value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS
    )
    write_atomically(folder / "metrics.json", data)
    return FileRecord(digest=digest_bytes(data), bytes=len(data))


class _Totals(NamedTuple):
    """The columns of `_TOTALS`, in order."""

    items: int
    repeats: int
    prompt: int | None
    completion: int | None
    cost: float | None
    cached: int
    retried: int
    known: float
    open: int
    timed: int
    p50: float | None
    p95: float | None
    first_timed: int
    first_p50: float | None
    first_p95: float | None


_TOTALS = """
    SELECT count(DISTINCT item_id), coalesce(max(repeat) + 1, 0),
           sum(prompt_tokens)::BIGINT, sum(completion_tokens)::BIGINT, sum(cost),
           count(*) FILTER (cached), count(*) FILTER (attempts > 1 AND NOT cached),
           coalesce(sum(value), 0), count(*) FILTER (value IS NULL),
           count(latency_s), quantile_cont(latency_s, 0.5), quantile_cont(latency_s, 0.95),
           count(first_token_s), quantile_cont(first_token_s, 0.5), quantile_cont(first_token_s, 0.95)
    FROM samples
"""
_VALUES = """
    SELECT avg(value), avg(value) FILTER (outcome = 'scored'), any_value("group") FROM samples
    WHERE value IS NOT NULL GROUP BY item_id ORDER BY item_id
"""
"""For each item with a value: its mean over the repeats, and over those with an extracted answer."""


def item_mean(found: Sequence[tuple[float | None, str | None]], method: Method, level: float) -> Estimate:
    """The mean over items of (score in [0, 1], group); those whose score is None are left out.

    Raises:
        BakeoffError: Clopper-Pearson was asked for scores that are not counts of right and wrong.
    """
    rows = [(value, group) for value, group in found if value is not None]
    values = [value for value, _ in rows]
    n = len(values)
    if method == "auto" or n == 0:
        groups = [group for _, group in rows]
        # An item without a group is a group of its own.
        clusters = [group if group is not None else ("item", index) for index, group in enumerate(groups)]
        return estimate(values, clusters if any(group is not None for group in groups) else None, level)
    mean = sum(values) / n
    if method == "betting":
        from bakeoff.stats.early.betting import betting_interval

        return Estimate(mean, betting_interval(values, level=level), n)
    if method == "wilson":
        return Estimate(mean, wilson(sum(values), n, level), n)
    if any(value not in (0.0, 1.0) for value in values):
        raise BakeoffError(
            "Clopper-Pearson needs scores of 0 or 1, one per item",
            "this run has partial scores or repeats: use the default interval",
        )
    return Estimate(mean, clopper_pearson(int(sum(values)), n, level), n)


def _repeated(folder: Path, method: Method, level: float) -> Repeated | None:
    # Estimates over repeats are partial scores, which Clopper and Pearson have no interval for.
    chosen: Method = "auto" if method == "clopper-pearson" else method
    return repeated(folder, lambda rows: item_mean(rows, chosen, level))


def _options(folder: Path, method: Method, level: float) -> dict[str, Estimate]:
    found: dict[str, dict[str, tuple[list[float], str | None]]] = {norm: {} for norm in NORMS}
    for sample in read_samples(folder):
        item = Item(sample.item_id, "", sample.choices, sample.target)
        lettered = not sample.leads and not all(map(str.endswith, sample.continuations, sample.choices))
        for norm, correct in all_norms(item, sample.turns[-1].response).items():
            # The length of a choice says nothing of the letter that stood for it.
            if correct is not None and not (lettered and norm in ("chars", "bytes")):
                values, _ = found[norm].setdefault(sample.item_id, ([], sample.group))
                values.append(float(correct))
    return {
        norm: item_mean([(sum(v) / len(v), group) for v, group in items.values()], method, level)
        for norm, items in found.items()
        if items
    }


def stored_score(folder: Path) -> Estimate | None:
    """The score in `metrics.json`, as it was measured when the run ended; None for a run that has not."""
    try:
        score: dict[str, Any] = orjson.loads((folder / "metrics.json").read_bytes())["score"]
    except FileNotFoundError:
        return None
    interval = Interval(**score["interval"]) if score["interval"] else None
    return Estimate(score["value"], interval, score["n"], score["clusters"], score["note"])
