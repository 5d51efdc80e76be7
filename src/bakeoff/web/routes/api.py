"""`/api`: what the API is, for people and for programs; and the API itself."""

from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse

from bakeoff.web.api.document import document
from bakeoff.web.api.request import PREFIX
from bakeoff.web.api.router import router as endpoints
from bakeoff.web.pages.api import api
from bakeoff.web.routes.request import shown

router = APIRouter()
router.include_router(endpoints)


@router.get("/api", include_in_schema=False)
def about(request: Request) -> HTMLResponse:
    """The API, for people."""
    return shown(request, "api", api(_document(_root(request)), str(request.base_url).rstrip("/")))


@router.get(f"{PREFIX}/openapi.json", include_in_schema=False)
def described(request: Request) -> JSONResponse:
    """The API, for programs."""
    return JSONResponse(_document(_root(request)))


def _root(request: Request) -> str:
    return str(request.scope.get("root_path", ""))


@cache
def _document(root: str) -> dict[str, Any]:
    return document(endpoints.routes, root)
