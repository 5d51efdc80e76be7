"""A board of one small suite of two tasks, and its work done by the command line or called here."""

import json
import threading
from pathlib import Path

from sqlalchemy import Engine

from bakeoff.board.definition import Board, load_board
from bakeoff.board.entry.door import Permits
from bakeoff.board.entry.keys import Lent, lend
from bakeoff.board.submissions import Submission, get, submit
from bakeoff.board.work.evaluating import enqueue, handler
from bakeoff.database import reading, writing
from bakeoff.jobs import work
from tests.board.making import model

ITEMS = 6


def small_board(folder: Path) -> Board:
    """The board `little` in `folder`."""
    for name in ("one", "two"):
        items = [{"id": f"{name}{each}", "input": f"{each}?", "target": str(each)} for each in range(ITEMS)]
        text = json.dumps({"name": name, "data": {"items": items}, "scorer": "exact"})
        (folder / f"{name}.yaml").write_text(text)
    (folder / "small.yaml").write_text(
        "name: small\ncolumns:\n"
        "  - {name: One, parts: [{tasks: one.yaml}]}\n  - {name: Two, parts: [{tasks: two.yaml}]}\n"
    )
    path = folder / "board.yaml"
    path.write_text("name: little\nversion: 1\nsince: 2026-01-01\nsuites: [{suite: small.yaml}]\n")
    return load_board(path)


def answers(folder: Path, right: int = 4, name: str = "answers") -> Path:
    """A file of predictions for both tasks, of which so many a task are right."""
    rows = [
        {"id": f"{task}{each}", "output": str(each if each < right else "?")}
        for task in ("one", "two")
        for each in range(ITEMS)
    ]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def handed_in(engine: Engine, board: Board, ref: str, settings=None, lent: Lent | None = None) -> int:
    """The number of a new submission, a worker's look at it queued."""
    with writing(engine) as connection:
        made = submit(connection, board, model(), organisation="org", submitter="ann", way="endpoint")
        need = lend(connection, made.id, lent, actor="ann") if lent else ""
        enqueue(connection, board, made, model=ref, settings=settings or {}, actor="ann", lent=need)
    return made.id


def done(engine: Engine, folder: Path, permits: Permits | None, *offers: str) -> int:
    """How many jobs were done until there were none for these offers."""
    handle = handler(engine, folder / "runs", permits)
    return work(engine, "w", handle, stop=threading.Event(), offers=offers, until_empty=True)


def found(engine: Engine, number: int) -> Submission:
    with reading(engine) as connection:
        return get(connection, number)
