"""`bakeoff rag`, for people and for machines."""

import orjson

from bakeoff.judging import read_rubric
from bakeoff.verdicts import Asking, judge_run
from tests.cli.command import bakeoff
from tests.rag.system import QUESTIONS, asked, by_words
from tests.verdicts.judges import judge_server


def test_people_read_what_was_measured_by_whom_and_on_how_many(tmp_path):
    run = asked(tmp_path)
    with judge_server(
        by_words(lambda unit, passages: "supported" if unit in passages else "contradicted")
    ) as judge:
        asking = Asking(f"{judge.url}#rule", cache=False)
        made = judge_run(run, read_rubric("rag/groundedness"), asking, out=tmp_path / "runs")[1]
    done = bakeoff(tmp_path, "rag", str(run), "--judged", str(made), COLUMNS="160")
    assert done.returncode == 0, done.stderr
    for words in (
        "10 items",
        "abstained wrongly",
        "should have abstained",
        "d (I don't know)",
        "recall",
        "token F1 with the reference",
        "judge rule uncalibrated",
        "not in the passages 0 · supported 2",
        "a needed passage retrieved",
        "latency p50",
        "note: uncalibrated",
    ):
        assert words in done.stdout, words


def test_machines_read_the_same_as_plain_numbers(tmp_path):
    asked(tmp_path)
    done = bakeoff(tmp_path, "rag", "last", "--json")
    assert done.returncode == 0, done.stderr
    found = orjson.loads(done.stdout)
    assert found["items"] == 10
    assert {each["name"] for each in found["measures"]} >= {"recall", "words in the passages", "contains@1"}
    assert [each["answerable"] for each in found["behaviours"]] == [True, False, None]
    assert found["together"]["found"]["right"] == 2


def test_what_answers_say_reaches_no_terminal_as_it_is(tmp_path):
    asked(tmp_path, {"\x1b[2Ja": (*QUESTIONS["d"][:5], "I don't \x1b[31mknow.")})
    done = bakeoff(tmp_path, "rag", "last")
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout


def test_a_run_that_is_no_judged_one_is_refused_in_words(tmp_path):
    asked(tmp_path, {"a": QUESTIONS["a"]})
    done = bakeoff(tmp_path, "rag", "last", "--judged", "last")
    assert done.returncode == 2
    assert "no judged run" in done.stderr
