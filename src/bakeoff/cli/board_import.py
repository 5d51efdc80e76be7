"""`bakeoff board import`."""

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user

Repeated = Annotated[tuple[str, ...], Parameter(negative=())]
Flag = Annotated[bool, Parameter(negative=())]
Json = Flag


def import_(
    name: str,
    file: Path,
    *,
    layout: Path | None = None,
    source: str = "",
    model: Repeated = (),
    score: str = "",
    metric: str = "",
    value: str = "",
    low: str = "",
    high: str = "",
    interval: str = "",
    stderr: str = "",
    n: str = "",
    column: Repeated = (),
    dated: str = "",
    date: str = "",
    first_seen: str = "",
    precision: str = "",
    revision: str = "",
    by: str = "",
    licence: str = "",
    parameters: str = "",
    scale: float | None = None,
    unit: Literal["share", "raw"] | None = None,
    lower_is_better: Flag = False,
    where: Repeated = (),
    twice: Literal["refused", "kept"] | None = None,
    database: str | None = None,
    json: Json = False,
) -> None:
    """Keep a table of scores that others report as a board of its own, a snapshot for each date in it.

    Its rows are marked reported and are never ranked with what was measured here. A later table of the same
    board adds its dates; a date that is there stays as it is.

    Example: bakeoff board import open-llm-v2 table.parquet --score average --dated snapshot --scale 100 \
             --source https://…

    Parameters
    ----------
    name:
        The board's name.
    file:
        A CSV, TSV, Parquet or JSON Lines file.
    layout:
        A YAML file that says all this by the same names (`columns` for --column, `organisation` for --by);
        for several boards under `boards`, by name. Options go over it.
    source:
        Where the numbers were taken from.
    model:
        The column with the models' names, by default `model`; repeat it where several columns make a name.
    score:
        The column that orders the rows; of a long table, the metric.
    metric:
        Of a long table, with a row for each score: the column that names it.
    value:
        Of a long table: the column with the number, by default `value`.
    low:
        The column with the lower 95 % limit of the score.
    high:
        The column with the upper limit.
    interval:
        A column that says both as +6/-5.
    stderr:
        The column with the standard error of the score.
    n:
        The column that says over how many items, or votes.
    column:
        A further score; repeat it for several. '*' for all other metrics of a long table.
    dated:
        The column with the date of the state that a row is from.
    date:
        The date of all rows, where no column says it.
    first_seen:
        The column with the date since when a row is there.
    precision:
        The column with the precision.
    revision:
        The column with the model's revision.
    by:
        The column with who made the model.
    licence:
        The column with the licence.
    parameters:
        The column with the size in billions.
    scale:
        What scores are divided by: 100 for percentages.
    unit:
        `raw` for numbers that are no shares, such as ratings.
    lower_is_better:
        The lowest score is the first.
    where:
        Only rows with this value in a column, COLUMN=VALUE; repeat it for several.
    twice:
        `kept` keeps a model that is there twice on one date as two rows.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.reported.importing import import_reported
    from bakeoff.board.reported.layout import read_layout
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.settings import read_settings
    from bakeoff.database import writing
    from bakeoff.visible import visible

    options: dict[str, Any] = {
        "source": source,
        "model": model,
        "score": score,
        "metric": metric,
        "value": value,
        "low": low,
        "high": high,
        "interval": interval,
        "stderr": stderr,
        "n": n,
        "columns": column,
        "dated": dated,
        "date": date,
        "first_seen": first_seen,
        "precision": precision,
        "revision": revision,
        "organisation": by,
        "licence": licence,
        "parameters": parameters,
        "scale": scale,
        "unit": unit,
        "lower_is_better": lower_is_better,
        "where": read_settings(where, "--where"),
        "twice": twice,
    }
    # A scale of 0 is a mistake, and not something that was left out.
    given = {key: said for key, said in options.items() if said or isinstance(said, float)}
    found = read_layout(name, layout, given)
    with opened(database) as engine, writing(engine) as connection:
        made = import_reported(connection, name, file, found, actor=user())
    rows = sum(len(each.rows) for each in made.made)
    if json:
        days = [{"date": each.made[:10], "rows": len(each.rows), "digest": each.digest} for each in made.made]
        print_json({"board": name, "made": days, "known": [day.isoformat() for day in made.known]})
        return
    known = f", {len(made.known)} were there already" if made.known else ""
    stdout().print(f"{visible(name)}: {rows:,} rows in {len(made.made)} snapshots{known}", soft_wrap=True)
