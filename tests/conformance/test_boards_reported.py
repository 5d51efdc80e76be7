"""Leaderboards that others published, as boards: every row of every date."""

import pytest
from sqlalchemy import make_url

from bakeoff.board.publishing import problems
from bakeoff.board.reported import Layout, import_reported
from bakeoff.database import reading, writing
from tests.database.databases import with_tables

BOARDS = {
    "open_llm_leaderboard_v2/data.parquet": (
        Layout(
            model="model",
            score="average",
            columns=("ifeval", "bbh", "math_lvl_5", "gpqa", "musr", "mmlu_pro"),
            dated="snapshot",
            precision="precision",
            licence="licence",
            scale=100,
        ),
        [237, 1174, 2167, 4576],
    ),
    "leaderboards/data.parquet": (
        Layout(
            model="model",
            score="value",
            low="ci_low",
            high="ci_high",
            dated="snapshot",
            unit="raw",
            where={"leaderboard": "lmarena_text"},
        ),
        None,
    ),
}


@pytest.mark.parametrize("file", BOARDS)
def test_every_row_of_every_date_is_kept_and_ordered(data_dir, tmp_path, file):
    layout, rows = BOARDS[file]
    engine = with_tables(make_url(f"sqlite:///{tmp_path / 'boards.db'}"))
    with writing(engine) as connection:
        made = import_reported(
            connection, "theirs", data_dir / file, layout, source="the publishers", actor="test"
        )
    if rows is not None:
        assert [len(each.rows) for each in made] == rows
    for each in made:
        values = [row.entrant.scores.score.value for row in each.rows if row.place is not None]
        assert values == sorted(values, reverse=True)
        if layout.low is None:
            assert all(row.low is None for row in each.rows)
    newest = made[-1]
    if layout.low is not None:
        # Published as a strict order; the intervals bear fewer ranks than there are models.
        alone = sum(row.low == row.high for row in newest.rows)
        assert 0 < alone < len(newest.rows) / 10
    with reading(engine) as connection:
        assert list(problems(connection, "theirs")) == []
    engine.dispose()
