"""A task's digest names what can change a prompt or a score, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from bakeoff.nouns import Item, Message
from bakeoff.task import Task, differences, digest_of_parts, item_digest, prepare

ROWS = [
    {"id": "a", "input": "1 + 1?", "choices": ["1", "2"], "target": 1, "source": "book"},
    {"id": "b", "input": "1 + 2?", "choices": ["3", "4"], "target": 0, "source": "book"},
    {"id": "c", "input": "2 + 2?", "choices": ["3", "4"], "target": 1, "source": "web"},
]
BASE: dict[str, Any] = {
    "name": "sums",
    "data": ROWS,
    "scorer": "choice",
    "shots": {"n": 1, "rule": "sampled"},
    "prompt": {"kind": "plain", "template": "{{ input }} "},
}


def digest(seed: int = 0, **changes: Any) -> str:
    return prepare(Task(**BASE | changes), seed=seed).digest


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"data": [ROWS[0] | {"input": "1+1?"}, *ROWS[1:]]}, "data"),
        ({"data": [ROWS[0] | {"target": 0}, *ROWS[1:]]}, "data"),
        ({"data": [ROWS[0] | {"source": "film"}, *ROWS[1:]]}, "data"),
        ({"data": [ROWS[0] | {"id": "z"}, *ROWS[1:]]}, "data"),
        ({"data": ROWS[:2]}, "data"),
        ({"prompt": {"kind": "plain", "template": "{{ input }}"}}, "prompt.template"),
        ({"prompt": BASE["prompt"] | {"delimiter": ""}}, "prompt.delimiter"),
        ({"prompt": BASE["prompt"] | {"answer": "({{ target }})"}}, "prompt.answer"),
        ({"prompt": BASE["prompt"] | {"system": "Sums."}}, "prompt.system"),
        ({"shots": {"n": 2, "rule": "sampled"}}, "shots.n"),
        ({"shots": {"n": 1, "rule": "first"}}, "shots.rule"),
        ({"shots": BASE["shots"] | {"data": [ROWS[0] | {"input": "?"}, *ROWS[1:]]}}, "shots.pool"),
        ({"shuffle_choices": True}, "options.shuffled"),
        ({"options": "letters"}, "options.shown"),
        ({"generation": {"stop": ["\n"]}}, "generation.stop"),
        ({"generation": {"temperature": 0.5}}, "generation.temperature"),
        ({"scorer": {"name": "choice", "take": "first"}}, "scorer"),
        ({"refused": 0.5}, "refused"),
        ({"chance": 0.25}, "chance"),
        ({"name": "other"}, "shots.task"),
        ({"seed": 1}, "shots.seed"),
    ],
)
def test_what_changes_a_prompt_or_a_score_changes_the_digest_and_is_named(
    changes: dict[str, Any], part: str
) -> None:
    seed = changes.get("seed", 0)
    before = prepare(Task(**BASE))
    after = prepare(Task(**BASE | {k: v for k, v in changes.items() if k != "seed"}), seed=seed)
    assert after.digest != before.digest
    assert any(line.startswith(part) for line in differences(before.parts, after.parts))


@pytest.mark.parametrize(
    "changes",
    [
        {"description": "Sums."},
        {"version": 2},
        {"about": "All about them."},
        {"data": ROWS[::-1]},
        {"data": [ROWS[0] | {"target": "B"}, *ROWS[1:]]},
        {"variants": {"v": {"options": "letters"}}},
    ],
)
def test_what_changes_neither_leaves_the_digest_alone(changes: dict[str, Any]) -> None:
    assert digest(**changes) == digest()


def test_settings_without_an_effect_leave_the_digest_alone() -> None:
    chat: dict[str, Any] = {"shots": {"n": 0}, "prompt": {"kind": "chat"}}
    assert digest(**chat | {"prompt": {"separator": "\n", "answer": "x"}}) == digest(**chat)
    assert digest(seed=1, **chat) == digest(**chat)
    likely = {"ask": "loglikelihood", "scorer": "loglikelihood"}
    assert digest(**likely, generation={"max_tokens": 9}) == digest(**likely)


def test_a_lead_is_part_of_the_digest_and_its_absence_is_not() -> None:
    likely: dict[str, Any] = BASE | {"ask": "loglikelihood", "scorer": "loglikelihood"}
    without, led = (
        prepare(Task(**likely | {"prompt": BASE["prompt"] | {"lead": lead}}))
        for lead in ("", "So {{ target }}")
    )
    assert differences(without.parts, led.parts) == ["prompt.lead: absent → 'So {{ target }}'"]


def test_the_digest_does_not_know_the_name_of_the_file(tmp_path: Path) -> None:
    found = set()
    for name in ("a.jsonl", "sub/b.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
        found.add(digest(data={"file": path}))
    assert found == {digest()}


def test_the_limit_is_no_part_of_the_digest() -> None:
    prepared = prepare(Task(**BASE))
    assert len(list(prepared.items(2))) == 2
    assert prepared.n_items == 3
    assert prepared.digest == digest_of_parts(prepared.parts)


def test_parts_survive_json_and_equal_parts_have_no_differences() -> None:
    parts = prepare(Task(**BASE)).parts
    again = json.loads(json.dumps(parts))
    assert digest_of_parts(again) == digest_of_parts(parts)
    assert differences(parts, again) == []


def test_a_difference_is_readable() -> None:
    one, two = (prepare(Task(**BASE | {"generation": {"max_tokens": n}})).parts for n in (256, 512))
    assert differences(one, two) == ["generation.max_tokens: 256 → 512"]


@pytest.mark.parametrize(
    ("rows", "chance"),
    [
        (ROWS, 0.5),
        ([{"input": "?", "target": "x"}], 0.0),
        ([ROWS[0], {"id": "d", "input": "?", "choices": list("abcd"), "target": 0}], 0.375),
        ([ROWS[0], {"id": "d", "input": "?", "target": "x"}], 0.25),
    ],
)
def test_chance_is_the_mean_over_the_items_of_one_in_their_number_of_choices(
    rows: Any, chance: float
) -> None:
    task = {"name": "t", "data": rows, "scorer": {"name": "regex", "pattern": "(.*)"}}
    assert prepare(Task(**task)).chance == chance
    assert prepare(Task(**task, chance=0.1)).chance == 0.1


def test_an_items_digest_names_what_is_asked_and_what_is_right_and_nothing_else():
    item = Item("a", "2 + 2 =", choices=("3", "4"), target=1, group="g")
    same = Item("b", "2 + 2 =", choices=("3", "4"), target=1, metadata={"x": 1}, fields={"y": 2})
    assert item_digest(item) == item_digest(same)
    others = [
        Item("a", "2 + 3 =", choices=("3", "4"), target=1),
        Item("a", "2 + 2 =", choices=("4", "3"), target=1),
        Item("a", "2 + 2 =", choices=("3", "4"), target=0),
        Item("a", "2 + 2 =", target=("4",)),
        Item("a", (Message.of("user", "2 + 2 ="),), choices=("3", "4"), target=1),
    ]
    assert len({item_digest(each) for each in [item, *others]}) == 6
