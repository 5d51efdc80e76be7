"""`bakeoff arena simulate`, as a person uses it."""

import json

import pytest

from bakeoff.arena.simulate.report import SCENARIOS
from tests.cli.command import bakeoff

SMALL = ("--models", "10", "--votes", "1000", "--replications", "2")


def _simulated(folder, *arguments):
    done = bakeoff(folder, "arena", "simulate", *arguments, COLUMNS="80")
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout


def test_each_scenario_has_a_sentence_and_a_table_that_fits_a_terminal(tmp_path):
    said = _simulated(tmp_path, "stuffing", "best-of", *SMALL)
    assert "10 models, 1,000 votes by 50 people, 2 replications, seed 0" in said
    assert "stuffing: 20 accounts with 50 votes each for one model move a contender by +" in said
    assert "best-of: The best of 20 equal variants looks " in said
    table = [line for line in said.splitlines() if line.startswith(("votes ", "honest ", "attack "))]
    assert len(table) == 5 + 8
    assert max(map(len, table)) <= 80
    assert any(line.split()[:3] == ["attack", "at", "most"] for line in table)


def test_as_json_the_numbers_come_with_what_was_planted(tmp_path):
    found = json.loads(_simulated(tmp_path, "style-hacking", *SMALL, "--seed", "3", "--json"))
    assert (found["world"]["models"], found["replications"], found["seed"]) == (10, 2, 3)
    (played,) = found["played"]
    assert played["scenario"] == {"times": 2.0, "style": 0.75, "name": "style-hacking"}
    assert [(line["attacked"], line["rules"]) for line in played["lines"]] == [
        (False, "none"),
        (False, "style control"),
        (True, "none"),
        (True, "style control"),
    ]
    assert played["lines"][0]["mean"]["true_rank"] == 6


def test_the_same_seed_prints_the_same(tmp_path):
    first, again = (_simulated(tmp_path, "silent-removal", *SMALL) for _ in range(2))
    assert first == again
    assert first != _simulated(tmp_path, "silent-removal", *SMALL, "--seed", "1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bribes"], "there is no scenario 'bribes'"),
        (["--replications", "1"], "replications must be 2 or more, got 1"),
        (["--models", "3"], "models of a simulated arena must lie between 10 and 1,000, got 3"),
        (["--votes", "0"], "votes of a simulated arena must lie between 200 and 10,000,000, got 0"),
        (
            ["--models", "50", "--votes", "500"],
            "votes of a simulated arena must be 20 for each of its 50 models",
        ),
    ],
)
def test_what_cannot_be_simulated_is_named(tmp_path, arguments, said):
    done = bakeoff(tmp_path, "arena", "simulate", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_help_names_every_scenario(tmp_path):
    said = " ".join(_simulated(tmp_path, "--help").replace("│", " ").split())
    assert "Example: bakeoff arena simulate" in said
    assert all(each.name in said for each in SCENARIOS)
