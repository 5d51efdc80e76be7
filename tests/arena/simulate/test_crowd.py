"""Votes of people who differ."""

from dataclasses import fields, replace

import numpy as np
import pytest

from bakeoff.arena.simulate.crowd import cast, crowd, joined, opposed, shown
from bakeoff.arena.simulate.world import World
from bakeoff.arena.votes.votes import Votes, battles_of, votes_of
from tests.arena.simulate.drawing import draws

WORLD = World(models=10, votes=50_000)


def _votes(world=WORLD, purpose="people", longer=None, **kind):
    rng = draws(**kind)(purpose)
    people = crowd(world, rng, world.models)
    pairs = shown(rng, world.votes, np.ones(world.models))
    return cast(world, people, rng, world.strength, *pairs, longer=longer)


def _columns(votes):
    return {
        each.name: getattr(votes, each.name)
        for each in fields(Votes)
        if each.name not in ("models", "language", "tags", "texts")
    }


def _same(one, other):
    return all(
        np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
        for a, b in zip(_columns(one).values(), _columns(other).values(), strict=True)
    )


def test_the_same_seed_draws_the_same_votes_whatever_was_drawn_before():
    first = _votes()
    _votes(purpose="bots")
    assert _same(first, _votes())


@pytest.mark.parametrize("other", [{"seed": 1}, {"scenario": "b"}, {"replication": 1}, {"purpose": "bots"}])
def test_another_seed_scenario_replication_or_purpose_draws_other_votes(other):
    assert not _same(_votes(), _votes(**other))


def test_the_k_th_voter_votes_as_zipf_says():
    votes = _votes()
    share = np.arange(1, WORLD.voters + 1) ** -WORLD.zipf
    expected = len(votes) * share / share.sum()
    counts = np.bincount(votes.voter.astype(int), minlength=WORLD.voters + 1)[1:]
    assert (np.abs(counts - expected) < 5 * expected**0.5 + 5).all()


def test_pairs_come_in_proportion_to_the_product_of_their_weights_on_either_side():
    weight = np.array([4.0, 1.0, 1.0, 2.0])
    first, second = shown(draws()("pairs"), 60_000, weight)
    assert (first != second).all()
    counts = np.zeros((4, 4))
    np.add.at(counts, (first, second), 1)
    product = np.outer(weight, weight) * ~np.eye(4, dtype=bool)
    expected = 60_000 * product / product.sum()
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected) + 1e-9).all()


def test_opponents_are_drawn_alike_on_either_side():
    first, second = opposed(draws()("pairs"), np.full(40_000, 7), np.array([1, 2]))
    assert ((first == 7) ^ (second == 7)).all()
    for other in (1, 2):
        for side in (first, second):
            assert (side == other).sum() == pytest.approx(10_000, abs=5 * 100)


def test_people_get_known_pairs_right_as_often_as_they_take_care():
    votes = _votes(replace(WORLD, gold=0.2, care=0.9))
    known = votes.gold >= 0
    assert known.mean() == pytest.approx(0.2, abs=5 * (0.16 / len(votes)) ** 0.5)
    right = votes.outcome[known] == votes.gold[known]
    assert right.mean() == pytest.approx(0.9, abs=5 * (0.09 / known.sum()) ** 0.5)


def test_stronger_models_and_those_that_pad_write_more():
    world = replace(WORLD, style=0.75, confounding=0.3)
    longer = np.where(np.arange(world.models) == 5, np.log(2), 0.0)
    votes = _votes(world, longer=longer)
    model = np.concatenate([votes.model_a, votes.model_b])
    length = np.log(np.concatenate([votes.style[:, 0, 0], votes.style[:, 1, 0]]))
    mean = np.bincount(model, length) / np.bincount(model)
    # Quantiles of ten models: the first stands 1.645 spreads above the mean, the last as far below.
    assert mean[0] - mean[-1] == pytest.approx(0.3 * 2 * 1.645, abs=0.05)
    assert mean[5] - (mean[4] + mean[6]) / 2 == pytest.approx(np.log(2), abs=0.05)


def test_lengths_are_recorded_only_where_they_are_worth_something():
    assert np.isnan(_votes().style).all()


def test_votes_that_are_joined_keep_their_order_and_have_keys_of_their_own():
    small = replace(WORLD, votes=200)
    one, other = _votes(small), _votes(small, purpose="bots")
    both = joined(one, other)
    for name, column in _columns(both).items():
        if name != "key":
            parts = [_columns(each)[name] for each in (one, other)]
            assert np.array_equal(column, np.concatenate(parts), equal_nan=column.dtype.kind == "f")
    assert len(np.unique(both.key)) == len(both) == 400


def test_votes_lie_within_the_days_of_the_world():
    votes = _votes(replace(WORLD, days=3))
    days = votes.at.astype("datetime64[D]")
    assert len(np.unique(days)) == 3


def test_simulated_votes_are_battles_like_any_others():
    votes = _votes(replace(WORLD, votes=200, style=0.75))
    again = votes_of(battles_of(votes))
    assert again.models == votes.models
    for name, column in _columns(votes).items():
        if name != "key":
            assert np.array_equal(column, getattr(again, name), equal_nan=column.dtype.kind == "f"), name
