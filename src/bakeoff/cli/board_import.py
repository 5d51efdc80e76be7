"""`bakeoff board import`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user
from bakeoff.errors import BakeoffError


def import_(
    name: str,
    file: Path,
    *,
    source: str,
    model: str = "model",
    score: str,
    low: str | None = None,
    high: str | None = None,
    columns: str = "",
    dated: str | None = None,
    precision: str | None = None,
    licence: str | None = None,
    scale: float = 1.0,
    unit: Literal["share", "raw"] = "share",
    where: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    database: str | None = None,
) -> None:
    """Keep a table of scores that others report as a board of its own, a snapshot for each date in it.

    Its rows are marked reported and are never ranked with what was measured here.

    Example: bakeoff board import open-llm-v2 table.parquet --score average --dated snapshot --scale 100 \
             --source https://…

    Parameters
    ----------
    name:
        The name of the new board.
    file:
        A CSV, Parquet or JSON Lines file.
    source:
        Where the numbers were taken from.
    model:
        The column with the models' names.
    score:
        The column that orders the rows.
    low:
        The column with the lower 95 % limit of the score.
    high:
        The column with the upper limit.
    columns:
        Columns of further scores, separated by commas.
    dated:
        The column with the date of the state that a row is from. By default the file's own date.
    precision:
        The column with the precision.
    licence:
        The column with the licence.
    scale:
        What scores are divided by: 100 for percentages.
    unit:
        `raw` for numbers that are no shares, such as ratings.
    where:
        Only rows with this value in a column, COLUMN=VALUE; repeat it for several.
    database:
        The address of the database.
    """
    from bakeoff.board.reported import Layout, has_snapshots, import_reported
    from bakeoff.cli.output import stdout
    from bakeoff.cli.settings import read_settings
    from bakeoff.database import writing

    if scale <= 0:
        raise BakeoffError(f"--scale is a number above 0, got {scale:g}")
    layout = Layout(
        model=model,
        score=score,
        low=low,
        high=high,
        columns=tuple(filter(None, columns.split(","))),
        dated=dated,
        precision=precision,
        licence=licence,
        scale=scale,
        unit=unit,
        where=read_settings(where, "--where"),
    )
    with opened(database) as engine, writing(engine) as connection:
        if has_snapshots(connection, name):
            raise BakeoffError(f"there is a board {name} already", "name another")
        made = import_reported(connection, name, file, layout, source=source, actor=user())
    rows = sum(len(each.rows) for each in made)
    stdout().print(f"{name}: {rows:,} rows in {len(made)} snapshots", soft_wrap=True)
