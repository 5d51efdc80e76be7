"""A board, its models, tasks and history as a folder of files."""

import os
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from bakeoff.board.definition import Board
from bakeoff.board.ranking.publishing import Dated, dates, find
from bakeoff.board.registry import known
from bakeoff.board.table import EVERYTHING, Table, as_csv, as_json, at, prepared, seen
from bakeoff.database import reading
from bakeoff.errors import StoreError
from bakeoff.store.files import unwritable
from bakeoff.web.export.links import Filed, file_of
from bakeoff.web.export.single import single
from bakeoff.web.links import static_file
from bakeoff.web.pages.board import board_page
from bakeoff.web.pages.column import column_page
from bakeoff.web.pages.history import history_page
from bakeoff.web.pages.model import model_page
from bakeoff.web.pages.past import Past, past
from bakeoff.web.rendering import render

_MARK = ".bakeoff-site"
"""A file by which a folder is known as a site that was written before, and may be written anew."""
_STATIC = re.compile(r'(?:href|src)="(?:\.\./)?static/([\w.]+)"')


@dataclass(frozen=True, slots=True)
class Exported:
    """A board as of one of its states, with all that its pages are made of."""

    board: Board
    dates: tuple[Dated, ...]
    state: Dated
    table: Table
    past: Past

    @property
    def title(self) -> str:
        """What the site is called."""
        return self.board.title or self.board.name


def exported(engine: Engine, board: str, *, as_of: str = "", version: int | None = None) -> Exported:
    """A board as of a date or a snapshot (`board.table.at`), the newest otherwise.

    Raises:
        BakeoffError: there is no such board, or it has no such state.
    """
    with reading(engine) as connection:
        definition, states = known(connection, board), dates(connection, board)
        state = at(states, as_of, version)
        snapshot = find(connection, board, state.digest)
        table = prepared(snapshot, state.digest, columns=definition.columns)
        return Exported(definition, states, state, table, past(connection, board))


def single_page(of: Exported) -> str:
    """The board alone, as one file."""
    page = board_page(of.board, of.dates, of.state, of.table, EVERYTHING, every=True)
    return single(page, title=of.title)


def write_site(
    of: Exported, out: Path, *, progress: Callable[[int, int], None] = lambda _done, _total: None
) -> int:
    """Write the site and put it in the place of one that was there. Returns how many pages it has.

    The same board gives the same files, byte for byte. `progress` is told how many pages are written, and of
    how many.

    Raises:
        StoreError: the folder holds something else, or cannot be written.
    """
    try:
        if out.exists() and any(out.iterdir()) and not (out / _MARK).exists():
            raise StoreError(f"{out} holds something that is no such site", "name a new folder, or empty it")
        out.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    except OSError as error:
        raise unwritable(out, error) from error
    try:
        count = _write(of, aside, progress)
        aside.chmod(0o755)
        if out.exists():
            shutil.rmtree(out)
        os.replace(aside, out)  # noqa: PTH105 (a folder onto none)
    except OSError as error:
        raise unwritable(out, error) from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return count


def _write(of: Exported, folder: Path, progress: Callable[[int, int], None]) -> int:
    (folder / _MARK).write_text("bakeoff\n")
    for name in ("models", "tasks", "static"):
        (folder / name).mkdir()
    pages = _pages(of)
    wanted: set[str] = set()
    for number, (name, made) in enumerate(pages.items(), 1):
        text = made()
        (folder / name).write_text(text, "utf-8")
        wanted.update(_STATIC.findall(text))
        progress(number, len(pages))
    for name in sorted(wanted):
        (folder / "static" / name).write_bytes(static_file(name).read_bytes())
    everything = seen(of.table, EVERYTHING)
    (folder / "rows.csv").write_bytes(as_csv(everything))
    (folder / "rows.json").write_bytes(as_json(everything))
    return len(pages)


def _pages(of: Exported) -> dict[str, Callable[[], str]]:
    """How each file of the site is made."""
    common = (of.board, of.dates, of.state, of.table)

    def drawn(template: str, page: object, up: str = "../") -> str:
        return render(template, page, links=Filed(up=up), title=of.title)

    def model(name: str) -> Callable[[], str]:
        return lambda: drawn("model", model_page(*common, of.past, name))

    def column(key: str) -> Callable[[], str]:
        return lambda: drawn("column", column_page(*common, key))

    names = dict.fromkeys(row.entrant.model for row in of.table.snapshot.rows)
    return {
        "index.html": lambda: drawn("board", board_page(*common, EVERYTHING, every=True), ""),
        "history.html": lambda: drawn("history", history_page(of.board, of.table, of.past), ""),
        **{file_of("tasks", each.key): column(each.key) for each in of.table.columns if each.score},
        **{file_of("models", name): model(name) for name in names},
    }
