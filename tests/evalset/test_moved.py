"""What the set did and what the model did add up to what is seen, each with an interval that holds."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bakeoff import Task, evaluate
from bakeoff.comparison import compare
from bakeoff.errors import BakeoffError
from bakeoff.evalset import moved as room
from bakeoff.evalset.freezing import freeze
from bakeoff.evalset.lock import read_lock
from bakeoff.evalset.moved import moved
from bakeoff.evalset.reading import open_set
from bakeoff.evalset.releasing import release


def run(folder, model, asked, right, **changes):
    """A run over items `{id: question}`, which has those in `right` right."""
    rows = [
        {"id": item, "input": f"{question} + 1 =", "target": question + 1} for item, question in asked.items()
    ]
    path = folder / f"{model}.jsonl"
    path.write_text(
        "".join(
            json.dumps({"item_id": row["id"], "output": str(row["target"] if row["id"] in right else 0)})
            + "\n"
            for row in rows
        )
    )
    task = Task(**{"name": "sums", "data": {"items": rows}, "scorer": "number"} | changes)
    return evaluate(task, f"recorded:{path}", out=folder / "runs", cache=False).folder


def test_a_worked_example(tmp_path):
    # Old: a b c d, right a b. New: a b c' e f, right a c' e; c is changed, d removed, e and f added.
    old = run(tmp_path, "old", {"a": 1, "b": 2, "c": 3, "d": 4}, "ab")
    new = run(tmp_path, "new", {"a": 1, "b": 2, "c": 33, "e": 5, "f": 6}, "ace")
    found = moved(old, new)
    assert [(kind.name, kind.n, kind.old, kind.new) for kind in found.kinds] == [
        ("unchanged", 2, 1.0, 0.5),
        ("changed", 1, 0.0, 1.0),
        ("added", 2, None, 0.5),
        ("removed", 1, 0.0, None),
    ]
    assert found.ids == {"changed": ("c",), "added": ("e", "f"), "removed": ("d",)}
    assert (found.old.value, found.new.value) == (0.5, pytest.approx(0.6))
    assert found.model.value == pytest.approx(-0.5)
    # (3/5 - 1/2) of the new model, and (1 - 2/4) of the old one.
    assert found.set.value == pytest.approx(0.1 + 0.5)
    assert found.total.value == pytest.approx(0.1)


def test_with_one_set_all_is_the_models_as_a_comparison_has_it(tmp_path):
    asked = {str(n): n for n in range(40)}
    old = run(tmp_path, "old", asked, {str(n) for n in range(25)})
    new = run(tmp_path, "new", asked, {str(n) for n in range(3, 36)})
    found = moved(old, new)
    (pair,) = compare([old, new], baseline="old").pairs
    for part in (found.model, found.total):
        assert part.value == pytest.approx(pair.difference)
        assert (part.interval.low, part.interval.high) == pytest.approx(
            (pair.interval.low, pair.interval.high)
        )
    assert (found.set.value, found.set.interval.low, found.set.interval.high) == (0, 0, 0)


def test_with_one_model_all_is_the_sets(tmp_path):
    old = run(tmp_path, "m", {str(n): n for n in range(30)}, {str(n) for n in range(15)})
    new = run(tmp_path, "m", {str(n): n for n in range(40)}, {str(n) for n in range(15)})
    found = moved(old, new)
    assert found.model.value == 0
    assert found.set.value == pytest.approx(found.total.value) == pytest.approx(15 / 40 - 15 / 30)


def test_a_lock_names_the_version_that_each_run_was_asked(tmp_path):
    rows = [
        {"id": item, "input": f"{n} + 1 =", "target": n + 1} for item, n in zip("abc", (1, 2, 3), strict=True)
    ]
    file = tmp_path / "items.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows[:2]))
    found = open_set(file)
    freeze(found, "1")
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    release(found, "2", by="Ada", reason="one more")
    old = run(tmp_path, "old", {"a": 1, "b": 2}, "a")
    new = run(tmp_path, "new", {"a": 1, "b": 2, "c": 3}, "a")
    other = run(tmp_path, "other", {"a": 1, "b": 3}, "a")
    versions = [
        (each.old_version, each.new_version)
        for each in (
            moved(old, new, lock=read_lock(file)),
            moved(old, other, lock=read_lock(file)),
            moved(old, new),
        )
    ]
    assert versions == [("1", "2"), ("1", None), (None, None)]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"generation": {"max_tokens": 7}}, r"generation\.max_tokens: .* → 7"),
        ({"scorer": {"name": "exact"}}, "scorer: "),
        ({"prompt": {"template": "{{ input }} ?"}}, r"prompt\.template: "),
        ({"name": "other"}, "two tasks: sums and other"),
    ],
)
def test_one_thing_moves_at_a_time(tmp_path, changes, said):
    old = run(tmp_path, "old", {"a": 1, "b": 2}, "a")
    new = run(tmp_path, "new", {"a": 1, "b": 2, "c": 3}, "ab", **changes)
    with pytest.raises(BakeoffError, match=said):
        moved(old, new)


def test_with_no_item_in_common_nothing_can_be_told(tmp_path):
    old = run(tmp_path, "old", {"a": 1, "b": 2}, "a")
    new = run(tmp_path, "new", {"a": 11, "c": 3}, "a")
    with pytest.raises(BakeoffError, match="no scored item is in both"):
        moved(old, new)
    with pytest.raises(BakeoffError, match="level"):
        moved(old, old, level=2)


scores = st.sampled_from([0.0, 0.5, 1.0])


@given(
    st.dictionaries(
        st.sampled_from("abcdefgh"), st.tuples(scores, scores, st.sampled_from("ucar")), min_size=1
    )
)
def test_the_parts_add_up_whatever_the_scores(items):
    items |= {"z": (1.0, 0.0, "u")}
    side = room._Side
    there = {"old": "ucr", "new": "uca"}
    digests = {
        "old": dict.fromkeys(items, "1"),
        "new": {k: "1" if v[2] == "u" else "2" for k, v in items.items()},
    }
    old, new = (
        side({k: v[i] for k, v in items.items() if v[2] in there[name]}, digests[name], {})
        for i, name in enumerate(there)
    )
    by_kind, _ = room._sorted(old, new)
    sizes = 1 / len(old.scores), 1 / len(new.scores), 1 / len(by_kind["unchanged"])
    o, n, u = sizes
    ends = {"changed": (-o, n), "added": (0.0, n), "removed": (-o, 0.0)}
    model = room._part(by_kind, {"unchanged": (-u, u)}, old, new, 0.95)
    moved_set = room._part(by_kind, {"unchanged": (u - o, n - u)} | ends, old, new, 0.95)
    total = np.mean(list(new.scores.values())) - np.mean(list(old.scores.values()))
    assert model.value + moved_set.value == pytest.approx(total)
    for part in (model, moved_set):
        assert part.interval.low - 1e-9 <= part.value <= part.interval.high + 1e-9


@pytest.mark.slow
def test_the_intervals_hold_as_often_as_they_say():
    # 60 unchanged, 20 changed, 30 added, 15 removed; items are hard or easy for both models alike.
    random, runs, hits = np.random.default_rng(11), 600, {"model": 0, "set": 0}
    names = {"u": 60, "c": 20, "a": 30, "r": 15}
    by_kind = dict(zip(room.KINDS, ([f"{k}{i}" for i in range(n)] for k, n in names.items()), strict=True))
    o, n, u = 1 / 95, 1 / 110, 1 / 60
    rates = {"u": (0.6, 0.7), "c": (0.6, 0.5), "a": (0.0, 0.4), "r": (0.8, 0.0)}
    true = {"model": 0.1}
    true["set"] = (60 * 0.7 + 20 * 0.5 + 30 * 0.4) / 110 - 0.7 + 0.6 - (60 * 0.6 + 20 * 0.6 + 15 * 0.8) / 95
    weights = {
        "model": {"unchanged": (-u, u)},
        "set": {"unchanged": (u - o, n - u), "changed": (-o, n), "added": (0.0, n), "removed": (-o, 0.0)},
    }
    for _ in range(runs):
        sides = []
        hardness = {item: random.random() for items in by_kind.values() for item in items}
        for place in (0, 1):
            own = {
                item: float((hard if random.random() < 0.6 else random.random()) < rates[item[0]][place])
                for item, hard in hardness.items()
            }
            sides.append(room._Side(own, {}, {}))
        for name, weight in weights.items():
            interval = room._part(by_kind, weight, *sides, 0.95).interval
            hits[name] += interval.low <= true[name] <= interval.high
    # 95 % of 600 with three standard deviations below it.
    assert min(hits.values()) >= 554, hits
