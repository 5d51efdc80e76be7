"""Rates by a column, and differences that survive the correction for looking at many."""

import numpy as np
import pytest
from scipy.stats import hypergeom

from bakeoff.classification.cases import Case
from bakeoff.classification.decisions import Decisions
from bakeoff.classification.slices import slices
from bakeoff.errors import BakeoffError
from bakeoff.stats import clopper_pearson


def sliced(rows, column="meta.language", **options):
    """Slices of (value, positive, flagged)."""
    cases = [
        Case(
            f"q{i}", f"q{i}", "", "", "scored", metadata={"language": value, "a": {"b": value}}, text="x" * i
        )
        for i, (value, *_) in enumerate(rows)
    ]
    positive, flagged = (np.array([row[k] for row in rows], dtype=np.int64) for k in (1, 2))
    known = np.zeros(len(rows), dtype=bool)
    return slices(Decisions(tuple(cases), positive, flagged, None, known, None), column, **options)


def rows_of(table):
    """Rows from {value: (tp, fn, fp, tn)}."""
    kinds = ((1, 1), (1, 0), (0, 1), (0, 0))
    return [
        (value, *kind)
        for value, counts in table.items()
        for kind, n in zip(kinds, counts, strict=True)
        for _ in range(n)
    ]


def fisher(inside, n_inside, right, n):
    """The two-sided exact p, from the hypergeometric distribution."""
    chances = hypergeom(n, right, n_inside).pmf(np.arange(n_inside + 1))
    return chances[chances <= chances[inside] * (1 + 1e-7)].sum()


def test_each_slice_has_its_own_exact_rates_and_tests_against_the_rest():
    table = {"de": (8, 2, 1, 99), "en": (20, 0, 3, 97), "fr": (3, 9, 20, 80)}
    found = sliced(rows_of(table))
    assert [(each.value, each.items, each.positives) for each in found] == [
        ("de", 110, 10),
        ("en", 120, 20),
        ("fr", 112, 12),
    ]
    french = found[2]
    assert (french.recall.value, french.recall.interval) == (0.25, clopper_pearson(3, 12))
    assert (french.specificity.value, french.precision.value) == (0.8, 3 / 23)
    raw = [fisher(tp, tp + fn, 31, 42) for tp, fn, _, _ in table.values()]
    raw += [fisher(tn, fp + tn, 276, 300) for _, _, fp, tn in table.values()]
    # Holm, by hand: the k-th smallest of six is multiplied by what is left.
    order = np.argsort(raw)
    adjusted, worst = {}, 0.0
    for place, test in enumerate(order):
        worst = adjusted[test] = min(1.0, max(worst, raw[test] * (6 - place)))
    assert [each.recall_p for each in found] == pytest.approx([adjusted[k] for k in range(3)])
    assert [each.specificity_p for each in found] == pytest.approx([adjusted[k] for k in range(3, 6)])
    assert french.recall_p < 0.001


def test_two_slices_are_one_comparison():
    first, second = sliced(rows_of({"a": (9, 1, 5, 45), "b": (5, 5, 5, 45)}))
    p = fisher(9, 10, 14, 20)
    assert first.recall_p == second.recall_p == pytest.approx(2 * p)  # Holm over two tests, not four
    assert first.specificity_p == second.specificity_p == 1


def test_noise_is_rarely_called_a_difference():
    """Eight equal slices are sixteen tests: a false alarm in one of twenty data sets at most."""
    random, alarms = np.random.default_rng(0), 0
    for _ in range(80):
        rows = [(f"v{i % 8}", int(i % 5 == 0), int(random.random() < 0.5)) for i in range(400)]
        alarms += any(
            p is not None and p < 0.05 for each in sliced(rows) for p in (each.recall_p, each.specificity_p)
        )
    assert alarms <= 9  # 4 are expected at most; 10 or more would happen one time in a hundred


def test_slices_without_positives_have_no_recall_and_no_test_of_it():
    rows = rows_of({"a": (5, 5, 1, 9), "b": (0, 0, 2, 8), "c": (9, 1, 0, 10)})
    empty = sliced(rows)[1]
    assert (empty.positives, empty.recall, empty.recall_p) == (0, None, None)
    assert empty.specificity_p is not None
    (alone,) = sliced([("a", 1, 1), ("a", 0, 0)])
    assert (alone.recall_p, alone.specificity_p) == (None, None)


def test_numbers_are_in_their_order_and_many_are_split_at_quartiles():
    few = sliced([(value, 1, 1) for value in (10, 9, 100, None, 2.5)])
    assert [each.value for each in few] == ["2.5", "9", "10", "100", "(none)"]
    many = sliced([(value, value % 2, 1) for value in range(100)])
    assert [each.items for each in many] == [25, 25, 25, 25]
    assert many[0].value == "-∞ … < 24.75"
    assert sum(each.items for each in sliced([(0 if v < 90 else v, 1, 1) for v in range(120)])) == 120


def test_columns_are_found_by_any_of_their_names_and_missed_ones_told():
    rows = [("a", 1, 1), ("b", 0, 0)]
    by_name = [
        sliced(rows, column) for column in ("language", "meta.language", "metadata.language", "meta.a.b")
    ]
    assert by_name[0] == by_name[1] == by_name[2] == by_name[3]
    with pytest.raises(
        BakeoffError, match=r"no item has a value of 'meta.channel'\nthere are meta.a, meta.l"
    ):
        sliced(rows, "meta.channel")
    with pytest.raises(BakeoffError, match="30 different values"):
        sliced([(f"text {i}", 1, 1) for i in range(30)])


def test_the_length_of_the_text_is_a_column_of_every_run():
    found = sliced([("a", i % 2, 1) for i in range(100)], "length")
    assert [each.items for each in found] == [25, 25, 25, 25]
    assert found[0].value == "-∞ … < 24.75"
