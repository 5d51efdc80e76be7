"""A page as an answer; and a refusal: a page for people, a problem document (RFC 9457) for programs."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from fastapi.responses import HTMLResponse, JSONResponse, Response

from bakeoff.web.links import Links
from bakeoff.web.rendering import render

if TYPE_CHECKING:
    from starlette.requests import Request


def links_of(request: "Request") -> Links:
    """The addresses of the site as this request reached it."""
    tasks = cache(lambda: request.app.state.library.tasks())  # looked up once, by a page that links to one
    return Links(request.scope.get("root_path", ""), lambda name: name in tasks())


def shown(request: "Request", template: str, page: object, *, status: int = 200, **more: Any) -> HTMLResponse:
    """A page, rendered for who asks."""
    text = render(
        template,
        page,
        links=links_of(request),
        viewer=getattr(request.state, "viewer", None),
        title=request.app.state.settings.title,
        here=request.url.path + (f"?{request.url.query}" if request.url.query else ""),
        **more,
    )
    return HTMLResponse(text, status)


def refusal(
    request: "Request", status: int, message: str, hint: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    """What was wrong, and what to do."""
    if request.url.path.startswith(f"{request.scope.get('root_path', '')}/api/"):
        body = {"status": status, "title": message} | ({"hint": hint} if hint else {})
        answer: Response = JSONResponse(body, status, media_type="application/problem+json")
    else:
        answer = shown(request, "error", {"status": status, "message": message, "hint": hint}, status=status)
    answer.headers.update(headers or {})
    return answer
