"""Comparisons made by hand, as the pages and tables meet them: plain, large, hostile and degenerate."""

import random
from dataclasses import replace
from math import inf
from pathlib import Path

from bakeoff.comparison.comparison import (
    Choice,
    Comparison,
    Disagreement,
    Front,
    NotWorse,
    Pair,
    Spending,
    Standing,
    VarianceSplit,
)
from bakeoff.run import Estimate
from bakeoff.stats import Interval, wilson

LEVEL = 0.95

# What a model or a user could put where a name is expected.
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7 * 7 }}{% raw %}",
    "\u202egnp.exe\x1b[2J\x00",
    "]]></style></title><base href='https://example.org/'>",
    "&lt;b&gt; &amp; ' ` javascript:alert(1)",
)


def estimate(value: float, n: int = 500, clusters: int | None = None) -> Estimate:
    return Estimate(value, wilson(value * n, n), n, clusters)


def standing(label: str, score: Estimate, ranks: tuple[int, int] | None, **other) -> Standing:
    total = other.pop("total", score.n)
    counts = other.pop("counts", {"scored": total}) | {"total": total}
    return Standing(
        **{
            "label": label,
            "model": label,
            "score": score,
            "own": score,
            "ranks": ranks,
            "best": ranks is not None and ranks[0] == 1,
            "counts": counts,
            "runs": (Path("runs") / f"20261129-101500-{label[:8]}",),
            "repeats": (1, 1),
            "cost": None,
            "latency_p50": None,
        }
        | other
    )


def pair(first: str, second: str, difference: float, half: float | None, verdict: str, **other) -> Pair:
    ends = None if half is None else Interval(difference - half, difference + half, LEVEL, "tango")
    return Pair(
        **{
            "first": first,
            "second": second,
            "difference": difference,
            "interval": ends,
            "p": 0.0004 if verdict in ("better", "worse") else 0.21,
            "test": "mcnemar-midp",
            "adjusted_p": 0.0012 if verdict in ("better", "worse") else 0.42,
            "verdict": verdict,
            "won": 31,
            "lost": 45,
            "tied": 424,
            "n": 500,
            "needed": None if difference == 0 else 0 if verdict in ("better", "worse") else 1234,
            "resolves": 0.041,
        }
        | other
    )


def three() -> Comparison:
    """A is better than C; B cannot be told from either."""
    return Comparison(
        task="arithmetic",
        variants=("default",),
        n=500,
        clusters=None,
        level=LEVEL,
        margin=None,
        standings=(
            standing(
                "anna-7b",
                estimate(0.652),
                (1, 2),
                counts={"scored": 488, "truncated": 8, "no_answer": 4},
                cost=0.42,
                latency_p50=0.31,
            ),
            standing("berta-7b", estimate(0.624), (1, 3), counts={"scored": 500, "refused": 0}),
            standing(
                "carla-3b",
                estimate(0.578),
                (2, 3),
                total=512,
                own=estimate(0.58, 512),
                counts={"scored": 490, "empty": 10, "model_error": 12},
            ),
        ),
        baseline=None,
        pairs=(
            pair("anna-7b", "berta-7b", -0.028, 0.033, "cannot tell"),
            pair("anna-7b", "carla-3b", -0.074, 0.036, "worse"),
        ),
        family=3,
        groups=(("anna-7b", "berta-7b"), ("berta-7b", "carla-3b")),
        items=(
            Disagreement("add-0042", None, {"anna-7b": 1.0, "berta-7b": 0.0, "carla-3b": 0.0}),
            Disagreement("mul-0107", None, {"anna-7b": 1.0, "berta-7b": 1.0, "carla-3b": 0.0}),
            Disagreement("div-0003", None, {"anna-7b": 0.0, "berta-7b": 1.0, "carla-3b": 0.0}),
        ),
        left_out={"not in every run": 8, "unscored: model_error": 4},
        chance=0.25,
    )


def two() -> Comparison:
    """The smallest comparison: one difference that cannot be told."""
    return Comparison(
        task="format",
        variants=("default",),
        n=500,
        clusters=None,
        level=LEVEL,
        margin=None,
        standings=(standing("A", estimate(0.652), (1, 2)), standing("B", estimate(0.64), (1, 2))),
        baseline=None,
        pairs=(pair("A", "B", -0.012, 0.03, "cannot tell", needed=1),),
        family=1,
        groups=(("A", "B"),),
    )


def against_baseline() -> Comparison:
    """Five against a baseline, with a margin, groups of items, several prompts and repeats; every verdict."""
    labels = (
        "large",
        "medium",
        "production-2026-09",
        "small",
        "tiny",
        "old-checkpoint-with-a-rather-long-name",
    )
    scores = (0.812, 0.764, 0.76, 0.751, 0.742, 0.655)
    base = labels[2]
    verdicts = {"large": ("better", 0.02), "medium": ("equivalent", 0.012), "small": ("cannot tell", 0.03)}
    verdicts |= {"tiny": ("cannot tell", 0.04), labels[5]: ("worse", 0.031)}
    return Comparison(
        task="support-answers",
        variants=("plain", "polite", "terse"),
        n=1_240,
        clusters=88,
        level=LEVEL,
        margin=0.02,
        standings=tuple(
            standing(
                label,
                estimate(score, 1_240, 88),
                ranks,
                total=1_240 * 9,
                counts={"scored": 11_000, "no_answer": 150, "refused": 10},
                repeats=(3, 3),
                cost=12.4 / (1 + i),
                latency_p50=1.9 / (1 + i),
                runs=tuple(Path(f"runs/20261128-0{i}150{v}-{label[:6]}") for v in range(3)),
            )
            for i, (label, score, ranks) in enumerate(
                zip(labels, scores, ((1, 1), (2, 4), (2, 5), (2, 5), (3, 5), (6, 6)), strict=True)
            )
        ),
        baseline=base,
        pairs=tuple(
            pair(
                base,
                label,
                round(score - scores[2], 3),
                verdicts[label][1],
                verdicts[label][0],
                test="sign-flip of groups",
                n=1_240,
            )
            for label, score in zip(labels, scores, strict=True)
            if label != base
        ),
        family=5,
        groups=(labels[1:4], labels[2:5], labels[:1], labels[5:]),
        items=(
            Disagreement(
                "ticket-88121",
                "billing",
                dict(zip(labels, (1.0, 1.0, 2 / 3, 2 / 3, 1 / 3, 0.0), strict=True)),
            ),
            Disagreement(
                "ticket-88007", "returns", dict(zip(labels, (0.0, 1.0, 1.0, 1.0, 0.0, 0.0), strict=True))
            ),
        ),
        splits=tuple(
            VarianceSplit(label, 0.011, 0.62 - i / 50, 0.21 + i / 50, 0.05, 0.12)
            for i, label in enumerate(labels)
        ),
        left_out={"not in every run": 31},
        chance=None,
        notes=(
            "The runs are of tasks that differ (production-2026-09: version 3, the others: version 4); items "
            "were matched by what was asked, because --across was given.",
        ),
    )


def many(size: int = 60, seed: int = 5) -> Comparison:
    """As many candidates as a board has, with names of up to 60 characters."""
    draw = random.Random(seed)
    makers = ("aurora", "borealis", "cobalt", "dune", "ember", "fjord")
    scores = sorted((round(draw.uniform(0.31, 0.83), 4) for _ in range(size)), reverse=True)
    labels = [
        f"{makers[i % 6]}-{draw.choice((1, 3, 8, 14, 32, 70))}b-instruct-{i:02d}"
        + ("-" + "x" * 60)[: (i % 3) * 20]
        for i in range(size)
    ]
    labels = [label[:60] for label in labels]
    close = 0.035
    sets = []
    for i in range(size):
        end = max(j for j in range(size) if scores[i] - scores[j] < close)
        if not sets or end > sets[-1][1]:
            sets.append((i, end))
    near = [[j for j in range(size) if abs(scores[i] - scores[j]) < close] for i in range(size)]
    return Comparison(
        task="general-knowledge",
        variants=("default",),
        n=14_042,
        clusters=57,
        level=LEVEL,
        margin=None,
        standings=tuple(
            standing(
                label,
                Estimate(
                    score, Interval(score - 0.012, score + 0.012, LEVEL, "clustered-wilson"), 14_042, 57
                ),
                (near[i][0] + 1, near[i][-1] + 1),
                counts={"scored": 14_000 - i, "no_answer": 30, "truncated": 12 + i},
            )
            for i, (label, score) in enumerate(zip(labels, scores, strict=True))
        ),
        baseline=None,
        pairs=tuple(
            pair(
                labels[0],
                label,
                round(score - scores[0], 4),
                0.02,
                "worse" if scores[0] - score >= close else "cannot tell",
                test="sign-flip of groups",
                n=14_042,
            )
            for label, score in zip(labels[1:], scores[1:], strict=True)
        ),
        family=size * (size - 1) // 2,
        groups=tuple(tuple(labels[i : end + 1]) for i, end in sets),
        items=tuple(
            Disagreement(
                f"q-{k:05d}", f"subject-{k % 57}", {label: float(draw.random() < 0.5) for label in labels}
            )
            for k in range(20)
        ),
        differing=13_951,
        chance=0.25,
    )


def hostile() -> Comparison:
    """Every text a user or a model can write is an attack."""
    labels = HOSTILE
    return Comparison(
        task=HOSTILE[4],
        variants=HOSTILE[:2],
        n=10,
        clusters=None,
        level=LEVEL,
        margin=0.1,
        standings=tuple(
            standing(
                label,
                Estimate(0.5, Interval(0.2, 0.8, LEVEL, HOSTILE[0]), 10, note=HOSTILE[3]),
                (1, len(labels)),
                runs=(Path("runs") / HOSTILE[0].replace("/", "∕"),),
            )
            for label in labels
        ),
        baseline=labels[0],
        pairs=tuple(
            pair(labels[0], label, 0.0, 0.3, "cannot tell", test=HOSTILE[1], note=HOSTILE[3])
            for label in labels[1:]
        ),
        family=5,
        groups=(labels,),
        items=(
            Disagreement(HOSTILE[0], HOSTILE[3], {label: float(i % 2) for i, label in enumerate(labels)}),
        ),
        splits=tuple(VarianceSplit(label, 0.1, 1.0, None, None, None) for label in labels),
        left_out={HOSTILE[1]: 3},
        notes=(HOSTILE[0], HOSTILE[3]),
    )


def without_intervals() -> Comparison:
    """All items in one group: nothing but the points can be estimated."""
    note = "not estimable: all items are in one group"
    return Comparison(
        task="one-group",
        variants=("default",),
        n=40,
        clusters=1,
        level=LEVEL,
        margin=None,
        standings=tuple(
            standing(label, Estimate(value, None, 40, 1, note), None, best=None)
            for label, value in (("A", 1.0), ("B", 1.0), ("C", 0.0))
        ),
        baseline=None,
        pairs=(
            pair(
                "A",
                "B",
                0.0,
                None,
                "cannot tell",
                p=None,
                adjusted_p=None,
                resolves=None,
                won=0,
                lost=0,
                tied=40,
            ),
            pair(
                "A",
                "C",
                -1.0,
                None,
                "cannot tell",
                p=None,
                adjusted_p=None,
                resolves=None,
                needed=None,
                won=0,
                lost=40,
                tied=0,
            ),
        ),
        family=3,
        groups=(("A", "B", "C"),),
    )


def without_items() -> Comparison:
    """The candidates share no scored item."""
    empty = Estimate(None, None, 0, note="no item has a value in every run")
    return Comparison(
        task="nothing-shared",
        variants=("default",),
        n=0,
        clusters=None,
        level=LEVEL,
        margin=None,
        standings=tuple(
            standing(label, empty, None, best=None, total=12, own=estimate(0.5, 12)) for label in "AB"
        ),
        baseline=None,
        pairs=(),
        family=0,
        groups=(),
        left_out={"not in every run": 24},
    )


def alone() -> Comparison:
    """One candidate, nothing beside it."""
    return Comparison(
        task="alone",
        variants=("default",),
        n=500,
        clusters=None,
        level=LEVEL,
        margin=None,
        standings=(standing("A", estimate(1.0), (1, 1)),),
        baseline=None,
        pairs=(),
        family=0,
        groups=(("A",),),
    )


def spent(cost: float | None, median: float | None, cached: int = 0) -> Spending:
    timed = None if median is None else Estimate(median, Interval(0.9 * median, inf, LEVEL, "order"), 40)
    priced = () if cost is None else ("prices",)
    return Spending(500, 120.0, 9.5, cost, priced, 500 - cached, cached, timed, timed)


def priced() -> Comparison:
    """Three with prices; one is off the front of costs, and one has no time of its own."""
    made = three()
    labels = [each.label for each in made.standings]
    costs = dict(zip(labels, (0.5, 0.02, 0.6), strict=True))
    standings = tuple(
        replace(each, spending=spent(costs[each.label], None if each is made.standings[1] else 0.3, cached))
        for each, cached in zip(made.standings, (0, 500, 3), strict=True)
    )
    front = Front("cost", costs, tuple(labels[:2]), {labels[2]: (labels[0],)}, dict.fromkeys(labels, 0.5))
    found = [NotWorse(labels[1], 0.02, 0.061, True), NotWorse(labels[0], 0.5, 0.02, True)]
    found.append(NotWorse(labels[2], 0.6, 0.2, False))
    return replace(
        made, standings=standings, fronts=(front,), choice=Choice("cost", 0.07, tuple(found), labels[1])
    )


ALL = (priced, three, two, against_baseline, many, hostile, without_intervals, without_items, alone)
