"""GPQA: rows of the hub's layout, invented."""

import pytest

from tests.catalog.hub_rows import on_hub_rows

ROW = {
    "Record ID": "recMadeUp",
    "Question": "Which complex is blue?",
    "Correct Answer": " [Cu(NH3)4]2+ in  water\n",
    "Incorrect Answer 1": "salt",
    "Incorrect Answer 2": "sugar",
    "Incorrect Answer 3": "sand",
    "High-level domain": "Chemistry",
    "Subdomain": "Made up",
    "Canary String": "not kept",
}
SETS = ["gpqa_diamond", "gpqa_main", "gpqa_extended"]
RIGHT = "[Cu(NH3)4]2+ in water"


@pytest.mark.parametrize("name", SETS)
def test_the_options_are_shuffled_item_by_item_and_the_target_with_them(name):
    rows = [ROW | {"Record ID": f"rec{n}", "Question": f"{n}?"} for n in range(100)]
    prepared = on_hub_rows(name, *rows)
    shown = [prepared.render(item).item for item in prepared.items()]
    assert all(item.choices[item.target] == RIGHT for item in shown)
    places = [item.target for item in shown]
    assert all(10 <= places.count(place) <= 40 for place in range(4))
    assert prepared.chance == 0.25


@pytest.mark.parametrize("name", SETS)
def test_the_board_s_prompt_lacks_what_stands_in_brackets(name):
    prepared = on_hub_rows(f"{name}:open-llm-v2", ROW)
    (item,) = prepared.items()
    assert item.metadata["without_brackets"] == {RIGHT: "2+ in water"}
    rendered = prepared.render(item)
    (text,) = rendered.turns
    assert str(text).startswith(
        "What is the correct answer to this question:Which complex is blue?\nChoices:\n(A) "
    )
    assert str(text).endswith("\nAnswer: ")
    assert f"({'ABCD'[rendered.item.target]}) 2+ in water\n" in text
    assert rendered.continuations == (" (A)", " (B)", " (C)", " (D)")


def test_the_default_prompt_keeps_it():
    prepared = on_hub_rows("gpqa_diamond", ROW)
    (item,) = prepared.items()
    assert RIGHT in prepared.render(item).turns[0][0].text
