"""A set is frozen, grows only by cases that a named person let in, and its lock tells all of it."""

import json

import pytest

from bakeoff.errors import BakeoffError, StoreError
from bakeoff.evalset.freezing import check, freeze
from bakeoff.evalset.lock import lock_path, read_lock
from bakeoff.evalset.pending import pending_path, read_pending
from bakeoff.evalset.proposing import propose
from bakeoff.evalset.reading import open_set
from bakeoff.evalset.releasing import release
from bakeoff.evalset.reviewing import review
from bakeoff.nouns import Item
from bakeoff.task import item_digest

ROWS = [
    {"id": "a", "input": "Where is my parcel, number 17?", "target": "shipping"},
    {"id": "b", "input": "I want my money back.", "target": "refund"},
    {"id": "c", "input": "Do you sell lamps?", "target": "other"},
]


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def items(tmp_path):
    found = open_set(written(tmp_path / "items.jsonl", ROWS))
    freeze(found, "1", by="Ada")
    return found


def proposed(items, *rows, **chosen):
    return propose(items, written(items.file.with_name("production.jsonl"), rows), **chosen)


def test_a_lock_holds_the_digests_of_the_items_and_none_of_their_words(items):
    lock = read_lock(items.file)
    assert lock.items == {
        row["id"]: item_digest(Item(row["id"], row["input"], target=(row["target"],))) for row in ROWS
    }
    assert (lock.version, lock.count, lock.history[0].by) == ("1", 3, "Ada")
    text = lock_path(items.file).read_text()
    assert not any(row["input"] in text or row["target"] in text for row in ROWS)
    with pytest.raises(BakeoffError, match="frozen already, as version 1"):
        freeze(items, "2")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (ROWS, ((), (), (), False)),
        (ROWS[::-1], ((), (), (), True)),
        ([ROWS[0] | {"note": "x"}, *ROWS[1:]], ((), (), (), True)),
        (ROWS[1:], ((), ("a",), (), True)),
        ([*ROWS, {"id": "d", "input": "?", "target": "other"}], (("d",), (), (), True)),
        ([ROWS[0] | {"target": "other"}, *ROWS[1:]], ((), (), ("a",), True)),
        ([ROWS[0] | {"input": "Where?"}, *ROWS[1:]], ((), (), ("a",), True)),
        ([ROWS[0] | {"choices": ["shipping", "refund"]}, *ROWS[1:]], ((), (), ("a",), True)),
    ],
)
def test_what_changed_since_is_told_by_id(items, rows, expected):
    written(items.file, rows)
    _, since = check(items)
    assert (since.added, since.removed, since.changed, since.other_bytes) == expected


def test_cases_that_are_there_already_are_left_out_and_what_is_much_like_one_is_marked(items):
    found = proposed(
        items,
        {"id": "p1", "input": "Where is my parcel, number 18?", "target": "shipping"},
        {"id": "p2", "input": "I want my money back.", "target": "refund"},
        {"id": "p3", "input": "i want  my money back.", "target": "other"},
        {"id": "p4", "input": "Something new altogether", "target": "other"},
        {"id": "p5", "input": "Something new altogether", "target": "other"},
        {"id": "c", "input": "An id that is taken", "target": "other"},
    )
    assert [case.id for case in found.staged] == ["p1", "p3", "p4"]
    assert found.left_out == {
        "in the set": ("p2",),
        "proposed twice": ("p5",),
        "its id is taken": ("c",),
    }
    near = {
        case.id: [(each.id, each.score, each.other_target) for each in case.near] for case in found.staged
    }
    # One letter of 30 differs: 58 of 60 letters of both are shared.
    assert near == {"p1": [("a", 96.7, False)], "p3": [("b", 100.0, True)], "p4": []}
    assert list(map(json.loads, items.file.read_text().splitlines())) == ROWS
    # What waits is not staged again, nor is what was rejected.
    review(items, ["p1"], "rejected", reviewer="Ada", reason="the same")
    again = proposed(items, *(case.row for case in found.staged))
    assert again.left_out == {"rejected before": ("p1",), "pending": ("p3", "p4")}


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"reviewer": " ", "reason": "good"}, "needs the name"),
        ({"reviewer": "Ada", "reason": ""}, "needs its reason"),
        ({"reviewer": "Ada", "reason": "good"}, "says nothing of what is right"),
        ({"reviewer": "Ada", "reason": "good", "ids": ["p9"]}, "no case 'p9' was proposed"),
        ({"reviewer": "Ada", "reason": "good", "ids": []}, "no case named"),
        ({"reviewer": "Ada", "reason": "good", "ids": ["p1", "p2"], "target": "x"}, "a target is for one"),
    ],
)
def test_nothing_is_let_in_without_a_name_a_reason_and_an_answer(items, chosen, said):
    proposed(
        items, {"id": "p1", "input": "New", "target": None}, {"id": "p2", "input": "Newer", "target": "x"}
    )
    ids = chosen.pop("ids", ["p1"])
    with pytest.raises(BakeoffError, match=said):
        review(items, ids, "accepted", **chosen)
    assert not read_pending(items.file).of("accepted")


def test_a_release_adds_what_was_accepted_and_says_who_let_it_in(items):
    proposed(
        items,
        {"id": "p1", "input": "New"},
        {"id": "p2", "input": "Newer", "target": "other"},
        {"id": "p3", "input": "Newest", "target": "other"},
    )
    review(items, ["p1"], "accepted", reviewer="Ada", reason="common now", target="other")
    review(items, ["p2"], "rejected", reviewer="Bo", reason="noise")
    made = release(items, "2", by="Cy")
    assert (made.added, made.removed, made.changed, made.by) == (("p1",), (), (), "Cy")
    (entry,) = made.reviews
    assert (entry.id, entry.reviewer, entry.reason, entry.source) == (
        "p1",
        "Ada",
        "common now",
        "production.jsonl:1",
    )
    assert list(items.digests()) == ["a", "b", "c", "p1"]
    lock, since = check(items)
    assert (lock.version, [each.version for each in lock.history]) == ("2", ["1", "2"])
    assert not since.items
    assert {case.id: case.state for case in read_pending(items.file).cases} == {
        "p2": "rejected",
        "p3": "pending",
    }
    with pytest.raises(BakeoffError, match="nothing to release"):
        release(items, "3")
    with pytest.raises(BakeoffError, match="a version 1 before"):
        release(items, "1")


def test_a_change_by_hand_is_released_only_with_the_name_of_who_reviewed_it(items):
    written(items.file, [ROWS[0] | {"target": "other"}, ROWS[1], {"id": "d", "input": "?", "target": "x"}])
    for by, reason in (("", ""), ("Ada", ""), ("", "because")):
        with pytest.raises(BakeoffError, match="changed by hand"):
            release(items, "2", by=by, reason=reason)
    made = release(items, "2", by="Ada", reason="labels mended")
    assert (made.added, made.removed, made.changed) == (("d",), ("c",), ("a",))
    assert {each.id: each.reviewer for each in made.reviews} == dict.fromkeys("dca", "Ada")
    # Another column alone is a change as well.
    rows = [json.loads(line) | {"note": 1} for line in items.file.read_text().splitlines()]
    written(items.file, rows)
    with pytest.raises(BakeoffError, match="other columns"):
        release(items, "3")


def test_accepting_one_case_is_no_way_in_for_another_with_its_id(items):
    proposed(items, {"id": "p1", "input": "New", "target": "other"})
    review(items, ["p1"], "accepted", reviewer="Ada", reason="fine")
    written(items.file, [*ROWS, {"id": "p1", "input": "Smuggled", "target": "other"}])
    with pytest.raises(BakeoffError, match="changed by hand"):
        release(items, "2")
    with pytest.raises(BakeoffError, match="other items by the ids of accepted cases: p1"):
        release(items, "2", by="Bo", reason="really")


def test_a_release_that_was_killed_half_way_is_finished_by_the_next(items):
    proposed(items, {"id": "p1", "input": "New", "target": "other"})
    review(items, ["p1"], "accepted", reviewer="Ada", reason="fine")
    before = lock_path(items.file).read_bytes(), pending_path(items.file).read_bytes()
    release(items, "2")
    # As it is if the file was written and the lock was not.
    lock_path(items.file).write_bytes(before[0])
    pending_path(items.file).write_bytes(before[1])
    made = release(items, "2")
    assert made.added == ("p1",)
    assert len(items.file.read_text().splitlines()) == 4


def test_items_without_ids_grow_too(tmp_path):
    rows = [{"input": "One", "target": "1"}, {"input": "Two", "target": "2"}]
    found = open_set(written(tmp_path / "items.jsonl", rows))
    freeze(found, "1")
    (case,) = proposed(found, {"input": "Three", "target": "3"}).staged
    review(found, [case.id], "accepted", reviewer="Ada", reason="fine")
    assert release(found, "2").added == (case.id,)
    assert not check(found)[1].items


def test_files_that_are_no_set_say_so(tmp_path):
    with pytest.raises(StoreError, match="there is no file"):
        open_set(tmp_path / "none.jsonl")
    found = open_set(written(tmp_path / "items.jsonl", ROWS))
    for asked in (lambda: check(found), lambda: proposed(found, ROWS[0]), lambda: release(found, "2")):
        with pytest.raises(StoreError, match="is not frozen"):
            asked()
    with pytest.raises(BakeoffError, match="cannot be a version"):
        freeze(found, "two words")
    freeze(found, "1")
    lock_path(found.file).write_text('{"version": 1}')
    with pytest.raises(StoreError, match=r"items\.lock\.json, field"):
        check(found)
    written(found.file, [*ROWS, ROWS[0]])
    with pytest.raises(BakeoffError, match="'a' is there twice"):
        found.digests()
