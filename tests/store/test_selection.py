"""Some samples of a run in an order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.errors import BakeoffError
from bakeoff.store import read_manifest, read_samples
from bakeoff.store.across import across
from bakeoff.store.selection import SHOWN, Selection, leaving_rows, place_of, sample_rows
from tests.web.runs import CANARY, hostile, private

ORDERS = ("item", "outcome", "value", "tokens", "latency", "cost")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of 12 items asked twice."""
    return hostile(tmp_path_factory.mktemp("runs"), "a")[0]


def belongs(sample, chosen):
    score = sample.score
    shown = {
        "": True,
        "right": score.outcome == "scored" and score.value == 1,
        "wrong": score.outcome == "scored" and score.value < 1,
    }.get(chosen.show, score.outcome == chosen.show)
    return shown and chosen.search.lower() in sample.item_id.lower()


@settings(max_examples=25)
@given(
    show=st.sampled_from(["", *SHOWN]),
    search=st.sampled_from(["", "ITEM", "item-1", "%", "_", "' OR 1=1 --", "\x00", "<script>"]),
    sort=st.sampled_from([sign + name for name in ORDERS for sign in ("", "-")]),
)
def test_rows_pages_and_files_have_the_same_samples_in_the_same_order(run, show, search, sort):
    chosen, manifest = Selection(show, search, sort), read_manifest(run)
    total, rows = sample_rows(run, manifest, chosen, limit=100)
    keys = [(row.item, row.repeat) for row in rows]
    wanted = {(each.item_id, each.repeat) for each in read_samples(run) if belongs(each, chosen)}
    assert (total, set(keys)) == (len(wanted), wanted)
    pages = [sample_rows(run, manifest, chosen, limit=5, offset=start)[1] for start in range(0, 25, 5)]
    assert [(row.item, row.repeat) for page in pages for row in page] == keys
    assert [(row["item_id"], row["repeat"]) for row in leaving_rows(run, manifest, chosen)] == keys
    for number, key in enumerate(keys):
        before = keys[number - 1] if number else None
        after = keys[number + 1] if number + 1 < len(keys) else None
        assert place_of(run, chosen, *key) == (number + 1, len(keys), before, after)


def test_sorting_puts_what_is_missing_last_either_way(run):
    manifest = read_manifest(run)
    for sort, falling in (("tokens", False), ("-tokens", True)):
        values = [row.tokens for row in sample_rows(run, manifest, Selection(sort=sort), limit=100)[1]]
        assert values == sorted(values, reverse=falling)
    assert {row.cost for row in sample_rows(run, manifest, Selection(sort="-cost"), limit=100)[1]} == {None}


def test_a_sample_outside_the_selection_has_no_place_in_it(run):
    wrong = next(sample for sample in read_samples(run, outcome="wrong"))
    assert place_of(run, Selection(show="right"), wrong.item_id, wrong.repeat) is None


def test_one_item_alone(run):
    rows = leaving_rows(run, read_manifest(run), Selection(item="a/../b c"))
    assert [(row["item_id"], row["repeat"]) for row in rows] == [("a/../b c", 0), ("a/../b c", 1)]


@pytest.mark.parametrize(("show", "sort"), [("all", "item"), ("", "text"), ("", "--item"), ("", "item;")])
def test_what_there_is_not_is_refused(show, sort):
    with pytest.raises(BakeoffError, match=r"there is no outcome|cannot be sorted"):
        Selection(show, "", sort)


def test_texts_of_a_private_task_leave_in_no_row(tmp_path):
    (run,) = private(tmp_path, "a")
    manifest = read_manifest(run)
    _, rows = sample_rows(run, manifest, Selection(), limit=100)
    assert len(rows) == 9
    assert CANARY not in str(rows) + str(list(leaving_rows(run, manifest, Selection())))
    assert CANARY in str(list(read_samples(run)))


def test_an_item_across_runs_is_what_each_run_says_of_it(tmp_path):
    runs = hostile(tmp_path, "a", "b", "c")
    found = across(runs, "item-6")
    told = [
        (run, each.repeat, each.score.outcome, each.score.value, each.score.extracted)
        for run in runs
        for each in read_samples(run, item_id="item-6")
    ]
    assert [tuple(each) for each in found] == told
    assert across(runs, "none") == []
    assert across([], "item-6") == []
