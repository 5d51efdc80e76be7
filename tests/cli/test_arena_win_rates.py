"""`bakeoff arena win-rates`, as a person uses it."""

import json

import pytest

from tests.arena.judges.test_win_rates import row, written
from tests.cli.command import bakeoff


@pytest.fixture
def folder(tmp_path):
    """Two models, one of which answers the same to all; of the other eight in ten answers are longer."""
    rows = [row(n, output_2="m" * (3 if n % 5 == 0 else 6 + n), preference=1 + n % 3 / 2) for n in range(30)]
    constant = [row(n, generator_2="null", output_2="Always \x1b[31mthis", preference=2) for n in range(30)]
    written(tmp_path / "m.json", [*rows, row(0, preference=None), row(0, generator_2="baseline")])
    written(tmp_path / "null.json", [each | {"output_1": "x" * n} for n, each in enumerate(constant)])
    (tmp_path / "hard.csv").write_text(
        "instruction,difficulty\n" + "".join(f"Say {n},{n % 4}\n" for n in range(30))
    )
    return tmp_path


def test_rates_stand_beside_their_caveats(folder):
    done = bakeoff(folder, "arena", "win-rates", "m.json", "null.json", "--draws", "20")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Preferred by a model, not by people: weighted, against baseline (50 %)"
    assert [line.split()[0] for line in lines[2:4]] == ["m", "null"]
    assert lines[2].split()[1:5] == ["30", "50.00", "±", "7.58"]
    assert lines[2].split()[-2:] == ["80", "%"]
    for says in (
        "null is listed last: 100 % of its answers begin with “always",
        "Not taken, a model against itself: 1 rows.",
        "Not taken, no verdict: 1 rows.",
        "the weights fitted anew",
        "can hardly be told apart",
        "All instructions count as equally hard",
        "no defence against one answer to everything, or one that speaks to the judge.",
    ):
        assert says in done.stdout
    assert "\x1b" not in done.stdout
    assert "formula SE" not in lines[1]
    hard = bakeoff(folder, "arena", "win-rates", "m.json", "--difficulty", "hard.csv", "--draws", "20").stdout
    assert "formula SE" in hard
    assert "leaves the error of the fit out and is too small" in hard
    assert "equally hard" not in hard


def test_as_json_it_says_the_same(folder):
    done = bakeoff(folder, "arena", "win-rates", "m.json", "--difficulty", "hard.csv", "--json")
    told = json.loads(done.stdout)
    assert (told["judge"], told["baseline"], told["difficulty"]) == ("weighted", "baseline", True)
    assert told["untaken"] == {"a model against itself": 1, "no verdict": 1}
    (rate,) = told["win_rates"]
    assert rate["win_rate"] == pytest.approx(0.5)
    controlled = rate["controlled"]
    assert controlled["interval"]["low"] < controlled["win_rate"] < controlled["interval"]["high"]
    assert controlled["plain"] == rate["win_rate"]
    assert rate["constant"] is False


def test_where_answers_were_not_kept_it_says_so(folder):
    gone = {"output_1": None, "output_2": None}
    written(folder / "bare.json", [row(n, **gone) for n in range(3)])
    text = bakeoff(folder, "arena", "win-rates", "bare.json").stdout
    assert "No rate at equal length for m: the lengths of its answers are not known." in text
    assert "and not all answers are there to look at" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "no file was named"),
        (("nowhere.json",), "there is no file nowhere.json"),
        (("m.json", "--level", "95"), "write 0.95"),
        (("m.json", "--draws", "0"), "--draws is at least 1"),
        (("m.json", "hard.csv"), "hard.csv:2: generator_1: is missing"),
        (("m.json", "--difficulty", "few.csv"), "29 of the 30 instructions of m have no difficulty"),
        (("m.json", "other.json"), "another judge, 'other'"),
    ],
)
def test_mistakes_are_named_with_what_to_do(folder, arguments, says):
    (folder / "few.csv").write_text("instruction,difficulty\nSay 0,1\n")
    written(folder / "other.json", [row(0, annotator="other")])
    done = bakeoff(folder, "arena", "win-rates", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
