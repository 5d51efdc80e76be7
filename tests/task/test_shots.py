"""Which examples an item gets: never itself, and the same whatever the order and the limit."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bakeoff.errors import TaskError
from bakeoff.task import Task, prepare

WORDS = st.sampled_from(["river", "River ", "sea", "lake", "hill", "dune", "moor", "fen"])
SOURCES = st.lists(WORDS, min_size=8, max_size=16).map(
    lambda words: [{"id": f"i{n}", "input": word, "target": "x"} for n, word in enumerate(words)]
)


def task(rows: list[dict[str, Any]], **shots: Any) -> Task:
    return Task(name="t", data=rows, shots=shots, scorer="exact", prompt={"kind": "plain"})


def prompts(of: Task, limit: int | None = None, seed: int = 0) -> dict[str, tuple[Any, ...]]:
    prepared = prepare(of, seed=seed)
    return {item.id: prepared.render(item).turns for item in prepared.items(limit)}


def distinct(rows: list[dict[str, Any]]) -> int:
    return len({row["input"].strip().lower() for row in rows})


@settings(max_examples=60, deadline=None)
@given(SOURCES, st.randoms(use_true_random=False), st.integers(1, 8), st.sampled_from(["own", "other"]))
def test_order_limit_and_pool_order_change_no_prompt(rows: Any, random: Any, limit: int, pool: str) -> None:
    n = min(3, distinct(rows) - 1)
    if n < 1:
        return
    others = [row | {"id": f"p{row['id']}"} for row in rows]
    shots: dict[str, Any] = {"n": n, "rule": "sampled"} | ({"data": others} if pool == "other" else {})
    turned, turned_pool = random.sample(rows, len(rows)), random.sample(others, len(others))
    turned_shots = shots | ({"data": turned_pool} if pool == "other" else {})
    reference = prompts(task(rows, **shots))
    assert prompts(task(turned, **turned_shots)) == reference
    for name, turns in prompts(task(turned, **turned_shots), limit).items():
        assert turns == reference[name]


@settings(max_examples=60, deadline=None)
@given(SOURCES, st.sampled_from(["first", "sampled", "fixed"]), st.integers(0, 3))
def test_an_item_never_sees_itself_or_a_row_that_asks_the_same(rows: Any, rule: str, seed: int) -> None:
    others = [row | {"id": f"p{row['id']}"} for row in rows]
    shots: dict[str, Any] = {"rule": rule, "data": others}
    if rule != "fixed":
        shots["n"] = max(distinct(rows) - 1, 0)
    prepared = prepare(task(rows, **shots), seed=seed)
    asked = {row["id"]: row["input"].strip().lower() for row in (*rows, *others)}
    for item in prepared.items():
        shown = [asked[name] for name in prepared.render(item).shots]
        assert asked[item.id] not in shown
        if rule == "sampled":
            assert len(set(shown)) == len(shown) == shots["n"]


def test_sampled_shots_differ_between_items_and_seeds_and_use_the_whole_pool() -> None:
    rows = [{"id": str(i), "input": f"word {i}", "target": "x"} for i in range(40)]
    drawn = {seed: prompts(task(rows, n=3, rule="sampled"), seed=seed) for seed in (0, 1)}
    assert len(set(drawn[0].values())) == 40
    assert all(drawn[0][name] != drawn[1][name] for name in drawn[0])
    prepared = prepare(task(rows, n=3, rule="sampled"))
    used = [name for item in prepared.items() for name in prepared.render(item).shots]
    assert len(set(used)) > 30


def test_variants_and_new_wordings_keep_the_shots() -> None:
    rows = [{"id": str(i), "input": f"word {i}", "target": "x"} for i in range(20)]
    one = task(rows, n=3, rule="sampled")
    two = Task(
        name="t",
        data=rows,
        shots={"n": 5, "rule": "sampled"},
        scorer="exact",
        prompt={"template": "Say {{ input }}"},
        variants={"v": {"generation": {"max_tokens": 9}}},
    )
    a, b, c = prepare(one), prepare(two), prepare(two, "v")
    for item in a.items():
        assert b.render(item).shots[:3] == a.render(item).shots
        assert c.render(item).shots == b.render(item).shots


def test_first_shots_are_the_first_rows_and_an_item_among_them_moves_on() -> None:
    rows = [{"id": str(i), "input": f"word {i}", "target": "x"} for i in range(5)]
    prepared = prepare(task(rows, n=2, rule="first"))
    assert [prepared.render(item).shots for item in prepared.items()] == [
        ("1", "2"),
        ("0", "2"),
        ("0", "1"),
        ("0", "1"),
        ("0", "1"),
    ]


def test_first_shots_keep_a_row_that_the_pool_holds_twice() -> None:
    """The dev split of one MMLU subject does, and the published five shots include both."""
    pool = [{"id": f"p{i}", "input": word, "target": "x"} for i, word in enumerate(["a", "b", "a", "c", "d"])]
    prepared = prepare(task([{"id": "i", "input": "z", "target": "x"}], n=4, rule="first", data=pool))
    assert prepared.render(next(prepared.items())).shots == ("p0", "p1", "p2", "p3")
    twice = prepare(task([{"id": "i", "input": "a", "target": "x"}], n=3, rule="first", data=pool))
    assert twice.render(next(twice.items())).shots == ("p1", "p3", "p4")


def test_same_takes_examples_of_the_items_own_kind_only() -> None:
    rows = [
        {"id": f"{kind}{i}", "input": f"{kind} {i}", "target": "x", "meta": {"kind": kind}}
        for i in range(4)
        for kind in "ab"
    ]
    for rule in ("first", "sampled"):
        prepared = prepare(task(rows, n=3, rule=rule, same="meta.kind"))
        for item in prepared.items():
            shots = prepared.render(item).shots
            assert len(shots) == 3
            assert {name[0] for name in shots} == {item.id[0]}
    with pytest.raises(TaskError, match=r'shots\.n: 4 shots are more than the 3 rows with meta\.kind = "a"'):
        prepare(task(rows, n=4, rule="first", same="meta.kind"))


def test_fixed_shots_are_shown_in_their_order_and_all_of_them() -> None:
    pool = [{"id": name, "input": name, "target": "x"} for name in ("c", "a", "b")]
    rows = [{"id": "i", "input": "z", "target": "x"}]
    prepared = prepare(task(rows, rule="fixed", data=pool))
    assert prepared.render(next(prepared.items())).shots == ("c", "a", "b")
    none = prepare(
        Task(
            name="t",
            data=rows,
            shots={"rule": "fixed", "data": pool},
            scorer="exact",
            variants={"bare": {"shots": {"n": 0}}, "two": {"shots": {"n": 2}}},
        ),
        "bare",
    )
    assert none.render(next(none.items())).shots == ()
