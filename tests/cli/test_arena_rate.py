"""`bakeoff arena import` and `rate`, as a person uses them."""

import csv
import json

import pytest

from tests.arena.ranking.test_ranking import fights
from tests.cli.command import bakeoff


@pytest.fixture
def folder(tmp_path):
    with (tmp_path / "votes.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["model_a", "model_b", "outcome", "voter", "language"])
        for n, each in enumerate(fights()):
            writer.writerow([each.model_a, each.model_b, each.outcome, n % 8, "en" if n % 2 else "de"])
    return tmp_path


def test_votes_are_read_written_and_rated(folder):
    done = bakeoff(folder, "arena", "import", "votes.csv", "votes.parquet")
    assert (done.returncode, "400 of 400 battles" in done.stdout) == (0, True), done.stderr
    told = json.loads(
        bakeoff(folder, "arena", "rate", "votes.parquet", "--anchor", "a=1300", "--json").stdout
    )
    rows = told["ranking"]["rows"]
    assert [row["model"] for row in rows] == list("abcd")
    assert rows[0]["score"] == pytest.approx(1300)
    assert told["ranking"]["clusters"] == {"voter": 8}
    plain = bakeoff(folder, "arena", "rate", "votes.csv").stdout
    assert "May be the best: a." in plain
    assert "8 voters" in plain
    hangs = told["ranking"]["first_place"]
    assert (hangs["model"], hangs["other"], hangs["of"]) == ("a", "b", 400)
    assert f"The first place changes hands if {hangs['votes']} of 400 votes" in plain


def test_votes_of_one_kind_and_filters_are_asked_for_by_name(folder):
    told = json.loads(
        bakeoff(
            folder,
            "arena",
            "rate",
            "votes.csv",
            "--only",
            "language=de",
            "--clean",
            "--filter",
            "daily-cap:cap=9",
            "--json",
        ).stdout
    )
    assert told["ranking"]["votes"] == 200
    names = [stage["step"]["name"] for stage in told["stages"]]
    assert (names[:2], names[-1]) == (["not blind", "faults"], "daily cap")


def test_use_stands_beside_the_scores_and_changes_none(folder):
    (folder / "usage.csv").write_text("day,model,tokens\n2026-01-01,d,750\n2026-01-02,a,250\n")
    alone = json.loads(bakeoff(folder, "arena", "rate", "votes.csv", "--json").stdout)
    told = json.loads(bakeoff(folder, "arena", "rate", "votes.csv", "--usage", "usage.csv", "--json").stdout)
    assert told["ranking"] == alone["ranking"]
    assert [(each["model"], each["share"]) for each in told["usage"]] == [("d", 0.75), ("a", 0.25)]
    lines = bakeoff(folder, "arena", "rate", "votes.csv", "--usage", "usage.csv").stdout.splitlines()
    assert [line.split()[-2:] for line in lines[1:5]][::3] == [["25.0", "%"], ["75.0", "%"]]


def test_a_board_for_one_language_says_how_much_is_its_own(folder):
    told = json.loads(bakeoff(folder, "arena", "rate", "votes.csv", "--for", "language=de", "--json").stdout)
    segment = told["segment"]
    assert (segment["votes"], segment["others"], segment["learnt_from"]) == (200, 200, 2)
    assert all(0 <= row["own"] <= 1 for row in segment["rows"])
    assert (
        "200 votes of language de"
        in bakeoff(folder, "arena", "rate", "votes.csv", "--for", "language=de").stdout
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere.csv",), "there is no file nowhere.csv"),
        (("votes.csv", "--filter", "noise"), "no filter is called 'noise'"),
        (("votes.csv", "--filter", "duplicate-prompts:cap"), "takes NAME:PARAMETER=VALUE"),
        (("votes.csv", "--filter", "duplicate-prompts:cap=0"), "at least 1, got 0"),
        (("votes.csv", "--anchor", "a"), "--anchor takes MODEL=SCORE"),
        (("votes.csv", "--only", "language"), "--only takes KIND=VALUE"),
        (("votes.csv", "--only", "team=x"), "not told apart by 'team'"),
        (("votes.csv", "--only", "language=fr"), "no vote has the language 'fr'"),
        (("votes.csv", "--style", "length"), "no vote has the length"),
    ],
)
def test_mistakes_are_named_with_what_to_do(folder, arguments, says):
    done = bakeoff(folder, "arena", "rate", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
