"""Rubrics by name and from files."""

import json
import re
from pathlib import Path

import pytest
import yaml

from bakeoff.errors import TaskError
from bakeoff.judging import built_in_rubrics, read_rubric, rubric_of
from tests.judging.rubrics import SENTENCES

TRIAD = {
    "rag/answer_relevance": ("grades", None, False),
    "rag/citation_support": ("units", "answer", False),
    "rag/context_precision": ("units", "passages", True),
    "rag/context_recall": ("units", "reference", False),
    "rag/context_relevance": ("units", "passages", False),
    "rag/groundedness": ("units", "answer", False),
}


@pytest.mark.parametrize("name", TRIAD)
def test_a_rubric_that_comes_with_bakeoff(name):
    rubric = read_rubric(name)
    assert (rubric.kind, rubric.units, rubric.reference) == TRIAD[name]
    assert [each.name for each in rubric.criteria] == [name.partition("/")[2]]


def test_all_of_them_are_named():
    assert built_in_rubrics() == tuple(sorted(TRIAD))
    with pytest.raises(TaskError, match="no rubric groundedness") as caught:
        read_rubric("groundedness")
    assert "rag/groundedness" in caught.value.hint


def test_a_rubric_in_a_file(tmp_path):
    values = SENTENCES.model_dump(exclude_defaults=True)
    for name, text in (
        ("a.json", json.dumps(values)),
        ("b.yaml", yaml.safe_dump(json.loads(json.dumps(values)))),
    ):
        (tmp_path / name).write_text(text, "utf-8")
        assert read_rubric(str(tmp_path / name)) == SENTENCES


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"kind: [", "neither YAML nor JSON"),
        (b"- kind", "must start with `kind`"),
        (b"", "must start with `kind`"),
        (b"kind: \xff", "cannot be read"),
        (b"kind: stars\ncriteria: []", r"r\.yaml: rubric\.kind"),
    ],
)
def test_a_file_that_holds_no_rubric_says_so(tmp_path, data, problem):
    path = tmp_path / "r.yaml"
    path.write_bytes(data)
    with pytest.raises(TaskError, match=problem):
        read_rubric(str(path))


def test_the_rubrics_of_the_guide_are_rubrics():
    guide = (Path(__file__).parents[2] / "docs/guide/rag.md").read_text("utf-8")
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)]
    found = [rubric_of(block) for block in blocks if "kind" in block]
    assert [each.kind for each in found] == ["units"]
    assert all(f"`{name}`" in guide for name in built_in_rubrics())
