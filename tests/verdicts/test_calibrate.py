"""Calibrations: what people's labels say of a judge, what they fit, and where it is shown."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from bakeoff.errors import BakeoffError, StoreError, TaskError
from bakeoff.judging import rubric_of
from bakeoff.judging.calibration import read_calibration, write_calibration
from bakeoff.run.suite import suite_scores
from bakeoff.store import caveats, read_manifest
from bakeoff.task.suite import Suite
from bakeoff.verdicts import Asking, judge_run
from bakeoff.verdicts.audit_run import audit_run
from bakeoff.verdicts.calibrate import apply, calibrate, fitting_record
from bakeoff.verdicts.correct import correct
from tests.cli import command
from tests.verdicts.judges import judge_server, texts
from tests.verdicts.labelled_runs import PAIRS, answered, compared, judged, labelled, words

N = 40
ANSWERS = {f"q{i:02}": " ".join(["word"] * (1 + i % 3)) for i in range(N)}
"""Of one to three words, and so of the grades 1 to 3."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A judge's own run, and the judged one; the judge grades by words."""
    folder = tmp_path_factory.mktemp("runs")
    ((own, after),) = judged(folder, answered(folder, ANSWERS), grade=words)
    return folder, own, after


def _people(wrong=()):
    """Grades by people who count words, too, but for the items in `wrong`, which they call the best."""
    return {item: 3 if item in wrong else len(text.split()) for item, text in ANSWERS.items()}


def test_agreement_sensitivity_and_specificity_are_those_of_the_labels(runs, tmp_path):
    folder, own, after = runs
    wrong = ["q00", "q01", "q03"]  # which have one or two words
    found = calibrate(after, [labelled(tmp_path / "l.jsonl", _people(wrong))], out=folder / "runs")
    (by,) = found.criteria
    passing = sum(len(text.split()) == 3 for text in ANSWERS.values())
    assert (by.labels, by.unreadable) == (N, 0)
    assert by.agreement.value == pytest.approx((N - 3) / N)
    assert by.agreement.low < by.agreement.value < by.agreement.high
    assert (by.sensitivity.value, by.sensitivity.of) == (pytest.approx(passing / (passing + 3)), passing + 3)
    assert (by.specificity.value, by.specificity.of) == (1.0, N - passing - 3)
    assert by.floor == pytest.approx((passing + 3) / N)
    assert by.ceiling is None
    assert 0 < by.kappa.value < 1
    # Named by the judged run or by the judge's own, it is the same.
    again = calibrate(own, [tmp_path / "l.jsonl"], out=folder / "runs")
    assert again.id == found.id


def test_the_ceiling_is_how_far_people_agree_with_each_other(runs, tmp_path):
    folder, _, after = runs
    people = {item: [grade, 1 if i % 4 == 0 else grade] for i, (item, grade) in enumerate(_people().items())}
    (by,) = calibrate(after, [labelled(tmp_path / "l.jsonl", people)], out=folder / "runs").criteria
    differ = sum(one != other for one, other in people.values())
    assert by.ceiling.value == pytest.approx((N - differ) / N)
    assert by.ceiling.of == N


def test_its_id_is_that_of_the_judge_the_rubric_the_task_and_the_labels_and_of_nothing_else(runs, tmp_path):
    folder, _, after = runs
    file = labelled(tmp_path / "l.jsonl", _people())
    found = calibrate(after, [file], out=folder / "runs")
    later = datetime.now(UTC) + timedelta(days=2)
    assert calibrate(after, [file], out=folder / "runs", days=7, level=0.9, now=later).id == found.id
    other = labelled(tmp_path / "m.jsonl", _people(["q00"]))
    assert calibrate(after, [other], out=folder / "runs").id != found.id


def test_a_calibration_takes_the_mark_off_until_it_expires(runs, tmp_path):
    folder, own, _ = runs
    now = datetime(2026, 3, 1, tzinfo=UTC)
    found = calibrate(own, [labelled(tmp_path / "l.jsonl", _people())], out=folder / "runs", days=30, now=now)
    write_calibration(tmp_path / "c.json", found)
    assert read_calibration(tmp_path / "c.json") == found
    assert "uncalibrated: the scores are what rule says" in caveats(read_manifest(own))[0]
    apply(fitting_record(tmp_path / "c.json", own, out=folder / "runs"), own, out=folder / "runs")
    manifest = read_manifest(own)
    assert manifest.judging.calibration.id == found.id
    assert manifest.judging.calibration.agreement == 1
    assert caveats(manifest, now=now + timedelta(days=29)) == ()
    (said,) = caveats(manifest, now=now + timedelta(days=30))
    assert said.startswith("uncalibrated: the calibration of the judge rule expired on 2026-03-31")
    assert read_manifest(own).files["metrics.json"].bytes == (own / "metrics.json").stat().st_size


def test_it_fits_another_run_of_the_same_items_and_no_other_rubric_task_or_judge(tmp_path):
    first = answered(tmp_path, ANSWERS)
    second = answered(tmp_path, dict.fromkeys(ANSWERS, "another answer"), "other")
    small = answered(tmp_path, {"x": "a", "y": "b c"}, "small")
    made = judged(tmp_path, first, second, small, grade=words)
    (_, after), (_, same_task), (_, other_task) = made
    file, out = tmp_path / "c.json", tmp_path / "runs"
    found = calibrate(after, [labelled(tmp_path / "l.jsonl", _people())], out=out)
    write_calibration(file, found)
    assert fitting_record(file, same_task, out=out).id == found.id
    with pytest.raises(BakeoffError, match="is of another task"):
        fitting_record(file, other_task, out=out)
    with pytest.raises(BakeoffError, match="no language model judged"):
        fitting_record(file, second, out=out)
    write_calibration(file, found.model_copy(update={"rubric": "sha256:0"}))
    with pytest.raises(BakeoffError, match="is of another rubric"):
        fitting_record(file, same_task, out=out)
    write_calibration(file, found.model_copy(update={"judge": found.judge | {"name": "rule-2"}}))
    with pytest.raises(BakeoffError, match="is of another judge: name 'rule-2' → 'rule'"):
        fitting_record(file, same_task, out=out)


def test_a_judge_of_pairs_is_held_against_the_answer_people_prefer(tmp_path):
    one = answered(tmp_path, dict.fromkeys(ANSWERS, "short"), "one")
    other = answered(tmp_path, {item: f"{text} and more" for item, text in ANSWERS.items()}, "other")
    own = compared(
        tmp_path,
        one,
        other,
        lambda shown: "first" if len(shown["first"]) > len(shown["second"]) else "second",
    )
    # In the file the answers of half of the items stand the other way round.
    rows = [
        {"item": item, "order": [1, 0] if i % 2 else [0, 1], "people": 0 if i % 2 else 1}
        for i, item in enumerate(ANSWERS)
    ]
    rows[0]["people"] = "tie"
    file = tmp_path / "l.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (by,) = calibrate(own, [file], out=tmp_path / "runs").criteria
    assert by.agreement.value == pytest.approx((N - 1) / N)
    assert (by.sensitivity, by.specificity) == (None, None)
    assert PAIRS.ties


@pytest.mark.parametrize(
    ("people", "problem"),
    [
        ({"q00": 3, "nowhere": 1}, "no verdict on the labelled item 'nowhere'"),
        ({"q00": 4}, r"l.jsonl:1: people.good: must be a grade from 1 to 3, got 4"),
        ({"q00": True}, "must be a grade from 1 to 3, got True"),
        ({"q00": {"fair": 1}}, "there is no criterion 'fair'"),
        ({"q00": 1}, "needs 30 items that people labelled and the judge judged, got 1"),
        ({"q00": None}, "no item has both a label and a verdict"),
    ],
)
def test_what_is_no_calibration_is_refused_by_name(runs, tmp_path, people, problem):
    folder, _, after = runs
    with pytest.raises((BakeoffError, TaskError), match=problem):
        calibrate(after, [labelled(tmp_path / "l.jsonl", people)], out=folder / "runs")


def test_a_file_that_is_no_calibration_is_named(tmp_path):
    (tmp_path / "c.json").write_text("{}")
    with pytest.raises(StoreError, match=r"c\.json is no calibration"):
        read_calibration(tmp_path / "c.json")


def test_every_command_marks_an_uncalibrated_score_and_none_a_calibrated_one(tmp_path):
    runs = [
        answered(tmp_path, {item: f"{text}{more}" for item, text in ANSWERS.items()}, name)
        for name, more in (("one", ""), ("other", " more"))
    ]
    one, other = (after for _, after in judged(tmp_path, *runs, grade=lambda shown: min(3, words(shown))))
    commands = [
        ("show", str(one)),
        ("show", str(one), "--json"),
        ("show",),
        ("compare", str(one), str(other)),
        ("compare", str(one), str(other), "--json"),
        ("compare", str(one), str(other), "--html", "page.html"),
        ("gate", str(one), "--baseline", str(other)),
        ("gate", str(one), "--baseline", str(other), "--json"),
        ("gate", str(one), "--baseline", str(other), "--summary", "summary.md"),
    ]

    def marked():
        said = [command.bakeoff(tmp_path, *each).stdout for each in commands]
        files = [
            tmp_path / "page.html",
            tmp_path / "summary.md",
            one / "metrics.json",
            other / "metrics.json",
        ]
        rows = suite_scores(Suite(name="s", columns=[{"name": "A", "parts": [{"tasks": "things"}]}]), [one])
        texts = (*said, *(file.read_text() for file in files), " ".join(rows[0].notes))
        return ["uncalibrated" in text for text in texts]

    assert all(marked())
    labelled(tmp_path / "people.jsonl", _people())
    shown = command.bakeoff(tmp_path, "judge", "calibrate", str(one), "--labels", "people.jsonl")
    assert shown.returncode == 0, shown.stderr
    assert "agrees with people, % 100.0" in " ".join(shown.stdout.split())
    (file,) = tmp_path.glob("calibration-*.json")
    again = command.bakeoff(tmp_path, "judge", "calibrate", str(other), "--calibration", file.name)
    assert again.returncode == 0, again.stderr
    assert not any(marked())
    assert "which agrees with people on 100.0 %" in command.bakeoff(tmp_path, "show", str(one)).stdout


def test_of_several_criteria_each_is_measured_and_the_manifest_tells_of_the_worst(tmp_path):
    criteria = [
        {"name": name, "question": f"Is it {name}?", "levels": ["no", "yes"]} for name in ("right", "short")
    ]
    rubric = rubric_of({"kind": "grades", "criteria": criteria})

    def rule(messages):
        shown = texts(messages)
        grades = {"right": 2, "short": 1 + (words(shown) < 3)}
        verdicts = {name: {"why": "", "grade": grade} for name, grade in grades.items()}
        return json.dumps({"case": shown["mark"], "verdicts": verdicts})

    run = answered(tmp_path, ANSWERS)
    with judge_server(rule) as server:
        asking = Asking(f"{server.url}#rule", cache=False)
        _, after = judge_run(run, rubric, asking, out=tmp_path / "runs")
    people = {
        item: {"right": 1 if i % 4 == 0 else 2, "short": 1 + (len(text.split()) < 3)}
        for i, (item, text) in enumerate(ANSWERS.items())
    }
    file = labelled(tmp_path / "l.jsonl", people)
    found = calibrate(after, [file], out=tmp_path / "runs")
    assert [(each.criterion, each.agreement.value) for each in found.criteria] == [
        ("right", pytest.approx(0.75)),
        ("short", 1.0),
    ]
    assert found.record.agreement == pytest.approx(0.75)
    audits = audit_run(after, [file], out=tmp_path / "runs")
    assert [each.people.share for each in audits] == pytest.approx([0.75, 1.0])
    # A correction takes the mean over the criteria, of items that are labelled by each of them.
    people["q00"] = {"right": 1, "short": None}
    half = correct([after], [labelled(tmp_path / "h.jsonl", people)]).correction
    assert half.labels == N - 1
    with pytest.raises(TaskError, match="must say by which criterion"):
        calibrate(after, [labelled(tmp_path / "x.jsonl", {"q00": 1})], out=tmp_path / "runs")
