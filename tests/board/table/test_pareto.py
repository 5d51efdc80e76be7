import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.board.table.pareto import front
from bakeoff.stats.board.pareto import front as front_of_pairs

NUMBER = st.sampled_from((0.0, 0.5, 1.0)) | st.floats(-1e3, 1e3)
POINTS = st.lists(st.tuples(NUMBER, NUMBER), min_size=1, max_size=30)


@given(POINTS)
def test_it_is_the_front_that_comparing_all_pairs_finds(points):
    quality, price = (np.array(each) for each in zip(*points, strict=True))
    assert tuple(front(quality, price)) == front_of_pairs(quality, price)


@given(POINTS, st.data())
def test_rows_of_which_something_is_missing_are_not_on_it_and_push_nobody_off(points, data):
    quality, price = (np.array(each) for each in zip(*points, strict=True))
    missing = np.array(data.draw(st.lists(st.booleans(), min_size=len(points), max_size=len(points))))
    of = data.draw(st.booleans())
    with_gaps = np.where(missing, np.nan, quality if of else price)
    on = front(with_gaps, price) if of else front(quality, with_gaps)
    assert not on[missing].any()
    assert (on[~missing] == front(quality[~missing], price[~missing])).all()
