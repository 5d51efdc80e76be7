import csv
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.judges.agreement import CHOICES, with_people
from bakeoff.errors import BakeoffError
from bakeoff.stats.agreement.kappa import cohen
from bakeoff.stats.agreement.krippendorff import krippendorff
from bakeoff.stats.agreement.ratings import cross_table

NUMBER = {choice: place for place, choice in enumerate(CHOICES)}


def llmfao(data_dir, judge):
    """Of each pair its judge's choice, people's choices, and the prompt."""
    named = {"left": "a", "right": "b", "tie": "tie"}

    def rows(name):
        with (data_dir / "llmfao" / f"{name}.csv").open() as file:
            yield from csv.DictReader(file)

    people = defaultdict(list)
    for row in rows("crowd-comparisons"):
        people[row["prompt"], row["left"], row["right"]].append(named[row["winner"]])
    said = {
        (row["prompt"], row["left"], row["right"]): named[row["winner"]]
        for row in rows(f"{judge}-comparisons")
    }
    return [said.get(pair) for pair in people], list(people.values()), [pair[0] for pair in people]


@pytest.mark.data
def test_llmfao_s_people_and_gpt_4(data_dir):
    judge, people, items = llmfao(data_dir, "gpt4-crowd")
    found = with_people(judge, people, items)
    assert (found.pairs, found.unread, found.undecided, found.single) == (2139, 0, 308, 15)
    assert found.ceiling.raw.value == pytest.approx(0.532, abs=0.0005)
    assert found.ceiling.without_ties.value == pytest.approx(0.701, abs=0.0005)
    assert found.ceiling.alpha.value == pytest.approx(0.29, abs=0.005)
    assert found.majority.raw.value == pytest.approx(0.446, abs=0.0005)
    assert found.majority.kappa.value == pytest.approx(0.22, abs=0.005)
    assert found.majority.without_ties.value == pytest.approx(0.746, abs=0.0005)
    assert found.majority.raw.items == 13
    # 998 pairs of 5 people, 658 of 4, 358 of 3 and 110 of 2.
    assert found.ceiling.raw.n == found.gap.n == 998 * 10 + 658 * 6 + 358 * 3 + 110
    assert found.ceiling.alpha.n == 8931 - 15
    # Two people agree more often than GPT-4 with one of them, which hardly ever says that two are alike. As
    # 2,139 questions that would be beyond doubt, but they are 13.
    assert found.gap.value == pytest.approx(found.one_person.raw.value - found.ceiling.raw.value)
    assert found.gap.value < -0.1
    assert not found.gap.found(0)
    assert with_people(judge, people, [str(k) for k in range(len(items))]).gap.found(0)


@pytest.mark.data
def test_llmfao_s_gpt_3(data_dir):
    found = with_people(*llmfao(data_dir, "gpt3-crowd"))
    assert found.majority.raw.value == pytest.approx(0.377, abs=0.0005)
    assert found.majority.kappa.value == pytest.approx(0.10, abs=0.005)


CHOICE = st.sampled_from(CHOICES)
PAIRS = st.lists(st.tuples(CHOICE, st.lists(CHOICE, min_size=1, max_size=5)), min_size=1, max_size=25)


@given(PAIRS)
def test_coefficients_are_those_of_the_other_implementations(pairs):
    judge, people = zip(*pairs, strict=True)
    found = with_people(judge, people, [str(k) for k in range(len(pairs))])
    ahead = [
        (NUMBER[said], max(NUMBER.values(), key=[each.count(c) for c in CHOICES].__getitem__))
        for said, each in pairs
        if sorted(each.count(c) for c in CHOICES)[-2] < max(each.count(c) for c in CHOICES)
    ]
    assert found.undecided == len(pairs) - len(ahead)
    if ahead:
        kappa = cohen(cross_table(ahead, [0, 1, 2]))
        assert found.majority.raw.value == pytest.approx(kappa.observed)
        assert found.majority.kappa.value == (
            None if kappa.value is None else pytest.approx(kappa.value, abs=1e-9)
        )
        alpha = krippendorff(ahead, draws=1)
        assert found.majority.alpha.value == (
            None if alpha.value is None else pytest.approx(alpha.value, abs=1e-9)
        )
    table = np.full((len(people), 5), np.nan)
    for pair, said in enumerate(people):
        table[pair, : len(said)] = [NUMBER[choice] for choice in said]
    alpha = krippendorff(table, draws=1)
    assert found.ceiling.alpha.value == (
        None if alpha is None or alpha.value is None else pytest.approx(alpha.value, abs=1e-9)
    )


@given(PAIRS)
def test_a_judge_that_says_what_one_of_two_people_says_is_at_the_ceiling(pairs):
    people = [said[:1] * 2 + said[:1] for _, said in pairs]
    found = with_people([said[0] for said in people], people, [str(k) for k in range(len(pairs))])
    assert found.one_person.raw.value == found.ceiling.raw.value == 1
    assert found.gap.value == 0


@given(PAIRS, st.randoms())
def test_neither_the_order_of_pairs_nor_of_people_nor_which_model_is_a_matters(pairs, random):
    items = [str(k // 2) for k in range(len(pairs))]
    turned = {"a": "b", "b": "a", "tie": "tie"}
    shuffled = random.sample(list(zip(*zip(*pairs, strict=True), items, strict=True)), len(pairs))
    one = with_people(*zip(*pairs, strict=True), items)
    judge, people, where = zip(*shuffled, strict=True)
    other = with_people(
        [turned[each] for each in judge], [[turned[c] for c in reversed(said)] for said in people], where
    )
    for name in ("majority", "one_person", "ceiling"):
        for measure in ("raw", "without_ties", "kappa", "alpha"):
            was, is_now = (getattr(getattr(each, name), measure).value for each in (one, other))
            assert is_now == (None if was is None else pytest.approx(was, abs=1e-9))


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(BakeoffError, match="a choice is one of a, b, tie"):
        with_people(["left"], [["a"]], ["1"])
    with pytest.raises(BakeoffError, match="no pair in common"):
        with_people([None], [["a"]], ["1"])
    with pytest.raises(BakeoffError, match="each pair needs"):
        with_people(["a"], [["a"]], [])
