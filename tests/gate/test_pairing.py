import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff.errors import BakeoffError
from bakeoff.gate.pairing import pair
from bakeoff.gate.side import ItemResult
from tests.gate.sides import side

VALUES = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=2), st.none() | st.sampled_from([0.0, 0.5, 1.0])
)


def of(values, **facts):
    ids = sorted(values)
    return side([values[item] for item in ids], ids=ids, **facts)


@given(VALUES, VALUES)
def test_every_item_is_paired_or_left_out_for_a_reason(run, baseline):
    found = pair(of(run), of(baseline))
    both = [item for item in sorted(run) if run[item] is not None and baseline.get(item) is not None]
    assert list(found.items) == both
    assert list(found.run) == [run[item] for item in both]
    assert list(found.baseline) == [baseline[item] for item in both]
    assert sum(found.left_out.values()) == len(run.keys() | baseline.keys()) - len(both)
    scored = {item for item, value in baseline.items() if value is not None}
    assert found.missing == len(scored - set(both))


def test_the_reasons_say_where_and_why():
    found = pair(of({"a": 1.0, "b": None, "c": 1.0}), of({"b": 1.0, "c": None, "d": 0.0}))
    assert found.left_out == {
        "not in the baseline": 1,
        "not in the run": 1,
        "unscored in the baseline: model_error": 1,
        "unscored in the run: model_error": 1,
    }


def test_tasks_that_differ_are_refused_and_the_difference_is_named():
    run = side([1], digest="sha256:one", parts={"generation": {"max_tokens": 512}})
    baseline = side([1], digest="sha256:two", parts={"generation": {"max_tokens": 256}})
    with pytest.raises(BakeoffError, match=r"generation\.max_tokens: 256 → 512") as caught:
        pair(run, baseline)
    assert "--across" in caught.value.hint
    found = pair(run, baseline, across=True)
    assert any("generation.max_tokens: 256 → 512" in note for note in found.notes)


def test_across_tasks_items_meet_by_what_they_ask():
    def items(*facts):
        return tuple(ItemResult(name, value, "scored", None, asked) for name, value, asked in facts)

    run = side([1], digest="sha256:one")
    ours = items(("1", 1.0, "aa"), ("2", 0.0, "bb"), ("3", 1.0, "cc"), ("4", 0.0, "cc"))
    theirs = items(("2", 0.25, "aa"), ("3", 0.5, "cc"), ("7", 0.75, "bb"), ("8", 1.0, "dd"))
    found = pair(
        type(run)(**{**fields(run), "items": ours}),
        type(run)(**{**fields(run), "items": theirs, "digest": "sha256:two"}),
        across=True,
    )
    # What is asked twice in one of them can only meet by its id as well.
    assert list(zip(found.items, found.run, found.baseline, strict=True)) == [
        ("1", 1.0, 0.25),
        ("2", 0.0, 0.75),
        ("3", 1.0, 0.5),
    ]
    assert found.left_out == {"not in the baseline": 1, "not in the run": 1}


def test_across_tasks_without_digests_items_meet_by_id_and_it_is_said():
    run, baseline = side([1, 0], digest="sha256:one"), side([1, 1], digest="sha256:two")
    found = pair(run, baseline, across=True)
    assert found.items == ("q0000", "q0001")
    assert any("matched by id" in note for note in found.notes)


def test_an_item_without_a_group_is_one_of_its_own():
    run = side([1, 1, 0], groups=["g", "g", None])
    assert len(set(pair(run, run).clusters)) == 2
    alone = side([1, 1, 0])
    assert pair(alone, alone).clusters is None


def test_what_rounding_leaves_of_a_mean_is_no_difference():
    thrice = (0.1 + 0.2 + 0.3) / 3
    assert thrice != 0.2
    assert pair(side([thrice]), side([0.2])).differences == [0.0]


def fields(run):
    return {name: getattr(run, name) for name in run.__slots__}
