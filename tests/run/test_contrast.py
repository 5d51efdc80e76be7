import pytest

from bakeoff.errors import BakeoffError
from bakeoff.run import contrast
from bakeoff.stats import clustered_difference, tango
from tests.run.runs import run

ITEMS = [{"id": str(n), "input": f"{n} + 1 =", "target": n + 1} for n in range(30)]


def _run(folder, right, items=ITEMS):
    folder.mkdir()
    return run(folder, items, {str(n): str(n + 1 if n in right else 0) for n in range(30)}).folder


def test_the_difference_is_paired_by_item(tmp_path):
    # Fagerland et al. 2013, airway hyper-responsiveness: (a, b, c, d) = (1, 1, 7, 12), difference -.2857.
    first = _run(tmp_path / "1", {0, *range(2, 9)}, ITEMS[:21])
    second = _run(tmp_path / "2", {0, 1}, ITEMS[:21])
    found = contrast(first, second)
    assert (found.n, found.won, found.lost) == (21, 1, 7)
    assert found.difference == pytest.approx(-6 / 21)
    assert found.interval == tango(1, 7, 21)
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.517, -0.026), abs=5e-4)
    assert found.verdict == "worse"
    assert contrast(second, first).verdict == "better"


def test_equal_runs_cannot_be_told_apart_and_still_have_an_interval(tmp_path):
    first, second = _run(tmp_path / "1", range(15)), _run(tmp_path / "2", range(15))
    found = contrast(first, second)
    z2 = 1.959963984540054**2
    assert found.verdict == "cannot tell"
    assert found.interval.high == pytest.approx(z2 / (30 + z2))


def test_groups_give_the_clustered_interval(tmp_path):
    items = [item | {"group": f"g{n // 3}"} for n, item in enumerate(ITEMS)]
    found = contrast(_run(tmp_path / "1", range(6), items), _run(tmp_path / "2", range(18), items))
    differences = [float(6 <= n < 18) for n in range(30)]
    assert found.interval == clustered_difference(differences, [n // 3 for n in range(30)])


def test_items_scored_in_one_run_only_are_counted_as_left_out(tmp_path):
    first, second = _run(tmp_path / "1", range(9), ITEMS[:20]), _run(tmp_path / "2", range(9), ITEMS[5:])
    found = contrast(first, second)
    assert (found.n, found.left_out) == (15, 15)


def test_runs_without_a_common_item_are_refused(tmp_path):
    first, second = _run(tmp_path / "1", (), ITEMS[:5]), _run(tmp_path / "2", (), ITEMS[5:])
    with pytest.raises(BakeoffError, match="share no scored item"):
        contrast(first, second)
