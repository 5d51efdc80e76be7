"""`/boards/{board}`: its rows, and the same to take away."""

from functools import partial
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response
from sqlalchemy import Connection

from bakeoff.board.definition import Board
from bakeoff.board.ranking.publishing import Dated, dates
from bakeoff.board.registry import known
from bakeoff.board.submissions import submissions
from bakeoff.board.table import Table, View, as_csv, as_json, as_parquet, at, seen
from bakeoff.errors import StoreError
from bakeoff.web.answers import links_of
from bakeoff.web.pages.board import board_page
from bakeoff.web.pages.board_compare import board_compare
from bakeoff.web.pages.column import column_page
from bakeoff.web.pages.history import history_page
from bakeoff.web.pages.model import model_page
from bakeoff.web.reading import Library
from bakeoff.web.routes.request import Books, shown

router = APIRouter(include_in_schema=False)

Form = Literal["csv", "json", "parquet"]
_FORMS = {
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "json": (as_json, "application/json"),
    "parquet": (as_parquet, "application/vnd.apache.parquet"),
}


@router.get("/boards/{board}")
def ranking(request: Request, library: Books, board: str) -> Response:
    """What a view shows of a board."""
    given = request.query_params.multi_items()
    with library.read() as connection:
        definition, states = known(connection, board), dates(connection, board)
        if not states:
            return shown(request, "unpublished", definition)
        view = View.parse(given)
        state = at(states, view.at, view.version)
        table = library.table(connection, definition, state.digest)
    page = board_page(definition, states, state, table, view, keep=library.charts.get)
    if _as_a_form_says_it(given):
        query = page.found.view.query(page=view.page)
        return RedirectResponse(links_of(request).board(board, query), 303)
    return shown(request, "board", page)


@router.get("/boards/{board}/rows.{form}")
def rows(request: Request, library: Books, board: str, form: Form) -> Response:
    """Exactly what a view shows, on all its pages."""
    view = View.parse(request.query_params.multi_items())
    with library.read() as connection:
        state, table = opened(library, connection, known(connection, board), view)
    write, media = _FORMS[form]
    name = f"{board}-{state.made[:10]}.{form}"
    return Response(
        write(seen(table, view)),
        media_type=media,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.get("/boards/{board}/models/{name:path}")
def model(request: Request, library: Books, board: str, name: str) -> Response:
    """What a board knows of the models of one name."""
    view = _state_alone(request)
    with library.read() as connection:
        definition = known(connection, board)
        state, table = opened(library, connection, definition, view)
        page = model_page(
            definition,
            dates(connection, board),
            state,
            table,
            library.past(connection, board),
            name,
            handed_in=() if definition.source else tuple(submissions(connection, board)),
            here=partial(_here, library),
        )
    return shown(request, "model", page)


@router.get("/boards/{board}/tasks/{task}")
def column(request: Request, library: Books, board: str, task: str) -> Response:
    """A column of a board's scores."""
    view = _state_alone(request)
    with library.read() as connection:
        definition, states = known(connection, board), dates(connection, board)
        state, table = opened(library, connection, definition, view)
    return shown(request, "column", column_page(definition, states, state, table, task))


@router.get("/boards/{board}/history")
def history(request: Request, library: Books, board: str) -> Response:
    """A board over time."""
    rows = request.query_params.getlist("row")
    with library.read() as connection:
        definition = known(connection, board)
        _, table = opened(library, connection, definition, View())
        page = history_page(definition, table, library.past(connection, board), rows)
    return shown(request, "history", page)


@router.get("/boards/{board}/compare")
def compare(request: Request, library: Books, board: str) -> Response:
    """Rows side by side. From the form of a board they come as its parameter `compare`."""
    view, asked = _state_alone(request), request.query_params
    if chosen := asked.getlist("compare"):
        rows = [*asked.getlist("row"), *chosen]
        where = links_of(request)
        return RedirectResponse(where.of_board(board, "compare", row=rows, at=view.at or None), 303)
    with library.read() as connection:
        definition, states = known(connection, board), dates(connection, board)
        state, table = opened(library, connection, definition, view)
    page = board_compare(definition, states, state, table, asked.getlist("row"), here=partial(_here, library))
    return shown(request, "board_compare", page)


def _state_alone(request: Request) -> View:
    """Which state of a board is asked for; whatever else is, is for the page to read."""
    return View.parse((name, value) for name, value in request.query_params.multi_items() if name in _STATE)


_STATE = ("at", "version")


def _here(library: Library, run_id: str) -> bool:
    """Whether a run can be looked at."""
    try:
        return library.index.find(run_id) is not None
    except StoreError:
        return False


def opened(library: Library, connection: Connection, board: Board, view: View) -> tuple[Dated, Table]:
    """The state of a board that a view is of, made ready.

    Raises:
        BakeoffError: there is none.
    """
    state = at(dates(connection, board.name), view.at, view.version)
    return state, library.table(connection, board, state.digest)


def _as_a_form_says_it(given: list[tuple[str, str]]) -> bool:
    """Whether there are empty fields, or every box by itself: an address nobody would pass on."""
    names = [name for name, _ in given]
    return any(not value for _, value in given) or names.count("columns") > 1
