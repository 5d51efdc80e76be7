"""The plugin in a real pytest, in a process of its own."""

import os
import subprocess
import sys
from importlib.metadata import entry_points

import duckdb  # noqa: F401  (pytester unloads what is first imported in a test, and this aborts when loaded twice)
import pytest

from bakeoff.gate import promote
from tests.gate.folders import scores, write_run

pytest_plugins = ["pytester"]

GOOD, BAD, FEW = [1] * 80 + [0] * 20, [0] * 30 + [1] * 50 + [0] * 20, [1] * 10


@pytest.fixture
def project(pytester, monkeypatch):
    """A project with runs, a promoted baseline, and the plugin loaded by hand, installed or not."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    promote(write_run(pytester.path / "base", scores(GOOD)), baselines=pytester.path / "baselines")
    for name, values in (("same", GOOD), ("worse", BAD), ("few", FEW)):
        write_run(pytester.path / "runs/sums/model" / name, scores(values))
    return pytester


def outcome(project, body: str, *options: str):
    project.makepyfile(f"def test_gate(bakeoff_gate):\n    {body}\n")
    return project.runpytest_subprocess("-p", "bakeoff.gate.pytest_plugin", *options)


def test_a_pass_passes_and_returns_the_report(project):
    body = "report = bakeoff_gate('runs/sums/model/same'); assert report.verdict == 'pass'"
    outcome(project, body).assert_outcomes(passed=1)


def test_a_fail_fails_with_the_reasons_and_without_a_traceback(project):
    result = outcome(project, "bakeoff_gate('worse')")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*fail: 1 of 2 checks failed*", "*no_regression*significantly worse*"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], {"failed": 1}),
        (["--bakeoff-inconclusive=fail"], {"failed": 1}),
        (["--bakeoff-inconclusive=skip"], {"skipped": 1}),
    ],
)
def test_an_inconclusive_gate_fails_unless_it_is_to_be_skipped(project, options, expected):
    result = outcome(project, "bakeoff_gate('few', baseline='main')", "-rs", *options)
    result.assert_outcomes(**expected)
    assert "10 items scored in the run and in the baseline, 30 are asked for" in result.stdout.str()


def test_runs_can_be_paths_or_results_and_baseline_and_policy_as_on_the_command_line(project):
    project.makefile(".yaml", gate="rules:\n  - rule: floor\n    score: 0.75\n    point: true\n")
    body = (
        "from pathlib import Path; from bakeoff import Result\n"
        "    for run in (Path('runs/sums/model/same'), Result(Path('runs/sums/model/same')), 'same'):\n"
        "        bakeoff_gate(run, baseline='base', policy='gate.yaml')\n"
        "    bakeoff_gate([run])"
    )
    outcome(project, body).assert_outcomes(passed=1)


def test_wrong_input_is_an_error_with_its_message(project):
    result = outcome(project, "bakeoff_gate('zzz')")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no run 'zzz'*"])


def test_pytest_starts_without_any_room_of_ours(tmp_path):
    script = (
        "import sys, pytest\n"
        "pytest.main(['-q', '-p', 'bakeoff.gate.pytest_plugin', '--collect-only', sys.argv[1]])\n"
        "heavy = ('bakeoff', 'numpy', 'pydantic', 'duckdb')\n"
        "print(*(name for name in sys.modules if name.startswith(heavy)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    loaded = set(done.stdout.splitlines()[-1].split())
    assert loaded == {"bakeoff", "bakeoff.gate", "bakeoff.gate.pytest_plugin"}


def test_pytest_finds_the_plugin_where_bakeoff_is_installed():
    (found,) = [point for point in entry_points(group="pytest11") if point.name == "bakeoff"]
    assert found.value == "bakeoff.gate.pytest_plugin"
