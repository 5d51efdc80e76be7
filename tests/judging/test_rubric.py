import re
from pathlib import Path

import pytest
import yaml

from bakeoff.errors import TaskError
from bakeoff.judging import rubric_of
from tests.judging.rubrics import GRADES, LEVELS, PAIRWISE, STRICT

GRADED = {"name": "grounded", "question": "Is it supported?", "levels": LEVELS}
NAMED = GRADED | {"levels": {"none": "not at all", "full": "fully"}}
UNITS = {"kind": "units", "units": "answer", "criteria": [NAMED]}
PAIRED = {"name": "helpful", "question": "Which one helps?"}


@pytest.mark.parametrize(
    ("values", "field", "problem"),
    [
        ({"criteria": [GRADED]}, "rubric.kind", "field required"),
        ({"kind": "stars", "criteria": [GRADED]}, "rubric.kind", "'pairwise' or 'units'"),
        ({"kind": "grades"}, "rubric.criteria", "field required"),
        ({"kind": "grades", "criteria": []}, "rubric", "needs a criterion"),
        ({"kind": "grades", "criteria": [GRADED], "scale": 5}, "rubric.scale", "not permitted"),
        ({"kind": "grades", "criteria": [GRADED | {"levels": "low"}]}, "criteria[0].levels", "a list"),
        ({"kind": "grades", "criteria": [GRADED | {"levels": ["low", " "]}]}, "levels[1]", "say something"),
        ({"kind": "grades", "criteria": [GRADED | {"levels": ["low"]}]}, "rubric", "two to ten levels"),
        ({"kind": "grades", "criteria": [GRADED | {"levels": list("abcdefghijk")}]}, "rubric", "has 11"),
        ({"kind": "grades", "criteria": [GRADED | {"levels": ["low", "low"]}]}, "rubric", "read the same"),
        ({"kind": "grades", "criteria": [PAIRED]}, "rubric", "needs two to ten levels"),
        ({"kind": "pairwise", "criteria": [GRADED]}, "rubric", "has levels"),
        ({"kind": "grades", "criteria": [GRADED, GRADED]}, "rubric", "'grounded' is there twice"),
        ({"kind": "grades", "criteria": [GRADED], "ties": True}, "rubric", "ties are for pairs"),
        ({"kind": "grades", "criteria": [GRADED | {"name": "Über all"}]}, "criteria[0].name", "a name"),
        ({"kind": "grades", "criteria": [GRADED | {"question": ""}]}, "criteria[0].question", "say"),
        ({"kind": "units", "criteria": [NAMED]}, "rubric", "needs `units`"),
        (UNITS | {"criteria": [GRADED]}, "rubric", "levels with names"),
        (UNITS | {"criteria": [NAMED | {"levels": {"none": "no"}}]}, "rubric", "two to ten levels"),
        (
            UNITS | {"criteria": [NAMED | {"levels": {"No!": "a", "b": "c"}}]},
            "criteria[0].names[0]",
            "a name",
        ),
        (
            UNITS | {"criteria": [NAMED | {"levels": {"not_applicable": "a", "b": "c"}}]},
            "rubric",
            "not_applicable is no level",
        ),
        (UNITS | {"criteria": [GRADED | {"names": ["a", "b", "a"]}]}, "rubric", "levels with names"),
        ({"kind": "grades", "criteria": [NAMED]}, "rubric", "levels with names is for kind: units"),
        (UNITS | {"units": "words"}, "rubric.units", "'answer', 'passages' or 'reference'"),
        (UNITS | {"criteria": [PAIRED]}, "rubric", "two to ten levels"),
        (UNITS | {"criteria": [NAMED, NAMED | {"name": "other"}]}, "rubric", "a rubric of each"),
        (UNITS | {"ties": True}, "rubric", "ties are for pairs"),
        (UNITS | {"not_applicable": " "}, "rubric.not_applicable", "say something"),
        (UNITS | {"units": "passages", "evidence": True}, "rubric", "the passages are the units"),
        (UNITS | {"units": "reference", "citations": True}, "rubric", "an answer's sentences"),
        (UNITS | {"units": "reference", "reference": True}, "rubric", "already"),
        (UNITS | {"summary": "average_precision"}, "rubric", "over passages"),
        ({"kind": "grades", "criteria": [GRADED], "evidence": True}, "rubric", "evidence is for kind: units"),
        ({"kind": "pairwise", "criteria": [PAIRED], "units": "answer"}, "rubric", "is for kind: units"),
    ],
)
def test_a_mistake_in_a_rubric_names_its_field(values, field, problem):
    with pytest.raises(TaskError) as caught:
        rubric_of(values)
    assert field in caught.value.message
    assert problem in caught.value.message
    assert caught.value.hint


def test_all_mistakes_are_told_at_once():
    with pytest.raises(TaskError) as caught:
        rubric_of({"kind": "grades", "criteria": [{"name": "A"}], "extra": 1}, place="task.yaml: judge")
    lines = caught.value.message.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("task.yaml: judge.") for line in lines)


def test_grades_are_spread_evenly_over_zero_to_one():
    criterion = GRADES.criteria[0]
    assert [criterion.value(grade) for grade in GRADES.choices(criterion)] == [0, 0.5, 1]
    for grade in (0, 4):
        with pytest.raises(ValueError, match="grades 1 to 3"):
            criterion.value(grade)


def test_ties_are_a_choice_only_where_the_rubric_has_them():
    assert PAIRWISE.choices(PAIRWISE.criteria[0]) == ("first", "second", "tie")
    assert STRICT.choices(STRICT.criteria[0]) == ("first", "second")


def test_any_change_of_a_rubric_changes_its_digest():
    base = {"kind": "grades", "criteria": [GRADED]}
    others = [
        base | {"reference": True},
        base | {"criteria": [GRADED | {"question": "Is it supported"}]},
        base | {"criteria": [GRADED | {"levels": LEVELS[::-1]}]},
        base | {"criteria": [GRADED | {"name": "support"}]},
        UNITS,
        UNITS | {"units": "reference"},
        UNITS | {"criteria": [NAMED | {"levels": {"low": "not at all", "full": "fully"}}]},
    ]
    digests = {rubric_of(each).digest for each in [base, *others]}
    assert len(digests) == 8
    assert rubric_of(dict(reversed(base.items()))).digest == rubric_of(base).digest


def test_the_rubrics_of_the_guide_are_rubrics():
    guide = (Path(__file__).parents[2] / "docs/guide/judges.md").read_text("utf-8")
    rubrics = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)]
    assert [rubric_of(each).kind for each in rubrics] == ["grades", "pairwise"]
