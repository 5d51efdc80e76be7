"""What every route needs of a request, and how it answers."""

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse

from bakeoff.web.links import Links
from bakeoff.web.reading import Library
from bakeoff.web.rendering import render
from bakeoff.web.settings import Settings


def _library(request: Request) -> Library:
    found: Library = request.app.state.library
    return found


def _settings(request: Request) -> Settings:
    found: Settings = request.app.state.settings
    return found


Books = Annotated[Library, Depends(_library)]
"""The library of the server, for a route's parameter."""
Served = Annotated[Settings, Depends(_settings)]


def shown(request: Request, template: str, page: object, *, status: int = 200, **more: Any) -> HTMLResponse:
    """A page, rendered for who asks."""
    links = Links(request.scope.get("root_path", ""))
    text = render(
        template,
        page,
        links=links,
        viewer=getattr(request.state, "viewer", None),
        title=request.app.state.settings.title,
        here=request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        **more,
    )
    return HTMLResponse(text, status)
