import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.arena.policy.shares import exposure, gini

PROVIDERS = {"a": "P", "b": "P", "c": "Q"}
LICENCES = {"a": "proprietary", "b": "proprietary", "c": "open_weights", "d": "open_weights"}


def test_a_worked_example_of_two_days():
    # Day 1: a and b alone, though c could be shown; day 2: all three, and d, whose provider nobody knows.
    shown = [(1, "a", 60), (1, "b", 60), (2, "a", 20), (2, "b", 20), (2, "c", 20), (2, "d", 20)]
    found = exposure(shown, {1: ["a", "b", "c"], 2: ["a", "b", "c"]}, PROVIDERS, LICENCES)
    assert found.appearances == 200
    by = {each.name: each for each in found.models}
    assert (by["a"].appearances, by["a"].share, by["a"].most, by["a"].most_day) == (80, 0.4, 0.5, 1)
    assert by["a"].fair == pytest.approx((120 / 3 + 80 / 4) / 200)
    assert (by["c"].share, by["c"].fair, by["c"].ratio) == pytest.approx((0.1, 0.3, 1 / 3))
    assert by["d"].ratio == pytest.approx(1.0)  # shown once a day of four it was there
    (p, q, unknown) = found.providers
    assert ([each.name for each in found.providers], p.share, p.fair) == (["P", "Q", "unknown"], 0.8, 0.6)
    assert (q.ratio, unknown.ratio) == pytest.approx((1 / 3, 1.0))
    (closed, opened) = found.licences
    assert (closed.name, closed.share, closed.most, opened.share, opened.fair) == pytest.approx(
        ("proprietary", 0.8, 1.0, 0.2, 0.4)
    )


def test_who_was_never_shown_though_it_could_be_has_a_share_of_nothing():
    found = exposure([(1, "a", 9), (1, "b", 9)], {1: ["a", "b", "c"]}, PROVIDERS, LICENCES)
    last = found.models[-1]
    assert (last.name, last.appearances, last.share, last.ratio, last.most) == ("c", 0, 0.0, 0.0, 0.0)
    assert last.fair == pytest.approx(1 / 3)


def test_nothing_shown_is_no_share_of_anything():
    found = exposure([], {}, {}, {})
    assert (found.appearances, found.models, found.gini) == (0, (), 0.0)


counts = st.lists(st.tuples(st.integers(0, 5), st.sampled_from("abcdef"), st.integers(1, 50)), min_size=1)
able = st.dictionaries(st.integers(0, 5), st.sets(st.sampled_from("abcdefgh")))


@given(counts, able)
def test_shares_and_fair_shares_add_up_whatever_the_groups(shown, could_be):
    found = exposure(shown, could_be, PROVIDERS, LICENCES)
    for group in (found.models, found.providers, found.licences):
        assert sum(each.share for each in group) == pytest.approx(1)
        assert sum(each.fair for each in group) == pytest.approx(1)
        assert sum(each.appearances for each in group) == found.appearances
        assert all(each.most >= each.share - 1e-12 for each in group if len({day for day, *_ in shown}) == 1)
    assert exposure(reversed(shown), could_be, PROVIDERS, LICENCES) == found


@given(st.integers(2, 9), st.integers(1, 9))
def test_who_is_shown_alike_has_just_its_fair_share(models, days):
    shown = [(day, f"m{number}", 7) for day in range(days) for number in range(models)]
    found = exposure(shown, {}, {}, {})
    assert [each.ratio for each in found.models] == pytest.approx([1.0] * models)
    assert found.gini == pytest.approx(0)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], 0),
        ([0, 0], 0),
        ([3], 0),
        ([1, 1, 1], 0),
        ([0, 1], 0.5),
        ([0, 0, 0, 1], 0.75),
        ([1, 2, 3, 4], 0.25),
    ],
)
def test_gini_has_the_values_of_the_textbook(values, expected):
    assert gini(values) == pytest.approx(expected)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=12))
def test_gini_is_half_the_mean_difference_over_the_mean(values):
    total, n = sum(values), len(values)
    differences = sum(abs(one - other) for one in values for other in values)
    assert gini(values) == pytest.approx(differences / (2 * n * total) if total else 0, abs=1e-9)


@pytest.mark.parametrize("values", [[-1.0, 2.0], [float("nan"), 1.0]])
def test_gini_of_what_is_no_count_is_refused(values):
    with pytest.raises(ValueError, match="0 and above"):
        gini(values)
