import pytest

from bakeoff.errors import TaskError
from bakeoff.task import load_task
from bakeoff.task.catalog import suite_index
from bakeoff.task.suite import Suite, load_suite


@pytest.mark.parametrize("name", suite_index())
def test_every_task_of_a_suite_is_in_the_catalog_under_that_variant(name):
    suite = load_suite(name)
    assert suite.name == name
    for ref in suite.refs:
        task, variant = load_task(ref)
        assert ref in (task.name, f"{task.name}:{variant}")


def test_the_index_describes_each():
    assert suite_index() == {name: load_suite(name).description for name in suite_index()}


def test_tasks_are_asked_once_though_two_columns_have_them():
    columns = [{"name": name, "parts": [{"tasks": "sums"}, {"tasks": ["words", name]}]} for name in "ab"]
    assert Suite(name="s", columns=columns).refs == ("sums", "words", "a", "b")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("name: s\ncolumns: []\n", "s.yaml:2: columns"),
        (
            "name: s\ncolumns:\n  - name: A\n    parts:\n      - {tasks: a, floor: 1}\n",
            r"s.yaml:5: .*floor: lies in \[0, 1\)",
        ),
        (
            "name: s\ncolumns:\n  - name: A\n    parts:\n      - tasks: a\n        floor: {x: 0.5}\n",
            "several floors need `by`",
        ),
        ("name: s\ncolumns:\n  - name: A\n    part: []\n", r"s.yaml:4: .*no such key"),
    ],
)
def test_a_mistake_has_its_line(tmp_path, text, named):
    file = tmp_path / "s.yaml"
    file.write_text(text)
    with pytest.raises(TaskError, match=named):
        load_suite(str(file))


def test_an_unknown_suite_is_answered_with_those_there_are():
    with pytest.raises(TaskError, match=r"no suite 'open-llm-v3'\n.*open-llm-v2"):
        load_suite("open-llm-v3")
