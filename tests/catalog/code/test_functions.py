"""HumanEval, MBPP and EvalPlus's versions: rows of the hub's layout, with content of our own."""

import json
from pathlib import Path

import pytest

from bakeoff import evaluate
from bakeoff.errors import TaskError
from bakeoff.nouns import FinishReason, Response
from bakeoff.sandbox import SandboxError, sandbox
from bakeoff.score import judge
from bakeoff.score.code import Code
from bakeoff.task import lint, load_task, prepare
from tests.catalog.hub_rows import items_of, on_hub_rows
from tests.run.runs import answers

PROMPT = 'from math import floor\n\n\ndef triple(x):\n    """Three times x."""\n'
BODY = "    return 3 * x\n"
CHECK = "def check(candidate):\n    assert candidate(2) == 6\n    assert candidate('ab') == 'ababab'\n"
# The form of EvalPlus's tests: lists, and a loop that compares with NumPy.
COMPARED = """
def is_floats(x) -> bool:
    return isinstance(x, float) or isinstance(x, np.ndarray)

def assertion(out, exp, atol):
    if is_floats(exp):
        np.testing.assert_allclose(out, exp, atol=atol)
    assert out == exp
"""
IN_CHECK = (
    "\n\nimport numpy as np\n" + COMPARED + "\n\ndef check(candidate):\n"
    "    inputs = [[2], ['ab'], [(1, 2)]]\n"
    "    results = [6, 'ababab', (1, 2, 1, 2, 1, 2)]\n"
    "    for i, (inp, exp) in enumerate(zip(inputs, results)):\n"
    "        assertion(candidate(*inp), exp, 0)\n"
)
AT_MARGIN = (
    "import numpy as np\nfrom math import inf\n" + COMPARED + "\n\n"
    "inputs = [[2], ['ab'], [(1, 2)]]\n"
    "results = [6, 'ababab', (1, 2, 1, 2, 1, 2)]\n"
    "for i, (inp, exp) in enumerate(zip(inputs, results)):\n"
    "    assertion(triple(*inp), exp, 0)\n"
)
HUB = {
    "humaneval": {
        "task_id": "HumanEval/0",
        "prompt": PROMPT,
        "canonical_solution": BODY,
        "test": CHECK,
        "entry_point": "triple",
    },
    "humaneval_plus": {
        "task_id": "HumanEval/0",
        "prompt": PROMPT,
        "canonical_solution": BODY,
        "test": IN_CHECK,
        "entry_point": "triple",
    },
    "mbpp": {
        "source_file": "Some.ipynb",
        "task_id": 2,
        "prompt": "Write a function that triples.",
        "code": "def triple(x):\n  return 3 * x",
        "test_imports": ["import math"],
        "test_list": ["assert triple(2) == 6", "assert triple('a') == 'aaa'"],
    },
    "mbpp_plus": {
        "task_id": 2,
        "prompt": "Write a function that triples.",
        "code": "\ndef triple(x):\n  return 3 * x\n",
        "source_file": "Some.ipynb",
        "test_imports": [],
        "test_list": ["assert triple(2) == 6"],
        "test": AT_MARGIN,
    },
}
COMMON = {
    "humaneval": {
        "id": "HumanEval/0",
        "input": PROMPT,
        "target": BODY,
        "split": "test",
        "meta": {"entry_point": "triple", "test": CHECK},
    },
    "mbpp": {
        "id": "Mbpp/2",
        "input": "Write a function that triples.",
        "target": "def triple(x):\n  return 3 * x",
        "split": "test",
        "meta": {
            "test_imports": ["import math"],
            "test_list": ["assert triple(2) == 6", "assert triple('a') == 'aaa'"],
        },
    },
}
# Rows of each folder of real data in the task's split; one of mbpp_plus holds -Infinity, which is no JSON.
ROWS = {"humaneval": ("humaneval", 164), "mbpp": ("mbpp_sanitized", 257), "mbpp_plus": ("mbpp_plus", 398)}


@pytest.fixture
def _sandboxed(monkeypatch, tmp_path):
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "cache"))
    try:
        sandbox()
    except SandboxError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("name", COMMON)
def test_a_row_of_the_hub_makes_the_item_of_a_file_of_items(name, tmp_path):
    file = tmp_path / "items.jsonl"
    file.write_text(json.dumps(COMMON[name]) + "\n")
    task, _ = load_task(name, data=str(file))
    (here,), (there,) = prepare(task).items(), items_of(name, HUB[name])
    for field in ("id", "input", "choices", "target", "metadata"):
        assert getattr(here, field) == getattr(there, field)


@pytest.mark.usefixtures("_sandboxed")
@pytest.mark.parametrize("name", HUB)
def test_its_own_solution_passes_and_a_wrong_one_fails(name, tmp_path):
    (item,) = items_of(name, HUB[name])
    said = {item.id: "```python\ndef triple(x):\n    return x + x + x\n```"}
    result = evaluate(on_hub_rows(name, HUB[name]).task, answers(tmp_path, said), out=tmp_path / "runs")
    assert (result.manifest.preflight.references, result.manifest.preflight.reference_fails) == (1, [])
    assert result.metrics.score.value == 1.0
    wrong = Response(text="```python\ndef triple(x):\n    return 2 * x\n```", finish=FinishReason.STOP)
    assert judge(Code(), item, wrong).value == 0


@pytest.mark.usefixtures("_sandboxed")
def test_the_kinds_of_values_count_where_json_would_lose_them():
    (item,) = items_of("mbpp_plus", HUB["mbpp_plus"])
    assert item.metadata == {"entry_point": "triple", "inputs": ["[2]", "['ab']", "[(1, 2)]"]}
    as_list = (
        "```python\ndef triple(x):\n    y = 3 * x\n    return list(y) if isinstance(y, tuple) else y\n```"
    )
    assert judge(Code(), item, Response(text=as_list, finish=FinishReason.STOP)).value == 0


def test_a_test_of_another_form_stays_python():
    other = HUB["humaneval_plus"] | {"test": CHECK}
    (item,) = items_of("humaneval_plus", other)
    assert item.metadata["test"] == CHECK
    with pytest.raises(TaskError, match=r"HumanEval/0.*no Python"):
        items_of("humaneval_plus", HUB["humaneval_plus"] | {"test": "def check("})


@pytest.mark.usefixtures("_sandboxed")
def test_evalplus_own_layout_is_read_from_a_file(tmp_path):
    row = {
        "id": "Mbpp/2",
        "input": "Triple it.",
        "target": "def triple(x):\n  return 3 * x",
        "meta": {"entry_point": "triple", "base_input": [[2]], "plus_input": [["ab"], [[1, 2]]], "atol": 0},
    }
    file = tmp_path / "items.jsonl"
    file.write_text(json.dumps(row) + "\n")
    task, _ = load_task("mbpp_plus", data=str(file))
    (item,) = prepare(task).items()
    for program, right in ((row["target"], 1), ("def triple(x):\n  return x + x", 0)):
        answer = Response(text=f"```python\n{program}\n```", finish=FinishReason.STOP)
        assert judge(Code(), item, answer).value == right


@pytest.mark.data
@pytest.mark.parametrize("name", ROWS)
def test_every_real_row_loads_and_the_first_ones_lint(name, data_dir, tmp_path):
    folder, n = ROWS[name]
    file = data_dir / folder / "data.jsonl"
    if not file.exists():
        file = _without_infinity(data_dir / folder / "data.parquet", tmp_path)
    task, _ = load_task(name, data=str(file))
    assert prepare(task).n_items == n
    # Lint runs every gold answer it looks at in a sandbox.
    assert [each for each in lint(task, limit=3) if each.rule != "unread-gold"] == []


def _without_infinity(parquet: Path, folder: Path) -> Path:
    import duckdb

    copy = folder / "data.parquet"
    duckdb.sql(
        f"COPY (SELECT * FROM '{parquet}' WHERE meta NOT LIKE '%Infinity%') TO '{copy}' (FORMAT parquet)"
    )
    return copy
