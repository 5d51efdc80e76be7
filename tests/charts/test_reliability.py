import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.charts import Bin, Reliability, reliability
from bakeoff.charts.plane import HEIGHT
from bakeoff.charts.reliability import COUNTS, layout

shares = st.floats(0, 1)


@given(
    st.lists(st.tuples(st.integers(1, 10**7), shares, st.lists(shares, min_size=3, max_size=3).map(sorted)))
)
def test_every_mark_is_inside_and_every_answer_has_its_height(found):
    k = len(found)
    bins = tuple(
        Bin(i / k, (i + 1) / k, n, said, right, low, high)
        for i, (n, said, (low, right, high)) in enumerate(found)
    )
    view = layout(Reliability("t", bins))
    for mark in view.marks:
        assert 0 <= mark.at <= 100
        assert 0 <= mark.top <= mark.y <= mark.bottom <= HEIGHT
    for each, bar in zip(bins, view.bars, strict=True):
        assert bar.height == pytest.approx(COUNTS * each.n / max(b.n for b in bins), abs=0.06)


def test_perfect_calibration_lies_on_the_diagonal():
    bins = tuple(Bin(i / 4, (i + 1) / 4, 10, (i + 0.5) / 4, (i + 0.5) / 4) for i in range(4))
    for mark in layout(Reliability("t", bins)).marks:
        assert mark.y == pytest.approx(HEIGHT * (1 - mark.at / 100), abs=0.1)


def test_an_empty_bin_has_no_mark_and_stays_in_the_table():
    markup = reliability(Reliability("t", (Bin(0, 0.5, 0), Bin(0.5, 1, 4, 0.7, 0.75, 0.3, 0.95))), "k")
    assert markup.count('class="p f"') == 1
    assert "0.0\u00a0% to 50.0\u00a0%" in markup


def test_the_description_says_where_the_model_claims_too_much():
    bins = (Bin(0, 0.5, 9, 0.3, 0.5, 0.4, 0.6), Bin(0.5, 1, 9, 0.9, 0.6, 0.5, 0.7))
    markup = reliability(Reliability("t", bins), "k")
    assert "In 1 the whole interval of accuracy lies below the confidence, in 1 above it." in markup


@pytest.mark.parametrize(
    "each",
    [Bin(0, 1, 1), Bin(0, 1, 1, 0.5), Bin(0, 1, -1), Bin(0.5, 0.5, 1, 0.5, 0.5), Bin(0, 1.1, 1, 0.5, 0.5),
     Bin(0, 1, 1, 0.5, 1.5), Bin(0, 1, 1, float("nan"), 0.5)],
)  # fmt: skip
def test_a_bin_that_cannot_be_is_refused(each):
    with pytest.raises(ValueError, match="bin"):
        reliability(Reliability("t", (each,)), "k")
