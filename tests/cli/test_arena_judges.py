"""`bakeoff arena judges`, as a person uses it."""

import csv
import json
import math

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


def test_a_ranking_stands_under_a_label_that_says_whose_it_is(folder):
    fields = ["item", "judge", "first", "second", "winner", "judge_version", "judge_prompt"]
    with (folder / "told.csv").open("w", newline="") as file, (folder / "verdicts.csv").open() as untold:
        writer = csv.DictWriter(file, fields, restval="gpt-9 of May")
        writer.writeheader()
        writer.writerows(row | {"judge_prompt": f"sha256:{'ab' * 32}"} for row in csv.DictReader(untold))
    text = bakeoff(folder, "arena", "judges", "told.csv", "--rank").stdout
    label = "Ranked by a model, not by people: j (gpt-9 of May), prompt abababababab, both orders"
    assert label in text
    assert "10 pairs: consistent 7, ties by disagreement 2; no votes: in one order alone 0, unread 1" in text
    assert "9 votes rated" in text
    assert "the judge's family is not named" in text
    assert "answers of x, y are one answer: --answers" in text
    untold = bakeoff(folder, "arena", "judges", "verdicts.csv", "--rank").stdout
    assert "j (version not told), prompt not told, both orders" in untold
    told = json.loads(bakeoff(folder, "arena", "judges", "told.csv", "--rank", "--json").stdout)
    (board,) = told["boards"]
    assert board["label"].startswith("ranked by a model, not by people: j (gpt-9 of May)")
    # x scored seven and a half of nine: odds of 5 to 1.
    x, y = board["rows"]
    assert (x["model"], y["model"]) == ("x", "y")
    assert x["score"] - y["score"] == pytest.approx(400 * math.log10(5))
    assert (x["low"], y["high"]) == (1, 2)


def test_models_of_the_judges_family_and_of_one_answer_are_left_out(folder):
    (folder / "families.csv").write_text("name,family\nx,acme\ny,other\nz,third\nj,none\nk,acme\n")
    rows = [
        (f"i{n}", "k", *pair, "first" if (n + (pair[0] < pair[1])) % 2 else "tie")
        for n in range(10)
        for pair in (("x", "y"), ("y", "x"), ("y", "z"), ("z", "y"))
    ]
    with (folder / "verdicts.csv").open("a", newline="") as file:
        csv.writer(file).writerows(rows)
    (folder / "answers.csv").write_text("model,answer\n" + "x,Always this\n" * 30)
    arguments = ("verdicts.csv", "--families", "families.csv", "--rank")
    told = json.loads(bakeoff(folder, "arena", "judges", *arguments, "--json").stdout)
    j, k = told["boards"]
    assert (j["own_family"], k["own_family"], k["votes"]) == (0, 10, 10)
    text = bakeoff(folder, "arena", "judges", *arguments).stdout
    assert "10 votes rated, 10 left out on the judge's own family" in text
    assert "no vote left" in text
    blocked = bakeoff(folder, "arena", "judges", *arguments, "--answers", "answers.csv")
    assert blocked.returncode == 2
    assert "j has 0 votes left on 0 items" in blocked.stderr


def test_win_rates_are_corrected_by_people_and_say_what_they_rest_on(folder):
    with (folder / "people.csv").open("a", newline="") as file:
        csv.writer(file).writerow(("elsewhere", "a", "x", "y", "first"))
    told = json.loads(
        bakeoff(folder, "arena", "judges", "verdicts.csv", "--people", "people.csv", "--json").stdout
    )
    x, y = told["win_rates"]["j"]
    # Six of ten and four halves by the judge, five of ten by people, who were asked about all.
    assert (x["judge"], x["people"], x["rate"], x["labels"]) == (0.8, 0.5, 0.5, 10)
    assert y["judge"] == pytest.approx(0.2)
    assert told["not_judged"] == {"j": 1}
    text = bakeoff(folder, "arena", "judges", "verdicts.csv", "--people", "people.csv").stdout
    assert "drawn at random among all that the judge judged" in text
    assert "left out: 1 pairs that people judged and the judge did not" in text
    assert "x, y: few pairs are without a label, so the judge adds nothing" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere.csv",), "there is no file nowhere.csv"),
        (("empty.csv",), "holds no row"),
        (("wrong.csv",), "wrong.csv:3: winner"),
        (("itself.csv",), "that is no pair"),
        (("verdicts.csv", "--people", "others.csv"), "share no item and pair"),
        (("verdicts.csv", "--level", "95"), "write 0.95"),
        (("verdicts.csv", "--answers", "people.csv"), "add --rank"),
        (("verdicts.csv", "--rank", "--answers", "people.csv"), "people.csv:2: model"),
        (("versions.csv", "--rank"), "versions.csv:3: judge_version"),
    ],
)
def test_mistakes_are_named_with_their_place(folder, arguments, says):
    _write(folder / "empty.csv", [])
    _write(folder / "wrong.csv", [("i", "j", "x", "y", "first"), ("i", "j", "y", "x", "left")])
    _write(folder / "itself.csv", [("i", "j", "x", "x", "first")])
    _write(folder / "others.csv", [("other", "p", "x", "y", "first")])
    (folder / "versions.csv").write_text(
        "item,judge,first,second,winner,judge_version\ni,j,x,y,first,1\ni,j,y,x,first,2\n"
    )
    done = bakeoff(folder, "arena", "judges", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
