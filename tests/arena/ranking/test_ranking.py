"""A ranking by votes: published scores, statuses, clusters and styles, and mistakes that are named."""

import csv

import numpy as np
import pytest

from bakeoff.arena.ranking.method import Method
from bakeoff.arena.ranking.ranking import rank_counts, rank_votes
from bakeoff.arena.votes.battle import Battle
from bakeoff.arena.votes.pair_counts import pair_counts, read_pair_counts
from bakeoff.arena.votes.pseudonym import pseudonym
from bakeoff.arena.votes.style import Style
from bakeoff.arena.votes.votes import votes_of
from bakeoff.errors import BakeoffError

LETTERS = "abcd"


def fights(number=400, seed=0, **fields):
    """Battles of four models, the earlier letter the better, by eight voters on forty prompts."""
    draw = np.random.default_rng(seed)
    made = []
    for n in range(number):
        a, b = (int(each) for each in draw.choice(4, 2, replace=False))
        better = draw.random() < 1 / (1 + np.exp(0.7 * (a - b)))
        outcome = "tie" if draw.random() < 0.2 else "a" if better else "b"
        shared = {"voter": pseudonym(f"v{n % 8}"), "prompt": pseudonym(f"p{n % 40}")} | fields
        made.append(Battle(f"{n}", LETTERS[a], LETTERS[b], outcome, **shared))
    return made


@pytest.mark.data
def test_the_published_board_of_august_2024(data_dir):
    folder = data_dir / "arena_20240814"
    counts = read_pair_counts(folder / "pair_counts.parquet")
    made = rank_counts(counts, Method(anchor=("mixtral-8x7b-instruct-v0.1", 1114.0)))
    scores = {row.model: row.score for row in made.rows}
    with (folder / "match_published_vs_refit.csv").open(newline="") as file:
        off = [scores[row["model"]] - float(row["pub_score"]) for row in csv.DictReader(file)]
    assert (made.votes, made.used, len(off)) == (1_670_250, 1_670_250, 128)
    assert max(map(abs, off)) < 2.8
    assert np.sqrt(np.mean(np.square(off))) < 0.56
    assert (made.rows[0].model, made.rows[0].low, made.rows[0].high) == ("chatgpt-4o-latest", 1, 1)


def test_counts_of_pairs_are_rated_as_the_votes_are():
    votes = votes_of(fights())
    one_by_one = rank_votes(votes, Method(together="none"))
    counted = rank_counts(pair_counts(votes), Method())
    assert one_by_one.rows == counted.rows
    assert (one_by_one.votes, one_by_one.used, one_by_one.tied) == (counted.votes, counted.used, counted.tied)
    assert [row.model for row in counted.rows] == list(LETTERS)


def test_what_is_recorded_hangs_together():
    votes = votes_of(fights())
    assert rank_votes(votes, Method()).clusters == {"voter": 8, "prompt": 40}
    assert rank_votes(votes, Method(together="prompt")).clusters == {"prompt": 40}
    alone = rank_votes(votes_of(fights(voter=None, prompt=None)), Method())
    assert (alone.clusters, "neither voters nor prompts" in alone.note) == ({}, True)
    with pytest.raises(BakeoffError, match="has its voter recorded"):
        rank_votes(votes_of(fights(voter=None)), Method(together="voter"))


def test_one_voter_alone_says_nothing_of_others_and_is_no_cluster():
    made = rank_votes(votes_of(fights(voter=pseudonym("one"))), Method(together="voter"))
    assert made.clusters == {}
    assert made.note


def test_who_cannot_be_rated_has_a_status_and_no_score():
    more = [
        Battle("x1", "champion", "a", "a"),
        Battle("x2", "loser", "b", "b"),
        Battle("x3", "y", "z", "tie"),
    ]
    made = rank_votes(votes_of([*fights(), *more]), Method())
    told = {row.model: row for row in made.rows}
    assert {name: told[name].status for name in ("champion", "loser", "y", "z")} == {
        "champion": "undefeated",
        "loser": "winless",
        "y": "disconnected",
        "z": "disconnected",
    }
    assert all(row.score is None and row.low is None for row in made.rows[4:])
    assert (made.votes, made.used) == (403, 400)


def test_nothing_to_rate_is_a_mistake():
    with pytest.raises(BakeoffError, match="no two models can be rated"):
        rank_votes(votes_of([Battle("1", "a", "b", "a"), Battle("2", "b", "c", "a")]), Method())


@pytest.mark.parametrize("ties", ["davidson", "rao-kupper"])
def test_ties_of_their_own_keep_the_order_and_say_that_votes_count_alone(ties):
    made = rank_votes(votes_of(fights()), Method(ties=ties))
    assert [row.model for row in made.rows] == list(LETTERS)
    assert (made.clusters, ties in made.note) == ({}, True)


def test_the_anchor_has_its_score_and_no_interval_gets_wider_by_it():
    votes = votes_of(fights())
    free, pinned = (rank_votes(votes, Method(anchor=anchor)) for anchor in (None, ("b", 1200.0)))
    assert {row.model: row.score for row in pinned.rows}["b"] == pytest.approx(1200.0)
    for one, other in zip(free.rows, pinned.rows, strict=True):
        assert one.interval.high - one.interval.low == pytest.approx(other.interval.high - other.interval.low)
    with pytest.raises(BakeoffError, match="is in no vote"):
        rank_votes(votes, Method(anchor=("e", 0.0)))
    champion = [*fights(), Battle("x", "champion", "a", "a")]
    with pytest.raises(BakeoffError, match="'champion' is undefeated"):
        rank_votes(votes_of(champion), Method(anchor=("champion", 0.0)))


def padded(number=6000, effect=0.5, seed=1):
    """Equal models, of which `d` writes much more, and voters who like that."""
    draw = np.random.default_rng(seed)
    made = []
    for n in range(number):
        a, b = (int(each) for each in draw.choice(4, 2, replace=False))
        long = [int(draw.integers(200, 400) * (3 if model == 3 else 1)) for model in (a, b)]
        gain = effect * (long[0] - long[1]) / (long[0] + long[1]) / 0.35
        outcome = "a" if draw.random() < 1 / (1 + np.exp(-gain)) else "b"
        styles = (Style(each, 0, 0, 0) for each in long)
        made.append(
            Battle(
                f"{n}",
                LETTERS[a],
                LETTERS[b],
                outcome,
                None,
                None,
                style_a=next(styles),
                style_b=next(styles),
            )
        )
    return made


def test_style_that_is_held_equal_does_not_make_a_model_better():
    votes = votes_of(padded())
    plain, held = (rank_votes(votes, Method(style=style)) for style in ((), ("length",)))
    assert (plain.rows[0].model, plain.rows[0].low, plain.rows[0].high) == ("d", 1, 1)
    found = {row.model: row for row in held.rows}["d"]
    assert found.interval.low < 1000 < found.interval.high
    (effect,) = held.effects
    assert effect.interval.low > 0
    assert effect.style == "length"


def test_style_that_was_not_recorded_is_a_mistake():
    with pytest.raises(BakeoffError, match="no vote has the length and bold"):
        rank_votes(votes_of(fights()), Method(style=("length", "bold")))
    with pytest.raises(BakeoffError, match="do not say style"):
        rank_counts(pair_counts(votes_of(fights())), Method(style=("length",)))
    with pytest.raises(BakeoffError, match="the voter of each vote"):
        rank_counts(pair_counts(votes_of(fights())), Method(together="voter"))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"ties": "third"}, "ties are half"),
        ({"together": "team"}, "clusters are recorded"),
        ({"style": ("tone",)}, "no style 'tone'"),
        ({"style": ("bold", "bold")}, "named twice"),
        ({"level": 95}, "between 0 and 1"),
        ({"ties": "davidson", "even": True}, "not fitted together"),
        ({"ties": "davidson", "style": ("bold",)}, "not fitted together"),
    ],
)
def test_a_method_that_is_none_is_named(changes, says):
    with pytest.raises(BakeoffError, match=says):
        Method(**changes)


def test_pairs_that_met_often_count_no_more_than_others_when_even():
    votes = votes_of([*fights(), *(Battle(f"r{n}", "a", "b", "b") for n in range(2000))])
    often, even = (rank_votes(votes, Method(even=even, together="none")) for even in (False, True))
    gap = [
        {row.model: row.score for row in made.rows}["a"] - {row.model: row.score for row in made.rows}["d"]
        for made in (often, even)
    ]
    assert gap[0] < gap[1]
