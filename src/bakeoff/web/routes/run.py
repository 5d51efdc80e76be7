"""`/runs/{run_id}`: a run, and its files to keep."""

import tempfile
from pathlib import Path
from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, HTMLResponse, Response, StreamingResponse
from starlette.background import BackgroundTask

from bakeoff.store import read_manifest
from bakeoff.store.selection import Selection
from bakeoff.web.middleware.kept import LIVE
from bakeoff.web.pages.run import run_page
from bakeoff.web.routes.request import shown
from bakeoff.web.runs import Shelf
from bakeoff.web.sample_files import as_csv, as_json_lines, as_parquet

router = APIRouter(include_in_schema=False)

Words = Annotated[str, Query(max_length=200)]


@router.get("/runs/{run_id}")
def run(
    request: Request,
    shelf: Shelf,
    run_id: str,
    show: str = "",
    q: Words = "",
    sort: str = "item",
    page: int = 1,
) -> HTMLResponse:
    """A run and a page of its samples."""
    found = run_page(shelf, run_id, Selection(show, q, sort or "item"), page)
    response = shown(request, "run", found)
    if found.progress is not None:
        response.headers["cache-control"] = LIVE
    return response


@router.get("/runs/{run_id}/manifest.json")
def manifest(shelf: Shelf, run_id: str) -> Response:
    """The whole record of a run."""
    found = read_manifest(shelf.index.find(run_id).folder).model_dump(mode="json")
    return Response(
        orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE),
        media_type="application/json",
        headers=_kept_as(f"{run_id}-manifest.json"),
    )


@router.get("/runs/{run_id}/metrics.json")
def measured(shelf: Shelf, run_id: str) -> Response:
    """All that was measured of a run."""
    return Response(
        orjson.dumps(
            shelf.metrics(shelf.sampled(run_id)),
            option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS,
        ),
        media_type="application/json",
        headers=_kept_as(f"{run_id}-metrics.json"),
    )


@router.get("/runs/{run_id}/samples.{form}")
def samples(
    shelf: Shelf,
    run_id: str,
    form: Literal["jsonl", "csv", "parquet"],
    show: str = "",
    q: Words = "",
    sort: str = "item",
    item: str = "",
) -> Response:
    """The samples that are seen, on all pages; of private tasks without texts."""
    found = shelf.sampled(run_id)
    chosen, known = Selection(show, q, sort or "item", item), read_manifest(found.folder)
    headers = _kept_as(f"{run_id}-samples.{form}")
    if form == "jsonl":
        return StreamingResponse(
            as_json_lines(found.folder, known, chosen), 200, headers, "application/x-ndjson"
        )
    if form == "csv":
        return StreamingResponse(as_csv(found.folder, known, chosen), 200, headers, "text/csv; charset=utf-8")
    with tempfile.NamedTemporaryFile(suffix=".parquet", delete=False) as aside:
        path = Path(aside.name)
    as_parquet(found.folder, known, chosen, path)
    return FileResponse(
        path,
        media_type="application/vnd.apache.parquet",
        headers=headers,
        background=BackgroundTask(path.unlink, missing_ok=True),
    )


def _kept_as(name: str) -> dict[str, str]:
    """A browser keeps it under this name."""
    safe = "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name)
    return {"content-disposition": f'attachment; filename="{safe.encode("ascii", "replace").decode()}"'}
