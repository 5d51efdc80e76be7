"""Prompts of the catalog against those of lm-evaluation-harness 0.4.13, byte by byte.

`golden/prompts` has the SHA-256 of what the harness's own task files render
(`benchmarks/golden_prompts.py` writes it). Ours are made from the same rows in the hub's columns, through the
reader of the catalog, and again from the rows of the evaluation data as they are.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from benchmarks.parity.prompted import PROMPTED, Prompted, prompt_digest

from bakeoff.catalog.peer_shots import tasks_folder
from bakeoff.errors import TaskError
from bakeoff.task import Data, Prepared, Task, load_task, prepare

GOLDEN = Path(__file__).parent / "golden" / "prompts"
pytestmark = pytest.mark.data


def asked(
    task: Task, rows: Sequence[Mapping[str, Any]], examples: Sequence[Mapping[str, Any]], reader: Any
) -> Prepared:
    """The task on these rows, its examples the first of those given; its own where none are."""
    changed: dict[str, Any] = {"data": Data(items=tuple(rows), convert=reader)}
    if examples:
        pool = Data(items=tuple(examples), convert=reader)
        changed["shots"] = task.shots.model_copy(update={"rule": "first", "data": pool})
    # The harness's own order of options is that of the rows here.
    return prepare(task.model_copy(update={"shuffle_choices": False, **changed}))


def digests(prepared: Prepared) -> list[list[str]]:
    found = []
    for item in prepared.items():
        rendered = prepared.render(item)
        (turn,) = rendered.turns
        assert isinstance(turn, str)
        leads = rendered.leads or ("",) * len(rendered.continuations)
        pairs = [(turn + lead, end) for lead, end in zip(leads, rendered.continuations, strict=True)]
        found.append([prompt_digest(pair) for pair in pairs or [(turn,)]])
    return found


def expected(each: Prompted) -> list[list[str]]:
    content = json.loads((GOLDEN / f"{each.name}.json").read_bytes())
    return list(content["items"].values())


def opened(each: Prompted) -> Task:
    task, variant = load_task(each.ref)
    task = task.with_variant(variant)
    shots = task.shots.data
    if shots is not None and str(shots.generator).startswith("bakeoff.catalog.peer_shots"):
        try:
            tasks_folder()
        except TaskError as error:
            pytest.skip(f"{error.message}; {error.hint}")
    return task


@pytest.mark.parametrize("each", PROMPTED, ids=lambda each: each.ref)
def test_rows_of_the_hub_become_the_harness_s_prompts_byte_for_byte(each: Prompted, data_dir: Path) -> None:
    task, found = opened(each), []
    for rows, examples in each.asked(data_dir).values():
        shown = [each.example(each.columns(row)) for row in examples]
        found += digests(asked(task, [each.columns(row) for row in rows], shown, task.data.convert))
    assert found == expected(each)


COPIES = [each for each in PROMPTED if each.file and not each.reader_adds]


@pytest.mark.parametrize("each", COPIES, ids=lambda each: each.ref)
def test_rows_of_a_file_of_items_become_the_same(each: Prompted, data_dir: Path) -> None:
    task, found = opened(each), []
    for rows, examples in each.asked(data_dir).values():
        found += digests(asked(task, rows, examples, None))
    assert found == expected(each)


def test_every_golden_file_is_held_against_ours() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == {each.name for each in PROMPTED}
