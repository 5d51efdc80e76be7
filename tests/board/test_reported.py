import json

import pytest

from bakeoff.board.ranking.difference import differences
from bakeoff.board.ranking.publishing import problems, snapshots
from bakeoff.board.registry import known, register
from bakeoff.board.reported.importing import LOWER, import_reported
from bakeoff.board.reported.layout import Layout, read_layout
from bakeoff.board.reported.published import entrants_by_date
from bakeoff.board.submissions import submit
from bakeoff.database import reading, writing
from bakeoff.errors import BakeoffError, TaskError
from tests.board.making import BOARD, model
from tests.cli.command import bakeoff

TABLE = """\
name,kind,when,mean,lower,upper,maths
alpha,chat,2026-01-01,50,48,52,40
beta,chat,2026-01-01,70,68,72,
gamma,chat,2026-01-01,,,,30
delta,base,2026-01-01,99,98,100,99
alpha,chat,2026-02-01,60,58,62,55
beta,chat,2026-02-01,61,59,63,50
"""
MARCH = """\
name,kind,when,mean,lower,upper,maths
alpha,chat,2026-03-01,62,60,64,55
"""
SAID = {
    "source": "https://example.org/table",
    "model": "name",
    "score": "mean",
    "low": "lower",
    "high": "upper",
    "columns": ("maths",),
    "dated": "when",
    "scale": 100,
    "where": {"kind": "chat"},
}
LONG = """\
model,what,value,error,when
alpha,acc,0.5,0.01,2026-01-01
alpha,ppl,12.5,,2026-01-01
beta,ppl,11.5,,2026-01-01
beta,acc,0.7,0.02,2026-01-01
gamma,ppl,99,,2026-01-01
"""
PIVOT = {"source": "s", "metric": "what", "dated": "when"}


def _layout(**changes):
    return Layout(**(SAID | changes))


def _import(engine, folder, text=TABLE, layout=None, name="theirs", kind="csv"):
    file = folder / f"table.{kind}"
    file.write_text(text)
    with writing(engine) as connection:
        return import_reported(connection, name, file, layout or _layout(), actor="ann")


def _read(folder, text, **said):
    file = folder / "table.csv"
    file.write_text(text)
    ((_, entrants),) = entrants_by_date(file, Layout(**said))
    return {each.model: each.scores for each in entrants}


def test_each_date_is_a_snapshot_with_ranges_where_there_are_intervals(engine, tmp_path):
    first, second = _import(engine, tmp_path).made
    assert (first.made[:10], second.made[:10]) == ("2026-01-01", "2026-02-01")
    assert [(row.entrant.model, row.place, row.low, row.high) for row in first.rows] == [
        ("beta", 1, 1, 1),
        ("alpha", 2, 2, 2),
        ("gamma", None, None, None),
    ]
    assert [(row.low, row.high) for row in second.rows] == [(1, 2), (1, 2)]
    with reading(engine) as connection:
        assert list(snapshots(connection, "theirs")) == [first, second]
        assert list(problems(connection, "theirs")) == []


def test_what_is_missing_is_missing_and_what_is_reported_says_so(engine, tmp_path):
    first, _ = _import(engine, tmp_path).made
    rows = {row.entrant.model: row for row in first.rows}
    assert rows["beta"].entrant.scores.columns["maths"].value is None
    assert rows["alpha"].entrant.scores.columns["maths"].value == 0.4
    assert rows["gamma"].unranked == "no score is reported"
    assert {row.entrant.provenance for row in first.rows} == {"reported"}
    assert first.notes == ("reported, not measured here: https://example.org/table",)


def test_rows_are_the_same_by_name_from_one_date_to_the_next(engine, tmp_path):
    found = [(each.kind, each.model, each.text) for each in differences(*_import(engine, tmp_path).made)]
    assert ("rescored", "alpha", "50.0 % → 60.0 % as reported") in found
    assert ("removed", "gamma", "gone without a trace, was without a rank (no score is reported)") in found


def test_a_later_table_adds_its_dates_and_the_same_again_changes_nothing(engine, tmp_path):
    first = _import(engine, tmp_path)
    later = _import(engine, tmp_path, TABLE + MARCH.partition("\n")[2])
    assert [each.made[:10] for each in later.made] == ["2026-03-01"]
    assert [day.isoformat() for day in later.known] == ["2026-01-01", "2026-02-01"]
    # Only the new date, and the old one's rows in another order.
    alone = _import(engine, tmp_path, MARCH)
    head, *rows = TABLE.splitlines()
    turned = _import(engine, tmp_path, "\n".join([head, *reversed(rows)]))
    assert (alone.made, turned.made) == ((), ())
    with reading(engine) as connection:
        assert list(snapshots(connection, "theirs")) == [*first.made, *later.made]
        assert list(problems(connection, "theirs")) == []


@pytest.mark.parametrize(
    "text",
    [
        TABLE.replace("50,48", "51,48"),
        TABLE.replace("72,\n", "72,33\n"),
        TABLE.replace("gamma,chat,2026-01-01,,,,30\n", ""),
        TABLE.replace("alpha", "alef"),
    ],
)
def test_a_date_that_is_there_with_other_numbers_is_refused_whole(engine, tmp_path, text):
    before = _import(engine, tmp_path).made
    with pytest.raises(BakeoffError, match=r"has a state of 2026-0[12]-01 already"):
        _import(engine, tmp_path, text + MARCH.partition("\n")[2])
    with reading(engine) as connection:
        assert tuple(snapshots(connection, "theirs")) == before


def test_nothing_is_submitted_to_what_others_report_nor_imported_into_what_is_measured(engine, tmp_path):
    _import(engine, tmp_path)
    with pytest.raises(BakeoffError, match="keeps scores that others report"), writing(engine) as connection:
        submit(connection, known(connection, "theirs"), model(), organisation="org", submitter="ann")
    with writing(engine) as connection:
        register(connection, BOARD, actor="ann")
    with pytest.raises(BakeoffError, match="measured here"):
        _import(engine, tmp_path, name=BOARD.name)


@pytest.mark.parametrize("changes", [{"lower_is_better": True}, {"unit": "raw", "scale": 1}])
def test_a_board_keeps_its_unit_and_its_direction(engine, tmp_path, changes):
    _import(engine, tmp_path)
    with pytest.raises(BakeoffError, match="laid out otherwise"):
        _import(engine, tmp_path, MARCH, _layout(**changes))


@pytest.mark.parametrize(
    ("text", "changes", "said"),
    [
        (TABLE, {"score": "median"}, r"table\.csv has no column 'median'"),
        (TABLE, {"columns": ("math",)}, r"did you mean 'maths'"),
        (TABLE, {"where": {"sort": "chat"}}, r"no column 'sort'"),
        (TABLE.replace("70,68", "high,68"), {}, r"table\.csv: row 2: mean: 'high' is no number"),
        (TABLE.replace("70,68", "inf,68"), {}, r"row 2: mean: 'inf' is no finite number"),
        (TABLE.replace("62,55", "62,-"), {}, r"row 5: maths: '-' is no number"),
        (TABLE.replace("2026-02-01", "spring"), {}, r"row 5: when: 'spring' is no date"),
        (TABLE.replace("2026-02-01", "2026-02-89"), {}, r"row 5: when: '2026-02-89' is no date"),
        (TABLE.replace("chat", "other"), {}, "no rows with these values"),
        (TABLE.replace("beta,chat", ",chat"), {}, r"row 2: name: no model is named"),
        (TABLE.replace("beta", "alpha"), {}, r"row 2: 2026-01-01: its model is there already, since row 1"),
        (TABLE, {"scale": 1}, r"row 1: mean: 50 is no share of 1\n--scale 100"),
        (TABLE.replace("72,\n", "72,-3\n"), {}, r"row 2: maths: -3 is no share of 100"),
        (TABLE.replace("70,68", "70,71"), {}, r"row 2: the score 0\.7 is not within its limits"),
        (TABLE, {"low": "", "high": "", "interval": "upper"}, r"row 1: upper: '52' is no interval"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_whole_with_file_and_row(engine, tmp_path, text, changes, said):
    with pytest.raises(BakeoffError, match=said):
        _import(engine, tmp_path, text, _layout(**changes))
    with reading(engine) as connection:
        assert list(snapshots(connection, "theirs")) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"dated": ""}, "when the numbers were published must be said"),
        ({"date": "2026-01-01"}, "when the numbers were published must be said"),
        ({"high": ""}, "limits come in pairs"),
        ({"stderr": "error"}, "says the error of a score twice"),
        ({"columns": ("*",)}, "stands for all other metrics of a long table"),
        ({"groups": {"All": ("maths",)}}, "no error that could be told"),
        ({"scale": 0}, "scale"),
        ({"scores": "mean"}, "did you mean 'score'"),
    ],
)
def test_a_layout_that_contradicts_itself_is_refused(changes, said):
    with pytest.raises(TaskError, match=said):
        _layout(**changes)


def test_where_numbers_come_from_must_be_said(engine, tmp_path):
    with pytest.raises(BakeoffError, match="must be said"):
        _import(engine, tmp_path, layout=_layout(source=" "))


def test_a_file_of_another_kind_is_refused(engine, tmp_path):
    with pytest.raises(BakeoffError, match="no kind that is read"):
        _import(engine, tmp_path, kind="xlsx")
    with pytest.raises(BakeoffError, match="cannot be read"), writing(engine) as connection:
        import_reported(connection, "x", tmp_path / "none.csv", _layout(), actor="ann")


def test_a_long_table_becomes_a_row_a_model_whatever_the_order_of_its_rows(tmp_path):
    found = _read(tmp_path, LONG, **PIVOT, score="acc", stderr="error", columns=("*",), unit="raw")
    assert (found["alpha"].score.value, found["alpha"].columns["ppl"].value) == (0.5, 12.5)
    assert (found["beta"].score.value, found["beta"].columns["ppl"].value) == (0.7, 11.5)
    # 1.96 standard errors of the score's own row, not of the model's first.
    assert found["beta"].score.high - found["beta"].score.low == pytest.approx(2 * 1.959964 * 0.02, abs=1e-6)
    assert (found["gamma"].score.value, found["gamma"].incomplete) == (None, "no score is reported")


def test_of_a_long_table_only_what_is_asked_for_is_read(tmp_path):
    found = _read(tmp_path, LONG, **PIVOT, score="acc")
    assert set(found) == {"alpha", "beta"}
    with pytest.raises(
        BakeoffError, match=r"no row has 'accuracy' in the column what\n.*what holds acc, ppl"
    ):
        _read(tmp_path, LONG, **PIVOT, score="accuracy")


def test_two_numbers_by_one_name_are_refused_or_kept_as_two_rows(tmp_path):
    twice = LONG + "alpha,acc,0.6,0.01,2026-01-01\n"
    with pytest.raises(BakeoffError, match=r"row 6: acc: its model is there already, since row 1"):
        _read(tmp_path, twice, **PIVOT, score="acc")
    (tmp_path / "table.csv").write_text(twice)
    kept = Layout(**PIVOT, score="acc", columns=("*",), unit="raw", twice="kept")
    ((_, entrants),) = entrants_by_date(tmp_path / "table.csv", kept)
    alphas = [each.scores for each in entrants if each.model == "alpha"]
    assert [each.score.value for each in alphas] == [0.6, 0.5]
    assert [each.columns["ppl"].value for each in alphas] == [None, 12.5]


def test_the_lowest_is_first_where_lower_is_better(engine, tmp_path):
    layout = Layout(**PIVOT, score="ppl", unit="raw", lower_is_better=True)
    (made,) = _import(engine, tmp_path, LONG, layout).made
    assert [(row.entrant.model, row.place) for row in made.rows] == [("beta", 1), ("alpha", 2), ("gamma", 3)]
    assert made.rows[0].entrant.scores.score.value == 11.5
    assert LOWER in made.notes


def test_ranges_are_the_mirror_of_those_of_the_opposite_direction(engine, tmp_path):
    text = "model,score,ci\n" + "".join(f"m{n},{10 * n + n * n},+{3 * n}/-{2 + n}\n" for n in range(1, 9))
    said = {"source": "s", "score": "score", "interval": "ci", "date": "2026-01-01", "unit": "raw"}
    (up,) = _import(engine, tmp_path, text, Layout(**said)).made
    (down,) = _import(engine, tmp_path, text, Layout(**said, lower_is_better=True), name="down").made
    ranges = {row.entrant.model: (9 - row.high, 9 - row.low) for row in up.rows}
    assert {row.entrant.model: (row.low, row.high) for row in down.rows} == ranges
    assert any(low != high for low, high in ranges.values())
    score = down.rows[0].entrant.scores.score
    assert (score.low, score.value, score.high) == (11 - 3, 11, 11 + 3)


def test_a_score_of_groups_is_the_mean_of_their_means_and_missing_where_one_is(tmp_path):
    text = "model,a,b,c\nx,10,20,60\ny,10,,60\n"
    said = {"source": "s", "date": "2026-01-01", "scale": 100, "groups": {"AB": ("a", "b"), "C": ("c",)}}
    found = _read(tmp_path, text, **said, score="Overall", columns=("a",))
    assert found["x"].score.value == pytest.approx((0.15 + 0.6) / 2)
    assert found["x"].columns["AB"].value == pytest.approx(0.15)
    assert (found["y"].score.value, found["y"].columns["AB"].value) == (None, None)
    assert (found["y"].columns["C"].value, found["y"].columns["a"].value) == (0.6, 0.1)


def test_numbers_and_names_are_read_as_they_are_written(tmp_path):
    """A CSV file has no types: a version stays a version, and a name that looks like a number a name."""
    text = "model,score,version\n007,0.25,1.10\n1e3,NaN,1.1\ntrue,1,\n"
    found = _read(tmp_path, text, source="s", score="score", revision="version", date="2026-01-01")
    assert {name: each.score.value for name, each in found.items()} == {"007": 0.25, "1e3": None, "true": 1.0}


def test_settings_tell_rows_of_one_name_apart(tmp_path):
    text = "model,score,bits,when\na,0.5,4,2026-01-05\na,0.6,8,\n"
    (tmp_path / "table.csv").write_text(text)
    layout = Layout(source="s", score="score", precision="bits", first_seen="when", date="2026-02-01")
    ((_, entrants),) = entrants_by_date(tmp_path / "table.csv", layout)
    assert [(each.precision, each.first_seen[:10]) for each in entrants] == [
        ("4", "2026-01-05"),
        ("8", "2026-02-01"),
    ]
    joined = Layout(source="s", score="score", model=("model", "bits"), date="2026-02-01")
    ((_, entrants),) = entrants_by_date(tmp_path / "table.csv", joined)
    assert [each.model for each in entrants] == ["a 4", "a 8"]


FAMILY = """\
source: s
metric: what
dated: when
unit: raw
boards:
  accuracy: {score: acc, unit: share}
  perplexity:
    score: ppl
    lower_is_better: yes
"""


def test_one_file_lays_out_a_family(tmp_path):
    path = tmp_path / "layout.yaml"
    path.write_text(FAMILY.replace("yes", "true"))
    assert read_layout("accuracy", path, {}) == Layout(**PIVOT, score="acc")
    assert read_layout("perplexity", path, {"dated": "", "date": "2026-01-01"}) == Layout(
        source="s", metric="what", date="2026-01-01", score="ppl", unit="raw", lower_is_better=True
    )
    with pytest.raises(TaskError, match=r"layout\.yaml:5: boards: does not say how speed is laid out"):
        read_layout("speed", path, {})


def test_a_mistake_in_a_layout_is_named_with_its_line_where_it_is_the_files(tmp_path):
    path = tmp_path / "layout.yaml"
    path.write_text(FAMILY.replace("yes", "downwards"))
    with pytest.raises(TaskError, match=r"layout\.yaml:9: lower_is_better: .*'downwards'"):
        read_layout("perplexity", path, {})
    with pytest.raises(TaskError, match=r"^scale: .*'many'"):
        read_layout("accuracy", path, {"scale": "many"})
    path.write_text("score: acc\nunits: raw\n")
    with pytest.raises(TaskError, match=r"layout\.yaml:2: units: there is no such key"):
        read_layout("any", path, {"date": "2026-01-01"})


def _command(folder, *arguments):
    return bakeoff(folder, "board", *arguments, BAKEOFF_DATABASE_URL="sqlite:///boards.db")


def test_the_command_line_says_a_layout_as_a_file_does(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    (tmp_path / "layout.yaml").write_text(json.dumps(SAID | {"where": {"kind": "chat"}}))
    words = "--model name --score mean --low lower --high upper --column maths --dated when --scale 100"
    said = ["--where", "kind=chat", "--source", "https://example.org/table", *words.split()]
    by_options = _command(tmp_path, "import", "options", "table.csv", *said, "--json")
    by_file = _command(tmp_path, "import", "file", "table.csv", "--layout", "layout.yaml", "--json")
    assert (by_options.returncode, by_file.returncode) == (0, 0), by_options.stderr + by_file.stderr
    days = [
        [(each["date"], each["rows"]) for each in json.loads(done.stdout)["made"]]
        for done in (by_options, by_file)
    ]
    assert days == [[("2026-01-01", 3), ("2026-02-01", 2)]] * 2
    shown = [
        json.loads(_command(tmp_path, "snapshot", name, "--show", "last", "--json").stdout)["rows"]
        for name in ("options", "file")
    ]
    assert shown[0] == shown[1]
    again = _command(tmp_path, "import", "file", "table.csv", "--layout", "layout.yaml")
    assert again.stdout == "file: 0 rows in 0 snapshots, 2 were there already\n"
    assert "whole" in _command(tmp_path, "verify", "file").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--score", "mean"], "--dated COLUMN, or --date 2026-01-31"),
        (["--score", "mean", "--date", "yesterday"], "date"),
        (
            ["--score", "mean", "--date", "2026-01-01", "--source", "s", "--unit", "raw"],
            "its model is there already",
        ),
        (["--score", "mean", "--dated", "when"], "--source ADDRESS"),
        (["--score", "mean", "--dated", "when", "--source", "s"], "is no share of 1"),
        (["--dated", "when"], "score: is missing"),
        (["--score", "mean", "--dated", "when", "--scale", "0"], "scale"),
        (["--layout", "none.yaml"], "none.yaml cannot be read"),
    ],
)
def test_a_mistake_on_the_command_line_is_said_and_nothing_is_kept(tmp_path, arguments, said):
    (tmp_path / "table.csv").write_text(TABLE)
    done = _command(tmp_path, "import", "theirs", "table.csv", "--model", "name", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "there is no board theirs" in _command(tmp_path, "snapshot", "theirs", "--list").stderr


def test_what_is_written_in_a_table_is_shown_without_its_control_characters(tmp_path):
    (tmp_path / "table.csv").write_text("model,score\n\x1b[2Jevil,0.5\n")
    _command(
        tmp_path,
        "import",
        "x",
        "table.csv",
        "--score",
        "score",
        "--date",
        "2026-01-01",
        "--source",
        "s\x1b[2J",
    )
    shown = _command(tmp_path, "snapshot", "x", "--show", "last")
    assert shown.returncode == 0
    assert "evil" in shown.stdout
    assert "\x1b" not in shown.stdout
    (tmp_path / "table.csv").write_text("model,score\nevil,\x1b[2J\n")
    refused = _command(
        tmp_path, "import", "y", "table.csv", "--score", "score", "--date", "2026-01-01", "--source", "s"
    )
    assert (refused.returncode, "\x1b" in refused.stderr) == (2, False)
