import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.cli.whiskers import ASCII, UNICODE, axis, scale, whisker

SHARES = st.floats(0, 1)


@given(st.lists(SHARES, min_size=1, max_size=8), st.none() | SHARES, st.integers(20, 100))
def test_a_scale_holds_every_score_and_ends_on_ticks(values, chance, width):
    on = scale(values, chance, width)
    assert all(value in on for value in values)
    assert all(0 <= on.column(value) < width for value in values)
    assert (on.column(on.low), on.column(on.high)) == (0, width - 1)
    assert on.ticks[-1] == pytest.approx(on.high)
    # Chance far away would squeeze the scores into a corner.
    if chance is not None and chance not in on:
        spread = max(max(values) - min(values), 0.05)
        assert max(*values, chance) - min(*values, chance) > 3 * spread


@given(SHARES, SHARES, SHARES, st.integers(20, 100))
def test_a_whisker_begins_and_ends_at_its_limits_with_the_score_on_it(a, b, c, width):
    low, value, high = sorted((a, b, c))
    on = scale([low, value, high], None, width)
    line = whisker(value, (low, high), on, UNICODE, None)
    assert line[on.column(value)] == "●"
    assert len(line) == on.column(high) + 1
    assert set(line[: on.column(low)]) <= {" "}
    assert set(line[on.column(low) :]) <= set("├─┤●")


def test_chance_is_marked_behind_the_whisker():
    on = scale([0.2, 0.8], 0.25, 61)
    assert (on.low, on.high) == pytest.approx((0.2, 0.8))
    assert whisker(0.6, (0.5, 0.7), on, UNICODE, 0.25)[5] == "┊"
    covered = whisker(0.3, (0.2, 0.4), on, UNICODE, 0.25)
    assert covered == "├─────────●─────────┤"
    assert whisker(0.8, None, on, ASCII, 0.25) == " " * 5 + ":" + " " * 54 + "o"


@given(st.lists(SHARES, min_size=1, max_size=5), st.integers(20, 100))
def test_the_labels_of_the_axis_never_run_together(values, width):
    on = scale(values, None, width)
    line = axis(on)
    labels = line.removesuffix(" %").split()
    assert len(line) <= width + 2
    assert set(labels) <= {f"{100 * tick:.0f}" for tick in on.ticks}
    assert labels == sorted(labels, key=float)
    assert len(labels) >= 2
