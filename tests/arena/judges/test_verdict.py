import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.judges.both_orders import as_votes, both_orders
from bakeoff.arena.judges.verdict import WINNERS, Verdict, verdicts_of
from bakeoff.arena.votes.rating import rated_battles
from bakeoff.errors import BakeoffError

OTHER = {"first": "second", "second": "first", "tie": "tie", None: None}


def verdict(**changed):
    return Verdict(**({"item": "1", "judge": "j", "first": "a", "second": "b", "winner": "first"} | changed))


def twice(in_given, in_swapped, item="1", judge="j"):
    return [
        verdict(item=item, judge=judge, winner=in_given),
        verdict(item=item, judge=judge, first="b", second="a", winner=in_swapped),
    ]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"item": ""}, "item is empty"),
        ({"judge": ""}, "judge is empty"),
        ({"second": "a"}, "no pair"),
        ({"winner": "a"}, "winner is one of"),
        ({"gold": "left"}, "gold is one of"),
        ({"lengths": (1.0, -1.0)}, "lengths"),
        ({"lengths": (1.0, float("nan"))}, "lengths"),
        ({"time": -1}, "time"),
    ],
)
def test_what_cannot_be_is_refused_by_name(changed, said):
    with pytest.raises(ValueError, match=said):
        verdict(**changed)


# What a is worth by the judge's word when a is read first, and when it is read second.
@pytest.mark.parametrize(
    ("in_given", "in_swapped", "points", "count"),
    [
        ("first", "second", 1.0, "decided"),
        ("second", "first", 0.0, "decided"),
        ("tie", "tie", 0.5, "tied"),
        ("first", "first", 0.5, "contradicted"),
        ("second", "second", 0.5, "contradicted"),
        ("first", "tie", 0.5, "half_tied"),
        ("tie", "first", 0.5, "half_tied"),
        (None, "first", None, "unread"),
        ("tie", None, None, "unread"),
        (None, None, None, "unread"),
    ],
)
def test_two_orders_are_one_vote(in_given, in_swapped, points, count):
    both = both_orders(verdicts_of(twice(in_given, in_swapped)))
    assert both.points.tolist() == ([] if points is None else [points])
    assert getattr(both.counts, count) == both.counts.pairs == 1
    assert both.counts.votes == len(both)


def test_one_order_alone_is_no_vote_and_a_repeat_is_not_another():
    alone = verdict(item="2")
    again = verdict(time=1, winner="tie")
    both = both_orders(verdicts_of([*twice("first", "second"), alone, again]))
    assert (both.counts.pairs, both.counts.decided, both.counts.one_order, both.counts.repeats) == (
        2,
        1,
        1,
        1,
    )


def test_a_verdict_that_is_there_twice_is_refused():
    with pytest.raises(BakeoffError, match="j has two verdicts on a and b for item '1'"):
        both_orders(verdicts_of([verdict(), verdict(winner="tie")]))


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ({"gold": "first"}, {"gold": "first"}, "gold"),
        ({"lengths": (1.0, 2.0)}, {"lengths": (1.0, 2.0)}, "lengths"),
    ],
)
def test_two_orders_of_different_answers_are_refused(one, other, name):
    swapped = verdict(first="b", second="a", **other)
    with pytest.raises(BakeoffError, match=f"different {name}"):
        both_orders(verdicts_of([verdict(**one), swapped]))


def test_gold_and_lengths_go_with_the_model_and_may_be_known_in_one_order_only():
    rows = [verdict(), verdict(first="b", second="a", winner="tie", gold="first", lengths=(7.0, 3.0))]
    both = both_orders(verdicts_of(rows))
    assert both.gold.tolist() == [0.0]
    assert both.length.tolist() == [[3.0, 7.0]]


def _asked(row):
    item, judge, names, *_ = row
    return item, judge, frozenset(names)


def pairs(in_order, min_size=0):
    """Verdicts on pairs; `in_order` draws what was said in an order, "unasked" where it was not."""
    names = st.sampled_from([("a", "b"), ("a", "c"), ("b", "c"), ("b", "a")])
    row = st.tuples(st.sampled_from("xy"), st.sampled_from("ij"), names, in_order, in_order)
    rows = st.lists(row, min_size=min_size, max_size=15, unique_by=_asked)
    return rows.map(
        lambda rows: [
            Verdict(item, judge, *shown, winner)
            for item, judge, names, one, other in rows
            for shown, winner in ((names, one), (names[::-1], other))
            if winner != "unasked"
        ]
    )


VERDICTS = pairs(st.sampled_from([*WINNERS, None, "unasked"]))
VOTES = pairs(st.sampled_from(WINNERS), min_size=1)


@given(VERDICTS)
def test_every_pair_is_counted_once(rows):
    counts = both_orders(verdicts_of(rows)).counts
    assert counts.pairs == len({(row.item, row.judge, frozenset((row.first, row.second))) for row in rows})
    assert counts.votes + counts.one_order + counts.unread == counts.pairs


@given(VERDICTS, st.randoms())
def test_the_order_of_rows_changes_nothing(rows, random):
    shuffled = random.sample(rows, len(rows))
    one, other = both_orders(verdicts_of(rows)), both_orders(verdicts_of(shuffled))
    assert one.counts == other.counts
    for name in ("a", "b", "shown", "items"):
        assert np.array_equal(getattr(one, name), getattr(other, name))


@given(VERDICTS)
def test_reading_every_pair_the_other_way_round_changes_no_vote(rows):
    turned = [Verdict(row.item, row.judge, row.second, row.first, OTHER[row.winner]) for row in rows]
    one, other = both_orders(verdicts_of(rows)), both_orders(verdicts_of(turned))
    assert one.counts == other.counts
    assert one.points.tolist() == other.points.tolist()


@given(VOTES)
def test_votes_of_judges_are_rated_as_those_of_people_are(rows):
    both = both_orders(verdicts_of(rows))
    votes = as_votes(both)
    as_people, directly = rated_battles(votes), both.battles
    named = [
        [(models[a], models[b], o) for a, b, o in zip(each.first, each.second, each.outcome, strict=True)]
        for models, each in ((votes.models, as_people), (both.models, directly))
    ]
    assert named[0] == named[1]
    assert len(set(votes.voter.tolist())) == len(both.judge.counts())


def test_the_verdicts_of_a_judge_that_gave_none_are_an_error():
    with pytest.raises(BakeoffError, match="no verdict by 'k'"):
        verdicts_of([verdict()]).by("k")
