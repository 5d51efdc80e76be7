"""JSONSchemaBench and BFCL: rows of their own layouts, with content of our own, and all of the real data."""

import json

import pytest

from bakeoff.nouns import FinishReason, Response
from bakeoff.score import build_scorer, judge
from bakeoff.task import lint, load_task, prepare
from tests.catalog.hub_rows import items_of, on_hub_rows

SCHEMA = {"type": "object", "properties": {"age": {"type": "integer"}}, "required": ["age"]}
AREA = {
    "name": "area",
    "description": "The area.",
    "parameters": {"type": "dict", "properties": {"base": {"type": "integer"}}, "required": ["base"]},
}
ASKED = [{"role": "user", "content": "How large is a field of base 10?"}]
LINE = {
    "id": "simple_python_0",
    "question": [ASKED],
    "function": [AREA],
    "ground_truth": [{"area": {"base": [10]}}],
}
RIGHT = "[area(base=10)]"


def value(name: str, item, text: str) -> float | None:
    task, _ = load_task(name)
    return judge(build_scorer(task.scorer), item, Response(text=text, finish=FinishReason.STOP)).value


def test_a_row_of_jsonschemabench_makes_the_item_of_a_file_of_items(tmp_path):
    text = json.dumps(SCHEMA)
    (there,) = items_of("json_schema", {"json_schema": text, "unique_id": "Glaiveai2K---age_1"})
    file = tmp_path / "items.jsonl"
    common = {"id": "Glaiveai2K---age_1", "input": text, "target": None, "meta": {"source": "Glaiveai2K"}}
    file.write_text(json.dumps(common) + "\n")
    task, _ = load_task("json_schema", data=str(file))
    assert list(prepare(task).items()) == [there]
    assert there.metadata["schema"] == text
    assert value("json_schema", there, '{"age": 3}') == 1
    assert value("json_schema", there, '{"age": "three"}') == 0


def test_a_line_of_bfcl_makes_the_item_of_a_file_of_items(tmp_path):
    (there,) = items_of("bfcl", LINE)
    common = {
        "id": "simple_python_0",
        "messages": ASKED,
        "target": LINE["ground_truth"],
        "split": "simple_python",
        "meta": {"functions": [AREA]},
    }
    file = tmp_path / "items.jsonl"
    file.write_text(json.dumps(common) + "\n")
    task, _ = load_task("bfcl", data=str(file))
    assert list(prepare(task).items()) == [there]
    assert value("bfcl", there, RIGHT) == 1
    assert value("bfcl", there, "[area(base=11)]") == 0


@pytest.mark.parametrize(
    ("id_", "split", "target", "right"),
    [
        ("irrelevance_3", "irrelevance", "no call", "None of them helps."),
        ("live_irrelevance_118-7-8", "live_irrelevance", "no call", "None of them helps."),
        ("live_relevance_3-3-0", "live_relevance", "any call", RIGHT),
        ("live_simple_29-7-2", "live_simple", None, RIGHT),
        ("parallel_multiple_12", "parallel_multiple", None, RIGHT),
    ],
)
def test_the_category_is_in_the_id_and_says_what_is_right_without_answers(id_, split, target, right):
    (item,) = items_of("bfcl", LINE | {"id": id_})
    assert item.fields["split"] == split
    assert item.target == (target,) if target else item.target == (json.dumps(LINE["ground_truth"]),)
    assert value("bfcl", item, right) == 1


def test_functions_stand_in_the_system_message_before_that_of_the_item():
    own = [{"role": "system", "content": "Be brief."}, *ASKED]
    prepared = on_hub_rows("bfcl", LINE | {"question": [own]})
    (item,) = prepared.items()
    system, user = prepared.render(item).turns[0]
    assert json.loads(system.text.split("\n")[4]) == AREA
    assert system.text.endswith("Be brief.")
    assert user.text == ASKED[0]["content"]


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "folder", "n", "errors"),
    [
        ("json_schema", "jsonschemabench", 493, []),
        ("bfcl", "bfcl_v4_single_turn", 3641, []),
        ("bfcl", "bfcl_v1", 1240, ["parallel_multiple_function_179"]),
    ],
)
def test_every_real_row_loads_and_lints(name, folder, n, errors, data_dir):
    task, _ = load_task(name, data=str(data_dir / folder / "data.parquet"))
    assert prepare(task).n_items == n
    found = lint(task)
    assert [each.item for each in found if each.level == "error"] == errors
    assert {each.rule for each in found if each.level == "warning"} <= {"duplicate-items"}
