"""A board of two little tasks, and models of recorded answers for it."""

import json
import threading

from bakeoff.board.definition import load_board
from bakeoff.board.registry import register
from bakeoff.board.submissions import submit
from bakeoff.board.work.evaluating import enqueue, handler
from bakeoff.database import writing
from bakeoff.jobs import work
from tests.board.making import model

ITEMS = 12
TASKS = ("one", "two")


def little(folder):
    """A board of one small suite of two tasks, written into `folder`."""
    for name in TASKS:
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


def answers(folder, right=9, name="model"):
    """A reference to recorded answers, the first `right` of each task right (or so many, by task)."""
    by_task = right if isinstance(right, dict) else dict.fromkeys(TASKS, right)
    rows = [
        {"id": f"{task}{each}", "output": str(each if each < by_task[task] else "?")}
        for task in TASKS
        for each in range(ITEMS)
    ]
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return f"recorded:{path}"


def submitted(engine, board, ref, *, given=None, settings=None, organisation="org", **how):
    """Hand in a model for a registered board; its number."""
    with writing(engine) as connection:
        register(connection, board, actor="bob")
        made = submit(
            connection,
            board,
            given or model(),
            organisation=organisation,
            submitter="ann",
            way="predictions" if ref.startswith("recorded:") else "weights",
        )
        enqueue(connection, board, made, model=ref, settings=settings or {}, actor="ann", **how)
    return made.id


def work_off(engine, folder, stop=None, name="w1"):
    """Do all jobs there are; how many."""
    return work(
        engine,
        name,
        handler(engine, folder / "runs"),
        stop=stop or threading.Event(),
        offers=["recorded"],
        until_empty=True,
    )
