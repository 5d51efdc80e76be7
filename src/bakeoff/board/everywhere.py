"""Search over everything that has a name: boards, models on them, tasks, runs, and what people said."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, select

from bakeoff.board.community.discussion import board_of
from bakeoff.board.ranking.snapshot import Snapshot
from bakeoff.board.registry import known, names
from bakeoff.database.tables import post as posts
from bakeoff.task.catalog import catalog_index

Kind = Literal["board", "model", "task", "run", "post"]
MOST = 20
"""Hits of each kind that are named; all are counted."""
LONGEST = 200
"""Characters of what is searched for; what is beyond is not looked at."""
_AROUND = 60


@dataclass(frozen=True, slots=True)
class Hit:
    """What was found: `name`, on a `board` where it is of one, with `text` that says more.

    A post is named by the subject of its thread, and has a `number`.
    """

    kind: Kind
    name: str
    board: str = ""
    text: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The first `MOST` hits of a kind, the closest first, of `total`."""

    kind: Kind
    hits: tuple[Hit, ...]
    total: int


def everywhere(
    connection: Connection,
    words: str,
    *,
    newest: Callable[[str], Snapshot | None],
    runs: Iterable[tuple[str, str, str]] = (),
) -> tuple[Found, ...]:
    """All that holds each of the words, whatever their case, by kind; kinds without a hit are left out.

    `newest` gives the newest snapshot of a board; `runs` are those there are, the newest first: id, task and
    model. Nothing is found for no words.
    """
    wanted = tuple(words[:LONGEST].casefold().split())
    if not wanted:
        return ()
    kinds: tuple[tuple[Kind, Iterable[Hit]], ...] = (
        ("board", _boards(connection, wanted)),
        ("model", _models(connection, newest, wanted)),
        ("task", _tasks(wanted)),
        ("run", _runs(runs, wanted)),
        ("post", _posts(connection, wanted)),
    )
    return tuple(found for kind, hits in kinds if (found := _closest(kind, hits, wanted)).total)


def _boards(connection: Connection, wanted: tuple[str, ...]) -> Iterator[Hit]:
    for name in names(connection):
        board = known(connection, name)
        if _holds(f"{name} {board.title} {board.about}", wanted):
            yield Hit("board", name, text=board.title or board.about)


def _models(
    connection: Connection, newest: Callable[[str], Snapshot | None], wanted: tuple[str, ...]
) -> Iterator[Hit]:
    for board in names(connection):
        snapshot = newest(board)
        # A name that is there twice has one page.
        there = {row.entrant.model: row.entrant for row in snapshot.rows} if snapshot else {}
        for model, entrant in there.items():
            if _holds(f"{model} {entrant.organisation}", wanted):
                yield Hit("model", model, board, entrant.organisation)


def _tasks(wanted: tuple[str, ...]) -> Iterator[Hit]:
    for name, about in catalog_index().items():
        if _holds(f"{name} {about}", wanted):
            yield Hit("task", name, text=about)


def _runs(runs: Iterable[tuple[str, str, str]], wanted: tuple[str, ...]) -> Iterator[Hit]:
    for run_id, task, model in runs:
        if _holds(f"{task} {model} {run_id}", wanted):
            yield Hit("run", run_id, text=f"{task} · {model}")


def _posts(connection: Connection, wanted: tuple[str, ...]) -> Iterator[Hit]:
    query = select(posts.c.id, posts.c.subject, posts.c.body).where(posts.c.hidden_by.is_(None))
    for row in connection.execute(query.order_by(posts.c.id.desc())):
        if _holds(row.body, wanted):  # databases do not agree on what upper and lower case are
            board = board_of(connection, row.subject).name
            yield Hit("post", row.subject, board, _around(row.body, wanted[0]), row.id)


def _holds(text: str, wanted: tuple[str, ...]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in wanted)


def _closest(kind: Kind, hits: Iterable[Hit], wanted: tuple[str, ...]) -> Found:
    """What is called so comes before what begins so, and that before what merely holds it."""
    phrase = " ".join(wanted)
    every = list(hits)

    def far(hit: Hit) -> tuple[bool, bool, bool]:
        name = hit.name.casefold()
        tail = name.rpartition("/")[2]
        return (phrase not in (name, tail), not tail.startswith(wanted[0]), wanted[0] not in name)

    if kind not in ("post", "run"):  # of those the newest are first
        every.sort(key=lambda hit: (*far(hit), len(hit.name), hit.name, hit.board))
    return Found(kind, tuple(every[:MOST]), len(every))


def _around(text: str, word: str) -> str:
    """What stands around the first place of a word, in one line."""
    line = " ".join(text.split())
    at = max(0, line.casefold().find(word))
    start, end = max(0, at - _AROUND), at + len(word) + _AROUND
    return ("… " if start else "") + line[start:end] + (" …" if end < len(line) else "")
