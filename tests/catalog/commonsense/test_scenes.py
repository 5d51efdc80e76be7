"""HellaSwag and WinoGrande: rows of the hub's layout."""

import pytest

from bakeoff.catalog.commonsense.hellaswag import cleaned
from tests.catalog.hub_rows import items_of, on_hub_rows

SCENE = {
    "ind": 24,
    "activity_label": "Baking",
    "ctx_a": "[header] How to bake [title] Warm the oven.",
    "ctx_b": "the baker",
    "ctx": "not used",
    "endings": ["waits  a while.", "[step] leaves [title] Done."],
    "source_id": "wikihow~123",
    "split": "val",
    "split_type": "indomain",
    "label": "1",
}
GAP = {
    "sentence": "The cup did not fit the box as _ was too big.",
    "option1": "the cup",
    "option2": "the box",
    "answer": "1",
}


def test_a_scene_is_cleaned_and_begins_with_its_activity():
    (item,) = items_of("hellaswag", SCENE)
    assert item.input == "Baking: How to bake. Warm the oven. The baker"
    assert item.choices == ("waits a while.", " leaves. Done.")
    assert (item.id, item.target) == ("24", 1)
    assert item.metadata == {"activity": "Baking", "source": "wikihow"}


@pytest.mark.parametrize(
    ("text", "clean"),
    [(" a [title] b", "a.  b".replace("  ", " ")), ("[x] a", " a"), ("a [x] b", "a b"), ("a    b", "a  b")],
)
def test_marks_go_as_in_the_harness(text, clean):
    assert cleaned(text) == clean


def test_a_row_of_the_test_split_has_no_target():
    assert items_of("hellaswag", SCENE | {"label": ""})[0].target == ()
    assert items_of("winogrande", GAP | {"answer": ""})[0].target == ()


def test_each_option_fills_the_gap_and_the_rest_is_scored():
    prepared = on_hub_rows("winogrande", GAP)
    (item,) = prepared.items()
    assert (item.choices, item.target, prepared.chance) == (("the cup", "the box"), 0, 0.5)
    rendered = prepared.render(item)
    (text,) = rendered.turns
    whole = [f"{text}{lead}{end}" for lead, end in zip(rendered.leads, rendered.continuations, strict=True)]
    assert whole == [GAP["sentence"].replace("_", option) for option in item.choices]
    assert rendered.continuations == (" was too big.",) * 2
