"""Knowledge made up for tests."""

import numpy as np
from hypothesis import strategies as st

from bakeoff.arena.pairing.knowledge import Knowledge, know
from bakeoff.arena.pairing.settings import PairingSettings
from bakeoff.arena.votes.pair_counts import PairCounts

FREE = PairingSettings(floor=1e-9, least=0, most=1e9, newcomer_votes=0)
"""Bounds that hardly ever bind, so that what is drawn is what a rule prefers."""


def counts(rows):
    """Counts from rows of two names, wins of either and ties."""
    models = tuple(sorted({name for row in rows for name in row[:2]}))
    return PairCounts(
        models,
        np.array([models.index(row[0]) for row in rows], dtype=np.int32),
        np.array([models.index(row[1]) for row in rows], dtype=np.int32),
        np.array([(*row[2:], 0) for row in rows], dtype=np.int64).reshape(-1, 4),
    )


def told(rows, shown=(), private=()) -> Knowledge:
    """Knowledge of an arena that may show the models of the rows, and `shown`."""
    votes = counts(rows)
    return know(votes, {*votes.models, *shown}, private)


def names(models):
    return [f"m{model:02d}" for model in range(models)]


def even(models, votes):
    """Each pair of so many models met so many times, and won half each."""
    name = names(models)
    return [(a, b, votes // 2, votes // 2, votes % 2) for a in name for b in name if a < b]


@st.composite
def knowledges(draw):
    """Any: none, few and very many votes on a pair, models that are not shown any more, private ones."""
    name = names(draw(st.integers(2, 7)))
    count = st.one_of(st.just(0), st.integers(0, 4), st.integers(0, 3_000))
    pairs = [(a, b) for a in name for b in name if a < b]
    rows = [(a, b, draw(count), draw(count), draw(count)) for a, b in pairs]
    private = draw(st.sets(st.sampled_from(name[1:])))
    gone = draw(st.sets(st.sampled_from(name[1:])))
    shown = {*name} - gone
    # Somebody must be left whom the first, which is public, may meet.
    shown.add(name[1])
    return know(counts(rows), shown, private & shown)


@st.composite
def settings(draw):
    most = draw(st.floats(1.1, 6))
    return PairingSettings(
        rule=draw(st.sampled_from(["variance-reduction@1", "win-matrix@1", "uniform@1"])),
        floor=draw(st.floats(0.001, 0.5)),
        least=draw(st.floats(0, 0.5)),
        most=most,
        newcomer_votes=draw(st.integers(0, 3_000)),
        newcomer_share=draw(st.floats(1, most * 0.99)),
        private_meet=draw(st.booleans()),
        prior=draw(st.floats(0.1, 3)),
    )
