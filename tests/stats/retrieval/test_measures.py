"""Published worked examples, and a slow implementation straight from the definitions."""

from math import log2

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bakeoff.stats.retrieval.measures import (
    MEASURES,
    average_precision,
    hit,
    measured,
    ndcg,
    parse_measure,
    precision,
    recall,
    reciprocal_rank,
)
from bakeoff.stats.retrieval.ranking import ranked

RANKING_MEASURES = sorted(MEASURES)


# The example in the README of pytrec_eval, which wraps trec_eval.
@pytest.mark.parametrize(
    ("scores", "gains", "ap", "gain"),
    [
        ({"d1": 1.0, "d2": 0.0, "d3": 1.5}, {"d1": 0, "d2": 1, "d3": 0}, 0.3333333333333333, 0.5),
        ({"d1": 1.5, "d2": 0.2, "d3": 0.5}, {"d2": 1, "d3": 1}, 0.5833333333333333, 0.6934264036172708),
    ],
)
def test_trec_evals_map_and_ndcg(scores, gains, ap, gain):
    ranking = ranked(scores)
    assert average_precision(ranking, gains) == pytest.approx(ap, abs=1e-15)
    assert ndcg(ranking, gains) == pytest.approx(gain, abs=1e-15)


def test_the_encyclopedias_ndcg_with_documents_that_were_not_retrieved():
    # Wikipedia, "Discounted cumulative gain": six results, and a 3 and a 2 not retrieved.
    gains = dict(zip("abcdefgh", (3, 2, 3, 0, 1, 2, 3, 2), strict=True))
    assert ndcg("abcdef", gains, 6) == pytest.approx(0.785, abs=5e-4)


@pytest.mark.parametrize(
    ("scores", "k", "value"), [((0.1, 0.2, 0.3, 4, 70), None, 0.69569), ((0.05, 1.1, 1, 0.5, 0), 4, 0.35202)]
)
def test_scikit_learns_example(scores, k, value):
    # The docstring of sklearn.metrics.ndcg_score: relevances 10, 0, 0, 1, 5; it prints 0.69... and 0.35...
    gains = dict(zip("abcde", (10, 0, 0, 1, 5), strict=True))
    assert ndcg(ranked(dict(zip("abcde", scores, strict=True))), gains, k) == pytest.approx(value, abs=5e-5)


def test_the_textbooks_average_precision_of_twenty_results():
    # Manning, Raghavan & Schütze 2008, exercise 8.9: R R N N N N N N R N R N N N R N N N N R, of 8 relevant.
    places = (1, 2, 9, 11, 15, 20)
    ranking = [str(rank) for rank in range(1, 21)]
    gains = {str(place): 1 for place in places} | {"out": 1, "away": 1}
    assert precision(ranking, gains, 20) == pytest.approx(0.3)
    assert recall(ranking, gains) == pytest.approx(0.75)
    by_hand = (1 + 1 + 3 / 9 + 4 / 11 + 5 / 15 + 6 / 20) / 8
    assert average_precision(ranking, gains) == pytest.approx(by_hand)
    # With all relevant documents found, the book's 0.555.
    assert average_precision(ranking, {str(place): 1 for place in places}) == pytest.approx(0.555, abs=5e-4)


def test_the_encyclopedias_mean_reciprocal_rank():
    # Wikipedia, "Mean reciprocal rank": right at 3, 2 and 1, so 11/18.
    ranks = [reciprocal_rank("abc", {right: 1}) for right in "cba"]
    assert sum(ranks) / 3 == pytest.approx(11 / 18)


def test_exponential_gains_by_hand():
    # A 1 above a 3: (1 + 7/log2(3)) / (7 + 1/log2(3)).
    gains = {"a": 1, "b": 3}
    assert ndcg("ab", gains, gain="exponential") == pytest.approx((1 + 7 / log2(3)) / (7 + 1 / log2(3)))
    assert ndcg("ab", gains) == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))


@pytest.mark.parametrize("measure", RANKING_MEASURES)
def test_what_is_not_judged_is_not_relevant_and_keeps_its_place(measure):
    gains = {"a": 2, "b": 1, "no": 0, "worse": -1}
    for k in (1, 2, 3, None):
        values = [MEASURES[measure]([other, "b", "a"], gains, k) for other in ("no", "worse", "unjudged")]
        assert values[0] == values[1] == values[2]
        assert (values[0] == 0) is (k == 1)


def test_a_short_list_has_lost_the_places_it_left_empty():
    gains = {"a": 1, "b": 1}
    assert precision("ab", gains, 10) == 0.2
    assert precision("ab", gains) == 1
    assert recall("ab", gains, 10) == 1


def test_average_precision_at_a_depth_below_the_number_of_relevant_documents_cannot_reach_one():
    assert average_precision("abc", dict.fromkeys("abc", 1), 2) == pytest.approx(2 / 3)


@pytest.mark.parametrize("measure", RANKING_MEASURES)
@pytest.mark.parametrize("gains", [{}, {"a": 0}, {"a": -1}])
def test_without_a_relevant_document_there_is_no_value(measure, gains):
    assert MEASURES[measure]("ab", gains, 10) is None


@pytest.mark.parametrize("measure", RANKING_MEASURES)
def test_an_empty_list_is_worth_nothing(measure):
    assert MEASURES[measure]((), {"a": 1}, None) == MEASURES[measure]((), {"a": 1}, 10) == 0


@pytest.mark.parametrize("measure", RANKING_MEASURES)
@pytest.mark.parametrize(
    ("ranking", "gains", "k", "about"),
    [
        ("ab", {"a": 1}, 0, "k must be"),
        ("aa", {"a": 1}, 10, "each document once"),
        ("ab", {"a": float("nan")}, 10, "document a"),
        ("ab", {"a": float("inf")}, 10, "document a"),
    ],
)
def test_what_cannot_be_measured_is_refused(measure, ranking, gains, k, about):
    with pytest.raises(ValueError, match=about):
        MEASURES[measure](ranking, gains, k)


@pytest.mark.parametrize(("gain", "highest"), [("linear", 1e15), ("exponential", 1000)])
def test_the_largest_gains_are_measured_and_larger_ones_refused(gain, highest):
    assert 0 < ndcg("ab", {"a": highest / 2, "b": highest}, gain=gain) < 1
    with pytest.raises(ValueError, match="at most"):
        ndcg("ab", {"a": highest * 1.01}, gain=gain)


@pytest.mark.parametrize(
    ("text", "read"),
    [("ndcg@10", ("ndcg", 10)), ("map", ("map", None)), ("ndcg_exp@1", ("ndcg_exp", 1))],
)
def test_measures_by_name(text, read):
    assert parse_measure(text) == read


@pytest.mark.parametrize("text", ["", "nDCG@10", "ndcg@", "ndcg@0", "ndcg@-1", "ndcg@1.5", "ndcg@²", "@10"])
def test_what_is_no_measure_is_refused(text):
    with pytest.raises(ValueError, match=r"measure|depth"):
        parse_measure(text)


CASES = st.tuples(
    st.permutations("abcdefgh").flatmap(lambda order: st.integers(0, 8).map(lambda n: tuple(order[:n]))),
    st.dictionaries(st.sampled_from("abcdefghij"), st.integers(-1, 3), max_size=10),
    st.integers(1, 10) | st.none(),
)


def slow(measure: str, ranking: tuple[str, ...], gains: dict[str, int], k: int | None) -> float:
    """The definition, rank by rank, over a list padded to k with documents that nobody judged."""
    depth = k or len(ranking)
    places = [gains.get(document, 0) for document in ranking[:depth]] + [0] * max(0, depth - len(ranking))
    right = [gain > 0 for gain in places]
    relevant = len([gain for gain in gains.values() if gain > 0])
    if measure == "precision":
        return right.count(True) / depth if depth else 0
    if measure == "recall":
        return right.count(True) / relevant
    if measure == "hit":
        return float(True in right)
    if measure == "mrr":
        return 1 / (right.index(True) + 1) if True in right else 0
    if measure == "map":
        return sum(right[: i + 1].count(True) / (i + 1) for i in range(depth) if right[i]) / relevant
    worth = {-1: 0, 0: 0, 1: 1, 2: 2, 3: 3} if measure == "ndcg" else {-1: 0, 0: 0, 1: 1, 2: 3, 3: 7}
    best = sorted((worth[gain] for gain in gains.values()), reverse=True)[: k or len(gains)]
    dcg, ideal = (
        sum(worth_ / log2(i + 2) for i, worth_ in enumerate(each))
        for each in ([worth[gain] for gain in places], best)
    )
    return dcg / ideal


@given(CASES, st.sampled_from(RANKING_MEASURES))
def test_every_measure_equals_its_definition(case, measure):
    ranking, gains, k = case
    assume(any(gain > 0 for gain in gains.values()))
    value = MEASURES[measure](ranking, gains, k)
    assert value == pytest.approx(slow(measure, ranking, gains, k), abs=1e-12)
    assert 0 <= value <= 1
    assert measured(f"{measure}@{k}" if k else measure, ranking, gains) == value


@given(CASES, st.sampled_from(RANKING_MEASURES))
def test_the_ideal_order_of_all_judged_documents_is_never_beaten(case, measure):
    ranking, gains, k = case
    assume(any(gain > 0 for gain in gains.values()))
    ideal = sorted(gains, key=gains.__getitem__, reverse=True)
    if k is None and measure == "precision":
        k = 3
    assert MEASURES[measure](ranking, gains, k) <= MEASURES[measure](ideal, gains, k) + 1e-12


@given(CASES)
def test_with_gains_of_one_both_forms_of_ndcg_agree(case):
    ranking, gains, k = case
    flat = {document: min(gain, 1) for document, gain in gains.items()}
    first, second = ndcg(ranking, flat, k), ndcg(ranking, flat, k, gain="exponential")
    assert first == (second if second is None else pytest.approx(second))


def test_a_hit_is_any_relevant_document():
    assert hit("xa", {"a": 1, "b": 1}, 1) == 0
    assert hit("xa", {"a": 1, "b": 1}, 2) == 1
