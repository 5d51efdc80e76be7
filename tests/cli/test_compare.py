"""What `bakeoff compare` says to people and machines, and what it refuses."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from bakeoff.cli.compare_view import print_comparison
from bakeoff.comparison.runs import compare
from bakeoff.store import find_runs
from tests.cli import command
from tests.comparison.making import items, run
from tests.comparison.test_spending import spending_run

HOSTILE = "evil\x1b[31m\u202e\nmodel"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Four models on 60 items, one of another task, and one run that lacks answers."""
    folder = tmp_path_factory.mktemp("compare")
    for number, model in enumerate(("org/one-model-of-7B-parameters-Instruct-v0.2", "b", "last", HOSTILE)):
        run(folder, model, [n for n in range(60) if (n * (number + 3)) % 11 < 8 - 2 * number], 60)
    run(folder / "other", "b", range(30), 60, changes={"generation": {"max_tokens": 7}})
    run(folder / "holed", "holed", range(30), 60, unanswered=[3, 4])
    return folder


def bakeoff(folder: Path, *arguments: str) -> command.Done:
    return command.bakeoff(folder, "compare", *arguments, COLUMNS="80")


def ends(folder: Path) -> list[str]:
    return [path.name.rsplit("-", 1)[-1] for path in find_runs(folder / "runs")]


def shown(found, width, encoding="utf-8"):
    text = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(file=text, width=width, markup=False, highlight=False, emoji=False)
    print_comparison(console, found)
    text.flush()
    return text.buffer.getvalue().decode(encoding)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal_and_every_candidate_is_named(folder, width):
    text = shown(compare(find_runs(folder / "runs")), width)
    lines = text.splitlines()
    assert max(len(line.rstrip()) for line in lines if "bakeoff show" not in line) <= width
    # Long names are folded in the tables, and whole in the sentences.
    tables, sentences = text.split("points: against")
    assert {"b", "last"} <= set(tables.split())
    assert "org/one-mode" in tables
    assert "evil\\u001b[3" in tables
    assert "org/one-model-of-7B-parameters-Instruct-v0.2" in sentences
    for word in ("leader", "worse", "rank", "95 % interval", "60 shared items", "4 candidates"):
        assert word in text
    assert "Cannot tell apart: " in text or "All candidates can be told apart." in text


def test_scores_and_differences_stand_side_by_side_where_there_is_room(folder):
    found = compare(find_runs(folder / "runs"))
    assert shown(found, 80).count("candidate  ") == 2
    assert shown(found, 120).count("candidate  ") == 1


def test_what_the_names_of_models_smuggle_in_is_spelt_out(folder):
    text = shown(compare(find_runs(folder / "runs")), 120)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "evil\\u001b[31m\\u202e\\nmodel" in text


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_a_terminal_without_these_characters_gets_plain_ones(folder, encoding):
    text = shown(compare(find_runs(folder / "runs")), 80, encoding)
    assert "|-" in text or "-|" in text
    assert text.isascii() or encoding != "ascii"
    done = command.bakeoff_process(folder, "compare", *ends(folder), PYTHONIOENCODING=encoding)
    assert done.returncode == 0, done.stderr


def test_the_order_of_runs_does_not_change_a_byte_of_the_json(folder):
    runs = ends(folder)
    first = bakeoff(folder, *runs, "--json")
    assert first.returncode == 0, first.stderr
    assert bakeoff(folder, *reversed(runs), "--json").stdout == first.stdout
    (found,) = json.loads(first.stdout)
    assert found["schema_version"] == 1
    assert len(found["standings"]) == 4
    assert len(found["items"]) == 5
    assert found["differing"] > 5


def test_a_page_is_written_beside_the_table(folder):
    done = bakeoff(folder, *ends(folder), "--html", "page.html", "--margin", "0.1", "--baseline", "b")
    assert done.returncode == 0, done.stderr
    assert "page.html" in done.stdout
    assert "one-model-of-7B" in (folder / "page.html").read_text()


def test_a_baseline_that_is_named_like_a_keyword_for_runs_is_the_model(folder):
    done = bakeoff(folder, *ends(folder), "--baseline", "last", "--json")
    assert json.loads(done.stdout)[0]["baseline"] == "last"
    (long,) = (path for path in find_runs(folder / "runs") if path.parent.name.startswith("org-one-model"))
    done = bakeoff(folder, *ends(folder), "--baseline", long.name[-6:], "--json")
    assert json.loads(done.stdout)[0]["baseline"].startswith("org/one-model")


def test_comparing_across_tasks_is_said_everywhere(folder):
    other = str(find_runs(folder / "other" / "runs")[0])
    refused = bakeoff(folder, ends(folder)[0], other)
    assert refused.returncode == 2
    assert "generation.max_tokens" in refused.stderr
    assert "--across" in refused.stderr
    done = bakeoff(folder, ends(folder)[0], other, "--across", "--html", "across.html")
    assert "across tasks that differ: generation.max_tokens" in " ".join(done.stdout.split())
    assert "across tasks that differ: generation.max_tokens" in (folder / "across.html").read_text()
    found = json.loads(bakeoff(folder, ends(folder)[0], other, "--across", "--json").stdout)
    assert found[0]["notes"][0].startswith("across tasks that differ: generation.max_tokens")


def test_an_incomplete_run_is_refused_unless_told(folder):
    holed = str(find_runs(folder / "holed" / "runs")[0])
    refused = bakeoff(folder, ends(folder)[0], holed)
    assert refused.returncode == 2
    assert "2 of 60 samples without a score" in refused.stderr
    assert "--incomplete" in refused.stderr
    done = bakeoff(folder, ends(folder)[0], holed, "--incomplete")
    assert done.returncode == 0
    text = " ".join(done.stdout.split())
    assert "58 shared items" in text
    assert "2 items left out: unscored: model_error 2" in text
    assert "of holed is not complete: 2 of 60 samples without a score" in text


MISTAKES = {
    "no run": ([], 2, "got none"),
    "one run": (["RUN"], 2, "needs two runs of a task, got 1 of sums"),
    "a run twice": (["RUN", "RUN"], 2, "twice"),
    "no such run": (["RUN", "zzz"], 4, "zzz"),
    "no such baseline": (["RUN", "OTHER", "--baseline", "zzz"], 2, "candidates are: "),
    "a level in per cent": (["RUN", "OTHER", "--level", "95"], 2, "0.95"),
    "a margin in points": (["RUN", "OTHER", "--margin", "2"], 2, "0.02"),
    "a page nowhere": (["RUN", "OTHER", "--html", "no/such/page.html"], 4, "page.html"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_ends_in_one_clear_message(folder, mistake):
    arguments, code, says = MISTAKES[mistake]
    runs = dict(zip(("RUN", "OTHER"), ends(folder), strict=False))
    done = bakeoff(folder, *(runs.get(each, each) for each in arguments))
    assert done.returncode == code, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_many_candidates_in_groups_with_variants_and_repeats_stay_readable(tmp_path):
    asked = items(40, groups=8)
    runs = [
        run(
            tmp_path,
            f"model-{k}",
            [[n for n in range(40) if (n * k + r) % 7 < 4] for r in range(2)],
            asked,
            variant=v,
        )
        for k in range(1, 4)
        for v in ("default", "terse")
    ]
    text = shown(compare(runs), 80)
    assert "40 shared items in 8 groups" in text
    assert "averaged over the prompts default, terse" in text.replace("\n", "")
    assert "items × prompts %" in text
    assert max(map(len, (line.rstrip() for line in text.splitlines() if "bakeoff show" not in line))) <= 80


def test_what_answers_take_is_told_beside_how_good_they_are(folder, tmp_path):
    dear = spending_run(tmp_path, "dear", range(190), 200)
    cheap = spending_run(tmp_path, "cheap", range(1, 190), 200)
    prices = tmp_path / "prices.yaml"
    prices.write_text("dear: {in: 3, out: 15}\ncheap: {in: 0.1, out: 0.5}\n")
    asked = (str(dear), str(cheap), "--prices", str(prices), "--not-worse-by", "0.05")
    text = " ".join(bakeoff(folder, *asked).stdout.split())
    # 199.5 tokens read and 10 written, at 3 and 15 dollars a million.
    assert "0.75" in text
    assert "The cheapest shown to be not worse than the best by 5 points: cheap, at $0.025 per 1,000" in text
    assert "Score against cost: all are on the front." in text
    found = json.loads(bakeoff(folder, *asked, "--json").stdout)[0]
    assert found["choice"]["chosen"] == "cheap"
    assert found["standings"][0]["spending"]["per_thousand"] == pytest.approx(0.7485)
    none = " ".join(bakeoff(folder, *asked[:-1], "0.001").stdout.split())
    assert "None can be shown to be not worse than the best by 0.1 points" in none
    refused = bakeoff(folder, *asked[:-1], "2")
    assert (refused.returncode, "lies between 0 and 1" in refused.stderr) == (2, True)
