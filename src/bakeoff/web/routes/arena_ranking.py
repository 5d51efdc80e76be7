"""`/arenas/{arena}/ranking`: scores by votes, and the same to take away."""

from typing import Annotated, Literal

import orjson
from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from bakeoff.web.middleware.kept import LIVE
from bakeoff.web.pages.arena_downloads import as_csv, told
from bakeoff.web.pages.arena_ranking import arena_ranking_page
from bakeoff.web.routes.request import Books, shown

router = APIRouter(include_in_schema=False)
Words = Annotated[str, Query(max_length=200)]


@router.get("/arenas/{arena}/ranking")
def ranking(
    request: Request, arena: str, library: Books, style: Words = "all", language: Words = "", tag: Words = ""
) -> HTMLResponse:
    """The ranking, of all votes or beside those of a segment."""
    with library.read() as connection:
        page = arena_ranking_page(library, connection, arena, style=style, language=language, tag=tag)
    answer = shown(request, "arena_ranking", page, running=arena in request.app.state.arenas)
    answer.headers["cache-control"] = LIVE  # votes come in without a word in the log
    return answer


@router.get("/arenas/{arena}/ranking.{form}")
def download(
    arena: str,
    form: Literal["csv", "json"],
    library: Books,
    style: Words = "all",
    language: Words = "",
    tag: Words = "",
) -> Response:
    """What the page says."""
    with library.read() as connection:
        page = arena_ranking_page(library, connection, arena, style=style, language=language, tag=tag)
    content = as_csv(page) if form == "csv" else orjson.dumps(told(page))
    media = {"csv": "text/csv; charset=utf-8", "json": "application/json"}[form]
    headers = {
        "content-disposition": f'attachment; filename="{arena}-ranking.{form}"',
        "cache-control": LIVE,
    }
    return Response(content, media_type=media, headers=headers)
