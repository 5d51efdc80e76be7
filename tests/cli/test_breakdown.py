"""A generated task run under other arguments, resumed with them, and its score by depth."""

import json

import orjson
import pytest

from bakeoff.task import DataOverlay, load_task, prepare
from tests.cli.command import bakeoff

ITEMS = 33


@pytest.fixture
def depth(tmp_path):
    """The depth of the one item that is answered right, in a run of needle that lies in `runs`."""
    task, _ = load_task("needle", overlay=DataOverlay(args={"tokens": 600, "kind": "single"}))
    items = list(prepare(task).items())[:ITEMS]
    rows = [{"item_id": item.id, "output": items[0].target[0]} for item in items]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    args = ("--arg", "tokens=600", "--arg", "kind=single", "--limit", str(ITEMS))
    done = bakeoff(tmp_path, "run", "needle", *args, "--model", "recorded:answers.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    return items[0].metadata["depth"]


@pytest.mark.usefixtures("depth")
def test_the_arguments_are_in_the_manifest_and_a_resume_has_them(tmp_path):
    (path,) = tmp_path.glob("runs/**/manifest.json")
    manifest = orjson.loads(path.read_bytes())
    assert manifest["task"]["args"] == {"tokens": 600, "kind": "single"}
    assert manifest["task"]["source"]["args"] == {"tokens": 600, "needles": 4, "kind": "single"}
    resumed = bakeoff(tmp_path, "run", "--resume", "last", "--json")
    assert resumed.returncode == 0, resumed.stderr


def test_show_tells_the_score_by_a_column_to_people_and_machines(tmp_path, depth):
    shown = bakeoff(tmp_path, "show", "last", "--by", "meta.depth", "--json")
    (found,) = orjson.loads(shown.stdout)["by"]
    assert [part["value"] for part in found["parts"]] == [str(each) for each in range(0, 101, 10)]
    right = {part["value"]: part["score"]["value"] for part in found["parts"] if part["score"]["value"]}
    assert right == {str(depth): pytest.approx(1 / 3)}
    assert all(part["counts"]["total"] == 3 for part in found["parts"])
    assert sum(part["counts"]["no_answer"] for part in found["parts"]) == ITEMS - 1
    text = bakeoff(tmp_path, "show", "last", "--by", "meta.depth", "--by", "meta.kind").stdout
    assert all(words in text for words in ("by meta.depth", "by meta.kind", "single", "no_answer 3"))
    cut = bakeoff(tmp_path, "show", "last", "--by", "meta.depth", "--cut", "50").stdout
    assert all(words in cut for words in ("< 50", "≥ 50"))


@pytest.mark.usefixtures("depth")
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (("--by", "meta.dept"), "there are meta.characters, meta.depth"),
        (("--cut", "3"), "--cut splits the values of one --by COLUMN"),
        (("--by", "meta.depth", "--by", "meta.kind", "--cut", "3"), "--cut splits the values of one"),
        (("--by", "meta.depth", "--cut", "3", "--cut", "2"), "must ascend, got 3, 2"),
    ],
)
def test_what_cannot_be_told_is_said(tmp_path, options, problem):
    shown = bakeoff(tmp_path, "show", "last", *options)
    assert shown.returncode == 2
    assert problem in shown.stderr
