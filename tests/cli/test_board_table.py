"""`bakeoff board table`: what is seen of a board on its page, on a terminal and in files."""

import csv
import json

import duckdb
import pytest

from tests.cli.command import bakeoff

TABLE = """\
name,by,licence,billions,when,mean,lower,upper,maths
org/alpha-7b,org,mit,7,2026-01-01,50,48,52,40
org/beta-70b,org,apache-2.0,70,2026-01-01,70,68,72,
=gamma,other,,,2026-01-01,,,,30
org/alpha-7b,org,mit,7,2026-02-01,60,58,62,55
org/beta-70b,org,apache-2.0,70,2026-02-01,61,59,63,50
=gamma,other,,,2026-02-01,40,38,42,60
"""


@pytest.fixture
def folder(tmp_path):
    """A board of three models, each of them there on two dates."""
    (tmp_path / "table.csv").write_text(TABLE)
    layout = {
        "source": "https://example.org/table",
        "model": "name",
        "by": "by",
        "licence": "licence",
        "parameters": "billions",
        "dated": "when",
        "score": "mean",
        "low": "lower",
        "high": "upper",
        "column": "maths",
        "scale": "100",
    }
    said = [part for name, value in layout.items() for part in (f"--{name}", value)]
    _done(tmp_path, "import", "theirs", "table.csv", *said)
    return tmp_path


def _board(folder, *arguments):
    return bakeoff(folder, "board", *arguments, BAKEOFF_DATABASE_URL="sqlite:///boards.db")


def _done(folder, *arguments):
    done = _board(folder, *arguments)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def _names(folder, *arguments):
    rows = json.loads(_done(folder, "table", "theirs", "--json", *arguments))["rows"]
    return [row["model"].rpartition("/")[2] for row in rows]


def test_a_table_shows_ranks_intervals_and_what_tells_rows_apart(folder):
    lines = _done(folder, "table", "theirs").splitlines()
    assert lines[0].startswith("theirs, version 1 · 2026-02-01T00:00:00+00:00 · ")
    cells = [line.split() for line in lines[2:]]
    assert cells[0] == ["Rank", "Model", "Organisation", "Score", "%", "maths", "%", "Licence"]
    assert cells[1] == ["1–2", "org/beta-70b", "org", "61.0", "[59.0,", "63.0]", "50.0", "apache-2.0"]
    assert cells[3] == ["3", "=gamma", "other", "40.0", "[38.0,", "42.0]", "60.0"]
    assert lines[-2] == "The same of all rows: Known from reported, First seen 2026-02-01, Attempt 1 of 1."
    assert lines[-1] == "3 rows."


def test_rows_without_a_rank_are_there_with_the_reason(folder):
    text = _done(folder, "table", "theirs", "--at", "2026-01-20")
    assert "no rank: =gamma (row =gamma): no score is reported" in text


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ((), ["beta-70b", "alpha-7b", "=gamma"]),
        (("--sort", "-score"), ["=gamma", "alpha-7b", "beta-70b"]),
        (("--sort", "score.maths"), ["=gamma", "alpha-7b", "beta-70b"]),
        (("--sort", "score.maths", "--at", "2026-01-01"), ["alpha-7b", "=gamma", "beta-70b"]),
        (("--sort", "-parameters"), ["beta-70b", "alpha-7b", "=gamma"]),
        (("--search", "ORG 7b"), ["alpha-7b"]),
        (("--search", "/^org$/"), ["beta-70b", "alpha-7b"]),
        (("--where", "licence=mit", "--where", "licence=-"), ["alpha-7b", "=gamma"]),
        (("--where", "parameters_max=9"), ["alpha-7b"]),
        (("--where", "state=ranked", "--at", "first"), ["beta-70b", "alpha-7b"]),
        (("--where", "tied=org/alpha-7b"), ["beta-70b", "alpha-7b"]),
        (("--where", "pin==gamma", "--preset", "large"), ["=gamma", "beta-70b"]),
        (("--where", "pareto=parameters"), ["beta-70b", "alpha-7b"]),
        (("--preset", "small"), ["alpha-7b"]),
        (("--limit", "1"), ["beta-70b"]),
    ],
)
def test_any_view_of_the_page_is_one_here(folder, arguments, names):
    assert _names(folder, *arguments) == names


def test_what_is_not_shown_is_counted(folder):
    text = _done(folder, "table", "theirs", "--where", "parameters_min=1", "--limit", "1")
    assert text.splitlines()[-1] == (
        "2 of 3 rows match; the first 1 are shown; 1 more do not say what is filtered by."
    )


def test_files_hold_what_is_seen(folder):
    view = ("--sort", "-score", "--columns", "model,score,score.maths")
    assert _done(folder, "table", "theirs", *view, "--csv", "t.csv", "--parquet", "t.parquet") == ""
    rows = list(csv.reader((folder / "t.csv").read_text().splitlines()))
    assert rows[0] == ["model", "score", "score_low", "score_high", "score.maths"]
    assert rows[1] == ["'=gamma", "0.4", "0.38", "0.42", "0.6"]
    told = json.loads(_done(folder, "table", "theirs", *view, "--json"))
    assert [tuple(row[name] for name in rows[0]) for row in told["rows"]] == duckdb.read_parquet(
        str(folder / "t.parquet")
    ).fetchall()
    assert told["query"] == "sort=-score&columns=model%2Cscore%2Cscore.maths"
    assert told["snapshot"].startswith("sha256:")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--where", "licence"), "--where licence: there is no = in it"),
        (("--where", "licnce=mit"), "'licnce' is no parameter of a board"),
        (("--where", "cost_max=cheap"), "cost_max: 'cheap' is no number"),
        (("--sort", "price"), "sort: 'price' is no column of theirs"),
        (("--columns", "model,x"), "columns: 'x' is no column of theirs"),
        (("--preset", "tiny"), "preset: 'tiny' is none"),
        (("--search", "/(/"), "search: /(/ is no pattern: missing )"),
        (("--at", "2025-01-01"), "there is no snapshot of 2025-01-01 or before"),
        (("--limit", "0"), "--limit 0: at least one row is shown"),
        (("--csv", "missing/t.csv"), "missing/t.csv cannot be written: No such file or directory"),
    ],
)
def test_mistakes_are_named(folder, arguments, message):
    done = _board(folder, "table", "theirs", *arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {message}")


def test_a_board_that_is_not_there_is_said(folder):
    done = _board(folder, "table", "ours")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no board ours" in done.stderr


def test_text_of_others_moves_no_cursor(tmp_path):
    (tmp_path / "table.csv").write_text("model,mean\n\x1b[2Jone\u202e,0.5\ntwo,0.4\n")
    _done(
        tmp_path, "import", "theirs", "table.csv", "--score", "mean", "--source", "s", "--date", "2026-01-01"
    )
    text = _done(tmp_path, "table", "theirs")
    assert "\\u001b[2Jone\\u202e" in text
    assert "\x1b" not in text
