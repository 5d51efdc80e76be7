"""`private: true`: no command lets a text of an item or of an answer out of the run folder."""

import json
import os
import pty
import shutil
import stat
import subprocess
import sys

import pytest

from bakeoff.cli.app import app
from bakeoff.store import find_runs, read_manifest
from tests.cli import command

CANARY = "zephyrcanary"
ASKED, RIGHT, SAID, THOUGHT, META = (
    f"{CANARY}{word}" for word in ("asked", "right", "said", "thought", "meta")
)


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def task(folder, name, rows, scorer, extra=""):
    written(folder / f"{name}.jsonl", rows)
    (folder / f"{name}.yaml").write_text(
        f"name: {name}\ndata: {{file: {name}.jsonl}}\nprivate: true\nscorer: {scorer}\n{extra}"
    )


def answers(folder, name, model, said):
    path = folder / f"{name}-{model}.jsonl"
    written(
        path,
        [
            {"item_id": item, "output": text, "reasoning": THOUGHT, "model": model, "prompt_tokens": 9}
            | {"completion_tokens": 3, "latency_s": 0.25}
            for item, text in said.items()
        ],
    )
    return f"recorded:{path}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Runs of two models on free answers, and of one on labels, extracted fields and choices."""
    folder = tmp_path_factory.mktemp("private")
    free = [
        {"id": f"i{n}", "input": f"{ASKED} {n}?", "target": f"{RIGHT} {n}", "metadata": {"note": META}}
        for n in range(40)
    ]
    task(folder, "free", free, "exact")
    labelled = [
        {"id": f"i{n}", "input": f"{ASKED} {n}", "target": "spam" if n % 4 == 0 else "ham"} for n in range(40)
    ]
    task(folder, "labelled", labelled, "exact")
    total = [{"id": f"i{n}", "input": f"{ASKED} {n}", "target": {"name": f"{RIGHT} {n}"}} for n in range(40)]
    task(folder, "forms", total, "{name: fields, fields: {name: text}}")
    choices = [
        {"id": f"i{n}", "input": ASKED, "choices": [f"{RIGHT} {n}", SAID], "target": 0} for n in range(9)
    ]
    task(folder, "choices", choices, "choice", 'prompt: {template: "{{ input }} {{ choices }}"}\n')
    papers = [
        {"id": f"i{n}", "input": f"{ASKED} {n}?", "target": f"{RIGHT} {n}"}
        | {"metadata": {"passages": [{"id": f"p{n}", "text": f"{META} {n}"}], "relevant": {f"p{n}": 1}}}
        for n in range(40)
    ]
    task(folder, "papers", papers, "contains")
    said = {
        "papers": ({f"i{n}": f"{RIGHT} {n}" if n % 3 else f"I don't know {SAID}." for n in range(40)}, "a"),
        "free": ({f"i{n}": f"{RIGHT} {n}" if n % 3 else f"{SAID} {n}" for n in range(40)}, "ab"),
        "labelled": ({f"i{n}": f"{SAID}" if n % 5 == 1 else "ham" for n in range(40)}, "a"),
        "forms": ({f"i{n}": f'{{"name": "{RIGHT if n % 2 else SAID} {n}"}}' for n in range(40)}, "ab"),
    }
    for name, (texts, models) in said.items():
        for model in models:
            ref = answers(folder, name, model, texts | ({"i1": SAID} if model == "b" else {}))
            done = command.bakeoff(folder, "run", f"{name}.yaml", "--model", ref)
            assert (done.returncode, CANARY in done.stdout + done.stderr) == (0, False), done
    written(
        folder / "judge.jsonl", [{"item_id": f"i{n}", "output": SAID, "model": "judge"} for n in range(40)]
    )
    return folder


def runs(folder, name):
    return [str(run) for run in find_runs(folder / "runs") if read_manifest(run).task.name == name]


# Every command there is, once for each way in which it writes; `None` for those that see neither a run nor a
# task of the user's.
COMMANDS = {
    "run": [["--resume", "RUN:free"], ["--resume", "RUN:free", "--json"]],
    "show": [
        [],
        ["--json"],
        ["RUN:free", "--samples", "50"],
        ["RUN:free", "--samples", "50", "--json"],
        ["RUN:free", "--item", "i1"],
        ["RUN:free", "--outcome", "wrong", "--json"],
        ["RUN:forms", "--fields", "--samples", "3"],
        ["RUN:forms", "--fields", "--json"],
        ["RUN:labelled", "--samples", "3"],
    ],
    "compare": [
        ["RUNS:free", "--html", "page.html", "--not-worse-by", "0.05"],
        ["RUNS:free", "--json"],
    ],
    "classify": [
        ["RUN:labelled", "--positive", "spam", "--texts", "--html", "classes.html"],
        ["RUN:labelled", "--positive", "spam", "--texts", "--json"],
        ["RUN:labelled", "--each", "--texts"],
    ],
    "fields": [
        ["RUN:forms"],
        ["RUN:forms", "--json"],
        ["RUNS:forms"],
        ["RUNS:forms", "--json"],
    ],
    "rag": [["RUN:papers"], ["RUN:papers", "--json"]],
    "gate": [
        ["RUN:free", "--baseline", "OTHER:free", "--junit", "junit.xml", "--summary", "gate.md", "--github"],
        ["RUN:free", "--baseline", "OTHER:free", "--json"],
        ["promote", "RUN:free"],
        ["promote", "RUN:free", "--as", "other", "--json"],
    ],
    "judge": [
        ["run", "RUN:free", "--rubric", "rag/answer_relevance", "--model", "recorded:judge.jsonl"],
        ["run", "RUN:free", "--rubric", "rag/answer_relevance", "--model", "recorded:judge.jsonl", "--json"],
    ],
    "rescore": [["RUN:free", "--scorer", "regex:pattern=(x)"], ["RUN:free", "--scorer", "exact", "--json"]],
    "set": [
        ["freeze", "free.jsonl", "--version", "1", "--json"],
        ["check", "free.jsonl"],
        ["propose", "free.jsonl", "--from", "labelled.jsonl", "--json"],
        ["moved", "RUN:free", "OTHER:free"],
        ["moved", "RUN:free", "OTHER:free", "--json"],
    ],
    "task": [
        ["show", "free.yaml"],
        ["show", "free.yaml", "--json"],
        ["show", "choices.yaml"],
        ["lint", "free.yaml", "labelled.yaml", "forms.yaml", "choices.yaml"],
        ["lint", "choices.yaml", "--json"],
        ["list"],
    ],
    "suite": None,
    "board": None,  # scores and counts alone
    "arena": None,  # variants and counts alone
    "search": [["arithmetic"], ["arithmetic", "--json"]],
    "serve": None,  # its pages are looked at in tests/web
    "account": None,
    "quickstart": None,
    "doctor": None,
}


def test_every_command_is_looked_at():
    known = {name for name in app if not name.startswith("-")}
    assert known == set(COMMANDS), "a new command: say above how it is asked about a private run"


@pytest.mark.parametrize(
    "asked", [[name, *each] for name, found in COMMANDS.items() for each in found or ()], ids=" ".join
)
def test_no_text_leaves_the_run_folder(folder, asked):
    full = []
    for word in asked:
        kind, _, name = word.partition(":")
        found = runs(folder, name) if kind in ("RUN", "RUNS", "OTHER") else []
        full += {"RUN": found[:1], "OTHER": found[1:2], "RUNS": found}.get(kind, [word]) if found else [word]
    before = {path for path in folder.rglob("*") if path.is_file()}
    done = command.bakeoff(folder, *full)
    assert done.returncode in (0, 1, 3), done.stderr
    assert CANARY not in done.stdout + done.stderr
    # What was written anew, but for runs and for cases that wait for a review, which stay with the set.
    written = {path for path in folder.rglob("*") if path.is_file()} - before
    outside = [path for path in written if "runs" not in path.parts and ".pending." not in path.name]
    for path in outside:
        assert CANARY.encode() not in path.read_bytes(), path
    if "--junit" in asked or "--html" in asked:
        assert outside


def test_what_a_judge_was_shown_of_a_private_run_is_private_too(folder):
    """A judge's own run has the answers in its prompts."""
    judged = [run for run in find_runs(folder / "runs") if read_manifest(run).task.name.startswith("judge-")]
    assert judged
    for run in judged:
        assert read_manifest(run).task.private
        shown = command.bakeoff(folder, "show", str(run), "--samples", "50", "--json")
        assert (shown.returncode, CANARY in shown.stdout) == (0, False)


def test_ids_and_digests_stand_in_for_the_texts(folder):
    run = runs(folder, "free")[0]
    done = command.bakeoff(folder, "show", run, "--item", "i1", "--json")
    (sample,) = json.loads(done.stdout)["samples"]
    assert (sample["item_id"], sample["score"]["outcome"]) == ("i1", "scored")
    assert sample["item_digest"].startswith("sha256:")
    asked = sample["turns"][0]["input"]
    assert sample["item_digest"][:19] in (asked if isinstance(asked, str) else asked[0]["parts"][0]["data"])
    assert sample["target"] == [f"withheld: {len(RIGHT) + 2} characters"]
    assert sample["metadata"] == {"note": "withheld"}
    shown = command.bakeoff(folder, "show", run, "--item", "i1").stdout
    assert "i1" in shown
    assert "--reveal" in shown


def test_they_are_revealed_on_a_terminal_only(folder):
    run = runs(folder, "free")[0]
    for asked in (
        ["show", run, "--item", "i1"],
        ["task", "show", "free.yaml"],
        ["task", "lint", "free.yaml"],
    ):
        for more in ([], ["--json"]):
            refused = command.bakeoff(folder, *asked, "--reveal", *more)
            assert refused.returncode == 2
            assert "on a terminal only" in refused.stderr
            assert CANARY not in refused.stdout + refused.stderr
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "dumb", "COLUMNS": "100"}
    process = subprocess.Popen(
        [sys.executable, "-m", "bakeoff", "show", run, "--item", "i1", "--reveal"],
        cwd=folder,
        stdout=theirs,
        env=environment,
    )
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        text += part
    os.close(ours)
    assert process.wait(60) == 0
    assert all(word.encode() in text for word in (ASKED, RIGHT, THOUGHT))


def test_none_but_the_owner_can_read_the_run(folder):
    for run in find_runs(folder / "runs"):
        assert stat.S_IMODE(run.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in run.iterdir()} == {0o600}


def test_answers_are_not_kept_in_the_cache(folder):
    cached = folder / "cache"
    texts = [path.read_bytes() for path in cached.rglob("*") if path.is_file()] if cached.exists() else []
    assert not any(CANARY.encode() in text for text in texts)


def test_privacy_is_no_part_of_a_tasks_digest(folder):
    private = read_manifest(find_runs(folder / "runs")[0]).task
    assert private.private
    text = (folder / "free.yaml").read_text()
    (folder / "public.yaml").write_text(text.replace("private: true\n", ""))
    digests = [
        json.loads(command.bakeoff(folder, "task", "show", name, "--json").stdout)["digest"]
        for name in ("free.yaml", "public.yaml")
    ]
    assert digests[0] == digests[1]


@pytest.fixture(scope="module")
def boards(folder):
    """The same runs as a board keeps them, in the folder of a submission."""
    shutil.copytree(folder / "runs", folder / "board" / "submission-1")
    return folder / "board" / "submission-1"


@pytest.mark.parametrize(
    "asked",
    [
        [name, *each]
        for name, found in COMMANDS.items()
        for each in found or ()
        if any(word.startswith(("RUN", "OTHER")) for word in each)
    ],
    ids=" ".join,
)
def test_of_a_run_of_a_private_board_no_command_tells_anything(folder, boards, asked):
    """Not even scores item by item: who has those has the answers."""
    full = []
    for word in asked:
        kind, _, name = word.partition(":")
        found = [str(run) for run in find_runs(boards) if read_manifest(run).task.name == name]
        full += {"RUN": found[:1], "OTHER": found[1:2], "RUNS": found}.get(kind, [word]) if name else [word]
    before = {path for path in folder.rglob("*") if path.is_file()}
    done = command.bakeoff(folder, *full)
    assert (done.returncode in (2, 4), done.stdout) == (True, "")
    assert "for a board with private answers" in done.stderr
    assert {path for path in folder.rglob("*") if path.is_file()} == before


def test_nor_are_they_listed_with_their_scores(folder, boards):
    assert find_runs(boards)
    listed = command.bakeoff(folder, "show", "--out", str(boards))
    assert (listed.returncode, "there are no runs" in listed.stdout) == (0, True)
    (folder / "own.yaml").write_text("name: own\ncolumns: [{name: A, parts: [{tasks: free.yaml}]}]\n")
    scored = command.bakeoff(folder, "suite", "score", "own.yaml", "--out", str(boards))
    assert scored.returncode != 0
    assert "there is no complete run" in scored.stderr
