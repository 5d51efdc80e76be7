"""Rows, runs and samples in the shape of Every Eval Ever."""

from collections.abc import Iterator
from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from bakeoff.board.ranking.publishing import dates
from bakeoff.board.registry import known
from bakeoff.board.table import View, at, seen
from bakeoff.errors import BakeoffError
from bakeoff.store import read_samples
from bakeoff.store.privacy import leaving
from bakeoff.web.api.every_eval_ever import of_row, of_run, of_sample
from bakeoff.web.api.request import BoardName, Books, Served, Shelf, onward, problems, unchanged
from bakeoff.web.api.runs import RunId, measured
from bakeoff.web.api.shape import Part
from bakeoff.web.api.viewing import VIEW_PARAMETERS

router = APIRouter(tags=["exchange"])
_JSON_LINES = "application/x-ndjson"


class Records(Part):
    """Records of Every Eval Ever, one for each row."""

    records: list[dict[str, Any]] = Field(description="Each by the schema of evaleval/every_eval_ever 0.3.0.")


@router.get(
    "/boards/{board}/every-eval-ever",
    response_model=Records,
    responses=problems(400, 404),
    openapi_extra={"parameters": VIEW_PARAMETERS},
)
def rows(
    board: BoardName, library: Books, settings: Served, request: Request, response: Response
) -> Records | Response:
    """The rows of a board as `/rows` gives them, in the shape in which results are exchanged."""
    view = View.parse(request.query_params.multi_items())
    with library.read() as connection:
        definition = known(connection, board)
        state = at(dates(connection, board), view.at, view.version)
        if whole := unchanged(request, response, "exchange", settings.title, state.digest, view.query()):
            return whole
        found = seen(library.table(connection, definition, state.digest), view)
    snapshot = found.table.snapshot
    following = {"page": found.page + 1, "at": state.digest}
    return Records(
        records=[
            of_row(definition, snapshot, state.digest, line.row, keeper=settings.title) for line in found.rows
        ],
        next=onward(request, following) if found.page < found.pages else None,
    )


@router.get("/runs/{run_id}/every-eval-ever", responses=problems(404))
def run(shelf: Shelf, run_id: RunId, settings: Served, response: Response) -> dict[str, Any]:
    """A run in the shape in which results are exchanged."""
    response.headers["cache-control"] = "no-store"
    found = shelf.index.find(run_id)
    metrics = measured(shelf, found)
    if metrics is None:
        raise BakeoffError(f"there is no score of {found.id} yet", "it holds no samples")
    return of_run(shelf.manifest(found), metrics, keeper=settings.title)


@router.get(
    "/runs/{run_id}/every-eval-ever/samples",
    response_class=StreamingResponse,
    responses=problems(404) | {200: {"content": {_JSON_LINES: {}}, "description": "A sample on each line."}},
)
def samples(shelf: Shelf, run_id: RunId) -> StreamingResponse:
    """The samples of a run, a line of JSON each; those of a private task without texts."""
    found = shelf.index.find(run_id)
    manifest = shelf.manifest(found)

    def lines() -> Iterator[bytes]:
        for sample in leaving(manifest, read_samples(found.folder)):
            yield orjson.dumps(of_sample(manifest, sample), option=orjson.OPT_APPEND_NEWLINE)

    return StreamingResponse(lines(), media_type=_JSON_LINES, headers={"cache-control": "no-store"})
