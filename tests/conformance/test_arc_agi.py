"""The grid scorer on the public evaluation tasks of ARC-AGI-1 and 2 (Chollet 2019; Chollet et al. 2025)."""

import json
from pathlib import Path

import pytest

from bakeoff.nouns import FinishReason, Item, Outcome, Response
from bakeoff.score import build_scorer

pytestmark = pytest.mark.data

SETS = [("arc_agi_1", 400, 419), ("arc_agi_2", 120, 167)]


def tasks(data_dir: Path, name: str) -> list[tuple[Item, list, list, list]]:
    """Each task with its example pairs, test inputs and output grids."""
    import duckdb

    rows = duckdb.sql(f"SELECT id, input, target, meta FROM '{data_dir / name / 'data.parquet'}'").fetchall()
    return [
        (
            Item(item, "", target=(target,)),
            json.loads(pairs),
            json.loads(meta)["test_inputs"],
            json.loads(target),
        )
        for item, pairs, target, meta in rows
    ]


def value(item: Item, text: str, **options: int) -> float | None:
    scorer = build_scorer({"name": "grid", **options})
    return scorer(item, Response(text=text, finish=FinishReason.STOP)).value


@pytest.mark.parametrize(("name", "n", "grids"), SETS)
def test_every_solution_is_right_in_every_way_of_writing_it(data_dir, name, n, grids):
    found = tasks(data_dir, name)
    assert len(found) == n
    assert sum(len(outputs) for *_, outputs in found) == grids
    for item, pairs, _, outputs in found:
        spoken = "\n\n".join(
            "Output:\n" + "\n".join(" ".join(map(str, row)) for row in grid) for grid in outputs
        )
        examples = "\n".join(json.dumps(pair["output"]) for pair in pairs)
        submission = json.dumps([{"attempt_1": [[0]], "attempt_2": grid} for grid in outputs])
        for text in (
            json.dumps(outputs),
            spoken,
            f"The examples give\n{examples}\nso: {outputs}",
            submission,
        ):
            assert value(item, text) == 1, item.id
        assert value(item, submission, attempts=1) == 0


@pytest.mark.parametrize(("name", "n", "grids"), SETS)
def test_a_wrong_cell_a_missing_row_and_the_input_itself_are_wrong(data_dir, name, n, grids):
    for item, _, inputs, outputs in tasks(data_dir, name):
        assert value(item, json.dumps(inputs)) == 0, item.id
        wrong = json.loads(json.dumps(outputs))
        wrong[0][0][0] = (wrong[0][0][0] + 1) % 10
        assert value(item, json.dumps(wrong)) == pytest.approx(1 - 1 / len(outputs))
        shorter = [*outputs[:-1], outputs[-1][:-1] or [[0] * 30]]
        assert value(item, json.dumps(shorter)) == pytest.approx(1 - 1 / len(outputs))


@pytest.mark.parametrize(("name", "n", "grids"), SETS)
def test_fewer_grids_than_test_inputs_is_no_answer(data_dir, name, n, grids):
    several = [(item, outputs) for item, _, _, outputs in tasks(data_dir, name) if len(outputs) > 1]
    assert several
    for item, outputs in several:
        answer = Response(text=json.dumps(outputs[0]), finish=FinishReason.STOP)
        assert build_scorer("grid")(item, answer).outcome is Outcome.NO_ANSWER
