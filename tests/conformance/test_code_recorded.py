"""The code scorer against EvalPlus's verdicts on 1,126 recorded programs, and against every reference.

Programs and verdicts: QwenLM/Qwen2.5-Coder (Hui et al. 2024) on HumanEval (Chen et al. 2021) and MBPP+ v0.1.0
(Austin et al. 2021; Liu et al. 2023), greedy, two models. HumanEval runs by its own `check` functions, MBPP
by its base and plus inputs against the canonical solution. EvalPlus's extra inputs for HumanEval are not in
the data.

JSON has made lists of the tuples and sets among MBPP's inputs; which they were is known per task.
"""

import json
import re
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bakeoff.nouns import FinishReason, Item, Outcome, Response, Score
from bakeoff.sandbox import SLOTS, SandboxError, sandbox
from bakeoff.score import judge
from bakeoff.score.code import Code

pytestmark = pytest.mark.data

SMALL, LARGE = "Qwen2.5-Coder-1.5b-base", "Qwen2.5-Coder-7b-base"
PUBLISHED = {
    (SMALL, "humaneval"): 43.9,
    (LARGE, "humaneval"): 61.6,
    (SMALL, "mbpp"): 69.2,
    (LARGE, "mbpp"): 76.9,
    (SMALL, "mbpp+"): 58.6,
    (LARGE, "mbpp+"): 62.9,
}

OWN_RULE = "EvalPlus accepts whatever comes back here: the canonical solution contradicts the task"
SET_ORDER = "a tuple made of a set: its order hangs on the interpreter's hash seed, which is fixed here"
# (model, task) whose verdict on the base inputs, or on base and plus inputs, is not the recorded one.
BASE_DIFFERS = {(SMALL, 164): OWN_RULE}
PLUS_DIFFERS = {
    (SMALL, 164): OWN_RULE,
    (LARGE, 249): SET_ORDER,
    (SMALL, 579): SET_ORDER,
    (LARGE, 579): SET_ORDER,
}
# Verdicts that hang on the speed of the machine: right, but slower than a time limit that was in force there.
TIME_BOUND = {(SMALL, 123), (LARGE, 160)}
# Plus inputs on which the canonical solution itself goes beyond our limits (512 MiB, 4 s, values of 4 MiB) or
# nearly does: only the base is compared.
BASE_ONLY = (255, 271, 389, 392, 599, 630)
# The canonical solution returns match objects, which are no data: only the base, by its asserts.
BY_ASSERTION = (737, 787, 794)


class Judged(NamedTuple):
    model: str
    task: int
    base_recorded: bool
    plus_recorded: bool
    base: bool
    plus: bool
    score: Score


@pytest.fixture(scope="module", autouse=True)
def _sandboxed() -> None:
    try:
        sandbox()
    except SandboxError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def humaneval(data_dir: Path) -> dict[str, Item]:
    return {
        row["id"]: Item(
            row["id"], "", target=(row["target"],), metadata={**row["meta"], "prompt": row["input"]}
        )
        for row in _lines(data_dir / "humaneval" / "data.jsonl")
    }


@pytest.fixture(scope="module")
def mbpp_sanitized(data_dir: Path) -> dict[str, Item]:
    return {
        row["id"]: Item(row["id"], "", target=(row["target"],), metadata=row["meta"])
        for row in _lines(data_dir / "mbpp_sanitized" / "data.jsonl")
    }


@pytest.fixture(scope="module")
def mbpp_plus(data_dir: Path) -> dict[str, tuple[Item, int]]:
    """Items by base and plus inputs, and how many of them are base."""
    items = {}
    for id_, target, meta in _query(data_dir / "mbpp_plus", "id, target, meta"):
        facts, task = json.loads(meta), _task(id_)
        plus = [] if task in BASE_ONLY else list(facts["plus_input"])
        if task in BY_ASSERTION:
            tests = {"entry_point": facts["entry_point"], "test_list": [facts["assertion"]]}
            items[id_] = (Item(id_, "", target=(json.loads(target),), metadata=tests), 1)
            continue
        tests = {
            "entry_point": facts["entry_point"],
            "inputs": [_retyped(task, row) for row in [*facts["base_input"], *plus]],
        }
        item = Item(id_, "", target=(json.loads(target),), metadata=tests)
        items[id_] = (item, len(facts["base_input"]))
    return items


@pytest.fixture(scope="module")
def recorded(data_dir: Path) -> list[tuple[str, str, str, dict[str, str], str]]:
    rows = _query(data_dir / "code_outputs", "dataset, item_id, model, meta, output")
    return [(dataset, item, model, json.loads(meta), output) for dataset, item, model, meta, output in rows]


def test_every_reference_solution_of_humaneval_passes(humaneval):
    scores = _judged(Code(), [(item, item.target[0]) for item in humaneval.values()])
    assert len(scores) == 164
    assert [score.reason for score in scores if score.value != 1] == []


def test_every_reference_solution_of_mbpp_passes(mbpp_sanitized):
    scores = _judged(Code(), [(item, _block(item.target[0])) for item in mbpp_sanitized.values()])
    assert len(scores) == 427
    assert [score.reason for score in scores if score.value != 1] == []


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("", Outcome.EMPTY), ("I do not know.", Outcome.NO_ANSWER), ("```python\n```", Outcome.NO_ANSWER)],
)
def test_no_program_passes_nothing(humaneval, mbpp_sanitized, mbpp_plus, text, outcome):
    items = [*humaneval.values(), *mbpp_sanitized.values(), *(item for item, _ in mbpp_plus.values())]
    # Every tenth: what matters does not hang on the item, and a sandbox each takes minutes.
    scores = _judged(Code(), [(item, text) for item in items[::10]])
    assert {(score.outcome, score.value) for score in scores} == {(outcome, 0.0)}


def test_a_body_that_does_nothing_passes_nothing(humaneval):
    scores = _judged(Code(timeout_s=2), [(item, "    pass\n") for item in humaneval.values()])
    assert {(score.outcome, score.value) for score in scores} == {(Outcome.SCORED, 0.0)}


@pytest.fixture(scope="module")
def on_humaneval(humaneval, recorded) -> list[Judged]:
    rows = [row for row in recorded if row[0] == "humaneval"]
    scores = _judged(Code(timeout_s=3), [(humaneval[item], _block(output)) for _, item, _, _, output in rows])
    return [
        Judged(model, _task(item), meta["base_status"] == "pass", False, score.value == 1, False, score)
        for (_, item, model, meta, _), score in zip(rows, scores, strict=True)
    ]


@pytest.fixture(scope="module")
def on_mbpp(mbpp_plus, recorded) -> list[Judged]:
    rows = [row for row in recorded if row[0] != "humaneval"]
    # Fifty tasks by one model, then by the other, so that what the canonical solutions return is known.
    rows.sort(key=lambda row: (_task(row[1]) // 50, row[2]))
    cases = [(mbpp_plus[item][0], _block(output)) for _, item, _, _, output in rows]
    scores = list(_judged(Code(timeout_s=6), cases))
    for at, (_, _, _, meta, _) in enumerate(rows):
        if "timeout" in scores[at].reason and "fail" not in (meta["base_status"], meta["plus_status"]):
            # Others at once, and whatever else the machine does, took its time: once more by itself.
            (scores[at],) = _judged(Code(timeout_s=12), [cases[at]])
    judged = []
    for (_, item, model, meta, _), score in zip(rows, scores, strict=True):
        failed = re.match(r"test (\d+) of", score.reason)
        plus = score.value == 1
        base = plus or (failed is not None and int(failed[1]) > mbpp_plus[item][1])
        base_recorded = meta["base_status"] == "pass"
        plus_recorded = base_recorded and meta["plus_status"] == "pass"
        judged.append(Judged(model, _task(item), base_recorded, plus_recorded, base, plus, score))
    return judged


def test_every_humaneval_verdict_is_the_recorded_one(on_humaneval):
    assert len(on_humaneval) == 328
    assert [row for row in on_humaneval if row.base != row.base_recorded] == []


def test_every_mbpp_verdict_is_the_recorded_one_but_for_those_that_were_read(on_mbpp):
    assert len(on_mbpp) == 798
    rows = [row for row in on_mbpp if (row.model, row.task) not in TIME_BOUND]
    assert {(row.model, row.task) for row in rows if row.base != row.base_recorded} == set(BASE_DIFFERS)
    rows = [row for row in rows if row.task not in (*BASE_ONLY, *BY_ASSERTION)]
    assert {(row.model, row.task) for row in rows if row.plus != row.plus_recorded} == set(PLUS_DIFFERS)
    assert len(rows) == 798 - 2 * 9 - 2


def test_what_hangs_on_time_was_right_or_out_of_time(on_mbpp):
    for row in on_mbpp:
        if (row.model, row.task) in TIME_BOUND:
            assert row.plus or "timeout" in row.score.reason


@pytest.mark.parametrize("model", [SMALL, LARGE])
def test_published_accuracies_are_ours_less_the_verdicts_that_were_read(on_humaneval, on_mbpp, model):
    human = [row.base for row in on_humaneval if row.model == model]
    assert _percent(human) == PUBLISHED[model, "humaneval"]
    rows = [row for row in on_mbpp if row.model == model]
    read = TIME_BOUND | set(BASE_DIFFERS)
    base = [row.base_recorded if (model, row.task) in read else row.base for row in rows]
    assert _percent(base) == PUBLISHED[model, "mbpp"]
    read |= set(PLUS_DIFFERS) | {(model, task) for task in (*BASE_ONLY, *BY_ASSERTION)}
    plus = [row.plus_recorded if (model, row.task) in read else row.plus for row in rows]
    assert _percent(plus) == PUBLISHED[model, "mbpp+"]


def _percent(verdicts: list[bool]) -> float:
    return round(100 * sum(verdicts) / len(verdicts), 1)


def _judged(scorer: Code, answers: Iterable[tuple[Item, str]]) -> list[Score]:
    def one(answer: tuple[Item, str]) -> Score:
        item, text = answer
        return judge(scorer, item, Response(text=text, finish=FinishReason.STOP))

    with ThreadPoolExecutor(SLOTS + 1) as pool:
        return list(pool.map(one, answers))


def _block(program: str) -> str:
    return f"````python\n{program}\n````"


def _task(id_: str) -> int:
    return int(id_.partition("/")[2])


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _query(folder: Path, columns: str) -> list[tuple[Any, ...]]:
    import duckdb

    return duckdb.sql(f"SELECT {columns} FROM '{folder / 'data.parquet'}'").fetchall()


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _tuples(value: Any) -> Any:
    return [_tuple(each) for each in value] if isinstance(value, list) else value


def _all_tuples(value: Any) -> Any:
    return tuple(map(_all_tuples, value)) if isinstance(value, list) else value


def _first(change: Callable[[Any], Any]) -> Callable[[list[Any]], list[Any]]:
    return lambda row: [change(row[0]), *row[1:]]


def _each(change: Callable[[Any], Any]) -> Callable[[list[Any]], list[Any]]:
    return lambda row: [change(argument) for argument in row]


# From what kind of argument each task's contract asks for.
RETYPED: dict[tuple[int, ...], Callable[[list[Any]], list[Any]]] = {
    (2, 116, 132, 143, 222, 261, 273, 394, 399, 421, 424): _each(_tuple),
    (429, 470, 560, 579, 596, 616, 630, 726, 740, 744, 809): _each(_tuple),
    (63, 64, 70, 94, 120, 237, 272, 299, 400, 409, 417, 438, 473, 614, 780): _each(_tuples),
    (75, 413, 444, 753): _first(_tuples),
    (106, 750): lambda row: [row[0], _tuple(row[1])],
    (115,): _first(lambda sets: [set(each) if isinstance(each, list) and each else {} for each in sets]),
    (124,): lambda row: [float(row[0]), complex(row[1])],
    (250, 307, 405, 446, 617, 720, 763, 808): _first(_tuple),
    (252,): _each(complex),
    (259, 278, 401, 445): _each(lambda value: _tuple(_tuples(value))),
    (580, 615, 791): _each(_all_tuples),
    (722,): _first(lambda table: {key: _tuple(value) for key, value in table.items()}),
}


def _retyped(task: int, row: list[Any]) -> list[Any]:
    return next((change for tasks, change in RETYPED.items() if task in tasks), lambda same: same)(row)
