import csv
from collections import defaultdict

import numpy as np
import pytest

from bakeoff.arena.judges.corrected import corrected_win_rates
from bakeoff.errors import BakeoffError
from bakeoff.stats.classes.ppi import ppi_mean


def duel(seed, pairs=600, labelled=100, accuracy=0.8, bias=0.1):
    """One pair an item: what people prefer, and a judge that is right as often and gives `first` more."""
    random = np.random.default_rng(seed)
    people = (random.random(pairs) < 0.6).astype(float)
    judge = np.where(random.random(pairs) < accuracy, people, 1 - people)
    judge = np.where(random.random(pairs) < bias, 1.0, judge)
    asked = np.where(random.permutation(pairs) < labelled, people, np.nan)
    return ["x"] * pairs, ["y"] * pairs, judge, asked, [str(k) for k in range(pairs)]


def test_one_pair_an_item_is_the_prediction_powered_mean():
    first, second, judge, people, items = duel(0)
    known = ~np.isnan(people)
    plain = ppi_mean(people[known], judge[known], judge[~known])
    found = corrected_win_rates(first, second, judge, people, items)[0]
    assert (found.rate, found.weight) == (plain.value, plain.weight)
    assert found.gain == pytest.approx(plain.effective_n / 100)
    # The variances of 100 and 500 pairs with a factor G / (G - 1) each there, one for all here.
    assert found.interval.low == pytest.approx(plain.interval.low, abs=1e-3)
    assert found.interval.high == pytest.approx(plain.interval.high, abs=1e-3)
    assert (found.labels, found.unlabelled) == (100, 500)


def test_two_models_share_every_pair():
    x, y = corrected_win_rates(*duel(1))
    assert (x.model, y.model) == ("x", "y")
    assert x.rate + y.rate == pytest.approx(1)
    assert x.judge + y.judge == pytest.approx(1)
    assert x.interval.low == pytest.approx(1 - y.interval.high)
    assert x.gain == pytest.approx(y.gain)


def test_a_judge_that_guesses_adds_nothing_and_says_so():
    first, second, judge, people, items = duel(2, labelled=200, accuracy=0.5, bias=0)
    found = corrected_win_rates(first, second, judge, people, items)[0]
    assert found.gain < 1.05
    assert "the judge adds nothing to the labels" in found.notes
    assert found.rate == pytest.approx(found.people, abs=0.02)
    useful = corrected_win_rates(*duel(2, labelled=200, accuracy=0.95))[0]
    assert useful.gain > 1.5
    assert useful.notes == (
        "the judge's own rate lies outside the interval: it is wrong, and not by chance",
    ) or not (useful.notes)


def test_where_all_is_labelled_or_nothing_is_it_says_so():
    first, second, judge, people, items = duel(3, labelled=600)
    complete = corrected_win_rates(first, second, judge, people, items)[0]
    assert complete.rate == people.mean()
    assert complete.notes[0] == "0 pairs are without a label, so the judge adds nothing"
    none = corrected_win_rates(first, second, judge, np.full(600, np.nan), items)[0]
    assert (none.rate, none.interval, none.people) == (None, None, None)
    assert "no estimate of people's" in none.notes[0]
    few = corrected_win_rates(*duel(3, labelled=20))[0]
    assert any("not to be trusted" in note for note in few.notes)


def test_a_judge_whose_errors_are_hardly_seen_is_not_believed():
    first, second, judge, people, items = duel(6, labelled=60, accuracy=0.99, bias=0)
    found = corrected_win_rates(first, second, judge, people, items)[0]
    assert (found.rate, found.weight, found.gain) == (np.nanmean(people), 0, 1)
    assert found.notes[0].startswith("too few labels of either kind")


def test_pairs_of_one_item_count_for_less():
    first, second, judge, people, items = duel(4, pairs=300)
    # The same pairs thrice: three times as many numbers that know nothing more.
    alone = corrected_win_rates(first, second, judge, people, items)[0]
    thrice = corrected_win_rates(first * 3, second * 3, np.tile(judge, 3), np.tile(people, 3), items * 3)[0]
    width, width_of_thrice = (each.interval.high - each.interval.low for each in (alone, thrice))
    assert thrice.rate == pytest.approx(alone.rate, abs=0.01)
    assert width_of_thrice == pytest.approx(width, rel=0.03)


def test_an_unread_verdict_is_a_half_and_what_is_no_share_is_refused():
    first, second, judge, people, items = duel(5)
    unread = np.where(np.arange(600) % 7 == 0, np.nan, judge)
    halves = np.where(np.arange(600) % 7 == 0, 0.5, judge)
    assert corrected_win_rates(first, second, unread, people, items) == corrected_win_rates(
        first, second, halves, people, items
    )
    with pytest.raises(BakeoffError, match="`people` is what the first model got"):
        corrected_win_rates(first, second, judge, people * 2, items)
    with pytest.raises(BakeoffError, match="paired with itself"):
        corrected_win_rates(first, first, judge, people, items)
    with pytest.raises(BakeoffError, match="each pair needs"):
        corrected_win_rates(first, second, judge[:-1], people, items)


@pytest.mark.data
def test_gpt_4_on_llmfao_is_wrong_by_six_points_and_put_right_by_200_labels(data_dir):
    def rows(name):
        with (data_dir / "llmfao" / f"{name}.csv").open() as file:
            yield from csv.DictReader(file)

    worth = {"left": 1.0, "right": 0.0, "tie": 0.5}
    crowd = defaultdict(list)
    for row in rows("crowd-comparisons"):
        crowd[row["id"]].append(worth[row["winner"]])
    said = {row["id"]: worth[row["winner"]] for row in rows("gpt4-comparisons")}
    people = np.array([np.mean(votes) for votes in crowd.values()])
    judge = np.array([said[pair] for pair in crowd])
    assert judge.mean() - people.mean() == pytest.approx(-0.063, abs=0.001)
    assert np.corrcoef(judge, people)[0, 1] == pytest.approx(0.37, abs=0.01)
    n, sides = len(people), (["left"] * len(people), ["right"] * len(people))
    covered, gains = 0, []
    for seed in range(200):
        asked = np.where(np.random.default_rng(seed).permutation(n) < 200, people, np.nan)
        found = corrected_win_rates(*sides, judge, asked, list(crowd))[0]
        covered += found.interval.low <= people.mean() <= found.interval.high
        gains.append(found.gain)
    assert covered / 200 > 0.92
    assert np.mean(gains) == pytest.approx(1.14, abs=0.03)
