"""IFEval and IFBench: rows of the hub's layout."""

import pytest

from bakeoff.nouns import FinishReason, Response
from bakeoff.task import load_task
from tests.catalog.hub_rows import items_of, on_hub_rows

ROW = {
    "key": 1000,
    "prompt": "Greet me without commas in one word or two.",
    "instruction_id_list": ["punctuation:no_comma", "length_constraints:number_words"],
    # As Parquet has them: every instruction with the arguments of all.
    "kwargs": [
        {"relation": None, "num_words": None, "num_highlights": None},
        {"relation": "less than", "num_words": 3.0, "num_highlights": None},
    ],
}
IFBENCH = {
    "key": "0",
    "prompt": "Name a kaleidoscope once.",
    "instruction_id_list": ["count:word_count_range"],
    "kwargs": [{"min_words": 2, "max_words": 4, "N": None}],
}


def test_arguments_that_are_null_were_not_given():
    (item,) = items_of("ifeval", ROW)
    assert (item.id, item.input) == ("1000", ROW["prompt"])
    assert item.fields["target"] == [
        {"instruction_id": "punctuation:no_comma", "kwargs": {}},
        {
            "instruction_id": "length_constraints:number_words",
            "kwargs": {"relation": "less than", "num_words": 3.0},
        },
    ]
    assert item.metadata == {"instruction_id_list": ROW["instruction_id_list"]}


@pytest.mark.parametrize(
    ("variant", "value"),
    [
        ("default", 0),
        ("prompt-loose", 1),
        ("instructions", 0.5),
        ("instructions-loose", 1),
        ("open-llm-v2", 0),
        ("open-llm-v2-instructions", 0.5),
        ("open-llm-v2-chat", 0),
        ("open-llm-v2-instructions-chat", 0.5),
    ],
)
def test_the_same_answer_at_both_levels_strictly_and_loosely(variant, value):
    prepared = on_hub_rows(f"ifeval:{variant}", ROW)
    (item,) = prepared.items()
    # Without its first line it is short enough and has no comma.
    response = Response(text="Here it is for you\nHello there", finish=FinishReason.STOP)
    assert prepared.scorer(item, response).value == value


def test_variants_of_one_kind_of_prompt_ask_the_same_so_that_answers_are_shared():
    task, _ = load_task("ifeval")
    asked = {}
    for name in ("default", *task.variants):
        overlaid = task.with_variant(name)
        asked.setdefault(overlaid.prompt.kind, set()).add((overlaid.prompt, overlaid.generation.sampling))
    assert {kind: len(ways) for kind, ways in asked.items()} == {"chat": 1, "plain": 1}


@pytest.mark.parametrize("name", ["ifeval", "ifbench"])
def test_the_prompt_is_sent_as_it_is(name):
    row = ROW if name == "ifeval" else IFBENCH
    prepared = on_hub_rows(name, row)
    (item,) = prepared.items()
    ((message,),) = prepared.render(item).turns
    assert (message.role, message.text) == ("user", row["prompt"])


def test_ifbench_is_loose_unless_told():
    for variant, value in (("default", 1), ("prompt-strict", 0)):
        prepared = on_hub_rows(f"ifbench:{variant}", IFBENCH)
        (item,) = prepared.items()
        response = Response(text="Here is what you asked for\nA kaleidoscope", finish=FinishReason.STOP)
        assert prepared.scorer(item, response).value == value
