import csv
import hashlib
import math

import pytest

from bakeoff.arena.judges.reading import (
    NO_PROMPT,
    NO_VERSION,
    labelled_pairs,
    read_answers,
    read_judges,
    read_verdicts,
)
from bakeoff.arena.judges.verdict import Verdict
from bakeoff.errors import BakeoffError

COLUMNS = ("item", "judge", "first", "second", "winner", "judge_version", "judge_prompt")


def written(path, columns, *rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns, *rows])
    return path


def test_a_prompt_told_as_a_text_or_as_its_digest_is_the_same_prompt(tmp_path):
    text = "Which answer is better?"
    digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    path = written(
        tmp_path / "v.csv",
        COLUMNS,
        ("i", "text", "x", "y", "first", "v1", text),
        ("i", "digest", "x", "y", "first", "v1", digest),
        ("i", "neither", "x", "y", "first", "", ""),
    )
    digested, neither, text_ = read_judges(path, {"text": "acme"})
    assert digested.prompt == text_.prompt == digest
    assert (text_.family, digested.family) == ("acme", None)
    assert (neither.version, neither.prompt) == (NO_VERSION, NO_PROMPT)
    assert "neither (version not told), prompt not told" in neither.label
    assert len(read_verdicts(path)) == 3


@pytest.mark.parametrize("column", ["judge_version", "judge_prompt"])
def test_two_versions_or_prompts_of_one_judge_are_two_judges(tmp_path, column):
    rows = [dict.fromkeys(COLUMNS, "same") | {column: value} for value in ("one", "two")]
    path = written(tmp_path / "v.csv", COLUMNS, *(row.values() for row in rows))
    with pytest.raises(BakeoffError, match=f"v.csv:3: {column}: 'two' where same has 'one'") as error:
        read_judges(path)
    assert "a name of its own" in error.value.hint


def test_a_version_that_some_rows_do_not_tell_is_no_version(tmp_path):
    row = dict.fromkeys(COLUMNS, "j")
    path = written(tmp_path / "v.csv", COLUMNS, row.values(), (row | {"judge_version": ""}).values())
    with pytest.raises(BakeoffError, match="judge_version: '' where j has 'j'"):
        read_judges(path)


def test_labels_are_the_mean_of_what_people_said_whichever_model_they_read_first():
    def judged(item, first, second, winner, judge="j", time=0):
        return Verdict(item, judge, first, second, winner, time=time)

    verdicts = [
        judged("both", "x", "y", "first"),
        judged("both", "y", "x", "second"),
        judged("lean", "x", "y", "first"),
        judged("lean", "y", "x", "first"),
        judged("once", "y", "x", "first"),
        judged("unread", "x", "y", None),
        judged("unread", "y", "x", "first"),
    ]
    people = [
        judged("both", "y", "x", "second", "p"),
        judged("both", "x", "y", "tie", "q"),
        judged("both", "x", "y", "second", "q", time=1),
        judged("once", "x", "y", None, "p"),
        judged("unread", "x", "y", "first", "p"),
        judged("other", "x", "y", "first", "p"),
    ]
    found = labelled_pairs(verdicts, people)
    assert found.items == ("both", "lean", "once", "unread")
    assert set(zip(found.first, found.second, strict=True)) == {("x", "y")}
    assert found.judge[:3] == (1.0, 0.5, 0.0)
    assert math.isnan(found.judge[3])
    assert (found.people[0], found.people[3]) == (0.75, 1.0)
    assert all(math.isnan(found.people[at]) for at in (1, 2))
    assert found.left_out == 1


def test_answers_are_read_by_model_and_an_empty_one_is_one(tmp_path):
    rows = [("x", ""), ("y", "that"), ("x", ""), ("x", "this")]
    found = read_answers(written(tmp_path / "a.csv", ("model", "answer"), *rows))
    assert {model: (each.n, each.same) for model, each in found.items()} == {
        "x": (3, pytest.approx(2 / 3)),
        "y": (1, 1.0),
    }
    with pytest.raises(BakeoffError, match="holds no answer"):
        read_answers(written(tmp_path / "b.csv", ("model", "output"), ("x", "this")))
