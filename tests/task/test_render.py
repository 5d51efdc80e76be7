"""What is sent for an item."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bakeoff.catalog.images.drawing import png
from bakeoff.errors import TaskError
from bakeoff.nouns import Input, Message, Part
from bakeoff.task import Prepared, Task, prepare

CAPITALS = [
    {"id": "fr", "input": "Capital of France?", "choices": ["Lyon", "Paris"], "target": "B", "hint": "Seine"},
    {
        "id": "it",
        "input": "Capital of Italy?",
        "choices": ["Rome", "Milan", "Turin"],
        "target": 0,
        "hint": "Tiber",
    },
]
PNG = png(np.zeros((3, 4), np.uint8), [(1, 2, 3)])


def capitals(**settings: Any) -> Prepared:
    return prepare(Task(**{"name": "capitals", "data": CAPITALS, "scorer": "choice"} | settings))


def said(turn: Input) -> list[tuple[str, str]]:
    assert not isinstance(turn, str)
    return [(message.role, message.text) for message in turn]


def test_a_plain_prompt_is_system_then_shots_then_question_byte_for_byte() -> None:
    prepared = capitals(
        prompt={
            "kind": "plain",
            "system": "Capitals of {{ choices | length }} cities.\n\n",
            "template": "Q: {{ input }} ({{ hint }})\nA:",
            "answer": "{{ letter }}, {{ target }}",
        },
        shots={"n": 1, "rule": "first"},
    )
    france, italy = map(prepared.render, prepared.items())
    assert france.turns == (
        "Capitals of 2 cities.\n\n"
        "Q: Capital of Italy? (Tiber)\nA: A, Rome\n\n"
        "Q: Capital of France? (Seine)\nA:",
    )
    assert (france.shots, italy.shots) == (("it",), ("fr",))
    assert (france.continuations, france.item.target) == ((), 1)


def test_a_chat_prompt_shows_examples_as_turns_of_the_conversation() -> None:
    prepared = capitals(prompt={"system": "Answer."}, options="letters", shots={"n": 1})
    rendered = prepared.render(next(prepared.items()))
    assert [said(turn) for turn in rendered.turns] == [
        [
            ("system", "Answer."),
            ("user", "Capital of Italy?"),
            ("assistant", "A"),
            ("user", "Capital of France?"),
        ]
    ]


@pytest.mark.parametrize(
    ("options", "kind", "answer", "expected"),
    [
        ("texts", "plain", "{{ target }}", (" Lyon", " Paris")),
        ("letters", "plain", "{{ target }}", (" A", " B")),
        ("texts", "chat", "{{ target }}", ("Lyon", "Paris")),
        ("letters", "plain", "({{ target }})", (" (A)", " (B)")),
    ],
)
def test_continuations_carry_the_delimiter_in_plain_prompts_only(
    options: str, kind: str, answer: str, expected: tuple[str, ...]
) -> None:
    prepared = capitals(
        ask="loglikelihood",
        options=options,
        prompt={"kind": kind, "answer": answer},
        scorer="loglikelihood",
    )
    assert prepared.render(next(prepared.items())).continuations == expected


def test_fewer_shots_are_the_first_of_them() -> None:
    rows = [{"id": str(i), "input": f"{i}?", "target": str(i)} for i in range(9)]
    prepared = prepare(Task(name="t", data=rows, scorer="exact", shots={"n": 4, "rule": "sampled"}))
    item = next(prepared.items())
    all_four = prepared.render(item).shots
    assert len(set(all_four)) == 4
    for k in range(5):
        assert prepared.render(item, shots=k).shots == all_four[:k]


def test_a_trailing_newline_is_part_of_the_prompt() -> None:
    prepared = capitals(prompt={"kind": "plain", "template": "{{ input }}\n"})
    assert prepared.render(next(prepared.items())).turns == ("Capital of France?\n",)


def test_shuffled_choices_carry_the_target_with_them_and_hide_the_columns_of_the_old_order() -> None:
    rows = [
        {"id": str(i), "q": "?", "options": ["w", "x", "y", "z"], "answer": "x", "note": "kept"}
        for i in range(40)
    ]
    task = Task(
        name="t",
        data=rows,
        fields={"input": "q", "choices": "options", "target": "answer"},
        prompt={
            "template": "{{ choices | join }} {{ note }} {{ options is defined }} {{ answer is defined }}"
        },
        shuffle_choices=True,
        scorer="choice",
    )
    prepared = prepare(task)
    rendered = [prepared.render(item) for item in prepared.items()]
    for each in rendered:
        assert isinstance(each.item.target, int)
        assert each.item.choices[each.item.target] == "x"
        assert said(each.turns[0])[0][1] == f"{''.join(each.item.choices)} kept False False"
    # 40 draws from 4 positions: all of them occur.
    assert {each.item.target for each in rendered} == {0, 1, 2, 3}
    assert [prepared.render(item) for item in prepared.items()] == rendered


def conversation(*messages: Mapping[str, Any], **settings: Any) -> Prepared:
    data = [{"id": "a", "messages": list(messages), "target": "x"}]
    return prepare(Task(**{"name": "t", "data": data, "scorer": "exact"} | settings))


USER, MORE, GIVEN = (
    {"role": "user", "content": "{{ literal }}"},
    {"role": "user", "content": "And?"},
    {"role": "assistant", "content": "Given."},
)


def test_messages_are_taken_literally_and_each_unanswered_one_is_a_turn() -> None:
    prepared = conversation(USER, GIVEN, MORE, USER, MORE, GIVEN, USER)
    turns = prepared.render(next(prepared.items())).turns
    assert [[text for _, text in said(turn)] for turn in turns] == [
        ["{{ literal }}", "Given.", "And?"],
        ["{{ literal }}"],
        ["And?", "Given.", "{{ literal }}"],
    ]


def test_the_systems_of_task_and_item_become_one_message() -> None:
    prepared = conversation({"role": "system", "content": "Item."}, USER, prompt={"system": "Task."})
    assert said(prepared.render(next(prepared.items())).turns[0])[0] == ("system", "Task.\n\nItem.")


def test_a_template_wraps_the_last_message_of_an_item_with_messages() -> None:
    prepared = conversation(USER, GIVEN, MORE, prompt={"template": "<{{ input }}>"})
    assert [text for _, text in said(prepared.render(next(prepared.items())).turns[0])] == [
        "{{ literal }}",
        "Given.",
        "<And?>",
    ]


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ([USER, GIVEN], "the last message must be the user's"),
        (
            [{"role": "bot", "content": "x"}],
            "message 1: the role is one of system, user, assistant, got 'bot'",
        ),
        ([{"role": "user"}], "message 1: expected {role, content}"),
        (
            [{"role": "user", "content": [{"type": "video", "video": "x"}]}],
            "message 1: a part is {type: text",
        ),
    ],
)
def test_what_is_no_conversation_is_a_mistake(messages: list[Mapping[str, Any]], expected: str) -> None:
    with pytest.raises(TaskError) as caught:
        conversation(*messages)
    assert expected in str(caught.value)


def test_scripted_turns_cannot_be_scored_by_likelihood() -> None:
    with pytest.raises(TaskError, match="scripted turns"):
        prepare(
            Task(
                name="t",
                data=[{"id": "a", "messages": [USER, MORE], "choices": ["x", "y"], "target": 0}],
                ask="loglikelihood",
                scorer="loglikelihood",
            )
        )


def test_images_are_loaded_from_beside_the_data_and_known_by_their_content(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(PNG)
    encoded = base64.b64encode(PNG).decode()
    message = {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is this?"},
            {"type": "image", "image": "photo.jpg"},
            {"type": "image", "image": f"data:image/png;base64,{encoded}"},
        ],
    }
    items = tmp_path / "items.json"
    items.write_text(__import__("json").dumps([{"id": "a", "messages": [message], "target": "x"}]))
    prepared = prepare(Task(name="t", data={"file": items}, scorer="exact"))
    image = Part("image", encoded, "image/png")
    rendered = prepared.render(next(prepared.items()))
    assert rendered.turns == ((Message("user", (Part("text", "What is this?"), image, image)),),)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("missing.png", "there is no image file"),
        ("secret.txt", "is no PNG, JPEG, GIF, WebP or BMP image"),
        ("https://example.org/a.png", "download the image"),
        ("data:text/plain;base64,QUJD", "data URI of an image"),
    ],
)
def test_an_image_that_is_none_is_a_mistake(reference: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("not to be sent anywhere")
    items = tmp_path / "items.json"
    content = [{"type": "image", "image": reference}]
    items.write_text(__import__("json").dumps([{"messages": [{"role": "user", "content": content}]}]))
    with pytest.raises(TaskError, match=expected):
        prepare(Task(name="t", data={"file": items}, scorer="exact"))


def test_letters_end_at_z() -> None:
    row = {"input": "?", "choices": [str(i) for i in range(27)], "target": 0}
    task = {"name": "t", "data": [row], "scorer": {"name": "choice", "labels": "numbers"}}
    assert prepare(Task(**task)).n_items == 1
    with pytest.raises(TaskError, match="27 choices, but letters end at Z"):
        prepare(Task(**task, prompt={"template": "{{ letters }}"}))


# A sentence with a gap: what is judged is how likely its end is after each filling.
GAPS = [
    {
        "id": "fits",
        "input": "The trophy is not in the suitcase because the _ is too big.",
        "before": "The trophy is not in the suitcase because the ",
        "after": "is too big.",
        "choices": ["suitcase", "trophy"],
        "target": 1,
    },
    {
        "id": "open",
        "input": "The key did not open the door, so I oiled the _ again.",
        "before": "The key did not open the door, so I oiled the ",
        "after": "again.",
        "choices": ["key", "door"],
        "target": 1,
    },
]
GAP: dict[str, Any] = {
    "name": "gaps",
    "data": GAPS,
    "ask": "loglikelihood",
    "scorer": "loglikelihood",
    "prompt": {
        "kind": "plain",
        "template": "",
        "lead": "{{ before }}{{ target }}",
        "answer": "{{ after }}",
    },
}


def test_a_lead_holds_the_option_and_the_continuation_what_follows_it() -> None:
    prepared = prepare(Task(**GAP))
    rendered = prepared.render(next(prepared.items()))
    assert rendered.turns == ("",)
    assert rendered.leads == (
        "The trophy is not in the suitcase because the suitcase",
        "The trophy is not in the suitcase because the trophy",
    )
    assert rendered.continuations == (" is too big.", " is too big.")
    assert rendered.item.choices == ("suitcase", "trophy")


def test_an_example_shows_the_gold_lead_and_then_what_follows() -> None:
    shots = {"n": 1}
    plain = prepare(Task(**GAP | {"shots": shots}))
    (turn,) = plain.render(next(plain.items())).turns
    assert turn == "The key did not open the door, so I oiled the door again.\n\n"
    chat = prepare(Task(**GAP | {"shots": shots, "prompt": GAP["prompt"] | {"kind": "chat"}}))
    rendered = chat.render(next(chat.items()))
    assert [said(turn) for turn in rendered.turns] == [
        [
            ("user", "The key did not open the door, so I oiled the door"),
            ("assistant", "again."),
            ("user", ""),
        ]
    ]
    assert rendered.continuations == ("is too big.", "is too big.")


def test_leads_follow_the_choices_when_these_are_shuffled() -> None:
    rows = [GAPS[0] | {"id": str(i)} for i in range(20)]
    prepared = prepare(Task(**GAP | {"data": rows, "shuffle_choices": True}))
    rendered = [prepared.render(item) for item in prepared.items()]
    assert {each.item.target for each in rendered} == {0, 1}
    for each in rendered:
        assert all(map(str.endswith, each.leads, each.item.choices))


def test_a_lead_without_log_likelihoods_is_a_mistake() -> None:
    with pytest.raises(TaskError, match=r"prompt\.lead: stands before the continuations"):
        Task(**GAP | {"ask": "generate", "scorer": "choice"})
