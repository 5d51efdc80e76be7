"""Verdicts of judges whose biases are known, and those of real ones."""

from pathlib import Path

import duckdb
import numpy as np

from bakeoff.arena.judges.verdict import Verdict, Verdicts, verdicts_of
from bakeoff.arena.votes.coded import Coded

MODELS = ("f1", "f2", "g1", "g2", "h1", "h2", "k1", "k2")
FAMILIES = {model: model[0] for model in MODELS} | {"own": "f", "one": "x", "two": "y"}
SKILL = np.array([0.9, 0.5, 0.3, 0.0, -0.2, -0.4, -0.7, -0.9])
JUDGES = ("one", "own", "two")
OUTPUTS = ("output 1", "output 2")


def judged(
    seed: int,
    items: int = 80,
    *,
    right: dict[str, float] | None = None,
    favour: float = 0.0,
    first: float = 0.0,
    longer: float = 0.0,
) -> Verdicts:
    """Three judges on six pairs of each item, in both orders.

    A judge takes the better answer with probability 1/2 + `right` · q, q in [-1, 1] how much better it is.
    The judge "own" takes its family's with `favour` more, and all take the answer read first, or the longer
    one, with `first` or `longer` more.
    """
    random = np.random.default_rng(seed)
    right = {"own": 0.3, "one": 0.3, "two": 0.3} | (right or {})
    pairs = np.array([(a, b) for a in range(8) for b in range(a + 1, 8)])
    a, b = pairs[random.random((items, len(pairs))).argsort(axis=1)[:, :6].ravel()].T
    n = len(a)
    better = np.tanh(SKILL[a] - SKILL[b] + random.normal(0, 0.5, n))
    lengths = np.stack([random.integers(0, 250, n) * 2.0, random.integers(0, 250, n) * 2.0 + 1], axis=1)
    is_own = np.array([model[0] == "f" for model in MODELS]).astype(float)
    gains_by_length = longer * np.sign(lengths[:, 0] - lengths[:, 1])
    winner = []
    for judge in JUDGES:
        own = favour * (is_own[a] - is_own[b]) * (judge == "own")
        toward = right[judge] * better + own + gains_by_length
        winner += [random.random(n) >= 0.5 + lean + first for lean in (toward, -toward)]
    each, item = 2 * len(JUDGES), np.repeat(np.arange(items), 6)
    gold = [better < 0, better > 0] * len(JUDGES)
    return Verdicts(
        models=MODELS,
        item=Coded(tuple(f"item {k:04}" for k in range(items)), np.tile(item, each).astype(np.int32)),
        judge=Coded(JUDGES, np.repeat(np.arange(len(JUDGES)), 2 * n).astype(np.int32)),
        first=np.tile(np.concatenate([a, b]), len(JUDGES)).astype(np.int32),
        second=np.tile(np.concatenate([b, a]), len(JUDGES)).astype(np.int32),
        winner=np.concatenate(winner).astype(np.int8),
        gold=np.concatenate(gold).astype(np.int8),
        length=np.tile(np.concatenate([lengths, lengths[:, ::-1]]), (len(JUDGES), 1)),
        time=np.zeros(each * n, dtype=np.int32),
    )


def llmbar(data_dir: Path, where: str = "true") -> Verdicts:
    """LLMBar's verdicts; a judge with a prompting method is a judge."""
    columns = "subset, item, judge, method, gold, winner_order1, winner_order2, len1, len2"
    path = data_dir / "judge_llmbar" / "verdicts.parquet"
    rows = duckdb.sql(f"SELECT {columns} FROM '{path}' WHERE {where}").fetchall()
    found = []
    for subset, item, judge, method, gold, one, other, *lengths in rows:
        for swapped, winner in ((False, one), (True, other)):
            names, longs = (OUTPUTS[::-1], lengths[::-1]) if swapped else (OUTPUTS, lengths)
            found.append(
                Verdict(
                    f"{subset}/{item}",
                    f"{judge}/{method}",
                    *names,
                    None if winner is None else "first" if (winner == 1) != swapped else "second",
                    tuple(longs),
                    "first" if (gold == 1) != swapped else "second",
                )
            )
    return verdicts_of(found)
