"""A judge audited on its own run, beside people's labels."""

import json

import pytest

from bakeoff.errors import BakeoffError
from bakeoff.judging import Finding, rubric_of
from bakeoff.verdicts import Opinion
from bakeoff.verdicts.audit_run import audit_run
from bakeoff.verdicts.labelled import categories_of, choice_of, said_of
from tests.cli import command
from tests.verdicts.labelled_runs import answered, compared, judged, labelled, words

N = 60


def test_a_judge_of_pairs_is_audited_on_its_run(tmp_path):
    """The first system writes lists, the second is as long as it: a judge who loves lists errs one way."""
    better = {f"q{i:02}": i % 2 for i in range(N)}
    one = answered(
        tmp_path, {item: f"- item {'good' * (1 - b)}\n- list" for item, b in better.items()}, "one"
    )
    other = answered(tmp_path, {item: f"plain {'good' * b}" for item, b in better.items()}, "other")

    def by_list(shown):
        place = next(name for name in ("first", "second") if shown[name].startswith("- "))
        shown_better = next(name for name in ("first", "second") if "good" in shown[name])
        return place if int(shown["question"].removesuffix("?")[-1]) < 5 else shown_better

    own = compared(tmp_path, one, other, by_list)
    file = labelled(tmp_path / "l.jsonl", {item: [b, b] for item, b in better.items()})
    (found,) = audit_run(own, [file], families=("mine", "yours"), judge_family="mine", out=tmp_path / "runs")
    assert (found.criterion, found.pairs, found.verdicts) == ("better", N, 2 * N)
    assert (found.position.flips, found.ceiling.share) == (0, 1)
    # Of the items that end with 0 to 4 it takes the list, which is the better one of 3 in 5 of them.
    assert found.people.share == pytest.approx(0.8)
    assert found.format.bias == pytest.approx(1 - 0.6)
    assert found.format.interval.low > 0
    assert found.family.bias == found.format.bias
    assert found.length is not None
    with pytest.raises(BakeoffError, match="one for each of 2 judged runs, got 1"):
        audit_run(own, [file], families=("mine",), out=tmp_path / "runs")
    shown = command.bakeoff(tmp_path, "judge", "audit", str(own), "--labels", str(file))
    assert shown.returncode == 0, shown.stderr
    assert "two people agree, %" in shown.stdout


def test_a_judge_of_grades_is_audited_by_the_judged_run_or_its_own(tmp_path):
    answers = {f"q{i:02}": " ".join(["word"] * (1 + i % 3)) for i in range(N)}
    ((own, after),) = judged(
        tmp_path, answered(tmp_path, answers), grade=lambda shown: min(3, words(shown) + 1), repeats=2
    )
    file = labelled(tmp_path / "l.jsonl", {item: 1 + i % 3 for i, item in enumerate(answers)})
    (found,) = audit_run(after, [file], out=tmp_path / "runs")
    assert (found,) == audit_run(own, [file], out=tmp_path / "runs")
    assert (found.answers, found.verdicts, found.levels) == (N, 2 * N, 3)
    assert found.people.share == pytest.approx(1 / 3)
    assert found.lenient.value == pytest.approx((1 / 2) * 2 / 3)
    assert found.repeats.share == 1
    assert found.format is None  # no answer is formatted
    bare = audit_run(after, out=tmp_path / "runs")[0]
    assert (bare.people, bare.lenient, bare.answers) == (None, None, N)


def test_an_answer_of_units_is_right_where_nothing_is_wrong_with_them():
    rubric = rubric_of(
        {
            "kind": "units",
            "units": "answer",
            "criteria": [
                {"name": "held", "question": "Is it?", "levels": {"no": "It is not.", "yes": "It is."}}
            ],
        }
    )
    findings = (Finding("held", 2, "why", 1),)
    for value, said in ((1.0, True), (0.5, False), (None, None)):
        opinion = Opinion("a", 0, None, (0,), 0, findings, value)
        assert choice_of(opinion, rubric.criteria[0], rubric) is said
    assert choice_of(Opinion("a", 0, None, (0,), 0, (), None), rubric.criteria[0], rubric) is None
    assert said_of([1, 0.5, 0.0], rubric) == [True, False, False]
    assert categories_of(rubric.criteria[0], rubric) == [False, True]


def test_a_label_of_another_run_is_passed_over(tmp_path):
    ((_, after),) = judged(tmp_path, answered(tmp_path, {"a": "b", "c": "d"}), grade=words)
    rows = [
        {"item": "elsewhere", "run": "20200101T000000Z-abcdef", "people": 1},
        {"item": "a", "people": 1},
        {"item": "c", "people": 1},
    ]
    file = tmp_path / "l.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert audit_run(after, [file], out=tmp_path / "runs")[0].people.items == 2
