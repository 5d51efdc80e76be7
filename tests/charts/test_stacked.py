import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.charts import Bar, Stacked, stacked
from bakeoff.charts.stacked import layout

PARTS = ("right", "wrong", "cut off", "refused")
weights = st.lists(st.floats(0, 1), min_size=4, max_size=4)


@given(weights.filter(lambda found: sum(found) > 1e-3))
def test_segments_lie_side_by_side_and_fill_what_the_shares_say(found):
    shares = tuple(each / sum(found) for each in found)
    (row,) = layout(Stacked("t", PARTS, (Bar("b", shares),))).rows
    assert [segment.part for segment in row] == [part for part, each in enumerate(shares) if each]
    end = 0.0
    for segment in row:
        assert segment.at == pytest.approx(end, abs=0.011)
        assert segment.width == pytest.approx(100 * shares[segment.part], abs=0.021)
        end = segment.at + segment.width
    assert end == pytest.approx(100, abs=0.01)
    assert end <= 100.0 + 1e-9


def test_numbers_stand_where_they_have_room_and_all_are_in_words():
    data = Stacked("t", PARTS, (Bar("b", (0.6, 0.35, 0.05, None)),))
    view = layout(data)
    assert [segment.text for segment in view.rows[0]] == ["60", "35", ""]
    assert view.words == ("right 60.0\u00a0%, wrong 35.0\u00a0%, cut off 5.0\u00a0%, refused –",)


def test_fillings_differ_by_pattern():
    markup = stacked(Stacked("t", PARTS, (Bar("b", (0.25,) * 4),)), "k")
    assert [f'fill="url(#k-f{part})"' in markup for part in range(4)] == [True] * 4
    assert markup.count("<pattern") == 7


@pytest.mark.parametrize(
    "shares", [(0.5,) * 3, (0.5,) * 4, (1.5, 0, 0, 0), (-0.1, 0, 0, 0), (float("nan"), 0, 0, 0)]
)
def test_shares_that_are_none_are_refused(shares):
    with pytest.raises(ValueError, match="shares"):
        stacked(Stacked("t", PARTS, (Bar("b", shares),)), "k")
