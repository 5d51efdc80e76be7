import dataclasses
import json
from itertools import permutations

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from bakeoff.comparison.runs import compare, compared, comparisons
from bakeoff.errors import BakeoffError
from bakeoff.run import Result
from bakeoff.stats import clustered, clustered_difference, tango, wilson
from bakeoff.stats.pair.permutation import sign_flip
from bakeoff.stats.pair.power import items_needed, smallest_gap
from tests.comparison.making import aligned, items, rewritten, run
from tests.run.runs import run as recorded

# A over B by 20 items to 10, B over C by 20 others to 10, so A over C by 40 to 20.
CHAIN = [(0, 20, "A"), (20, 30, "BC"), (30, 50, "AB"), (50, 60, "C"), (60, 130, "ABC")]


def _chain(model):
    return [n for start, end, right in CHAIN for n in range(start, end) if model in right]


def _json(found):
    return orjson.dumps(dataclasses.asdict(found), default=str)


def _pair(found, second):
    return next(pair for pair in found.pairs if pair.second == second)


def test_the_published_table_of_a_paired_comparison(tmp_path):
    # Fagerland et al. 2013, airway hyper-responsiveness: (a, b, c, d) = (1, 1, 7, 12): mid-p .0391.
    first = run(tmp_path, "before", [0, *range(2, 9)], 21)
    second = run(tmp_path, "after", [0, 1], 21)
    found = compare([second, first])
    (pair,) = found.pairs
    assert (pair.first, pair.second) == ("before", "after")
    assert (pair.won, pair.lost, pair.tied, pair.n) == (1, 7, 13, 21)
    assert pair.difference == pytest.approx(-6 / 21)
    assert pair.p == pair.adjusted_p == pytest.approx(0.0391, abs=5e-5)
    assert (pair.interval.low, pair.interval.high) == pytest.approx((-0.517, -0.026), abs=5e-4)
    assert (pair.test, pair.verdict, pair.needed) == ("mcnemar-midp", "worse", 0)
    assert found.groups == (("before",), ("after",))
    assert [each.ranks for each in found.standings] == [(1, 1), (2, 2)]
    assert found.standings[0].score.interval == wilson(8, 21)
    # From the other side it is the same, the other way round.
    (other,) = compare([first, second], baseline="after").pairs
    assert (other.second, other.verdict, other.p) == ("before", "better", pair.p)
    assert (other.interval.low, other.interval.high) == pytest.approx((0.026, 0.517), abs=5e-4)


def test_neither_the_order_of_runs_nor_that_of_rows_changes_a_byte(tmp_path):
    asked = items(60, groups=20)
    runs = [
        run(tmp_path, m, [n for n in range(60) if (n * k) % 7 < 4], asked)
        for m, k in zip("abc", (1, 3, 5), strict=True)
    ]
    found = _json(compare(runs, margin=0.05))
    for order in permutations(runs):
        assert _json(compare(order, margin=0.05)) == found
    for folder in runs:
        rewritten(folder, "FROM samples ORDER BY hash(item_id)")
    assert _json(compare(runs, margin=0.05)) == found


def test_pairs_are_told_apart_one_by_one_and_never_chained(tmp_path):
    runs = [run(tmp_path, model, _chain(model), 130) for model in "ABC"]
    found = compare(runs)
    assert [each.label for each in found.standings] == ["A", "B", "C"]
    assert found.groups == (("A", "B"), ("B", "C"))
    assert (_pair(found, "B").verdict, _pair(found, "C").verdict) == ("cannot tell", "worse")
    # Holm over three pairs, by hand: the smallest p three times, the others twice the larger.
    assert found.family == 3
    assert _pair(found, "C").adjusted_p == pytest.approx(3 * _pair(found, "C").p)
    assert _pair(found, "B").adjusted_p == pytest.approx(2 * _pair(found, "B").p)
    assert _pair(found, "B").p == pytest.approx(2 * binom.cdf(10, 30, 0.5) - binom.pmf(10, 30, 0.5))
    against_b = compare(runs, baseline="B")
    assert against_b.family == 2
    assert _pair(against_b, "A").first == "B"
    assert _pair(against_b, "A").difference == pytest.approx(10 / 130)
    assert against_b.groups == found.groups


@pytest.mark.parametrize("groups", [0, 26], ids=["items alone", "items in groups"])
def test_a_third_model_does_not_change_what_is_said_of_two(tmp_path, groups):
    asked = items(130, groups)
    a, b, c = (run(tmp_path, model, _chain(model), asked) for model in "ABC")
    two, three = compare([a, c]), compare([a, b, c])
    kept = ("difference", "interval", "p", "test", "won", "lost", "tied", "n")
    for name in kept:
        assert getattr(_pair(two, "C"), name) == getattr(_pair(three, "C"), name), name


def test_right_everywhere_against_wrong_everywhere(tmp_path):
    found = compare([run(tmp_path, "right", range(10), 10), run(tmp_path, "wrong", [], 10)])
    (pair,) = found.pairs
    # The mid-p of 10 to 0 is 2⁻¹⁰; an interval is never without width.
    assert pair.p == pytest.approx(2**-10)
    assert (pair.difference, pair.verdict) == (-1, "worse")
    assert -1 == pair.interval.low < pair.interval.high < 0
    right, wrong = found.standings
    assert right.score.interval.low < 1
    assert wrong.score.interval.high == pytest.approx(0.2775, abs=5e-5)
    assert (right.ranks, wrong.ranks) == ((1, 1), (2, 2))


@pytest.mark.parametrize("right", [range(30), [], range(7)], ids=["all right", "all wrong", "the same"])
def test_models_that_agree_on_every_item_cannot_be_told_apart_and_share_their_ranks(tmp_path, right):
    found = compare([run(tmp_path, model, list(right)) for model in "ab"])
    (pair,) = found.pairs
    z2 = 1.959963984540054**2
    assert (pair.difference, pair.p, pair.verdict) == (0, 1, "cannot tell")
    assert pair.interval.high == pytest.approx(z2 / (30 + z2))
    assert (pair.needed, pair.resolves) == (None, None)
    assert [each.ranks for each in found.standings] == [(1, 2), (1, 2)]
    assert all(each.best for each in found.standings)
    assert found.groups == (("a", "b"),)
    assert (found.differing, found.items) == (0, ())
    # Within twenty points they are shown to be equivalent: Tango's interval at 90 % ends at 8.3 points.
    assert (
        compare([*found.standings[0].runs, *found.standings[1].runs], margin=0.2).pairs[0].verdict
        == "equivalent"
    )


def test_items_in_one_group_say_nothing_of_other_groups(tmp_path):
    asked = items(20, groups=1)
    found = compare([run(tmp_path, "a", range(20), asked), run(tmp_path, "b", [], asked)])
    (pair,) = found.pairs
    assert (pair.interval, pair.p, pair.adjusted_p, pair.verdict) == (None, None, None, "cannot tell")
    assert pair.note == "not estimable: all items are in one group"
    assert [each.ranks for each in found.standings] == [None, None]
    assert found.standings[0].score.interval is None
    assert found.standings[0].score.note == "not estimable: all items are in one group"
    assert found.clusters == 1


def test_one_item_is_no_evidence(tmp_path):
    (pair,) = compare([run(tmp_path, "a", [0], 1), run(tmp_path, "b", [], 1)]).pairs
    assert (pair.p, pair.verdict, pair.needed, pair.resolves) == (0.5, "cannot tell", None, None)


def test_groups_of_items_are_what_is_resampled(tmp_path):
    asked = items(60, groups=20)
    right = {
        "a": [n for n in range(60) if n % 20 < 12],
        "b": [n for n in range(60) if n % 20 < 8 or n % 7 == 0],
    }
    runs = [run(tmp_path, model, right[model], asked) for model in "ab"]
    (pair,) = compare(runs).pairs
    order = sorted(range(60), key=str)
    differences = [float(n in right["b"]) - float(n in right["a"]) for n in order]
    groups = [n % 20 for n in order]
    assert pair.interval == clustered_difference(differences, groups)
    assert pair.test == "sign-flip of groups"
    assert pair.p == pytest.approx(sign_flip(differences, groups), abs=0.02)
    standing = compare(runs).standings[0]
    assert standing.score.interval == clustered([float(n in right["a"]) for n in order], groups)
    assert standing.score.clusters == compare(runs).clusters == 20


def test_a_score_over_shared_items_stands_beside_that_over_all(tmp_path):
    found = compare([run(tmp_path, "a", range(25)), run(tmp_path, "b", range(10), limit=20)])
    a = found.standings[0]
    assert (a.score.n, a.score.value) == (20, 1.0)
    assert (a.own.n, a.own.value) == (30, pytest.approx(25 / 30))
    assert found.left_out == {"not in every run": 10}
    assert a.counts["total"] == 30
    b = found.standings[1]
    assert b.own == b.score


def test_variants_are_averaged_and_their_share_of_the_uncertainty_shown(tmp_path):
    runs = [
        run(tmp_path, model, range(start, start + right), variant=variant)
        for model, start, right in (("a", 0, 20), ("b", 4, 12))
        for variant in ("default", "terse")
    ]
    runs[1] = run(tmp_path, "a", range(10), variant="terse")
    found = compare(runs)
    assert found.variants == ("default", "terse")
    assert [(each.label, each.score.value) for each in found.standings] == [("a", 0.5), ("b", 0.4)]
    assert found.standings[0].counts["total"] == 60
    assert len(found.standings[0].runs) == 2
    (pair,) = found.pairs
    assert pair.test == "sign-flip"
    by_hand = [(4 <= n < 16) - ((n < 20) + (n < 10)) / 2 for n in range(30)]
    assert pair.difference == pytest.approx(np.mean(by_hand))
    assert (pair.won, pair.lost, pair.tied) == (
        sum(d > 0 for d in by_hand),
        sum(d < 0 for d in by_hand),
        sum(d == 0 for d in by_hand),
    )
    a, b = found.splits
    assert a.items + a.variants + a.interaction == pytest.approx(1)
    assert a.repeats is None
    assert a.variants > 0
    assert b.variants == 0  # the same items with both prompts


def test_repeats_are_averaged_and_their_share_of_the_uncertainty_shown(tmp_path):
    runs = [
        run(tmp_path, "a", [list(range(20)), list(range(10)), list(range(5, 20))]),
        run(tmp_path, "b", [list(range(8))] * 3),
    ]
    found = compare(runs)
    a, b = found.standings
    assert a.score.value == pytest.approx(45 / 90)
    assert (a.repeats, b.repeats) == ((3, 3), (3, 3))
    assert (a.score.n, a.counts["total"]) == (30, 90)
    split, same = found.splits
    assert split.items + split.repeats == pytest.approx(1)
    assert split.variants is split.interaction is None
    assert 0 < split.repeats < 1
    assert same.repeats == 0


def test_what_the_power_lines_say_is_the_formula(tmp_path):
    found = compare([run(tmp_path, model, _chain(model), 130) for model in "ABC"])
    pair = _pair(found, "B")
    # 20 to 10 of 130: variance of the difference 30/130 - (10/130)², about, for three comparisons.
    variance = 30 / 130 - (10 / 130) ** 2
    exact = {"design_effect": 130 / 129, "comparisons": 3}
    assert pair.needed == items_needed(10 / 130, variance, **exact) - 130
    assert pair.resolves == pytest.approx(smallest_gap(130, variance, **exact))
    assert _pair(found, "C").needed == 0


def test_a_margin_makes_models_equivalent_or_a_difference_small(tmp_path):
    close = [*range(3, 400), 400]
    runs = [run(tmp_path, "a", range(400), 500), run(tmp_path, "b", close, 500)]
    assert compare(runs).pairs[0].verdict == "cannot tell"
    assert compare(runs, margin=0.03).pairs[0].verdict == "equivalent"
    assert compare(runs, margin=0.03).pairs[0].needed == 0
    assert compare(runs, margin=0.005).pairs[0].verdict == "cannot tell"
    worse = run(tmp_path, "c", range(10, 400), 500)
    pair = compare([runs[0], worse], margin=0.05).pairs[0]
    assert (pair.verdict, pair.note) == ("worse", "by less than 5 points")


def test_of_many_pairs_one_small_p_alone_is_no_verdict():
    # The leader has 115 of 200 right where each other has 90 right or so, on items of its own.
    random = np.random.default_rng(0)
    scores = {f"m{k}": (random.permutation(200) < (115 if k == 0 else 90)).astype(float) for k in range(12)}
    found = compared(aligned(scores))
    assert min(pair.p for pair in found.pairs) < 0.05
    assert {pair.verdict for pair in found.pairs} == {"cannot tell"}
    notes = {pair.note for pair in found.pairs if not pair.interval.low <= 0 <= pair.interval.high}
    assert notes == {"the interval is of this pair alone; among all pairs the difference can be chance"}
    assert found.groups == (tuple(each.label for each in found.standings),)


def test_the_most_divided_items_come_first_and_both_sides_take_turns(tmp_path):
    right = {"a": range(10), "b": [0, *range(5, 14)], "c": [0, 6, 7, 20]}
    found = compare([run(tmp_path, model, list(right[model])) for model in "abc"], items=100)
    assert found.differing == len(found.items) == 12
    assert set(found.items[0].values) == {"a", "b", "c"}
    spreads = [np.var(list(item.values.values())) for item in found.items]
    assert spreads == sorted(spreads, reverse=True)
    two = compare([run(tmp_path, "d", range(10)), run(tmp_path, "e", range(6, 30))], items=4)
    assert [item.values for item in two.items] == [{"e": 0, "d": 1}, {"e": 1, "d": 0}] * 2
    assert two.differing == 26


def test_a_baseline_is_a_label_a_model_a_run_or_a_result(tmp_path):
    a, b = run(tmp_path, "a", range(9)), run(tmp_path, "b", range(7))
    named = ("b", b, str(b), Result(b), b.name, b.name.rsplit("-", 1)[-1])
    found = {_json(compare([a, b], baseline=each)) for each in named}
    assert len(found) == 1
    assert json.loads(found.pop())["baseline"] == "b"
    assert _json(compare([a], baseline=b)) == _json(compare([a, b], baseline=b))
    with pytest.raises(BakeoffError, match="baseline 'c'") as refused:
        compare([a, b], baseline="c")
    assert "a, b" in refused.value.hint


def test_runs_of_several_tasks_are_compared_task_by_task(tmp_path):
    runs = [run(tmp_path, model, range(9), name=name) for name in ("two", "one") for model in "ab"]
    found = comparisons(runs, baseline=runs[0])
    assert [(each.task, each.baseline) for each in found] == [("one", "a"), ("two", "a")]
    with pytest.raises(BakeoffError, match="2 tasks: one, two"):
        compare(runs)
    with pytest.raises(BakeoffError, match="got 1 of two"):
        comparisons(runs[1:])


def test_runs_of_differently_named_tasks_are_compared_across_and_say_so(tmp_path):
    runs = [run(tmp_path, "m", range(right), name=name) for name, right in (("old", 9), ("new", 12))]
    found = compare(runs, across=True)
    assert found.task == "new / old"
    assert [each.label for each in found.standings] == ["m (task new)", "m (task old)"]
    assert found.notes


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        ({"level": 95}, "level"),
        ({"level": 0}, "level"),
        ({"margin": 0}, "margin"),
        ({"margin": 2}, "margin"),
        ({"margin": 0.1, "level": 0.4}, "equivalence"),
        ({"items": -1}, "items"),
    ],
)
def test_numbers_out_of_range_are_refused(tmp_path, chosen, says):
    with pytest.raises(BakeoffError, match=says):
        compare([tmp_path], **chosen)


SCORES = st.integers(1, 12).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=n, max_size=n), min_size=2, max_size=5
    )
)


@settings(max_examples=60)
@given(SCORES, st.booleans(), st.sampled_from([None, 0.05, 0.3]))
def test_every_comparison_hangs_together(scores, grouped, margin):
    labels = [f"m{k}" for k in range(len(scores))]
    groups = [f"g{i // 2}" for i in range(len(scores[0]))] if grouped else None
    found = compared(aligned(dict(zip(labels, scores, strict=True)), groups), margin=margin)
    values = [each.score.value for each in found.standings]
    assert values == sorted(values, reverse=True)
    assert len(found.pairs) == len(labels) - 1
    for pair in found.pairs:
        assert pair.won + pair.lost + pair.tied == pair.n == found.n
        if pair.interval is not None:
            assert pair.interval.low <= pair.difference + 1e-12
            assert pair.difference - 1e-12 <= pair.interval.high
            assert pair.interval.low < pair.interval.high
        if pair.verdict in ("better", "worse"):
            assert pair.adjusted_p <= 0.05
            assert (pair.interval.low > 0) == (pair.verdict == "better")
        if pair.p is not None:
            assert 0 < pair.p <= pair.adjusted_p <= 1
        apart = not any({pair.first, pair.second} <= set(group) for group in found.groups)
        assert apart == (pair.verdict in ("better", "worse"))
    for each in found.standings:
        if each.ranks is not None:
            assert 1 <= each.ranks[0] <= each.ranks[1] <= len(labels)


@settings(max_examples=40)
@given(SCORES, st.randoms(use_true_random=False))
def test_the_order_of_items_changes_nothing_but_the_ids(scores, random):
    order = list(range(len(scores[0])))
    random.shuffle(order)
    labels = [f"m{k}" for k in range(len(scores))]
    found = compared(aligned(dict(zip(labels, scores, strict=True))), items=0)
    shuffled = [[row[i] for i in order] for row in scores]
    other = compared(aligned(dict(zip(labels, shuffled, strict=True))), items=0)
    assert found.groups == other.groups
    for one, two in zip(found.pairs, other.pairs, strict=True):
        assert (one.first, one.second, one.verdict, one.won, one.lost) == (
            two.first,
            two.second,
            two.verdict,
            two.won,
            two.lost,
        )
        assert one.p == pytest.approx(two.p)
        assert (one.interval.low, one.interval.high) == pytest.approx((two.interval.low, two.interval.high))
    assert tango(1, 0, len(order)) == tango(1, 0, len(order))


@pytest.mark.slow
def test_ten_equal_models_may_all_be_first():
    # At 95 % in at least 95 % of boards; 4 standard errors of 300 boards are 5 points.
    rng = np.random.default_rng(0)
    shared = 0
    for _ in range(300):
        hard = rng.normal(size=200)  # the same items are hard for all
        scores = (rng.normal(size=(10, 200)) + hard > 0).astype(float)
        found = compared(aligned({f"m{k}": row.tolist() for k, row in enumerate(scores)}), items=0)
        shared += all(each.ranks == (1, 10) for each in found.standings)
    assert shared / 300 >= 0.90


def test_the_leaders_score_is_corrected_downwards_for_having_been_picked():
    rng = np.random.default_rng(1)
    scores = {f"m{k}": (rng.random(100) < 0.6).astype(float).tolist() for k in range(8)}
    found = compared(aligned(scores), items=0)
    assert found.first.value < found.standings[0].score.value
    assert found.first.interval.low < found.first.value < found.first.interval.high
    assert 0 <= found.first.interval.low <= found.first.interval.high <= 1
    assert compared(aligned(scores), baseline="m0", items=0).first is None


def test_a_run_that_stopped_when_it_was_decided_is_named(tmp_path):
    rows = [{"id": str(n), "input": f"{n} + 1 =", "target": n + 1} for n in range(60)]
    for name in ("weak", "strong"):
        (tmp_path / name).mkdir()
    weak = recorded(tmp_path / "weak", rows, {str(n): "0" for n in range(60)})
    strong = recorded(
        tmp_path / "strong", rows, {str(n): str(n + 1) for n in range(60)}, until_decided=weak.folder
    )
    assert strong.manifest.counts["total"] < 60
    found = compare([weak, strong])
    assert any("stopped when it was decided" in note for note in found.notes)
