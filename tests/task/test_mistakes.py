"""Every mistake a person makes in a task file is answered with its place and a way out."""

from pathlib import Path

import pytest

from bakeoff.errors import TaskError
from bakeoff.nouns import Item
from bakeoff.task import Task, load_task, prepare
from tests.task.writing import ROWS, TASK, write_task


def edited(old: str, new: str) -> str:
    assert old in TASK
    return TASK.replace(old, new)


def spoiled(index: int, **columns: object) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = [dict(row) for row in ROWS]
    rows[index] |= columns
    return rows


# What is in the task file, and what the message must contain.
IN_THE_TASK_FILE = {
    "misspelt key": (edited("options: letters", "option: letters"), ["task.yaml:11: option", "'options'"]),
    "misspelt key of the prompt": (
        edited("  template:", "  tempalte:"),
        [":10: prompt.tempalte", "'template'"],
    ),
    "unknown word": (edited("letters", "letter"), [":11: options", "'texts' or 'letters'", "'letter'"]),
    "name with a space": (edited("name: rivers", "name: Big Rivers"), [":1: name", "'Big Rivers'"]),
    "no scorer": (edited("scorer: choice\n", ""), ["task.yaml:1: scorer: is missing"]),
    "unknown scorer": (edited("scorer: choice", "scorer: choise"), [":12: scorer", "'choise'", "choice"]),
    "unknown option of the scorer": (
        edited("scorer: choice", "scorer: {name: choice, tke: last}"),
        [":12: scorer", "'tke'", "take"],
    ),
    "scorer for another kind of request": (
        edited("scorer: choice", "scorer: loglikelihood"),
        [":12: scorer", "loglikelihood@1", "ask: generate", "set ask: loglikelihood"],
    ),
    "two sources": (
        edited("  file: items.jsonl", "  file: items.jsonl\n  hub: a/b"),
        [":3: data", "file and hub"],
    ),
    "no source": (edited("  file: items.jsonl", "  where: {a: 1}"), [":3: data", "exactly one of file, hub"]),
    "key of another source": (
        edited("  file: items.jsonl", "  file: items.jsonl\n  split: test"),
        [":5: data.split", "data.hub", "where: {split: test}"],
    ),
    "file that is not there": (
        edited("items.jsonl", "item.jsonl"),
        [":4: data.file", "item.jsonl", "beside it there are items.jsonl"],
    ),
    "file of an unknown kind": (edited("items.jsonl", "items.xlsx"), [":4: data.file", ".parquet"]),
    "missing column": (
        edited("question", "querstion"),
        [
            ":6: fields.input",
            "'querstion'",
            "items.jsonl:1",
            "did you mean 'question'?",
            "id, question, options",
        ],
    ),
    "missing column of choices": (
        edited("choices: options", "choices: [a, b]"),
        [":7: fields.choices", "'a'", "the columns are id, question, options, answer"],
    ),
    "template syntax": (edited('"{{ input }}"', '"{% if %}"'), [":10: prompt.template", "template syntax"]),
    "template syntax on its own line": (
        edited('"{{ input }}"', "|-\n    {{ input }}\n    {% endfor %}"),
        [":12: prompt.template", "template syntax", "endfor"],
    ),
    "undefined variable": (
        edited("{{ input }}", "{{ inptu }}"),
        [":10: prompt.template", "item nile", "'inptu' is undefined", "'input'", "question, options, answer"],
    ),
    "escape from the sandbox": (
        edited("{{ input }}", "{{ input.__class__.__mro__ }}"),
        [":10: prompt.template", "SecurityError"],
    ),
    "stop as a bare text": (
        TASK + 'generation:\n  stop: "END"\n',
        [":14: generation.stop", "must be a list", "['END']"],
    ),
    "no tokens": (TASK + "generation:\n  max_tokens: 0\n", [":14: generation.max_tokens", "got 0"]),
    "chance above one": (TASK + "chance: 25\n", [":13: chance", "got 25"]),
    "no choices to compare": (
        edited("  choices: options\n", "").replace(
            "scorer: choice", "scorer: loglikelihood\nask: loglikelihood"
        ),
        [":12: ask", "item nile has no choices", "fields.choices"],
    ),
    "more shots than rows": (TASK + "shots: {n: 3}\n", ["shots.n", "3 shots", "the 2 rows", "item nile"]),
    "fixed shots without rows": (TASK + "shots:\n  rule: fixed\n", [":14: shots.rule", "shots.data"]),
    "shots of a group that is not there": (
        TASK + "shots:\n  n: 1\n  same: continent\n",
        [":15: shots.same", "'continent'", "question"],
    ),
    "unknown key of a variant": (
        TASK + "variants:\n  brief:\n    promt: {}\n",
        [":15: variants.brief.promt", "'prompt'"],
    ),
    "contradiction in a variant": (
        TASK + "variants:\n  brief:\n    shots: {rule: fixed}\n",
        [":15: variants.brief.shots.rule", "shots.data"],
    ),
    "variant called default": (
        TASK + "variants:\n  default: {}\n",
        [":14: variants.default", "another name"],
    ),
    "where keeps nothing": (
        edited("  file: items.jsonl", "  file: items.jsonl\n  where: {answer: C}"),
        [":5: data.where", "none of the 3 rows has answer = C", "0, A, B"],
    ),
    "where names no column": (
        edited("  file: items.jsonl", "  file: items.jsonl\n  where: {split: test}"),
        [":5: data.where.split", "no row has a column 'split'", "id, question"],
    ),
    "json column that is text": (
        edited("  file: items.jsonl", "  file: items.jsonl\n  json_columns: [question]"),
        ["items.jsonl:1", "'question'", "not JSON", "data.json_columns"],
    ),
    "json column that is not there": (
        edited("  file: items.jsonl", "  file: items.jsonl\n  json_columns: [meta]"),
        [":5: data.json_columns", "'meta'", "the columns are"],
    ),
    "key written twice": (TASK + "scorer: number\n", ["task.yaml:13: scorer", "twice"]),
    "not YAML": (edited("data:", "data: ]"), ["task.yaml:3", "not YAML"]),
    "list in place of a task": ("- a\n- b\n", ["task.yaml", "key: value"]),
    "generator without n": (
        edited("  file: items.jsonl", "  generator: numbers.py:rows"),
        [":3: data.n", "a generator needs n"],
    ),
    "generator that is no name": (
        edited("  file: items.jsonl", "  generator: numbers\n  n: 3"),
        [":4: data.generator", "module:function"],
    ),
    "generator in a file that is not there": (
        edited("  file: items.jsonl", "  generator: numbers.py:rows\n  n: 3"),
        [":4: data.generator", "there is no file", "numbers.py"],
    ),
    "generator that is not in its module": (
        edited("  file: items.jsonl", "  generator: bakeoff.digest:digets\n  n: 3"),
        [":4: data.generator", "'digets'", "did you mean 'digest'?"],
    ),
    "messages in a plain prompt": (
        edited("input: question", "messages: options").replace("template:", "kind: plain\n  template:"),
        [":6: fields.messages", "items.jsonl:1", "role, content"],
    ),
}


@pytest.mark.parametrize("case", IN_THE_TASK_FILE)
def test_a_mistake_in_the_task_file_is_located_and_answered(case: str, tmp_path: Path) -> None:
    text, expected = IN_THE_TASK_FILE[case]
    path = write_task(tmp_path, text)
    with pytest.raises(TaskError) as caught:
        prepare(*load_task(str(path)))
    for fragment in expected:
        assert fragment in str(caught.value)


IN_THE_ITEMS = {
    "broken line": (
        '{"question": "?", "options": ["a", "b"], "answer": 0}\n\n{"id": \n',
        ["items.jsonl:3", "not JSON"],
    ),
    "line that is no object": ("[1, 2]\n", ["items.jsonl:1", "named columns", "list"]),
    "nothing at all": ("\n", ["data", "empty"]),
    "gold that is no choice": (
        spoiled(1, answer="In the desert"),
        ["items.jsonl:2", "'In the desert'", "In a lake"],
    ),
    "letter beyond the choices": (
        spoiled(1, answer="C"),
        ["items.jsonl:2", "letter C is beyond the 2 choices"],
    ),
    "index beyond the choices": (spoiled(1, answer=2), ["items.jsonl:2", "no choice 2", "count from 0"]),
    "several gold choices": (spoiled(1, answer=["A", "B"]), ["items.jsonl:2", "names no choice"]),
    "gold that can be read two ways": (
        spoiled(1, options=["B", "A"], answer="A"),
        ["items.jsonl:2", "as text choice 1 and as letter choice 0"],
    ),
    "choices that are text": (spoiled(2, options="[1, 2]"), ["items.jsonl:3", "a list", "data.json_columns"]),
    "input that is no text": (
        spoiled(0, question=7),
        ["items.jsonl:1", "fields.input", "the input is a text"],
    ),
    "an id twice": (spoiled(2, id="nile"), ["fields.id", "'nile' is there twice, in rows 1 and 3"]),
    "an empty id": (spoiled(2, id=""), ["items.jsonl:3", "the id is empty"]),
    "a row without the column": (
        [*ROWS, {"id": "x", "options": ["a", "b"], "answer": 0}],
        ["fields.input", "'question'", "items.jsonl:4", "id, options, answer"],
    ),
}


@pytest.mark.parametrize("case", IN_THE_ITEMS)
def test_a_mistake_in_the_items_is_located_and_answered(case: str, tmp_path: Path) -> None:
    rows, expected = IN_THE_ITEMS[case]
    path = write_task(tmp_path, rows=rows)
    with pytest.raises(TaskError) as caught:
        prepare(*load_task(str(path)))
    for fragment in expected:
        assert fragment in str(caught.value)


def test_an_undefined_variable_of_a_variant_is_shown_in_the_variant(tmp_path: Path) -> None:
    path = write_task(tmp_path, TASK + "variants:\n  brief:\n    prompt:\n      template: '{{ qestion }}'\n")
    with pytest.raises(TaskError, match=r"task\.yaml:16: variants\.brief\.prompt\.template.*'qestion'"):
        prepare(load_task(str(path))[0], "brief")


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    path = write_task(tmp_path, edited("letters", "letter") + "chance: two\n")
    with pytest.raises(TaskError) as caught:
        load_task(str(path))
    assert [line.split(": ")[1] for line in caught.value.message.splitlines()] == ["options", "chance"]


def test_an_unknown_variant_is_answered_with_the_ones_there_are(tmp_path: Path) -> None:
    path = write_task(tmp_path, TASK + "variants:\n  brief: {}\n  steps: {}\n")
    with pytest.raises(TaskError, match=r"did you mean 'brief'\? there are default, brief, steps"):
        load_task(f"{path}:breif")


def test_an_unknown_task_is_answered_with_the_way_to_the_catalog() -> None:
    with pytest.raises(TaskError, match="bakeoff task list"):
        load_task("no-such-task-anywhere")


def test_a_task_file_that_is_not_there_is_answered_with_its_neighbours(tmp_path: Path) -> None:
    write_task(tmp_path)
    with pytest.raises(TaskError, match=r"no file .*tsk\.yaml\n.*task\.yaml"):
        load_task(str(tmp_path / "tsk.yaml"))


def test_a_mistake_in_python_is_the_same_error_with_the_name_of_the_task() -> None:
    with pytest.raises(TaskError, match=r"task 'rivers': shots\.rule: .*'first', 'sampled' or 'fixed'"):
        Task(name="rivers", data=[{"input": "?"}], scorer="exact", shots={"rule": "frist"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (Item("a", "?", choices=("x", "y"), target=2), "there is no choice 2: 2 choices count from 0"),
        (Item("a", "?", target=0), "there is no choice 0: 0 choices"),
        (Item("a", "?", target="x"), r"the target is 'x'\nwrite a tuple"),  # type: ignore[arg-type]
    ],
)
def test_an_item_built_in_python_with_an_impossible_target_is_a_mistake(item: Item, expected: str) -> None:
    with pytest.raises(TaskError, match=f"task 't': fields.target: row 1: item a: {expected}"):
        prepare(Task(name="t", data=[item], scorer="choice"))


def test_a_python_file_that_fails_is_shown_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("x = 1\ny = x / 0\n")
    with pytest.raises(TaskError, match=r"mine\.py:2: .*ZeroDivisionError"):
        load_task(str(path))


def test_a_python_file_without_the_task_is_answered_with_what_it_defines(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("tsk = 1\n")
    with pytest.raises(TaskError, match=r"no 'task' in it\n.*did you mean 'tsk'"):
        load_task(str(path))
