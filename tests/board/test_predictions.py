import hashlib
import os
import threading

import pytest

from bakeoff.board.entry.door import Permits
from bakeoff.board.entry.predictions import keep, kept, named, revision
from bakeoff.board.life import State
from bakeoff.board.registry import register
from bakeoff.board.work.evaluating import handler
from bakeoff.database import writing
from bakeoff.errors import BakeoffError
from bakeoff.jobs import Fault, Steps, claim, finish, jobs
from bakeoff.model.reach import NotAllowedError
from tests.board.small_board import ITEMS, answers, done, found, handed_in, small_board
from tests.cli.command import bakeoff


@pytest.fixture
def board(engine, tmp_path):
    made = small_board(tmp_path)
    with writing(engine) as connection:
        register(connection, made, actor="bob")
    return made


def _error(engine, number):
    (job,) = [each for each in jobs(engine) if each.payload["submission"] == number]
    assert (job.state, job.fault) == ("failed", Fault.SUBMITTER)
    assert found(engine, number).state is State.FAILED
    return job.error


def test_a_file_is_kept_by_its_digest_and_opened_from_there(tmp_path):
    path = answers(tmp_path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    ref = keep(f"recorded:{path}", tmp_path / "runs")
    assert ref == f"recorded:predictions/{digest}/answers.jsonl"
    assert (named(ref), revision(ref)) == ("answers", f"sha256:{digest}")
    place = tmp_path / "runs" / "predictions" / digest / "answers.jsonl"
    assert kept(ref, tmp_path / "runs") == f"recorded:{place}"
    assert place.read_bytes() == path.read_bytes()
    assert place.stat().st_mode & 0o222 == 0
    # The same again is the same, and nothing else is left there.
    assert keep(f"recorded:{path}", tmp_path / "runs") == ref
    assert [each for each in (tmp_path / "runs").rglob("*") if each.is_file()] == [place]


def test_the_model_that_is_chosen_in_a_file_stays_chosen(tmp_path):
    path = answers(tmp_path)
    ref = keep(f"recorded:{path}#org/name", tmp_path / "runs")
    assert named(ref) == "org/name"
    assert kept(ref, tmp_path / "runs").endswith("answers.jsonl#org/name")


@pytest.mark.parametrize("permits", [Permits(), None])
def test_what_becomes_of_the_submitters_file_moves_nothing(engine, board, tmp_path, permits):
    path = answers(tmp_path, right=4)
    number = handed_in(engine, board, keep(f"recorded:{path}", tmp_path / "runs"))
    answers(tmp_path, right=6)
    assert done(engine, tmp_path, permits, "recorded") == 2
    assert found(engine, number).scores["score"]["value"] == pytest.approx(4 / ITEMS)


def test_predictions_that_were_changed_after_they_were_handed_in_are_refused(engine, board, tmp_path):
    ref = keep(f"recorded:{answers(tmp_path)}", tmp_path / "runs")
    number = handed_in(engine, board, ref)
    place = tmp_path / "runs" / ref.partition(":")[2]
    place.chmod(0o644)
    place.write_bytes(answers(tmp_path, right=6, name="better").read_bytes())
    done(engine, tmp_path, Permits(), "recorded")
    assert "were changed after they were handed in" in _error(engine, number)


def test_predictions_that_go_between_the_look_and_the_evaluation_are_not_replaced(engine, board, tmp_path):
    ref = keep(f"recorded:{answers(tmp_path)}", tmp_path / "runs")
    number = handed_in(engine, board, ref)
    held = claim(engine, "w", offers=["recorded"])
    handler(engine, tmp_path / "runs", Permits())(held.job, Steps(engine, held, threading.Event()))
    finish(engine, held)
    assert found(engine, number).state is State.QUEUED
    place = tmp_path / "runs" / ref.partition(":")[2]
    place.unlink()
    place.symlink_to(answers(tmp_path))
    done(engine, tmp_path, Permits(), "recorded")
    assert found(engine, number).state is State.FAILED


DIGEST = hashlib.sha256(b"{}\n").hexdigest()


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "secret.jsonl",
        f"predictions/../predictions/{DIGEST}/a.jsonl",
        f"predictions/{DIGEST}/../../secret.jsonl",
        f"predictions/{DIGEST}/..",
        f"predictions/{DIGEST}/sub/a.jsonl",
        f"predictions/{DIGEST}/.hidden.jsonl",
        f"predictions/{DIGEST}/link.jsonl",
        f"predictions/{DIGEST}/hard\n.jsonl",
        f"predictions/{DIGEST}",
        f"predictions/{DIGEST[:-1]}/a.jsonl",
        f"predictions/{DIGEST.upper()}/a.jsonl",
        f"predictions/{'0' * 64}/a.jsonl",
        f"predictions/{'f' * 64}/a.jsonl",
        f"./predictions/{DIGEST}/a.jsonl",
        f"/predictions/{DIGEST}/a.jsonl",
        f"~/predictions/{DIGEST}/a.jsonl",
        "",
    ],
)
def test_a_worker_reads_predictions_from_where_they_are_kept_and_nowhere_else(tmp_path, name):
    out = tmp_path / "runs"
    folder = out / "predictions" / DIGEST
    (folder / "sub").mkdir(parents=True)
    for each in (
        folder / "a.jsonl",
        folder / "sub" / "a.jsonl",
        folder / ".hidden.jsonl",
        out / "secret.jsonl",
    ):
        each.write_text("{}\n")
    (folder / "link.jsonl").symlink_to(out / "secret.jsonl")
    (out / "predictions" / ("f" * 64)).symlink_to(folder)
    assert kept(f"recorded:predictions/{DIGEST}/a.jsonl", out) == f"recorded:{folder / 'a.jsonl'}"
    with pytest.raises(NotAllowedError):
        kept(f"recorded:{name}", out)


def test_a_job_that_names_another_file_is_refused(engine, board, tmp_path):
    number = handed_in(engine, board, f"recorded:{answers(tmp_path)}")
    done(engine, tmp_path, Permits(), "recorded")
    assert "and from no other file" in _error(engine, number)


@pytest.mark.parametrize("name", ["a b.jsonl", "ä.jsonl", "-.jsonl", "a.txt", "a", ".jsonl", "a\n.jsonl"])
def test_a_file_with_a_name_that_could_be_taken_for_another_is_not_kept(tmp_path, name):
    path = tmp_path / name
    path.write_text("{}\n")
    with pytest.raises(BakeoffError, match="is called"):
        keep(f"recorded:{path}", tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_what_is_no_file_is_not_kept(tmp_path):
    os.mkfifo(tmp_path / "a.jsonl")
    for name in ("a.jsonl", "none.jsonl", "."):
        with pytest.raises(BakeoffError, match="there is no file"):
            keep(f"recorded:{tmp_path / name}", tmp_path / "runs")


def test_one_file_answers_all_tasks_of_a_board_from_the_command_line(database, tmp_path):
    small_board(tmp_path)
    answers(tmp_path, right=3)
    url = database.render_as_string(hide_password=False)

    def command(*arguments, code=0):
        ended = bakeoff(tmp_path, "board", *arguments, BAKEOFF_DATABASE_URL=url)
        assert ended.returncode == code, ended.stderr + ended.stdout
        return ended.stdout + ended.stderr

    command("add", "board.yaml")
    submit = ("submit", "little", "--organisation", "org", "--model")
    command(*submit, "recorded:answers.jsonl", "--out", "kept")
    (tmp_path / "answers.jsonl").unlink()
    assert "2 jobs done" in command("worker", "--until-empty", "--out", "kept")
    command("publish", "1")
    command("snapshot", "little")
    shown = command("snapshot", "little", "--json")
    assert '"provenance":"records"' in shown.replace(" ", "")
    assert '"model":"answers"' in shown.replace(" ", "")
    # Elsewhere they are not found, and it is said where to hand them in.
    answers(tmp_path, right=2)
    command(*submit, "recorded:answers.jsonl", "--out", "elsewhere")
    command("worker", "--until-empty", "--out", "kept")
    assert "the --out that the workers have" in command("queue", "little", "--events", "2")
