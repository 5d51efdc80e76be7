"""`bakeoff gate` as a build calls it: exit codes, files, annotations."""

import json
import re
from xml.etree import ElementTree

import pytest

from tests.cli.command import bakeoff, bakeoff_process
from tests.gate.folders import scores, write_run

GOOD, BAD, FEW = [1] * 80 + [0] * 20, [0] * 30 + [1] * 50 + [0] * 20, [1] * 10
HOSTILE = "m\n::error title=x::pwned\n##[error]x\x1b[31m"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Runs called good, worse and few, and the baseline they are held against."""
    folder = tmp_path_factory.mktemp("project")
    write_run(folder / "runs/sums/model/1-base", scores(GOOD))
    assert bakeoff(folder, "gate", "promote", "base", "--reason", "first").returncode == 0
    for name, values in (("2-good", GOOD), ("3-worse", BAD), ("4-few", FEW)):
        write_run(folder / "runs/sums/model" / name, scores(values))
    write_run(folder / "runs/sums/model/5-hostile", scores(BAD), model=HOSTILE)
    (folder / "wrong.yaml").write_text("rules:\n  - rule: floor\n    scor: 0.5\n")
    damaged = folder / "baselines/sums/damaged.json"
    damaged.write_text((folder / "baselines/sums/main.json").read_text().replace("1.0", "0.0", 1))
    return folder


@pytest.mark.parametrize(
    ("run", "code", "word"), [("good", 0, "pass"), ("worse", 1, "fail"), ("few", 3, "inconclusive")]
)
def test_the_exit_code_is_the_verdict_and_so_is_every_output(project, run, code, word):
    junit, summary = project / f"out/{run}.xml", project / f"out/{run}.md"
    done = bakeoff_process(project, "gate", run, "--junit", str(junit), "--summary", str(summary))
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.startswith(f"gate {word}")
    assert "is caught with probability 80 %" in done.stdout
    root = ElementTree.fromstring(junit.read_bytes())
    assert (root.get("failures") != "0", root.get("errors") != "0") == (code == 1, code == 3)
    assert re.search(rf"^## \S+ bakeoff gate: {word}", summary.read_text().replace("&#58;", ":"))
    value = json.loads(bakeoff(project, "gate", run, "--json").stdout)
    assert (value["verdict"], value["exit_code"]) == (word, code)


MISUSES = {
    "no run": (["gate"], 2, "no run given"),
    "an unknown run": (["gate", "zzz"], 2, "zzz"),
    "an unknown baseline": (["gate", "good", "--baseline", "zzz"], 2, "zzz"),
    "an unknown option": (["gate", "good", "--polcy", "x"], 2, "--polcy"),
    "a missing policy": (["gate", "good", "--policy", "none.yaml"], 2, "wrong.yaml"),
    "an unknown field": (["gate", "good", "--policy", "wrong.yaml"], 2, "wrong.yaml:3: rules[0].scor"),
    "a baseline that was edited": (["gate", "good", "--baseline", "damaged"], 4, "was changed"),
    "a file that cannot be written": (["gate", "good", "--junit", "wrong.yaml/x.xml"], 4, "wrong.yaml"),
    "a promotion of nothing": (["gate", "promote", "zzz"], 2, "zzz"),
    "a name that is none": (["gate", "promote", "good", "--as", "a/b"], 2, "a/b"),
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_misuse_is_neither_a_fail_nor_inconclusive(project, misuse):
    arguments, code, says = MISUSES[misuse]
    done = bakeoff(project, *arguments)
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_github_gets_annotations_and_a_summary_added_to(project):
    page = project / "step.md"
    page.write_text("earlier\n")
    done = bakeoff(project, "gate", "worse", "--github", GITHUB_STEP_SUMMARY=str(page))
    lines = [line for line in done.stdout.splitlines() if line.startswith("::")]
    assert lines[0].startswith("::error title=sums%3A no_regression fail::significantly worse")
    assert page.read_text().startswith("earlier\n## ")
    done = bakeoff(project, "gate", "worse", "--github", "--json")
    assert json.loads(done.stdout)["verdict"] == "fail"
    assert done.stderr.splitlines() == lines


@pytest.mark.parametrize("columns", ["20", "40", "80", "200"])
def test_a_models_name_cannot_speak_to_the_runner_at_any_width(project, columns):
    done = bakeoff(project, "gate", "hostile", "--github", COLUMNS=columns)
    ours = re.compile(r"::(error|warning|notice) title=(sums%3A |bakeoff gate)")
    for line in done.stdout.splitlines():
        assert not line.lstrip().startswith("::") or ours.match(line)
        assert "##[" not in line
    assert "\x1b" not in done.stdout


def test_promoting_says_what_to_commit_and_what_it_replaces(project):
    done = bakeoff(project, "gate", "promote", "few", "--as", "small")
    assert "baselines/sums/small.json" in done.stdout
    assert "promotions.jsonl" in done.stdout
    again = json.loads(bakeoff(project, "gate", "promote", "good", "--as", "small", "--json").stdout)
    assert again["replaces"].startswith("sha256:")
    log = (project / "baselines/sums/promotions.jsonl").read_text().splitlines()
    assert [json.loads(line)["name"] for line in log][-2:] == ["small", "small"]
