import math
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.charts import Moment, Series, Timeline, raw, timeline
from bakeoff.charts.scale import linear
from bakeoff.charts.timeline import HEIGHT, date_ticks, layout

days = st.dates(date(1990, 1, 1), date(2060, 1, 1))
values = st.one_of(st.none(), st.just(math.nan), st.floats(-1e6, 1e6))


@given(st.dictionaries(days, values, min_size=1, max_size=30))
def test_every_value_has_a_spot_inside_and_every_gap_a_break(found):
    series = Series("s", tuple(Moment(day, value) for day, value in found.items()))
    (line,) = layout(Timeline("t", (series,), unit=raw)).lines
    in_order = [found[day] for day in sorted(found)]
    there = [value is not None and math.isfinite(value) for value in in_order]
    starts = sum(here and not before for here, before in zip(there, [False, *there], strict=False))
    assert line.path.count("M") == starts
    assert line.path.count("M") + line.path.count("L") == len(line.spots) == sum(there)
    assert all(0 <= spot.at <= 100 and 0 <= spot.y <= HEIGHT for spot in line.spots)
    assert [spot.at for spot in line.spots] == sorted(spot.at for spot in line.spots)


def test_a_band_is_drawn_where_there_are_intervals_and_never_over_a_gap():
    start = date(2026, 1, 1)
    ends = [(0.1, 0.3), (0.1, 0.3), None, (0.2, 0.4), (0.2, 0.4), (None, None)]
    moments = tuple(
        Moment(start + timedelta(days=i), None if pair is None else 0.25, *(pair or (None, None)))
        for i, pair in enumerate(ends)
    )
    (line,) = layout(Timeline("t", (Series("s", moments),))).lines
    assert line.band.count("Z") == 2


@pytest.mark.parametrize(
    ("first", "last", "texts"),
    [
        (
            date(2025, 3, 1),
            date(2025, 9, 1),
            [f"{m} 2025" for m in ("Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep")],
        ),
        (
            date(2025, 3, 1),
            date(2026, 2, 1),
            ["Mar 2025", "May 2025", "Jul 2025", "Sep 2025", "Nov 2025", "Jan 2026"],
        ),
        (date(2019, 5, 1), date(2026, 5, 1), [str(year) for year in range(2020, 2027)]),
        (date(2026, 1, 30), date(2026, 2, 1), ["30 Jan 2026", "31 Jan 2026", "1 Feb 2026"]),
    ],
)
def test_dates_on_the_axis_are_first_days_or_whole_steps(first, last, texts):
    scale = linear([first.toordinal(), last.toordinal()], within=(first.toordinal(), last.toordinal()))
    assert [tick.text for tick in date_ticks(scale)] == texts


@given(days, st.integers(1, 20_000))
def test_there_are_never_many_dates_on_an_axis(first, length):
    scale = linear([first.toordinal(), first.toordinal() + length])
    ticks = date_ticks(scale)
    assert 2 <= len(ticks) <= 8
    assert all(0 <= tick.at <= 100 for tick in ticks)
    assert not all(tick.wide for tick in ticks)


def test_one_day_alone_stands_in_the_middle():
    data = Timeline("t", (Series("s", (Moment(date(2026, 1, 31), 0.5),)),))
    (line,) = layout(data).lines
    assert line.spots[0].at == 50
    assert "31 Jan 2026" in timeline(data, "k")


def test_lines_differ_by_dashes_and_marks():
    day = date(2026, 1, 1)
    lines = layout(Timeline("t", tuple(Series(str(i), (Moment(day, 0.5),)) for i in range(5)))).lines
    assert len({line.style for line in lines}) == 5


def test_two_values_on_one_day_are_refused():
    day = date(2026, 1, 1)
    with pytest.raises(ValueError, match="two values on one date"):
        timeline(Timeline("t", (Series("s", (Moment(day, 0.5), Moment(day, 0.6))),)), "k")
