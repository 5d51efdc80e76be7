"""A judge behind a real server, put to the answers of recorded runs."""

import json
from pathlib import Path

import pytest

from bakeoff import Item, Task, compare, evaluate
from bakeoff.errors import BakeoffError
from bakeoff.judging import rubric_of
from bakeoff.nouns import Outcome
from bakeoff.run import Stopped, metrics
from bakeoff.store import find_runs, read_manifest, read_samples
from bakeoff.verdicts import Asking, Shown, judge_pairs, judge_run, opinions, pairs, resume
from tests.cli.command import bakeoff
from tests.servers.chat_server import TOKENS, Messages
from tests.verdicts.judges import grading, judge_server, preferring, texts

GRADES = rubric_of(
    {
        "kind": "grades",
        "criteria": [{"name": "good", "question": "Is it good?", "levels": ["no", "so", "yes"]}],
    }
)
PAIRS = rubric_of(
    {"kind": "pairwise", "ties": True, "criteria": [{"name": "better", "question": "Which is better?"}]}
)
ANSWERS = {"a": "one", "b": "two words", "c": "", "d": "three whole words", "e": "I cannot help with that."}


def _run(folder: Path, name: str = "model", answers: dict[str, str] | None = None) -> Path:
    """A recorded run of the scorer `contains`, which finds no target in any of the answers."""
    answers = ANSWERS if answers is None else answers
    file = folder / f"{name}.jsonl"
    rows = [{"id": item, "output": text} for item, text in answers.items()]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    items = [
        Item(item, f"Question {item}?", target=("gold",), metadata={"context": f"Context {item}."})
        for item in ANSWERS
    ]
    task = Task(name="things", data=items, scorer="contains")
    return evaluate(task, f"recorded:{file}", out=folder / "runs", cache=False).folder


def _words(shown: dict[str, str]) -> int:
    return len(shown["answer"].split())


def _asking(url: str, **how) -> Asking:
    return Asking(f"{url}#rule", cache=False, **how)


def test_answers_get_the_judges_values_and_the_others_keep_their_outcomes(tmp_path):
    run = _run(tmp_path)
    with judge_server(grading(_words)) as server:
        verdicts, judged = judge_run(run, GRADES, _asking(server.url), out=tmp_path / "runs")
    found = {sample.item_id: (sample.score.outcome, sample.score.value) for sample in read_samples(judged)}
    assert found == {
        "a": (Outcome.SCORED, 0.0),
        "b": (Outcome.SCORED, 0.5),
        "c": (Outcome.EMPTY, 0.0),
        "d": (Outcome.SCORED, 1.0),
        "e": (Outcome.REFUSED, 0.0),
    }
    assert len(server.asked) == 3
    manifest, own = read_manifest(judged), read_manifest(verdicts)
    assert manifest.parent == read_manifest(run).run_id
    assert manifest.judging is not None
    assert own.judging is not None
    assert manifest.judging.verdicts == own.run_id
    assert manifest.judging.judge["name"] == "rule"
    assert manifest.judging.calibration is None
    assert manifest.task.digest != read_manifest(run).task.digest
    assert manifest.status == "complete"


def test_the_judge_sees_question_context_and_answer_and_not_who_answered(tmp_path):
    run = _run(tmp_path, "secret-model")
    with judge_server(grading(_words)) as server:
        judge_run(run, GRADES, _asking(server.url), out=tmp_path / "runs")
    shown = next(found for found in map(texts, server.asked) if found["question"] == "Question a?")
    assert (shown["question"], shown["context"], shown["answer"]) == ("Question a?", "Context a.", "one")
    assert "secret-model" not in json.dumps(server.asked)


def test_what_a_key_does_not_hold_is_named(tmp_path):
    run = _run(tmp_path)
    with pytest.raises(BakeoffError, match=r"item a: --context meta.passage: there is no 'passage'"):
        judge_run(
            run, GRADES, _asking("http://127.0.0.1:9/v1", shown=Shown(context="meta.passage")), out=tmp_path
        )


def test_an_unreadable_verdict_is_asked_for_once_more_and_then_the_judge_has_failed(tmp_path):
    run = _run(tmp_path)

    def rule(messages: Messages) -> str:
        shown = texts(messages)
        if shown["answer"] == "one" and len(messages) == 1:
            return "Grade: 3"
        if shown["answer"] == "two words":
            return "I would give it the lowest grade, 1."
        return grading(_words)(messages)

    with judge_server(rule) as server:
        verdicts, judged = judge_run(run, GRADES, _asking(server.url), out=tmp_path / "runs")
    found = {sample.item_id: sample.score for sample in read_samples(judged)}
    assert found["a"].value == 0.0
    assert found["a"].reason.startswith("on a second attempt: ")
    assert (found["b"].outcome, found["b"].value) == (Outcome.SCORER_ERROR, None)
    assert "there is no JSON object in it" in found["b"].reason
    again = [messages for messages in server.asked if len(messages) == 3]
    assert sorted(messages[1]["content"] for messages in again) == [
        "Grade: 3",
        "I would give it the lowest grade, 1.",
    ]
    assert read_manifest(judged).status == "incomplete"
    both = {sample.metadata["item"]: len(sample.turns) for sample in read_samples(verdicts)}
    assert both == {"a": 2, "b": 2, "d": 1}


@pytest.mark.parametrize("said", ["", "I cannot judge this.", "<think>hm", "{", "null"])
def test_nothing_a_judge_says_instead_of_a_verdict_becomes_the_lowest_grade(tmp_path, said):
    run = _run(tmp_path)
    with judge_server(lambda messages: said) as server:
        verdicts, judged = judge_run(run, GRADES, _asking(server.url), out=tmp_path / "runs")
    assert metrics(verdicts).counts["scorer_error"] == 3
    assert metrics(verdicts).score.value is None
    counted = metrics(judged).counts
    assert (counted["scorer_error"], counted["empty"], counted["refused"]) == (3, 1, 1)


def test_several_verdicts_on_an_answer_are_averaged_without_the_unreadable(tmp_path):
    run = _run(tmp_path, answers={"a": "one", "b": "two words", "c": "", "d": "", "e": ""})
    grades = iter([1, 3, 3, 2, 2, 2])

    def rule(messages: Messages) -> str:
        return "no" if len(messages) == 3 else grading(lambda shown: next(grades))(messages)

    with judge_server(rule) as server:
        asking = _asking(server.url, repeats=3, settings={"concurrency": "1"})
        verdicts, judged = judge_run(run, GRADES, asking, out=tmp_path / "runs")
    assert metrics(verdicts).counts["total"] == 6
    found = {sample.item_id: sample.score for sample in read_samples(judged)}
    assert sorted(found[item].value for item in "ab") == [0.5, pytest.approx(2 / 3)]
    assert found["a"].reason.startswith("3 of 3 verdicts: ")
    times = {(each.item, each.time) for each in opinions(verdicts)}
    assert times == {(item, time) for item in "ab" for time in range(3)}


def test_a_judge_who_follows_the_place_ties_every_pair_and_shows_as_a_lean(tmp_path):
    one, other = _run(tmp_path, "one"), _run(tmp_path, "other", {i: f"{i} words" for i in "abcde"})
    with judge_server(preferring(lambda shown: "first")) as server:
        verdicts = judge_pairs(one, other, PAIRS, _asking(server.url), out=tmp_path / "runs")
    found = pairs(verdicts)
    # c is empty and e refused in the first run: the second wins them without a judge.
    assert (found.wins, found.ties, found.losses, found.by_default) == (0, 3, 2, 2)
    assert found.win_rate.value == pytest.approx(1.5 / 5)
    assert found.position is not None
    assert (found.position.flips, found.position.lean) == (1.0, 1.0)
    assert found.verdicts == 6


def test_a_judge_who_follows_the_answer_does_not_hang_on_the_order(tmp_path):
    one, other = _run(tmp_path, "one"), _run(tmp_path, "other", dict.fromkeys("abcde", "just two"))

    def longer(shown: dict[str, str]) -> str:
        first, second = (len(shown[name].split()) for name in ("first", "second"))
        return "tie" if first == second else "first" if first > second else "second"

    with judge_server(preferring(longer)) as server:
        verdicts = judge_pairs(one, other, PAIRS, _asking(server.url), out=tmp_path / "runs")
        again = judge_pairs(other, one, PAIRS, _asking(server.url), out=tmp_path / "runs")
    found, swapped = pairs(verdicts), pairs(again)
    # d has three words, b has two, a has one; c and e are lost by default.
    assert (found.wins, found.ties, found.losses) == (1, 1, 3)
    assert found.win_rate.value == pytest.approx(0.3)
    assert swapped.win_rate.value == pytest.approx(0.7)
    assert found.position is not None
    assert found.position.flips == 0.0


def test_pairs_of_runs_with_other_items_are_refused(tmp_path):
    one = _run(tmp_path, "one")
    task = Task(name="things", data=[Item("z", "Other?", target=("gold",))], scorer="contains")
    file = tmp_path / "z.jsonl"
    file.write_text('{"id": "z", "output": "what"}\n')
    other = evaluate(task, f"recorded:{file}", out=tmp_path / "runs", cache=False).folder
    with pytest.raises(BakeoffError, match="is not in both runs"):
        judge_pairs(one, other, PAIRS, _asking("http://127.0.0.1:9/v1"), out=tmp_path / "runs")


def test_a_rubric_for_pairs_and_one_run_do_not_fit(tmp_path):
    run = _run(tmp_path)
    with pytest.raises(BakeoffError, match="compares two answers"):
        judge_run(run, PAIRS, _asking("http://127.0.0.1:9/v1"), out=tmp_path)
    with pytest.raises(BakeoffError, match="one by one"):
        judge_pairs(run, run, GRADES, _asking("http://127.0.0.1:9/v1"), out=tmp_path)


def test_a_run_without_an_answer_to_judge_is_refused(tmp_path):
    run = _run(tmp_path, answers=dict.fromkeys(ANSWERS, ""))
    with pytest.raises(BakeoffError, match="no answer that can be judged"):
        judge_run(run, GRADES, _asking("http://127.0.0.1:9/v1"), out=tmp_path)


def test_a_judges_run_that_stopped_is_resumed_and_asks_only_what_is_missing(tmp_path):
    run = _run(tmp_path)
    with judge_server(grading(_words)) as server:
        judge_run(run, GRADES, _asking(server.url), out=tmp_path / "runs")
        probes = len(server.server.asked) - len(server.asked)
    budget = f"{TOKENS * (probes + 1) + 1}"
    with judge_server(grading(_words)) as server:
        asking = _asking(server.url, settings={"concurrency": "1", "max_tokens_total": budget})
        with pytest.raises(Stopped) as stopped:
            judge_run(run, GRADES, asking, out=tmp_path / "runs")
        assert "bakeoff judge run --resume" in stopped.value.hint
        assert 0 < len(server.asked) < 3
        manifest = stopped.value.folder / "manifest.json"
        manifest.write_text(manifest.read_text().replace(f'"{budget}"', '"100000"'))
        verdicts, judged = resume(stopped.value.folder, out=tmp_path / "runs")
        assert len(server.asked) == 3
    assert verdicts == stopped.value.folder
    assert judged is not None
    assert metrics(judged).counts["scored"] == 3


def test_each_order_and_item_has_a_mark_of_its_own_and_the_same_seed_the_same_marks(tmp_path):
    one, other = _run(tmp_path, "one"), _run(tmp_path, "other")
    seen = []
    for _ in range(2):
        with judge_server(preferring(lambda shown: "tie")) as server:
            judge_pairs(one, other, PAIRS, _asking(server.url), out=tmp_path / "runs")
        seen.append(sorted(texts(messages)["mark"] for messages in server.asked))
    assert seen[0] == seen[1]
    assert len(set(seen[0])) == 6


def test_runs_judged_by_one_judge_compare_like_any_others_and_by_two_judges_do_not(tmp_path):
    one = _run(tmp_path, "one", {item: f"{item} has words" for item in "abcde"})
    other = _run(tmp_path, "other", {item: item for item in "abcde"})
    with judge_server(grading(_words)) as server:
        judged = [
            judge_run(run, GRADES, _asking(server.url), out=tmp_path / "runs")[1] for run in (one, other)
        ]
    found = compare(judged)
    assert abs(found.pairs[0].difference) == pytest.approx(1.0)
    assert any("uncalibrated" in note for note in found.notes)
    with judge_server(grading(_words)) as server:
        stricter = _asking(server.url, settings={"reasoning_effort": "high"})
        by_another = judge_run(other, GRADES, stricter, out=tmp_path / "runs")[1]
    with pytest.raises(BakeoffError, match="judge"):
        compare([judged[0], by_another])


def test_the_command_says_what_the_judge_said_and_that_nobody_checked_it(tmp_path):
    _run(tmp_path)
    (tmp_path / "good.yaml").write_text(json.dumps(GRADES.model_dump(mode="json", exclude_defaults=True)))
    with judge_server(grading(_words)) as server:
        done = bakeoff(
            tmp_path, "judge", "run", "last", "--rubric", "good.yaml", "--model", f"{server.url}#rule"
        )
    assert done.returncode == 0, done.stderr
    assert "3 of 3 verdicts readable" in done.stdout
    assert "uncalibrated" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["last"], "needs runs, a --rubric and a --model"),
        (["last", "--rubric", "none.yaml", "--model", "openai:x"], "none.yaml"),
        (["last", "--rubric", "good.yaml", "--model", "openai:x", "--repeats", "0"], "--repeats"),
        (["last", "--rubric", "pairs.yaml", "--model", "openai:x"], "two runs"),
        (["--resume", "last"], "is not the run of a judge"),
        (["last", "--rubric", "good.yaml", "--model", "recorded:none.jsonl"], "none.jsonl"),
    ],
)
def test_a_mistake_on_the_command_line_is_named(tmp_path, arguments, said):
    _run(tmp_path)
    for name, rubric in (("good", GRADES), ("pairs", PAIRS)):
        text = json.dumps(rubric.model_dump(mode="json", exclude_defaults=True))
        (tmp_path / f"{name}.yaml").write_text(text)
    done = bakeoff(tmp_path, "judge", "run", *arguments)
    assert done.returncode in (2, 3, 4)
    assert said in done.stderr


def test_a_calibration_goes_with_its_judge_rubric_and_task_and_no_other(tmp_path):
    names = [f"{each:02}" for each in range(32)]
    items = [Item(name, f"Question {name}?", target=("gold",)) for name in names]
    file = tmp_path / "answers.jsonl"
    file.write_text(
        "".join(json.dumps({"id": each, "output": "one " * (1 + int(each) % 3)}) + "\n" for each in names)
    )
    task = Task(name="things", data=items, scorer="contains")
    evaluate(task, f"recorded:{file}", out=tmp_path / "runs", cache=False)
    (tmp_path / "good.yaml").write_text(json.dumps(GRADES.model_dump(mode="json", exclude_defaults=True)))
    other = GRADES.model_dump(mode="json", exclude_defaults=True) | {"reference": True}
    (tmp_path / "other.yaml").write_text(json.dumps(other))
    people = [{"item": each, "people": 1 + int(each) % 3} for each in names]
    (tmp_path / "people.jsonl").write_text("".join(json.dumps(each) + "\n" for each in people))
    with judge_server(grading(_words)) as server:
        asked = ["--model", f"{server.url}#rule"]
        first = bakeoff(tmp_path, "judge", "run", "last", "--rubric", "good.yaml", *asked)
        assert "uncalibrated" in first.stdout
        made = bakeoff(tmp_path, "judge", "calibrate", "last", "--labels", "people.jsonl", "--out", "runs")
        assert made.returncode == 0, made.stderr
        (calibration,) = tmp_path.rglob("calibration-*.json")
        run = next(each for each in find_runs(tmp_path / "runs") if read_manifest(each).judging is None)
        asked += ["--calibration", str(calibration)]
        again = bakeoff(tmp_path, "judge", "run", str(run), "--rubric", "good.yaml", *asked)
        assert again.returncode == 0, again.stderr
        assert "uncalibrated" not in again.stdout
        before = len(server.asked)
        refused = bakeoff(tmp_path, "judge", "run", str(run), "--rubric", "other.yaml", *asked)
        assert refused.returncode == 2
        assert "another rubric" in refused.stderr
        assert len(server.asked) == before


def test_an_item_asked_twice_is_one_item_and_a_run_that_waits_for_its_judge_loses_nothing(tmp_path):
    items = [Item(item, f"Question {item}?") for item in "ab"]
    task = Task(name="things", data=items, scorer="pending")
    runs = []
    for name, said in (("one", {"a": "two words", "b": "some"}), ("other", {"a": "word", "b": ""})):
        file = tmp_path / f"{name}.jsonl"
        rows = [{"id": i, "output": text, "repeat": r} for i, text in said.items() for r in (0, 1)]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
        made = evaluate(task, f"recorded:{file}", out=tmp_path / "runs", cache=False, repeats=2)
        runs.append(made.folder)

    def longer(shown: dict[str, str]) -> str:
        return "first" if len(shown["first"]) > len(shown["second"]) else "second"

    with judge_server(preferring(longer)) as server:
        found = pairs(judge_pairs(*runs, PAIRS, _asking(server.url), out=tmp_path / "runs"))
    # a is won in both repeats and orders, b because the other run is empty there.
    assert (found.wins, found.ties, found.losses) == (2, 0, 0)
    assert (found.win_rate.value, found.win_rate.n, found.win_rate.clusters) == (1.0, 2, None)
    assert (found.by_default, found.failed, found.verdicts) == (2, 0, 4)
