"""Corrected scores: from the draw of the items to the interval, on runs a rule judged."""

import json
import os

import pytest

from bakeoff.errors import BakeoffError
from bakeoff.stats.classes.ppi import ppi_mean
from bakeoff.store import read_manifest, write_manifest
from bakeoff.verdicts.correct import correct
from bakeoff.verdicts.sample import sample
from tests.cli import command
from tests.verdicts.labelled_runs import YES_NO, answered, compared, judged, labelled

N = 120
GOOD = {f"q{i:03}": i % 3 > 0 for i in range(N)}
"""By people, two thirds are good."""
LOOKS_GOOD = {item: good if i % 10 else not good for i, (item, good) in enumerate(GOOD.items())}
"""A judge is wrong about every tenth."""


def _answers(looks, **more):
    return {item: "fine words" if good else "words" for item, good in looks.items()} | more


def _grade(shown):
    return 2 if "fine" in shown["answer"] else 1


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    answers = _answers(LOOKS_GOOD, empty1="", empty2="  ")
    ((own, after),) = judged(folder, answered(folder, answers), grade=_grade, rubric=YES_NO)
    return folder, own, after


def _filled(file, said):
    """Fill in what people say, from the top."""
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    for row in rows:
        row["people"] = {"good": said(row)}
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return rows


def _people(row):
    return 2 if GOOD[row["item"]] else 1


def test_a_drawn_file_holds_what_people_need_and_nothing_of_the_judge(run, tmp_path):
    folder, _, after = run
    file = tmp_path / "p.jsonl"
    assert sample([after], 30, file, out=folder / "runs") == 30
    text = file.read_text()
    rows = [json.loads(line) for line in text.splitlines()]
    assert [row["draw"] for row in rows] == list(range(30))
    assert {tuple(row) for row in rows} == {("item", "run", "draw", "seed", "question", "answer", "people")}
    assert all(row["people"] == {"good": None} for row in rows)
    assert rows[0]["question"] == f"Question {rows[0]['item']}?"
    assert "verdict" not in text
    assert "by the rule" not in text
    assert not {"empty1", "empty2"} & {row["item"] for row in rows}
    assert [row["item"] for row in rows] != sorted(row["item"] for row in rows)
    with pytest.raises(BakeoffError, match="is there already"):
        sample([after], 30, file, out=folder / "runs")


def test_the_file_of_a_private_task_is_shut_to_others(tmp_path):
    ((_, after),) = judged(tmp_path, answered(tmp_path, {"a": "b", "c": "d"}), grade=_grade, rubric=YES_NO)
    manifest = read_manifest(after)
    for private, mode in ((False, 0o044), (True, 0)):
        task = manifest.task.model_copy(update={"private": private})
        write_manifest(after, manifest.model_copy(update={"task": task}))
        file = tmp_path / f"{private}.jsonl"
        sample([after], 2, file, out=tmp_path / "runs")
        assert file.stat().st_mode & 0o044 & ~umask() == mode & ~umask()


def umask() -> int:
    """What of a new file is taken away from others here."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_more_can_be_drawn_later_and_another_seed_draws_others(run, tmp_path):
    folder, _, after = run
    for name, n, seed in (("few", 10, 0), ("more", 30, 0), ("other", 10, 1)):
        sample([after], n, tmp_path / name, seed=seed, out=folder / "runs")
    few, more, other = ((tmp_path / name).read_text() for name in ("few", "more", "other"))
    assert more.startswith(few)
    assert {json.loads(line)["item"] for line in few.splitlines()} != {
        json.loads(line)["item"] for line in other.splitlines()
    }


def test_the_correction_is_ppi_on_the_judged_items_and_the_outcome_on_the_others(run, tmp_path):
    folder, _, after = run
    file = tmp_path / "p.jsonl"
    sample([after], 60, file, out=folder / "runs")
    rows = _filled(file, _people)
    drawn = {row["item"] for row in rows}
    found = correct([after], [file])
    judge = {item: float(looks) for item, looks in LOOKS_GOOD.items()}
    ppi = ppi_mean(
        [float(GOOD[row["item"]]) for row in rows],
        [judge[row["item"]] for row in rows],
        [value for item, value in judge.items() if item not in drawn],
    )
    one = found.correction
    assert (one.items, one.labels, one.unlabelled, one.known) == (N + 2, 60, N - 60, 2)
    # The two empty answers are 0, whoever judges.
    assert one.corrected == pytest.approx(ppi.value * N / (N + 2))
    assert one.judge == pytest.approx(sum(judge.values()) / (N + 2))
    assert one.effective_n == pytest.approx(ppi.effective_n)
    truth = sum(GOOD.values()) / (N + 2)
    assert one.interval.low < truth < one.interval.high
    alone, both = one.people_interval, one.interval
    assert both.high - both.low < alone.high - alone.low
    assert found.notes == ()


def test_notes_say_what_the_draw_does_not_bear(run, tmp_path):
    folder, _, after = run
    file = tmp_path / "p.jsonl"
    sample([after], 60, file, out=folder / "runs")
    _filled(file, lambda row: None if 10 <= row["draw"] < 15 else _people(row))
    assert "5 drawn items were passed over" in correct([after], [file]).notes[0]
    chosen = labelled(tmp_path / "c.jsonl", {item: 1 + good for item, good in list(GOOD.items())[:60]})
    assert "do not say that their items were drawn at random" in correct([after], [chosen]).notes[0]
    _filled(file, lambda row: _people(row) if row["draw"] < 6 else None)
    assert "the labels count alone" in " ".join(correct([after], [file]).notes)


def test_the_difference_of_two_runs_is_corrected_item_by_item(tmp_path):
    """A judge who loves fine words gives the second system twenty points that people do not."""
    flatters = {item: looks or i % 5 == 0 for i, (item, looks) in enumerate(LOOKS_GOOD.items())}
    first = answered(tmp_path, _answers(LOOKS_GOOD, q000=""), "one")
    second = answered(tmp_path, _answers(flatters), "other")
    (_, one), (_, other) = judged(tmp_path, first, second, grade=_grade, rubric=YES_NO)
    file = tmp_path / "p.jsonl"
    lines = sample([one, other], 80, file, out=tmp_path / "runs")
    second_run = read_manifest(second).run_id
    # By people the second system is worse on every eighth item, and else as good.
    spoilt = {item for i, item in enumerate(GOOD) if i % 8 == 1 and GOOD[item]}
    rows = _filled(
        file, lambda row: 1 if row["run"] == second_run and row["item"] in spoilt else _people(row)
    )
    assert len({row["item"] for row in rows}) == 80
    assert lines == 2 * 80 - any(row["item"] == "q000" for row in rows)
    found = correct([one, other], [file])
    truth = len(spoilt) / N
    assert found.correction.judge < -0.05
    assert found.correction.interval.low < truth < found.correction.interval.high
    assert found.correction.corrected == pytest.approx(truth, abs=0.05)
    swapped = correct([other, one], [file]).correction
    assert swapped.corrected == pytest.approx(-found.correction.corrected)
    with pytest.raises(BakeoffError, match="judgements of the same answers"):
        correct([one, one], [file])
    bare = labelled(tmp_path / "bare.jsonl", {"q001": 1})
    with pytest.raises(BakeoffError, match="does not say whose answer"):
        correct([one, other], [bare])


def test_a_win_rate_is_corrected_from_pairs_whose_order_people_do_not_know(tmp_path):
    one = answered(tmp_path, dict.fromkeys(GOOD, "plain"), "one")
    other = answered(tmp_path, dict.fromkeys(GOOD, "a longer one") | {"q000": ""}, "other")
    own = compared(
        tmp_path, one, other, lambda shown: max(("first", "second"), key=lambda at: len(shown[at]))
    )
    file = tmp_path / "p.jsonl"
    sample([own], 60, file, out=tmp_path / "runs")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert {tuple(row["order"]) for row in rows} == {(0, 1), (1, 0)}
    for i, row in enumerate(rows):  # people prefer the plain one in half of them
        wanted = "plain" if i % 2 else "a longer one"
        row["people"] = {"better": row["answers"].index(wanted)}
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = correct([own], [file]).correction
    assert found.judge == pytest.approx(1 / N)  # the first run wins the item that the other left empty
    assert found.corrected == pytest.approx((0.5 * (N - 1) + 1) / N)
    assert (found.known, found.labels) == (1, 60)


def test_what_cannot_be_corrected_is_refused(run, tmp_path):
    _, own, after = run
    file = labelled(tmp_path / "l.jsonl", {"q000": 1, "nowhere": 1})
    with pytest.raises(BakeoffError, match="does not hold the labelled item 'nowhere'"):
        correct([after], [file])
    with pytest.raises(BakeoffError, match="is a judge's own run"):
        correct([own], [file])
    with pytest.raises(BakeoffError, match="needs two labels or more, got 1"):
        correct([after], [labelled(tmp_path / "l.jsonl", {"q000": 1})])
    plain = answered(tmp_path, {"a": "b"})
    with pytest.raises(BakeoffError, match="no language model judged"):
        correct([plain], [file])


def test_the_commands_draw_plan_and_correct(run, tmp_path):
    folder, _, after = run
    drawn = command.bakeoff(folder, "judge", "sample", str(after), "--n", "60", "--file", "people.jsonl")
    assert "60 answers to label are in people.jsonl" in drawn.stdout
    _filled(folder / "people.jsonl", _people)
    shown = command.bakeoff(folder, "judge", "correct", str(after), "--labels", "people.jsonl")
    assert shown.returncode == 0, shown.stderr
    assert "122 items: 60 labelled by people, 60 by the judge alone" in shown.stdout
    found = json.loads(
        command.bakeoff(folder, "judge", "correct", str(after), "--labels", "people.jsonl", "--json").stdout
    )
    assert f"{100 * found['correction']['corrected']:.1f}" in shown.stdout
    plan = ("judge", "labels", "--half-width", "0.05")
    pilot = command.bakeoff(folder, *plan, "--from", str(after), "--labels", "people.jsonl").stdout
    assert "from a pilot of 60 labels" in pilot
    assert "with the judge on 120 items" in pilot
    by_hand = json.loads(command.bakeoff(folder, *plan, "--correlation", "0.7", "--json").stdout)["need"]
    assert (by_hand["alone"], by_hand["with_many"]) == (385, 196)
