import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.charts import Point, Scatter, dollars, pareto, scatter, share
from bakeoff.charts.plane import HEIGHT
from bakeoff.charts.scatter import DENSE, layout

values = st.one_of(st.none(), st.just(math.nan), st.floats(0, 1e6))


def points_of(pairs):
    return tuple(Point(str(i), f"p{i}", x, y) for i, (x, y) in enumerate(pairs))


def beaten(one, others):
    return any(
        other.x <= one.x and other.y >= one.y and (other.x < one.x or other.y > one.y) for other in others
    )


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30))
def test_the_front_is_what_nothing_beats(pairs):
    points = points_of(pairs)
    assert pareto(points) == {point.key for point in points if not beaten(point, points)}


def test_two_equal_points_are_both_on_the_front():
    assert pareto(points_of([(1, 5), (1, 5), (2, 5)])) == {"0", "1"}


@given(st.lists(st.tuples(values, values), max_size=40), st.booleans())
def test_every_mark_is_inside_and_in_order_and_what_is_missing_is_counted(pairs, log):
    pairs = [(x if x != 0 or not log else 0.0, y) for x, y in pairs if not (log and x and x < 1e-9)]
    view = layout(Scatter("t", points_of(pairs), "x", "y", log=log))
    known = [pair for pair in pairs if None not in pair and not any(map(math.isnan, pair))]
    assert len(view.marks) == len(known)
    assert view.missing == len(pairs) - len(known)
    assert all(0 <= mark.at <= 100 and 0 <= mark.y <= HEIGHT for mark in view.marks)
    by_x = [mark.at for mark in sorted(view.marks, key=lambda mark: mark.point.x)]
    by_y = [mark.y for mark in sorted(view.marks, key=lambda mark: mark.point.y)]
    assert by_x == sorted(by_x)
    assert by_y == sorted(by_y, reverse=True)


def test_the_line_goes_right_then_up_and_on_to_the_edge():
    view = layout(Scatter("t", points_of([(0, 0), (10, 10), (5, 0)]), "x", "y", log=False))
    first, last = sorted((mark for mark in view.marks if mark.front), key=lambda mark: mark.at)
    assert view.line == f"M{first.at:g} {first.y:g}H{last.at:g}V{last.y:g}H100"


def test_whiskers_hold_their_point():
    data = Scatter("t", (Point("a", "a", 1, 0.5, 0.4, 0.7), Point("b", "b", 2, 0.5, 0.4)), "x", "y")
    with_both, with_one = sorted(layout(data).marks, key=lambda mark: mark.point.key)
    assert with_both.top < with_both.y < with_both.bottom
    assert with_one.top is None


def test_a_free_model_stands_left_of_the_cheapest():
    view = layout(Scatter("t", points_of([(0, 1), (0.01, 2), (10, 3)]), "cost", "score", dollars))
    assert min(mark.at for mark in view.marks) == 0
    assert next(mark.at for mark in view.marks if mark.point.x == 0) == 0
    assert view.plane.across[0].text == "$0"


def test_open_closed_and_unknown_differ_in_shape():
    spots = tuple(Point(str(kind), "n", 1, 1, open=kind) for kind in (True, False, None))
    markup = scatter(Scatter("t", spots, "x", "y"), "k", table=False)
    (opened, closed, unknown) = (
        re.search(rf'data-key="{kind}".*?<(circle|path) class="(\w+)"', markup, re.DOTALL).groups()
        for kind in (True, False, None)
    )
    assert len({opened, closed, unknown}) == 3
    assert all(word in markup for word in ("open weights", "closed", "not known"))


def test_points_and_rows_have_a_key_in_common_and_lead_to_pages():
    spots = (Point("m1", "Aurora", 1, 0.5, href="models/a b?x=1&y=2"), Point("m2", "Dune", 2, 0.7))
    markup = scatter(Scatter("t", spots, "x", "y", y_unit=share), "k", table="rows")
    assert 'data-key="m1" href="models/a b?x=1&amp;y=2"' in markup
    assert '<g class="p f" data-key="m2">' in markup
    assert '<a href="#rows">' in markup
    assert "<details>" not in markup


def test_of_many_points_all_are_drawn_and_those_that_matter_are_links():
    count = DENSE + 50
    spots = tuple(
        Point(str(i), f"p{i}", 1 + i % 97, i % 89, href="x", open=i % 2 == 0, marked=i == 7)
        for i in range(count)
    )
    view = layout(Scatter("t", spots, "x", "y"))
    dots = sum(path.count("M") for _, path in view.dots)
    assert [kind for kind, _ in view.dots] == ["filled", "hollow"]
    assert dots + len(view.marks) == count
    assert {mark.point.key for mark in view.marks} == pareto(spots) | {"7"}
    assert view.marks[-1].point.marked


def test_a_front_that_the_page_knows_is_the_one_drawn():
    view = layout(Scatter("t", points_of([(1, 1), (2, 2)]), "x", "y", front=frozenset({"0"})))
    assert [mark.front for mark in sorted(view.marks, key=lambda mark: mark.at)] == [True, False]


@pytest.mark.parametrize(
    ("spots", "complaint"),
    [
        ((Point("a", "a", 1, 1), Point("a", "b", 2, 2)), "same key"),
        ((Point("a", "a", 1, 1, 2, 0),), "upside down"),
        ((Point("a", "a", -1, 1),), "nothing below 0"),
        ((Point("a", "a", 1, 1e300),), "larger unit"),
    ],
)
def test_what_cannot_be_drawn_is_refused(spots, complaint):
    with pytest.raises(ValueError, match=complaint):
        scatter(Scatter("t", spots, "x", "y"), "k")
