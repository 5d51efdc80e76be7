import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.charts.labels import WIDE, WIDEST, Box, Wanted, apart, place
from bakeoff.charts.scale import NARROWEST

HEIGHT = 300
positions = st.floats(0, 100).map(lambda x: round(x, 2))
wanted = st.builds(Wanted, positions, st.floats(0, HEIGHT), st.text(min_size=1, max_size=30), st.floats(3, 8))


def at(box: Box, plot: float) -> tuple[float, float, float, float]:
    return box.at * plot / 100 + box.left, box.at * plot / 100 + box.right, box.top, box.bottom


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    slack = 1e-6
    return (
        one[0] < other[1] - slack
        and other[0] < one[1] - slack
        and one[2] < other[3] - slack
        and other[2] < one[3] - slack
    )


@given(st.lists(wanted, max_size=25), st.floats(NARROWEST, WIDEST))
def test_names_never_overlap_nor_hide_marks_nor_leave_the_plot_at_any_width(asked, plot):
    marks = [Box(each.at, -each.r, each.r, each.y - each.r, each.y + each.r) for each in asked]
    labels = [label for label in place(asked, marks, HEIGHT) if plot >= WIDE or not label.wide]
    boxes = [at(label.box, plot) for label in labels]
    for index, box in enumerate(boxes):
        assert not any(overlap(box, other) for other in boxes[:index])
        assert not any(overlap(box, at(mark, plot)) for mark in marks)
        assert box[0] >= -1e-6
        assert box[1] <= plot + 1e-6
        assert box[2] >= 0
        assert box[3] <= HEIGHT


@given(st.tuples(*[st.builds(Box, positions, *[st.floats(-80, 80)] * 2, st.just(0.0), st.just(1.0))] * 2))
def test_boxes_apart_at_both_ends_are_apart_between(pair):
    one, other = (Box(b.at, min(b.left, b.right), max(b.left, b.right), 0, 1) for b in pair)
    if apart(one, other, NARROWEST):
        for plot in (NARROWEST, 333.0, 620.0, 1111.0, WIDEST):
            assert not overlap(at(one, plot), at(other, plot))


def test_a_name_alone_stands_above_and_left_of_its_mark():
    (label,) = place([Wanted(60.0, 150.0, "Aurora")], [], HEIGHT)
    assert (label.anchor, label.wide, label.name) == ("end", False, "Aurora")
    assert label.box.bottom < 150


def test_names_that_only_a_wide_plot_has_room_for_are_marked():
    asked = [Wanted(x, 150.0, "a-name-of-some-length") for x in (40.0, 52.0, 64.0, 76.0)]
    marks = [Box(each.at, -5, 5, 145, 155) for each in asked]
    marks += [Box(x, -200, 200, 0, 130) for x in (50.0,)] + [Box(50.0, -200, 200, 170, HEIGHT)]
    labels = place(asked, marks, HEIGHT)
    assert any(label.wide for label in labels)


def test_the_first_asked_for_has_the_first_choice():
    both = [Wanted(50.0, 20.0, "first"), Wanted(50.0, 20.0, "second"), Wanted(50.0, 20.0, "third")]
    labels = place(both, [], 30)
    assert labels[0].name == "first"
    assert len(labels) < 3


def test_long_names_are_cut():
    (label,) = place([Wanted(50.0, 150.0, "n" * 200)], [], HEIGHT)
    assert label.name.endswith("…")
    assert label.box.right - label.box.left <= 150


@pytest.mark.parametrize("up", [True, False])
def test_beside_a_front_no_name_stands_below_or_right(up):
    labels = place([Wanted(1.0, 150.0, "Aurora", up=up)], [], HEIGHT)
    assert len(labels) == (0 if up else 1)
