"""Votes for these tests: drawn from known strengths, real, and arbitrary."""

import csv
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from bakeoff.stats.ratings import Battles, Pairs

LN2 = float(np.log(2))
FEW = st.integers(2, 6)


def cast(strengths, first, second, random, *, eta=LN2, extra=0.0):
    """Votes by Rao and Kupper's model, with `extra` log-odds for the first model of each vote."""
    z = np.asarray(strengths)[first] - np.asarray(strengths)[second] + extra
    win, loss = 1 / (1 + np.exp(eta - z)), 1 / (1 + np.exp(eta + z))
    u = random.random(len(z))
    outcome = np.where(u < win, 1, np.where(u < win + loss, 0, 0.5))
    return Battles(len(strengths), first, second, outcome)


def two_each(models, n, random):
    """`n` pairs of different models."""
    first = random.integers(0, models, n)
    return first, (first + random.integers(1, models, n)) % models


def expected_pairs(strengths, eta=LN2):
    """What endlessly many votes, as many for each pair, come to by Rao and Kupper's model."""
    z = np.subtract.outer(strengths, strengths)
    won = 1 / (1 + np.exp(eta - z))
    np.fill_diagonal(won, 0)
    tied = 1 - won - won.T
    np.fill_diagonal(tied, 0)
    return Pairs.of_counts(won, (tied + tied.T) / 2)


def connected(models, random, n=60):
    """Votes in which every model has beaten the next one, the last one the first."""
    ring = np.arange(models)
    first, second = two_each(models, n, random)
    return Battles(
        models,
        np.concatenate([ring, first]),
        np.concatenate([(ring + 1) % models, second]),
        np.concatenate([np.ones(models), random.choice([0, 0.5, 1], n)]),
    )


@st.composite
def battles(draw, models=FEW, most=30):
    """Any votes, some models perhaps without one."""
    m = draw(models)
    pair = st.tuples(st.integers(0, m - 1), st.integers(1, m - 1), st.sampled_from([0.0, 0.5, 1.0]))
    rows = draw(st.lists(pair, min_size=1, max_size=most))
    first = [i for i, _, _ in rows]
    second = [(i + step) % m for i, step, _ in rows]
    return Battles(m, np.array(first), np.array(second), np.array([outcome for *_, outcome in rows]))


def renamed(votes, order):
    """The same votes with model i called order[i]."""
    order = np.asarray(order)
    return Battles(votes.models, order[votes.first], order[votes.second], votes.outcome, votes.weight)


def arena(folder: Path):
    """Names and pair counts of the public votes behind the Chatbot Arena of 2024-08-14."""
    rows = table(folder / "pair_counts.csv")
    names = sorted({row[key] for row in rows for key in ("model_a", "model_b")})
    number = {name: i for i, name in enumerate(names)}
    won, tied = np.zeros((2, len(names), len(names)))
    for row in rows:
        i, j = number[row["model_a"]], number[row["model_b"]]
        won[i, j] += int(row["wins_a"])
        won[j, i] += int(row["wins_b"])
        tied[i, j] += int(row["ties"]) + int(row["ties_bothbad"])
    return names, Pairs.of_counts(won, tied + tied.T)


def llmfao(folder: Path):
    """Names, votes, and each vote's worker and prompt."""
    rows = table(folder / "crowd-comparisons.csv")
    names = sorted({row[side] for row in rows for side in ("left", "right")})
    number = {name: i for i, name in enumerate(names)}
    outcome = {"left": 1.0, "right": 0.0, "tie": 0.5}
    votes = Battles(
        len(names),
        np.array([number[row["left"]] for row in rows]),
        np.array([number[row["right"]] for row in rows]),
        np.array([outcome[row["winner"]] for row in rows]),
    )
    return names, votes, [row["worker"] for row in rows], [row["prompt"] for row in rows]


def table(path: Path):
    with path.open(newline="") as lines:
        return list(csv.DictReader(lines))
