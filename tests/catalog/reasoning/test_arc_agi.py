"""ARC-AGI: rows of the hub's layouts, prompts and attempts."""

import json

import pytest

from bakeoff.nouns import FinishReason, Response
from tests.catalog.hub_rows import items_of, on_hub_rows

EXAMPLES = [{"input": [[1, 2]], "output": [[2, 1]]}, {"input": [[3, 4]], "output": [[4, 3]]}]
ASKED = [{"input": [[5, 6]], "output": [[6, 5]]}, {"input": [[7, 8]], "output": [[8, 7]]}]
LAYOUTS = {"arc_agi_1": ("train", "test"), "arc_agi_2": ("fewshots", "question")}
names = pytest.mark.parametrize("name", LAYOUTS)


def row(name, asked=ASKED):
    return dict(zip(LAYOUTS[name], (EXAMPLES, asked), strict=True))


@names
def test_the_outputs_are_the_target_and_not_in_the_prompt(name):
    prepared = on_hub_rows(name, row(name))
    (item,) = prepared.items()
    assert json.loads(item.input) == EXAMPLES
    assert json.loads(item.target[0]) == [[[6, 5]], [[8, 7]]]
    ((message,),) = prepared.render(item).turns
    assert item.input in message.text
    assert "each of these 2 grids:\n\n[[[5, 6]], [[7, 8]]]\n\nYou have two attempts at each." in message.text
    assert "[[6, 5]]" not in message.text


@names
def test_one_grid_is_asked_for_as_one(name):
    prepared = on_hub_rows(name, row(name, ASKED[:1]))
    (item,) = prepared.items()
    ((message,),) = prepared.render(item).turns
    assert message.text.endswith(
        "Apply the rule to this grid:\n\n[[5, 6]]\n\nYou have two attempts. "
        'End with one JSON object that holds them: {"attempt_1": grid, "attempt_2": grid}'
    )


@names
def test_either_attempt_counts_and_one_alone_where_told(name):
    said = json.dumps(
        [{"attempt_1": [[0]], "attempt_2": [[6, 5]]}, {"attempt_1": [[8, 7]], "attempt_2": [[0]]}]
    )
    for variant, value in (("default", 1), ("one-attempt", 0.5)):
        prepared = on_hub_rows(f"{name}:{variant}", row(name))
        (item,) = prepared.items()
        assert prepared.scorer(item, Response(text=f"So:\n{said}", finish=FinishReason.STOP)).value == value


@names
def test_equal_tasks_apart_ids_follow_the_content(name):
    first, second = items_of(name, row(name), row(name, ASKED[:1]))
    assert first.id != second.id
    assert items_of(name, row(name))[0].id == first.id
