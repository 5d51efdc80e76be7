import pytest

from bakeoff.arena.judges.bias import biases
from bakeoff.arena.judges.both_orders import both_orders
from bakeoff.arena.judges.consistency import first_picks, repeat_stability, swap_consistency, unread_share
from bakeoff.arena.judges.family import family_bias
from bakeoff.arena.judges.length import length_bias
from bakeoff.arena.judges.verdict import Verdict, verdicts_of
from bakeoff.errors import BakeoffError
from tests.arena.judges.making import FAMILIES, judged


def pair(item, in_given, in_swapped, judge="j", a="a", b="b", lengths=(10.0, 20.0), better=None):
    turned = {"first": "second", "second": "first", None: None}
    return [
        Verdict(item, judge, a, b, in_given, lengths, better),
        Verdict(item, judge, b, a, in_swapped, lengths[::-1], turned[better]),
    ]


def test_consistency_and_first_picks_of_a_table_counted_by_hand():
    rows = [
        *pair("1", "first", "second"),  # both for a
        *pair("2", "first", "first"),  # both for the one read first
        *pair("3", "second", "second"),
        *pair("4", "first", "first"),
        *pair("5", "tie", "first"),  # one pick
        *pair("6", "tie", "tie"),
        *pair("7", None, "first"),  # no vote
    ]
    verdicts = verdicts_of(rows)
    both = both_orders(verdicts)
    consistent, first, unread = swap_consistency(both), first_picks(both), unread_share(verdicts)
    assert (consistent.value, consistent.n, consistent.items) == (pytest.approx(2 / 6), 6, 6)
    assert (first.value, first.n, first.items) == (pytest.approx(6 / 9), 9, 5)
    assert (unread.value, unread.n) == (pytest.approx(1 / 14), 14)


def test_stability_is_the_share_of_equal_pairs_of_repeats():
    said = {"1": ["first", "first", "tie"], "2": ["second", "second"], "3": ["first"], "4": ["tie", None]}
    rows = [
        Verdict(item, "j", "a", "b", winner, time=time)
        for item, winners in said.items()
        for time, winner in enumerate(winners)
    ]
    found = repeat_stability(verdicts_of(rows))
    assert (found.value, found.n) == (pytest.approx((1 / 3 + 1) / 2), 2)
    assert repeat_stability(verdicts_of(rows[:1])).value is None


def test_length_bias_of_a_table_counted_by_hand():
    longer_better = [
        *pair("1", "second", "first", better="second"),
        *pair("2", "second", "first", better="second"),
    ]
    shorter_better = [
        *pair("3", "first", "second", better="first"),
        *pair("4", "second", "first", better="first"),  # wrong, for the longer one
        *pair("5", "first", "first", better="first"),  # half right
    ]
    neither = [*pair("6", "first", "second", lengths=(5.0, 5.0)), *pair("7", "first", "second")]
    found = length_bias(both_orders(verdicts_of([*longer_better, *shorter_better, *neither])))
    assert found.longer.value == pytest.approx((1 + 1 + 0 + 1 + 0.5 + 0) / 6)
    assert found.gold_longer.value == pytest.approx(2 / 5)
    assert found.excess.value == pytest.approx(3.5 / 5 - 2 / 5)
    assert found.bias.value == pytest.approx(1 - 1.5 / 3)
    assert (found.left_out, found.without_gold) == (1, 1)


def test_family_bias_of_a_table_counted_by_hand():
    families = {"a": "f", "b": "g", "c": "h", "own": "f", "one": "x", "of g": "g"}
    rows = [
        *pair("1", "first", "second", judge="own"),  # a wins, and loses by the other judge
        *pair("1", "second", "first", judge="one"),
        *pair("1", "second", "first", judge="of g"),  # of an answer's family: not heard
        *pair("2", "first", "second", judge="own"),
        *pair("2", "first", "second", judge="one"),
        *pair("3", "first", "second", judge="own"),  # nobody else
        *pair("4", "first", "second", judge="own", a="a", b="d"),  # d is of a family that nobody named
        *pair("5", "first", "second", judge="own", a="b", b="c"),
        *pair("5", "first", "second", judge="one", a="b", b="c"),
    ]
    found = family_bias(both_orders(verdicts_of(rows)), "own", families)
    assert (found.own, found.others, found.scale) == (1.0, 0.5, None)
    assert found.bias.value == pytest.approx(0.5)
    assert (found.pairs, found.controls, found.alone, found.unknown) == (2, 1, 1, 1)


def test_a_judge_without_a_family_is_an_error_and_one_alone_is_compared_with_nobody():
    both = both_orders(verdicts_of(pair("1", "first", "second")))
    with pytest.raises(BakeoffError, match="family of judge 'j' is not named"):
        family_bias(both, "j", {"a": "f"})
    found = family_bias(both, "j", {"a": "f", "b": "g", "j": "f"})
    assert (found.own, found.bias.value, found.alone) == (None, None, 1)


def test_planted_biases_are_found_with_their_size():
    found = biases(judged(0, 400, favour=0.1, first=0.08, longer=0.06), FAMILIES)
    own = found["own"]
    assert own.family.bias.interval.low < 0.1 < own.family.bias.interval.high
    assert own.family.bias.found(0)
    # The share of first picks is 1/2 + the lean.
    assert own.first.interval.low < 0.58 < own.first.interval.high
    assert own.first.found(0.5)
    # Right with the longer one by .06 more and with the shorter one by .06 less.
    assert own.length.bias.interval.low < 0.12 < own.length.bias.interval.high
    assert own.length.bias.found(0)
    assert not any(found[judge].family.bias.found(0) for judge in ("one", "two"))


def test_what_a_judge_that_errs_more_departs_from_the_others_is_not_taken_for_modesty():
    noisy = both_orders(judged(1, 600, right={"own": 0.1, "one": 0.45, "two": 0.45}))
    found = family_bias(noisy, "own", FAMILIES)
    assert found.own < found.others - 0.2
    assert found.scale == pytest.approx(0.1 / 0.45, abs=0.15)
    assert abs(found.bias.value) < 0.06


def test_the_names_of_models_have_no_influence():
    verdicts = judged(2, 40, favour=0.1)
    renamed = {name: f"z{9 - k}" for k, name in enumerate(verdicts.models)}
    rows = [
        Verdict(
            verdicts.item[k],
            verdicts.judge[k],
            renamed[verdicts.models[verdicts.first[k]]],
            renamed[verdicts.models[verdicts.second[k]]],
            ("first", "second")[verdicts.winner[k]],
            tuple(verdicts.length[k]),
            ("first", "second")[verdicts.gold[k]],
        )
        for k in range(len(verdicts))
    ]
    families = FAMILIES | {new: FAMILIES[old] for old, new in renamed.items()}
    one, other = biases(verdicts, FAMILIES)["own"], biases(verdicts_of(rows), families)["own"]
    assert one.family.bias.value == pytest.approx(other.family.bias.value)
    assert one.family.bias.interval.high == pytest.approx(other.family.bias.interval.high)
    assert one.length.bias.interval.high == pytest.approx(other.length.bias.interval.high)
    assert (one.counts, one.consistency, one.first.value) == (
        other.counts,
        other.consistency,
        other.first.value,
    )
