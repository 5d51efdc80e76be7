"""Three items asked four times: 2, 4 and 1 of their answers are right."""

import pytest

from tests.run.runs import run

ITEMS = [{"id": key, "input": f"{key}?", "target": 1} for key in "abc"]
SAID = {"a": "1 1 2 3", "b": "1 1 1 1", "c": "1 5 5 6"}


def rows(said=SAID):
    return [
        {"item_id": item, "repeat": repeat, "output": output}
        for item, outputs in said.items()
        for repeat, output in enumerate(outputs.split())
    ]


def test_pass_at_k_pass_hat_k_and_the_majority_by_hand(tmp_path):
    found = run(tmp_path, ITEMS, rows(), repeats=4).metrics.repeated
    assert list(found.pass_at) == [1, 2, 4]
    # a: 1 - C(2,2)/C(4,2) = 5/6; b: 1; c: 1 - C(3,2)/C(4,2) = 1/2.
    assert found.pass_at[1].value == pytest.approx((2 / 4 + 1 + 1 / 4) / 3)
    assert found.pass_at[2].value == pytest.approx((5 / 6 + 1 + 1 / 2) / 3)
    assert found.pass_at[4].value == pytest.approx(1)
    # a: C(2,2)/C(4,2) = 1/6; b: 1; c: 0.
    assert found.pass_hat[2].value == pytest.approx((1 / 6 + 1) / 3)
    assert found.pass_hat[4].value == pytest.approx(1 / 3)
    # All four: a has 2 of 4 for the right one, b all, c two for 5.
    assert found.majority[4].value == pytest.approx(2 / 3)
    assert all(each.n == 3 and each.interval for each in found.pass_at.values())


def test_an_item_with_fewer_answers_than_k_is_not_counted_for_k(tmp_path):
    found = run(tmp_path, ITEMS, rows(SAID | {"c": "1 5"}), repeats=4).metrics.repeated
    assert [(k, each.n) for k, each in found.pass_at.items()] == [(1, 3), (2, 3), (4, 2)]
    assert found.pass_hat[4].value == pytest.approx(1 / 2)


def test_answers_without_anything_extracted_do_not_form_a_majority(tmp_path):
    found = run(tmp_path, ITEMS[:1], rows({"a": "1 none nothing neither"}), repeats=4).metrics.repeated
    # One right answer against three that agree with nobody: a tie of four.
    assert found.majority[4].value == pytest.approx(1 / 4)


def test_the_share_of_chance_is_all_of_it_where_items_do_not_differ_and_none_where_answers_do_not(tmp_path):
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    noisy = run(tmp_path / "1", ITEMS, rows({"a": "1 2", "b": "2 1", "c": "1 1"}), repeats=2).metrics.repeated
    assert 0.5 < noisy.sampling_share <= 1
    steady = run(
        tmp_path / "2", ITEMS, rows({"a": "1 1", "b": "2 2", "c": "1 1"}), repeats=2
    ).metrics.repeated
    assert steady.sampling_share == 0


def test_a_run_without_repeats_has_nothing_to_say_of_them(tmp_path):
    assert run(tmp_path, ITEMS, rows()).metrics.repeated is None
