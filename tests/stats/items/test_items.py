import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.stats.items.items import cronbach, item_analysis
from tests.stats.items.lsat import LSAT6, LSAT7, responses

tables = st.integers(2, 6).flatmap(
    lambda items: st.lists(
        st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.0]), min_size=items, max_size=items),
        min_size=2,
        max_size=12,
    )
)


# Bock & Lieberman 1970's data; the values by R's ltm (descript) and psych.
def test_lsat_6():
    table = responses(LSAT6)
    assert cronbach(table) == pytest.approx(0.295, abs=5e-4)
    found = item_analysis(table)
    assert [item.item_rest for item in found] == pytest.approx(
        [0.1128, 0.1532, 0.1728, 0.1444, 0.1216], abs=5e-5
    )
    assert [item.mean for item in found] == [0.924, 0.709, 0.553, 0.763, 0.870]


def test_lsat_7():
    assert cronbach(responses(LSAT7)) == pytest.approx(0.4534, abs=5e-5)


@given(tables)
def test_item_rest_is_the_correlation_with_the_sum_of_the_others(rows):
    table = np.array(rows)
    for j, item in enumerate(item_analysis(table)):
        rest = table.sum(axis=1) - table[:, j]
        assert item.mean == pytest.approx(table[:, j].mean())
        if np.ptp(rest) and np.ptp(table[:, j]):
            assert item.item_rest == pytest.approx(np.corrcoef(table[:, j], rest)[0, 1], abs=1e-9)
        else:
            assert item.item_rest is None


# Kuder & Richardson 1937; Cronbach 1951: also the mean covariance of items over the mean of all entries.
@given(tables)
def test_alpha_is_the_share_of_covariance_between_items(rows):
    table = np.array(rows)
    covariance = np.cov(table.T, ddof=0)
    found = cronbach(table)
    if found is None:
        assert covariance.sum() == pytest.approx(0, abs=1e-9)
        return
    items = len(covariance)
    between = (covariance.sum() - np.trace(covariance)) / (items * (items - 1))
    assert found == pytest.approx(between / (covariance.sum() / items**2))


def test_flags_name_what_is_wrong_with_an_item():
    good, bad = [1, 1, 0, 0], [0, 0, 1, 1]
    table = np.array([[1] * 4, [0] * 4, [0.5] * 4, bad, good, good, good]).T
    assert [item.flags for item in item_analysis(table)] == [
        ("all right",), ("all wrong",), ("no variance",), ("negative discrimination",), (), (), (),
    ]  # fmt: skip


def test_a_wrong_key_is_flagged():
    random = np.random.default_rng(0)
    ability = random.normal(size=(40, 1))
    table = (random.random((40, 50)) < 1 / (1 + np.exp(-1.5 * ability))).astype(float)
    table[:, 7] = 1 - table[:, 7]
    found = item_analysis(table)
    assert found[7].flags == ("negative discrimination",)
    assert found[7].item_rest == min(item.item_rest for item in found)


@given(tables, st.randoms(use_true_random=False))
def test_neither_models_nor_items_have_an_order(rows, order):
    table = np.array(rows)
    items = order.sample(range(table.shape[1]), table.shape[1])
    shuffled = np.array(order.sample(rows, len(rows)))[:, items]
    for i, other in zip(items, item_analysis(shuffled), strict=True):
        one = item_analysis(table)[i]
        assert other.mean == pytest.approx(one.mean)
        assert other.flags == one.flags
        assert other.item_rest == (None if one.item_rest is None else pytest.approx(one.item_rest, abs=1e-9))


def test_without_differences_between_models_there_is_no_reliability():
    assert cronbach([[1, 0], [0, 1]]) is None
    assert cronbach([[1], [0]]) is None
    assert cronbach([[1, 1], [0, 0]]) == 1


# LiveBench, 41 models on 1,136 questions (White et al. 2024; Bowyer et al. 2025 keep the scores).
@pytest.mark.data
def test_items_of_livebench(data_dir):
    import duckdb

    rows = duckdb.sql(
        f"SELECT list(score ORDER BY item_id) FROM '{data_dir}/livebench_items/data.parquet' "
        "GROUP BY model HAVING count(*) = 1136 ORDER BY avg(score) DESC"
    ).fetchall()
    table = np.array([row[0] for row in rows])
    found = item_analysis(table)
    assert [item.item_rest is None for item in found] == (np.ptp(table, axis=0) == 0).tolist()
    negative = np.mean(["negative discrimination" in item.flags for item in found])
    strongly = np.mean([item.item_rest is not None and item.item_rest < -0.2 for item in found])
    assert (negative, strongly) == pytest.approx((0.093, 0.018), abs=5e-4)


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ([[1, 0]], "two models are the least, got 1"),
        ([[1, 2], [0, 1]], "got 2"),
        ([[1, None], [0, 1]], "model 0 on task 1"),
        ([[1, float("inf")], [0, 1]], "inf"),
        ([1, 0], r"\(2,\)"),
    ],
)
def test_bad_input_is_refused_with_its_value(table, named):
    for call in (item_analysis, cronbach):
        with pytest.raises(ValueError, match=named):
            call(table)
