"""`bakeoff board`: new, add, submit, queue, worker, publish, withdraw, snapshot, diff, verify."""

import getpass
import os
import socket
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from bakeoff.errors import BakeoffError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

Json = Annotated[bool, Parameter(negative=())]
Flag = Annotated[bool, Parameter(negative=())]

app = App(
    name="board",
    help="Versioned rankings: submissions, their queue and workers, snapshots that cannot be changed unseen.",
    help_format="plaintext",
    result_action="return_value",
)


@app.command
def new(name: str, *, file: Path | None = None) -> None:
    """Write the definition of a board to start from.

    Example: bakeoff board new small-models

    Parameters
    ----------
    name:
        The board's name: lower-case letters, digits, dash, dot and underscore.
    file:
        Where to write it; by default NAME.yaml.
    """
    from datetime import UTC, datetime
    from importlib.resources import files

    from bakeoff.cli.output import stdout

    path = file or Path(f"{name}.yaml")
    if path.exists():
        raise BakeoffError(f"{path} is there already", "name another --file")
    text = (files("bakeoff.board") / "starter.yaml").read_text(encoding="utf-8")
    today = datetime.now(UTC).date().isoformat()
    path.write_text(text.replace("NAME", name).replace("TODAY", today), encoding="utf-8")
    stdout().print(f"{path}: look it through, then bakeoff board add {path}", soft_wrap=True)


@app.command
def add(file: Path, *, database: str | None = None) -> None:
    """Make a version of a board known. One that is known stays as it is.

    Example: bakeoff board add small-models.yaml

    Parameters
    ----------
    file:
        The board's definition.
    database:
        The address of the database; by default BAKEOFF_DATABASE_URL, or bakeoff.db in this folder.
    """
    from bakeoff.board.definition import load_board
    from bakeoff.board.submissions import register
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    board = load_board(file)
    with _opened(database) as engine, writing(engine) as connection:
        register(connection, board, actor=_who())
    stdout().print(f"{board.name}, version {board.version}: rule {board.digest[7:19]}", soft_wrap=True)


@app.command
def submit(
    board: str,
    *,
    model: str,
    organisation: str,
    licence: str = "",
    parameters: float | None = None,
    weight_type: Literal["original", "adapter", "merge", "quantised"] = "original",
    base: str = "",
    supersedes: int | None = None,
    set_: Annotated[tuple[str, ...], Parameter(name="--set", negative=())] = (),
    priority: int = 0,
    limit: int | None = None,
    database: str | None = None,
    json: Json = False,
) -> None:
    """Hand in a model. A worker looks at it first, and then asks it everything.

    Example: bakeoff board submit small-models --model hf:ORG/NAME@COMMIT --organisation ORG --licence mit

    Parameters
    ----------
    board:
        The board's name.
    model:
        A model reference as for `bakeoff run`: weights, a recorded file of predictions, or an endpoint.
    organisation:
        For whom. Quotas and turns are by organisation, and all its attempts are shown.
    licence:
        The SPDX name of the model's licence.
    parameters:
        In billions.
    weight_type:
        What the weights are.
    base:
        The model they were made from.
    supersedes:
        The number of one's own submission that this one is to replace on the board; it stays as a row.
    set_:
        A setting of the engine, KEY=VALUE; repeat it for several. Keys are named by their environment
        variable, and never written down.
    priority:
        A higher one goes first.
    limit:
        Only the first so many items of each task: for trying a board out. Shown on the row.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.evaluating import enqueue
    from bakeoff.board.submissions import Model, known
    from bakeoff.board.submissions import submit as handed_in
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.settings import read_settings
    from bakeoff.database import writing
    from bakeoff.model import open_model

    settings = read_settings(set_)
    open_model(model, settings)  # a mistake in the reference is better found here than by a worker
    prefix = model.partition(":")[0]
    way: Literal["weights", "endpoint", "predictions"] = "weights"
    if prefix == "recorded":
        way = "predictions"
    elif prefix in ("openai", "anthropic", "http", "https", "endpoint"):
        way = "endpoint"
    said = Model(
        name=model.partition(":")[2],
        revision="",
        engine=prefix,
        weight_type=weight_type,
        base=base,
        licence=licence,
        parameters=parameters,
    )
    with _opened(database) as engine, writing(engine) as connection:
        on = known(connection, board)
        made = handed_in(
            connection,
            on,
            said,
            organisation=organisation,
            submitter=_who(),
            way=way,
            supersedes=supersedes,
        )
        enqueue(
            connection,
            on,
            made,
            model=model,
            settings=settings,
            actor=_who(),
            priority=priority,
            limit=limit,
        )
    if json:
        print_json({"submission": made.id, "attempt": made.attempt})
        return
    stdout().print(
        f"submission {made.id}, attempt {made.attempt} of {organisation}. bakeoff board queue {board} shows "
        "where it stands; bakeoff board worker does the work",
        soft_wrap=True,
    )


@app.command
def queue(board: str, *, events: int | None = None, database: str | None = None, json: Json = False) -> None:
    """Where submissions stand: state, place in the queue, progress, and what went wrong.

    Example: bakeoff board queue small-models

    Parameters
    ----------
    board:
        The board's name.
    events:
        Show all that happened to one submission, by its number.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.submissions import known, submissions
    from bakeoff.cli.board_view import print_events, print_queue
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading
    from bakeoff.database.log import events as logged
    from bakeoff.jobs import jobs

    with _opened(database) as engine:
        with reading(engine) as connection:
            known(connection, board)
            found = list(submissions(connection, board))
            told = [] if events is None else list(logged(connection, f"submission {events}"))
        work = {each.payload.get("submission"): each for each in jobs(engine)}
    if events is not None:
        if json:
            print_json(told)
        else:
            print_events(stdout(), told)
    elif json:
        print_json([{"submission": each, "job": work.get(each.id)} for each in found])
    else:
        print_queue(stdout(), found, work)


@app.command
def worker(
    *,
    offers: str | None = None,
    name: str | None = None,
    until_empty: Flag = False,
    lease: float = 60.0,
    out: Path = Path("runs"),
    database: str | None = None,
) -> None:
    """Do the jobs of the queue, one after another; as many workers as you like, on as many machines.

    Stop it with Ctrl-C: its job goes back to the queue and is gone on with later, by any worker that reaches
    the same --out.

    Example: bakeoff board worker --until-empty

    Parameters
    ----------
    offers:
        What this machine can run, separated by commas; by default the engines that are installed.
    name:
        The worker's name in the log; by default the machine's and the process's.
    until_empty:
        End when there is nothing to do.
    lease:
        Seconds after which another worker takes over from one that died.
    out:
        Where runs go. All workers need the same.
    database:
        The address of the database.
    """
    import signal
    import threading

    from bakeoff.board.evaluating import handler
    from bakeoff.cli.output import stdout
    from bakeoff.jobs import work

    if lease <= 0:
        raise BakeoffError(f"--lease is a number of seconds above 0, got {lease:g}")
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    able = tuple(offers.split(",")) if offers else _engines()
    called = name or f"{socket.gethostname()}-{os.getpid()}"
    with _opened(database) as engine:
        done = work(
            engine,
            called,
            handler(engine, out),
            stop=stop,
            offers=able,
            lease_s=lease,
            until_empty=until_empty,
        )
    stdout().print(f"{called}: {done} jobs done")


@app.command
def publish(submission: int, *, database: str | None = None) -> None:
    """Publish a submission that was evaluated. What is published is never gone, only withdrawn in sight.

    Example: bakeoff board publish 3

    Parameters
    ----------
    submission:
        Its number.
    database:
        The address of the database.
    """
    from bakeoff.board.submissions import publish as published
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with _opened(database) as engine, writing(engine) as connection:
        made = published(connection, submission, actor=_who())
    stdout().print(f"submission {made.id} ({made.model.name}) is published", soft_wrap=True)


@app.command
def withdraw(submission: int, *, reason: str, database: str | None = None) -> None:
    """Withdraw a submission. Its row stays, with the score it had, and has no rank.

    Example: bakeoff board withdraw 3 --reason "wrong weights"

    Parameters
    ----------
    submission:
        Its number.
    reason:
        Why; shown on the row.
    database:
        The address of the database.
    """
    from bakeoff.board.life import State
    from bakeoff.board.submissions import move
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with _opened(database) as engine, writing(engine) as connection:
        made = move(connection, submission, State.WITHDRAWN, actor=_who(), reason=reason)
    stdout().print(f"submission {made.id} ({made.model.name}) is withdrawn", soft_wrap=True)


@app.command
def snapshot(
    board: str,
    *,
    show: str | None = None,
    top: int | None = None,
    list_: Annotated[Flag, Parameter(name="--list")] = False,
    database: str | None = None,
    json: Json = False,
) -> None:
    """Publish the present state of a board, or show one that was published.

    Example: bakeoff board snapshot small-models

    Parameters
    ----------
    board:
        The board's name.
    show:
        Show the snapshot whose digest begins so, `last` or `first`, and publish nothing.
    top:
        Print only the first so many rows.
    list_:
        List the snapshots there are, and publish nothing.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.publishing import find, snapshots, take
    from bakeoff.board.submissions import known
    from bakeoff.cli.board_view import print_snapshot
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading, writing

    with _opened(database) as engine:
        if list_:
            with reading(engine) as connection:
                known(connection, board)
                made = [
                    {
                        "digest": each.digest,
                        "made": each.made,
                        "version": each.version,
                        "rows": len(each.rows),
                    }
                    for each in snapshots(connection, board)
                ]
            if json:
                print_json(made)
                return
            for each in made:
                digest = str(each["digest"])[7:19]
                stdout().print(f"{digest}  {each['made']}  version {each['version']}  {each['rows']} rows")
            return
        if show is not None:
            with reading(engine) as connection:
                found = find(connection, board, show)
        else:
            with writing(engine) as connection:
                found = take(connection, known(connection, board), actor=_who())
    if json:
        print_json(found.as_json() | {"digest": found.digest})
    else:
        print_snapshot(stdout(), found, top)


@app.command(name="import")
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
    with _opened(database) as engine, writing(engine) as connection:
        if has_snapshots(connection, name):
            raise BakeoffError(f"there is a board {name} already", "name another")
        made = import_reported(connection, name, file, layout, source=source, actor=_who())
    rows = sum(len(each.rows) for each in made)
    stdout().print(f"{name}: {rows:,} rows in {len(made)} snapshots", soft_wrap=True)


@app.command
def diff(
    board: str, old: str = "first", new: str = "last", *, database: str | None = None, json: Json = False
) -> None:
    """Why the order of one snapshot is not that of another, line by line.

    Example: bakeoff board diff small-models first last

    Parameters
    ----------
    board:
        The board's name.
    old:
        The beginning of a snapshot's digest, `first` or `last`.
    new:
        The other.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.difference import differences
    from bakeoff.board.publishing import find
    from bakeoff.cli.board_view import print_changes
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading

    with _opened(database) as engine, reading(engine) as connection:
        changes = differences(find(connection, board, old), find(connection, board, new))
    if json:
        print_json(changes)
    else:
        print_changes(stdout(), changes)


@app.command
def verify(board: str, *, database: str | None = None, json: Json = False) -> int:
    """Check that the log and every snapshot are as they were written. Exits with 1 if they are not.

    Example: bakeoff board verify small-models

    Parameters
    ----------
    board:
        The board's name.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.publishing import problems, snapshots
    from bakeoff.board.submissions import known
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading
    from bakeoff.database.log import events

    with _opened(database) as engine, reading(engine) as connection:
        known(connection, board)
        found = list(problems(connection, board))
        entries = sum(1 for _ in events(connection))
        states = sum(1 for _ in snapshots(connection, board)) if not found else 0
    if json:
        print_json({"problems": found, "entries": entries})
    elif found:
        for each in found:
            stdout().print(each, soft_wrap=True)
    else:
        stdout().print(f"whole: {entries:,} entries of the log, {states:,} snapshots")
    return int(bool(found))


@contextmanager
def _opened(database: str | None) -> "Iterator[Engine]":
    """The database, its tables brought up to date."""
    try:
        from bakeoff.database import database_url, open_database
        from bakeoff.database.migrate import migrate
    except ImportError:
        raise BakeoffError(
            "boards need SQLAlchemy and Alembic, which are not installed", "pip install 'bakeoff[board]'"
        ) from None
    engine = open_database(database_url(database))
    try:
        migrate(engine)
        yield engine
    finally:
        engine.dispose()


def _who() -> str:
    return getpass.getuser()


def _engines() -> tuple[str, ...]:
    """The engines whose libraries are installed here."""
    from importlib.util import find_spec

    needed = {"hf": "transformers", "gguf": "xllamacpp", "vllm": "vllm"}
    installed = [name for name, module in needed.items() if find_spec(module) is not None]
    return (*installed, "recorded", "openai", "anthropic", "http", "https", "call", "endpoint")
