"""HumanEval and MBPP, and EvalPlus's versions of both."""

import ast
from collections.abc import Mapping
from typing import Any

from bakeoff.errors import TaskError


def humaneval(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of openai/openai_humaneval: the body in `canonical_solution` goes on after `prompt`."""
    return {
        "id": columns["task_id"],
        "input": columns["prompt"],
        "target": columns["canonical_solution"],
        "meta": {"entry_point": columns["entry_point"], "test": columns["test"]},
    }


def mbpp(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of google-research-datasets/mbpp, configuration `sanitized`."""
    return {
        "id": f"Mbpp/{columns['task_id']}",
        "input": columns["prompt"],
        "target": columns["code"],
        "meta": {"test_imports": list(columns["test_imports"]), "test_list": list(columns["test_list"])},
    }


def humaneval_plus(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of evalplus/humanevalplus. The target is the whole program, which says what is right."""
    return {
        "id": columns["task_id"],
        "input": columns["prompt"],
        "target": columns["prompt"] + columns["canonical_solution"],
        "meta": {"entry_point": columns["entry_point"], **_tests(columns["task_id"], columns["test"])},
    }


def mbpp_plus(columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row of evalplus/mbppplus. The input is EvalPlus's own prompt: the words and the first test."""
    id_ = f"Mbpp/{columns['task_id']}"
    tests = _tests(id_, columns["test"])
    return {
        "id": id_,
        "input": f'"""\n{columns["prompt"].strip()}\n{columns["test_list"][0]}\n"""\n',
        "target": columns["code"],
        "meta": {"entry_point": _called(columns["test"]), **tests} if "inputs" in tests else tests,
    }


def _tests(id_: str, source: str) -> Mapping[str, Any]:
    """EvalPlus's test as the arguments of its calls, which the reference program is asked for right values.

    A test is a list `inputs`, a list `results` and a loop that compares with NumPy, which no sandbox has. One
    of another form stays Python, which is run as it is.
    """
    for node in ast.walk(_parsed(id_, source)):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
            names = [name.id for name in node.targets if isinstance(name, ast.Name)]
            if names == ["inputs"] and "results" in source:
                return {"inputs": [ast.unparse(each) for each in node.value.elts]}
    return {"test": source}


def _called(source: str) -> str:
    """The function that is called with `*inp`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            first = node.args[0]
            if isinstance(first, ast.Starred) and isinstance(first.value, ast.Name):
                return node.func.id
    raise TaskError(
        "its test calls no function with `*inp`", "The data set has another layout than EvalPlus's."
    )


def _parsed(id_: str, source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        raise TaskError(f"{id_}: its test is no Python: {error}", "Download the data set again.") from None
