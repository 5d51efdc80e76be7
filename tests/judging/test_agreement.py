from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.judging.agreement import with_people
from bakeoff.judging.consistency import consistency

LABELS = ("bad", "fair", "good")
CHOICES = st.sampled_from([*LABELS, None])


def sides(table):
    """What judge (rows) and person (columns) said, of a table of counts."""
    names = LABELS[: len(table)]
    cells = [
        (judge, person)
        for judge, row in zip(names, table, strict=True)
        for person, n in zip(names, row, strict=True)
        for _ in range(n)
    ]
    judge, person = zip(*cells, strict=True)
    return judge, person, names


# Worked tables: Cohen's kappa and Gwet's AC1; the second is Feinstein and Cicchetti's paradox.
@pytest.mark.parametrize(
    ("table", "share", "kappa", "ac1"),
    [
        ([[20, 5], [10, 15]], 0.70, 0.400, 0.4059),
        ([[80, 10], [5, 5]], 0.85, 0.318, 0.808),
        ([[40, 9], [6, 45]], 0.85, 0.700, 0.700),
        ([[118, 5], [2, 0]], 0.944, -0.023, 0.941),
    ],
)
def test_agreement_with_a_person_of_worked_tables(table, share, kappa, ac1):
    found = with_people(*sides(table))
    assert found.share == pytest.approx(share)
    assert found.kappa.value == pytest.approx(kappa, abs=6e-4)
    assert found.ac1.value == pytest.approx(ac1, abs=1e-3)
    assert found.kappa.interval.low < found.kappa.value < found.kappa.interval.high
    assert found.interval.low < found.share < found.interval.high


def test_what_the_judge_left_unreadable_is_counted_and_is_no_agreement():
    found = with_people(["good", None, "bad", None], ["good", "good", "good", None], LABELS)
    assert (found.items, found.unreadable) == (2, 1)
    assert (found.share, found.share_of_all) == (1 / 2, 1 / 3)
    assert with_people([None], ["good"], LABELS) is None


def test_near_misses_count_only_on_an_ordered_scale():
    person = ["bad", "fair", "good"] * 10
    near = ["fair", "fair", "good"] * 10
    far = ["good", "fair", "good"] * 10
    ordered = [with_people(each, person, LABELS, ordered=True).alpha.value for each in (near, far)]
    nominal = [with_people(each, person, LABELS).alpha.value for each in (near, far)]
    assert ordered[0] > ordered[1] + 0.2
    assert abs(nominal[0] - nominal[1]) < 0.05


@given(st.lists(st.tuples(CHOICES, CHOICES), min_size=1, max_size=25))
def test_judge_and_person_may_change_places_where_both_decided(pairs):
    both = [pair for pair in pairs if None not in pair]
    if not both:
        return
    judge, person = zip(*both, strict=True)
    one, other = with_people(judge, person, LABELS), with_people(person, judge, LABELS)
    assert one.share == other.share
    assert one.kappa.value == pytest.approx(other.kappa.value)
    assert one.ac1.value == pytest.approx(other.ac1.value)


@given(st.lists(st.lists(CHOICES, min_size=3, max_size=3), min_size=1, max_size=25))
def test_consistency_is_the_share_of_equal_pairs_of_verdicts_on_a_case(repeats):
    shares = []
    for row in repeats:
        said = [each for each in row if each is not None]
        if len(said) > 1:
            pairs = list(combinations(said, 2))
            shares.append(sum(one == other for one, other in pairs) / len(pairs))
    found = consistency(repeats, LABELS)
    if not shares:
        assert found is None
        return
    assert found.share == pytest.approx(sum(shares) / len(shares))
    assert found.items == len(shares)
    assert found.unreadable == sum(each is None for row in repeats for each in row)


def test_a_judge_that_always_says_the_same_is_consistent_and_agrees_by_chance_alone():
    same = consistency([["good"] * 3] * 20, LABELS)
    assert same.share == 1
    assert same.alpha.value is None
    found = with_people(["good"] * 20, ["good", "bad"] * 10, LABELS)
    assert found.share == 0.5
    assert found.kappa.value == 0


@pytest.mark.parametrize(
    ("judge", "person", "categories", "problem"),
    [
        (["good"], [], LABELS, "both choices"),
        (["great"], ["good"], LABELS, "'great'"),
        (["good"], ["great"], LABELS, "'great'"),
        (["good"], ["good"], ["good"], "two or more"),
        (["good"], ["good"], ["good", "good", "bad"], "all different"),
    ],
)
def test_what_cannot_be_compared_is_refused(judge, person, categories, problem):
    with pytest.raises(ValueError, match=problem):
        with_people(judge, person, categories)


def test_cases_may_be_repeated_different_numbers_of_times():
    found = consistency([["good", "good"], ["good", "bad", None], ["bad"], []], LABELS)
    assert (found.share, found.items, found.unreadable) == (0.5, 2, 1)
    assert consistency([["good"], [None, "bad"]], LABELS) is None
    assert consistency([], LABELS) is None
