import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.charts import Estimate, Forest, Ranked, RankRanges, forest, points, rank_ranges, raw
from bakeoff.charts.forest import layout
from bakeoff.charts.rank_ranges import layout as ranked

finite = st.floats(-1e6, 1e6)
estimates = st.builds(
    lambda ends: Estimate("n", ends[1], ends[0], ends[2]), st.tuples(finite, finite, finite).map(sorted)
)


@given(st.lists(estimates, min_size=1), st.one_of(st.none(), finite))
def test_every_interval_is_inside_and_holds_its_point(rows, reference):
    view = layout(Forest("t", tuple(rows), unit=raw, reference=reference))
    for row in view.rows:
        assert 0 <= row.place.low <= row.place.at <= row.place.high <= 100
    assert all(0 <= at <= 100 for at in view.axis.lines)


@given(st.lists(estimates, min_size=1))
def test_the_order_of_values_is_the_order_of_points(rows):
    view = layout(Forest("t", tuple(rows), unit=raw))
    pairs = sorted(zip((row.value for row in rows), (row.place.at for row in view.rows), strict=True))
    assert [at for _, at in pairs] == sorted(at for _, at in pairs)


def test_differences_are_symmetrical_about_the_line():
    rows = (Estimate("a", 0.1, 0.05, 0.15), Estimate("b", -0.1, -0.15, -0.05))
    view = layout(Forest("t", rows, unit=points, reference=0.0, sides=("worse", "better")))
    assert view.axis.lines == (50.0,)
    one, other = (row.place for row in view.rows)
    assert (one.low, one.high) == (100 - other.high, 100 - other.low)
    assert [word.text for word in view.axis.words] == ["← worse", "better →"]
    assert [row.value for row in view.rows] == ["+10.0 [+5.0, +15.0]", "−10.0 [−15.0, −5.0]"]


@pytest.mark.parametrize("value", [None, math.nan, math.inf])
def test_a_missing_value_keeps_its_row_and_has_no_drawing(value):
    markup = forest(Forest("t", (Estimate("gone", value), Estimate("there", 0.5))), "k")
    assert markup.count("<circle") == 1
    assert "gone" in markup
    assert ">–<" in markup


def test_without_an_interval_the_mark_is_hollow():
    markup = forest(Forest("t", (Estimate("a", 0.5, None, 0.6),)), "k")
    assert '<circle class="hollow"' in markup
    assert 'class="whisker"' not in markup


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (Forest("t", (Estimate("a", 0.5, 0.6, 0.4),)), "upside down"),
        (Forest("t", (), reference=math.nan), "finite"),
    ],
)
def test_a_forest_that_cannot_be_drawn_is_refused(data, complaint):
    with pytest.raises(ValueError, match=complaint):
        forest(data, "k")


@given(st.lists(st.tuples(st.integers(1, 300), st.integers(0, 300)), min_size=1))
def test_a_bar_covers_its_ranks_whole(pairs):
    rows = tuple(Ranked("n", best, best + more) for best, more in pairs)
    view = ranked(RankRanges("t", rows))
    last = max(row.worst for row in rows)
    for row, drawn in zip(rows, view.rows, strict=True):
        assert 0 <= drawn.place.low < drawn.place.high <= 100
        width = drawn.place.high - drawn.place.low
        assert width == pytest.approx(100 * (row.worst - row.best + 1) / last, abs=0.02)
    texts = [tick.text for tick in view.axis.ticks]
    assert texts[0] == "1"
    assert len(set(texts)) == len(texts)


def test_ranks_are_said_in_words():
    rows = (Ranked("a", 1, 3), Ranked("b", 12, 12), Ranked("c", None, None))
    assert [row.value for row in ranked(RankRanges("t", rows)).rows] == ["1–3", "12", "–"]


@pytest.mark.parametrize("ends", [(0, 1), (3, 2), (None, 2), (1, None)])
def test_ranks_that_are_none_are_refused(ends):
    with pytest.raises(ValueError, match="the best first"):
        rank_ranges(RankRanges("t", (Ranked("a", *ends),)), "k")
