"""`/boards/{board}/changes.rss`: what changed on a board, for readers of feeds."""

from urllib.parse import urlsplit

from fastapi import APIRouter, Request
from fastapi.responses import Response

from bakeoff.web.answers import links_of
from bakeoff.web.pages.feed import as_rss, feed
from bakeoff.web.routes.request import Books, Served

router = APIRouter(include_in_schema=False)


@router.get("/boards/{board}/changes.rss")
def changes(request: Request, library: Books, settings: Served, board: str) -> Response:
    """The newest states of a board, each with what changed."""
    with library.read() as connection:
        found = feed(library, connection, board)
    public = urlsplit(settings.address or str(request.base_url))
    content = as_rss(found, f"{public.scheme}://{public.netloc}", links_of(request))
    return Response(content, media_type="application/rss+xml; charset=utf-8")
