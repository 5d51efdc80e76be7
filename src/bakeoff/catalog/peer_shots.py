"""Standard worked examples that exist only inside lm-evaluation-harness, read from its task files.

They are texts of benchmarks, which this package does not hold. The files are read as data; nothing of the
harness is imported or run.
"""

import ast
import os
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from bakeoff.errors import TaskError

Row = dict[str, Any]


def truthfulqa(_seed: int, n: int) -> Iterator[Row]:
    """The six pairs of question and answer that open every TruthfulQA prompt (Lin et al. 2022, "QA prompt").

    Each is a row of its own kind: one choice, which is true, in both multiple-choice forms.

    Raises:
        TaskError: the harness's files are not there, or are not as those of 0.4.13.
    """
    file = "truthfulqa/truthfulqa_mc1.yaml"
    text = str(task_file(file)["doc_to_text"]).partition("'%}")[0]
    pairs = re.findall(r"Q: (.+)\nA: (.+)", text)
    if len(pairs) != 6:
        raise unexpected(file, f"{len(pairs)} examples where there were six")
    for number, (question, answer) in enumerate(islice(pairs, n)):
        both = {"mc2_choices": [answer], "mc2_labels": [1], "correct_answers": [answer]}
        yield {"id": f"example/{number}", "input": question, "choices": [answer], "target": 0, "meta": both}


def bbh(_seed: int, n: int) -> Iterator[Row]:
    """Three examples of each of BIG-Bench Hard's 27 tasks, with the way to the target in `meta.reasoning`.

    Suzgun et al. 2022, whose answer-only and chain-of-thought prompts show the same examples. The first of a
    task has the task's description, which opens every prompt of it, as `meta.opening`.

    Raises:
        TaskError: the harness's files are not there, or are not as those of 0.4.13.
    """
    files = sorted((tasks_folder() / "bbh" / "cot_fewshot").glob("[a-z]*.yaml"))
    return islice((row for file in files for row in _bbh(file.stem)), n)


def _bbh(task: str) -> Iterator[Row]:
    file = f"bbh/cot_fewshot/{task}.yaml"
    content = task_file(file)
    for number, sample in enumerate(content["fewshot_config"]["samples"]):
        reasoning = str(sample["target"])
        answer = re.search(r"the answer is (.+?)\.?\s*\Z", reasoning)
        if answer is None:
            raise unexpected(file, f"example {number + 1} does not end with its answer")
        meta = {"task": task, "reasoning": reasoning}
        if number == 0:
            meta["opening"] = content["description"].strip()
        yield {"id": f"{task}/example/{number}", "input": sample["input"], "target": answer[1], "meta": meta}


def minerva(_seed: int, n: int, task: str = "minerva_math") -> Iterator[Row]:
    """The four problems of MATH with solutions that open its prompts (Lewkowycz et al. 2022).

    `task` is the folder of the harness's task whose copy is read: `minerva_math`, or `leaderboard/math`.

    Raises:
        TaskError: the harness's files are not there, or are not as those of 0.4.13.
    """
    file = f"{task}/utils.py"
    for number, sample in enumerate(islice(_literal(file, "list_fewshot_samples"), n)):
        answer = re.search(r"final answer is \$?(.+?)\$?\. I hope", sample["solution"])
        if answer is None:
            raise unexpected(file, f"example {number + 1} does not end with its answer")
        meta = {"solution": sample["solution"]}
        yield {"id": f"example/{number}", "input": sample["problem"], "target": answer[1], "meta": meta}


def _literal(file: str, function: str) -> list[Row]:
    """The list of literals that a function of the harness returns, from its text."""
    try:
        tree = ast.parse((tasks_folder() / file).read_text(encoding="utf-8"))
        (body,) = (
            node.body for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function
        )
        (returned,) = (node.value for node in body if isinstance(node, ast.Return) and node.value is not None)
        value: list[Row] = ast.literal_eval(returned)
    except (OSError, SyntaxError, ValueError) as error:
        raise unexpected(file, f"{function}: {str(error).partition(chr(10))[0]}") from error
    return value


def task_file(name: str) -> Row:
    """The content of one of the harness's task files; `!function` and other tags are read as None.

    Raises:
        TaskError: it is not there, or is no YAML mapping.
    """
    import yaml

    path = tasks_folder() / name
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), _loader())  # noqa: S506 (a SafeLoader)
    except (OSError, yaml.YAMLError) as error:
        raise unexpected(name, str(error).partition("\n")[0]) from error
    if not isinstance(content, dict):
        raise unexpected(name, "it holds no keys")
    return content


def tasks_folder() -> Path:
    """Where the harness's task files are: in the checkout BAKEOFF_LM_EVAL, or in the installed package.

    Raises:
        TaskError: there is neither.
    """
    checkout = os.environ.get("BAKEOFF_LM_EVAL")
    if checkout:
        folder = Path(checkout) / "lm_eval" / "tasks"
    else:
        # Found, not imported.
        spec = find_spec("lm_eval")
        folder = Path(spec.origin).parent / "tasks" if spec and spec.origin else Path()
    if not folder.is_dir() or folder == Path():
        where = f"in BAKEOFF_LM_EVAL={checkout}" if checkout else "here"
        raise TaskError(
            f"these worked examples are in the task files of lm-evaluation-harness, which is not {where}",
            "pip install --no-deps lm-eval==0.4.13, or set BAKEOFF_LM_EVAL to a checkout of it; "
            "or take a variant without examples",
        )
    return folder


def unexpected(file: str, problem: str) -> TaskError:
    """The error that a file of the harness is not as it was."""
    return TaskError(
        f"{file} of lm-evaluation-harness: {problem}", "these examples are read from lm-eval==0.4.13"
    )


@lru_cache(maxsize=1)
def _loader() -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """Knows no tags, so that no file of another project can name code."""

    Loader.add_multi_constructor("!", lambda *_: None)
    return Loader
