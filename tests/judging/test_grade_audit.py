"""An audit of recorded grades, from the file to what is printed."""

import json

import numpy as np
import pytest

from bakeoff.errors import TaskError
from bakeoff.judging.audit_file import audits, read_verdicts
from bakeoff.judging.grade_audit import Graded, audit_grades
from tests.cli import command


def rows(kinder=0.0, on="formatted", n=600, right=0.8, seed=0):
    """Answers on four levels, labelled by two people; the judge adds a level to a share of those that have
    the trait `on`.
    """
    random = np.random.default_rng(seed)
    found = []
    for item in range(n):
        truth = int(random.integers(1, 5))

        def said(share, truth=truth):
            return truth if random.random() < share else int(random.integers(1, 5))

        row = {
            "item": str(item),
            "people": [said(0.9), said(0.9)],
            "length": int(random.integers(10, 1000)),
            "formatted": bool(random.random() < 0.5),
            "family": "own" if random.random() < 0.5 else "other",
            "judge_family": "own",
        }
        has = {"formatted": row["formatted"], "length": row["length"] > 500, "family": row["family"] == "own"}
        grades = [said(right), said(right)]
        row["grade"] = [min(4, grade + int(has[on] and random.random() < kinder)) for grade in grades]
        found.append(row)
    return found


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.mark.parametrize("on", ["formatted", "length", "family"])
def test_each_bias_is_found_where_it_is_and_nowhere_else(tmp_path, on):
    (found,) = audits(read_verdicts(written(tmp_path / "g.jsonl", rows(0.6, on))))
    biases = {"formatted": found.format, "length": found.length, "family": found.family}
    for name, bias in biases.items():
        assert (bias.interval.low > 0) is (name == on)
        assert bias.interval.low <= bias.bias <= bias.interval.high
    assert found.lenient.interval.low > 0
    (fair,) = audits(read_verdicts(written(tmp_path / "f.jsonl", rows(0.0))))
    assert fair.lenient.interval.low < 0 < fair.lenient.interval.high


def test_ceiling_judge_and_floor_stand_in_their_order(tmp_path):
    (found,) = audits(read_verdicts(written(tmp_path / "g.jsonl", rows())))
    assert (found.answers, found.verdicts, found.levels) == (600, 1200, 4)
    # Two of the labellers agree if both know, or by chance: 0.9² + 0.19 / 4; the judge knows 0.8.
    assert found.ceiling.share == pytest.approx(0.81 + 0.19 / 4, abs=0.04)
    assert found.people.share == pytest.approx(0.72 + 0.28 / 4, abs=0.04)
    assert found.floor.share == pytest.approx(1 / 4, abs=0.06)
    assert found.ceiling.alpha.value > found.people.alpha.value > 0.5 > found.floor.alpha.value
    assert found.repeats.share == pytest.approx(0.64 + 0.36 / 4, abs=0.04)


def test_a_strict_judge_is_below_people_by_the_share_of_the_scale():
    graded = [Graded(str(i), (max(1, grade - 1),), (grade,)) for i, grade in enumerate([2, 3, 4] * 20)]
    found = audit_grades(graded, levels=5)
    assert found.lenient.value == pytest.approx(-1 / 4)
    assert found.people.share == 0
    assert (found.length, found.format, found.family) == (None, None, None)


def test_lines_on_one_answer_are_its_repeats_and_criteria_are_audited_apart(tmp_path):
    lines = [
        {"item": "a", "criterion": criterion, "grade": grade, "people": 2}
        for criterion in ("right", "short")
        for grade in (2, None, 1)
    ]
    right, short = audits(read_verdicts(written(tmp_path / "g.jsonl", lines)))
    assert (right.criterion, short.criterion) == ("right", "short")
    assert (right.answers, right.verdicts, right.without_grade) == (1, 3, 1)
    assert right.repeats.items == 1


GOOD = {"item": "a", "grade": 2}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (GOOD | {"grade": 0}, "grade: must be a grade from 1"),
        (GOOD | {"grade": 2.0}, "grade: must be a grade from 1"),
        (GOOD | {"grade": True}, "grade: must be a grade from 1"),
        (GOOD | {"grade": "good"}, "grade: must be a grade from 1"),
        (GOOD | {"people": [1, "2"]}, "people: must be a grade from 1"),
        (GOOD | {"length": -1}, "length: must be a number from 0"),
        (GOOD | {"formatted": 1}, "formatted: must be true or false"),
        (GOOD | {"family": 3}, "family: must be a text"),
        (GOOD | {"order": [0, 1]}, "there is no key 'order'"),
        ({"item": "a", "order": [0, 1], "winner": 0}, "order: must be|there is no key 'grade'"),
    ],
)
def test_a_line_that_is_no_grade_is_named_with_its_field(tmp_path, line, problem):
    path = written(tmp_path / "g.jsonl", [GOOD, line])
    with pytest.raises(TaskError, match=problem) as caught:
        read_verdicts(path)
    assert ":1: " in caught.value.message or ":2: " in caught.value.message


def test_what_cannot_be_one_audit_is_refused():
    with pytest.raises(TaskError, match="no grade to audit"):
        audit_grades([])
    with pytest.raises(TaskError, match="from 1 to 3, got 4"):
        audit_grades([Graded("a", (4,))], levels=3)
    with pytest.raises(TaskError, match="one judge and one criterion"):
        audit_grades([Graded("a", (1,), criterion="x"), Graded("b", (1,), criterion="y")])
    with pytest.raises(TaskError, match="name different `people`"):
        audits([Graded("a", (1,), (1,)), Graded("a", (1,), (2,))])


def test_the_command_prints_each_measure_of_grades(tmp_path):
    written(tmp_path / "g.jsonl", rows(n=60))
    shown = command.bakeoff(tmp_path, "judge", "audit", "g.jsonl")
    assert shown.returncode == 0, shown.stderr
    for word in ("60 answers", "the ceiling", "the floor", "above people's", "kinder to format", "repeats"):
        assert word in shown.stdout
    bare = written(tmp_path / "b.jsonl", [GOOD, {"item": "b", "grade": None}])
    shown = command.bakeoff(tmp_path, "judge", "audit", bare.name).stdout
    assert "1 without a grade" in shown
    assert shown.count("not told") == 3
