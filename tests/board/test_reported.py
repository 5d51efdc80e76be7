import pytest

from bakeoff.board.difference import differences
from bakeoff.board.publishing import problems, snapshots
from bakeoff.board.reported import Layout, import_reported
from bakeoff.board.submissions import known, submit
from bakeoff.database import reading, writing
from bakeoff.errors import BakeoffError
from tests.board.making import model

TABLE = """\
name,kind,when,mean,lower,upper,maths
alpha,chat,2026-01-01,50,48,52,40
beta,chat,2026-01-01,70,68,72,
gamma,chat,2026-01-01,,,,30
delta,base,2026-01-01,99,98,100,99
alpha,chat,2026-02-01,60,58,62,55
beta,chat,2026-02-01,61,59,63,50
"""
LAYOUT = Layout(
    model="name",
    score="mean",
    low="lower",
    high="upper",
    columns=("maths",),
    dated="when",
    scale=100,
    where={"kind": "chat"},
)


def _import(engine, folder, text=TABLE, layout=LAYOUT, name="theirs", source="https://example.org/table"):
    file = folder / "table.csv"
    file.write_text(text)
    with writing(engine) as connection:
        return import_reported(connection, name, file, layout, source=source, actor="ann")


def test_each_date_is_a_snapshot_with_ranges_where_there_are_intervals(engine, tmp_path):
    first, second = _import(engine, tmp_path)
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
    first, _ = _import(engine, tmp_path)
    rows = {row.entrant.model: row for row in first.rows}
    assert rows["beta"].entrant.scores.columns["maths"].value is None
    assert rows["alpha"].entrant.scores.columns["maths"].value == 0.4
    assert rows["gamma"].unranked == "no score is reported"
    assert {row.entrant.provenance for row in first.rows} == {"reported"}
    assert first.notes == ("reported, not measured here: https://example.org/table",)


def test_rows_are_the_same_by_name_from_one_date_to_the_next(engine, tmp_path):
    found = [(each.kind, each.model, each.text) for each in differences(*_import(engine, tmp_path))]
    assert ("rescored", "alpha", "50.0 % → 60.0 % as reported") in found
    assert ("removed", "gamma", "gone without a trace, was without a rank (no score is reported)") in found


def test_nothing_is_submitted_to_what_others_report(engine, tmp_path):
    _import(engine, tmp_path)
    with pytest.raises(BakeoffError, match="keeps scores that others report"), writing(engine) as connection:
        submit(connection, known(connection, "theirs"), model(), organisation="org", submitter="ann")


@pytest.mark.parametrize(
    ("text", "layout", "said"),
    [
        (TABLE, Layout(model="name", score="median"), "no column 'median'"),
        (TABLE.replace("70,68", "high,68"), LAYOUT, "'high' is no number"),
        (TABLE.replace("2026-02-01", "spring"), LAYOUT, "'spring' is no date"),
        (TABLE.replace("chat", "other"), LAYOUT, "no rows with these values"),
    ],
)
def test_a_table_that_does_not_fit_is_refused_whole(engine, tmp_path, text, layout, said):
    with pytest.raises(BakeoffError, match=said):
        _import(engine, tmp_path, text, layout)
    with reading(engine) as connection:
        assert list(snapshots(connection, "theirs")) == []


def test_where_numbers_come_from_must_be_said(engine, tmp_path):
    with pytest.raises(BakeoffError, match="must be said"):
        _import(engine, tmp_path, source=" ")


def test_a_file_of_another_kind_is_refused(engine, tmp_path):
    file = tmp_path / "table.xlsx"
    file.write_text("x")
    with pytest.raises(BakeoffError, match="no kind that is read"), writing(engine) as connection:
        import_reported(connection, "x", file, LAYOUT, source="s", actor="ann")
