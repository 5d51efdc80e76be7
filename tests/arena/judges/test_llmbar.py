"""Real verdicts in both orders, and the figures that were published with them."""

import csv

import numpy as np
import pytest

from bakeoff.arena.judges.both_orders import both_orders
from bakeoff.arena.judges.consistency import first_picks, swap_consistency
from bakeoff.arena.judges.length import length_bias
from tests.arena.judges.making import llmbar

pytestmark = pytest.mark.data

PLAIN = "method = 'Vanilla_NoRules'"
JUDGES = ("GPT-4", "PaLM2", "LLaMA2", "ChatGPT", "ChatGPT-0301", "Falcon")


@pytest.fixture(scope="module")
def plain(data_dir):
    return llmbar(data_dir, PLAIN)


def test_accuracy_and_agreement_of_all_499_published_runs(data_dir):
    """Where agreement is not ours, it is theirs: an item that is unread in both orders agrees with itself."""
    verdicts = llmbar(data_dir)
    both = both_orders(verdicts)
    assert both.counts.one_order == 0
    subsets, subset_of = np.unique(
        [name.rsplit("/", 1)[0] for name in verdicts.item.names], return_inverse=True
    )
    place = {str(name): code for code, name in enumerate(subsets)}

    def run_of(judge, item):
        return judge * len(subsets) + subset_of[item]

    runs = len(verdicts.judge.names) * len(subsets)
    run = run_of(verdicts.judge.codes, verdicts.item.codes)
    pairs = np.bincount(run, minlength=runs) / 2
    right = np.bincount(run, verdicts.winner == verdicts.gold, runs)
    alike = np.bincount(run_of(both.judge.codes, both.items), both.agreed, runs)
    unread = verdicts.where(verdicts.winner < 0)
    cells, times = np.unique(np.stack([unread.judge.codes, unread.item.codes]), axis=1, return_counts=True)
    unread_twice = np.bincount(run_of(*cells[:, times == 2]), minlength=runs)
    exact = by_theirs = 0
    with (data_dir / "judge_llmbar" / "published_stats.csv").open() as file:
        published = list(csv.DictReader(file))
    for row in published:
        k = (
            verdicts.judge.names.index(f"{row['judge']}/{row['method']}") * len(subsets)
            + place[row["subset"]]
        )
        assert right[k] / pairs[k] / 2 == pytest.approx(float(row["pub"]), abs=1e-9)
        agreement = pytest.approx(float(row["pubagr"]), abs=1e-9)
        exact += alike[k] / pairs[k] == agreement
        by_theirs += alike[k] / pairs[k] != agreement == (alike[k] + unread_twice[k]) / pairs[k]
    assert (len(published), exact, by_theirs) == (499, 445, 54)


def test_how_often_the_order_decides(plain):
    # By a query on the file, where an item that is unread in one order is inconsistent; here it is no vote.
    by_query = dict(zip(JUDGES, (12.2, 26.6, 28.9, 40.5, 44.6, 55.8), strict=True))
    for judge, percent in by_query.items():
        run = plain.by(f"{judge}/Vanilla_NoRules")
        both = both_orders(run)
        unread_in_one = (np.bincount(run.item.codes[run.winner < 0]) == 1).sum()
        inconsistent = (1 - swap_consistency(both).value) * len(both) + unread_in_one
        assert 100 * inconsistent / both.counts.pairs == pytest.approx(percent, abs=0.06)


def test_the_longer_answer_wins_more_often_than_it_is_better(plain):
    found = {judge: length_bias(both_orders(plain.by(f"{judge}/Vanilla_NoRules"))) for judge in JUDGES}
    taken = [100 * each.longer.value for each in found.values()]
    assert (min(taken), max(taken)) == (pytest.approx(54.2, abs=0.2), pytest.approx(69.8, abs=0.2))
    pairs = sum(each.gold_longer.n for each in found.values())
    longer = sum(each.gold_longer.value * each.gold_longer.n for each in found.values()) / pairs
    assert 100 * longer == pytest.approx(43, abs=0.5)
    assert all(
        each.bias.found(0) and each.bias.value > 0 for judge, each in found.items() if judge != "Falcon"
    )


def test_who_leans_to_the_answer_read_first(plain):
    leans = {judge: first_picks(both_orders(plain.by(f"{judge}/Vanilla_NoRules"))) for judge in JUDGES}
    assert not leans["GPT-4"].found(0.5)
    for judge in ("ChatGPT", "ChatGPT-0301", "Falcon"):
        assert leans[judge].found(0.5)
        assert leans[judge].value > 0.65


def test_a_judge_that_agrees_with_itself_on_18_percent(data_dir):
    both = both_orders(llmbar(data_dir, f"{PLAIN} AND judge = 'ChatGPT' AND subset = 'Processed/FairEval'"))
    assert both.counts.pairs == 66
    assert swap_consistency(both).value == pytest.approx(12 / 66)


@pytest.mark.parametrize(
    ("judge", "subset", "accuracy"),
    [
        ("GPT-4", "LLMBar/Natural", 0.935),
        ("GPT-4", "LLMBar/Adversarial/Neighbor", 0.642),
        ("ChatGPT", "LLMBar/Natural", 0.79),
        ("ChatGPT", "LLMBar/Adversarial/Neighbor", 0.179),
    ],
)
def test_votes_that_count_a_disagreement_as_a_tie_have_the_mean_accuracy_of_both_orders(
    plain, data_dir, judge, subset, accuracy
):
    both = both_orders(llmbar(data_dir, f"{PLAIN} AND judge = '{judge}' AND subset = '{subset}'"))
    right = np.where(both.gold == 1, both.points, 1 - both.points)
    assert right.mean() == pytest.approx(accuracy, abs=0.0005)
