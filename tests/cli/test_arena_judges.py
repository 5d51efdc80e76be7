"""`bakeoff arena judges`, as a person uses it."""

import csv
import json

import pytest

from tests.cli.command import bakeoff


def _write(path, rows):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["item", "judge", "first", "second", "winner"])
        writer.writeheader()
        writer.writerows(dict(zip(writer.fieldnames, row, strict=True)) for row in rows)


@pytest.fixture
def folder(tmp_path):
    """Ten items: in both orders x on six, the first it reads on two, a tie on one; one is unread."""
    words = {"x": ("first", "second"), "lean": ("first", "first"), "tie": ("tie", "tie"), "": ("first", "")}
    said = ["x"] * 6 + ["lean"] * 2 + ["tie", ""]
    rows = []
    for n, word in enumerate(said):
        rows.append((f"i{n}", "j", "x", "y", words[word][0]))
        rows.append((f"i{n}", "j", "y", "x", words[word][1]))
    _write(tmp_path / "verdicts.csv", rows)
    # Two people say x on the first five items, and y on the others.
    people = [(f"i{n}", who, "x", "y", "first" if n < 5 else "second") for n in range(10) for who in "ab"]
    _write(tmp_path / "people.csv", people)
    return tmp_path


def test_what_became_of_pairs_and_how_far_a_judge_agrees_with_people(folder):
    done = bakeoff(folder, "arena", "judges", "verdicts.csv", "--people", "people.csv", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    counts = told["biases"]["j"]["counts"]
    assert {name: counts[name] for name in ("pairs", "decided", "tied", "contradicted", "unread")} == {
        "pairs": 10,
        "decided": 6,
        "tied": 1,
        "contradicted": 2,
        "unread": 1,
    }
    agreement = told["agreement"]["j"]
    assert (agreement["pairs"], agreement["unread"]) == (10, 1)
    assert agreement["ceiling"]["raw"]["value"] == 1.0
    # Of nine readable pairs the judge is with people on the first five.
    assert agreement["one_person"]["raw"]["value"] == pytest.approx(5 / 9)
    text = bakeoff(folder, "arena", "judges", "verdicts.csv", "--people", "people.csv").stdout
    assert "contradicted by the other order 2" in text
    assert "people with one" in text


def test_a_judges_own_family_is_named_where_families_are(folder):
    (folder / "families.csv").write_text("name,family\nx,acme\ny,other\nj,acme\nk,none\n")
    rows = [
        (f"i{n}", "k", *order) for n in range(10) for order in (("x", "y", "second"), ("y", "x", "first"))
    ]
    with (folder / "verdicts.csv").open("a", newline="") as file:
        csv.writer(file).writerows(rows)
    done = bakeoff(folder, "arena", "judges", "verdicts.csv", "--families", "families.csv", "--json")
    assert json.loads(done.stdout)["biases"]["j"]["family"]["family"] == "acme"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere.csv",), "there is no file nowhere.csv"),
        (("empty.csv",), "holds no row"),
        (("wrong.csv",), "wrong.csv:3: winner"),
        (("itself.csv",), "that is no pair"),
        (("verdicts.csv", "--people", "others.csv"), "share no item and pair"),
        (("verdicts.csv", "--level", "95"), "write 0.95"),
    ],
)
def test_mistakes_are_named_with_their_place(folder, arguments, says):
    _write(folder / "empty.csv", [])
    _write(folder / "wrong.csv", [("i", "j", "x", "y", "first"), ("i", "j", "y", "x", "left")])
    _write(folder / "itself.csv", [("i", "j", "x", "x", "first")])
    _write(folder / "others.csv", [("other", "p", "x", "y", "first")])
    done = bakeoff(folder, "arena", "judges", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
