"""The app: routes, what surrounds every answer, and what a mistake looks like."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.staticfiles import StaticFiles

from bakeoff.database import database_url, open_database
from bakeoff.database.migrate import migrate
from bakeoff.errors import BakeoffError
from bakeoff.run.index import RunIndex
from bakeoff.web.answers import refusal
from bakeoff.web.errands import Errands
from bakeoff.web.links import static_file
from bakeoff.web.middleware.bodies import Bodies
from bakeoff.web.middleware.headers import ALWAYS, Headers
from bakeoff.web.middleware.host import Host
from bakeoff.web.middleware.kept import Keeping
from bakeoff.web.middleware.limits import Limits, LoginLimits, Newcomers, account_of, address_of
from bakeoff.web.middleware.nul import NoNul
from bakeoff.web.middleware.origin import Origin
from bakeoff.web.middleware.proxy import Proxy
from bakeoff.web.middleware.viewers import Viewers
from bakeoff.web.provider import Provider
from bakeoff.web.reading import Library
from bakeoff.web.routes import ROUTERS
from bakeoff.web.settings import Settings
from bakeoff.web.streams import Streams

if TYPE_CHECKING:
    from fastapi import APIRouter
    from sqlalchemy import Engine
    from starlette.types import Receive, Scope, Send

    from bakeoff.arena.live.running import Running


def create_app(settings: Settings) -> FastAPI:
    """An app that serves these settings. The database is opened and brought up to date at once.

    Raises:
        StoreError: the database cannot be opened.
    """
    engine = open_database(database_url(settings.database))
    migrate(engine)

    arenas = _arenas(engine, settings)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            stack.callback(engine.dispose)
            app.state.streams = Streams(settings.streams)
            stack.callback(app.state.streams.end)
            for each in arenas.values():
                await stack.enter_async_context(each)
            yield

    app = FastAPI(title=settings.title, docs_url=None, redoc_url=None, openapi_url=None, lifespan=life)
    app.state.settings = settings
    app.state.library = Library(engine, settings.runs, RunIndex(settings.runs))
    app.state.login_limits = LoginLimits()
    app.state.newcomers = Newcomers(settings.newcomers)
    app.state.errands = Errands()
    app.state.arenas = arenas
    app.state.provider = Provider(settings.oidc) if settings.oidc else None
    app.mount("/static", _Static(directory=str(files("bakeoff.web").joinpath("static"))), name="static")
    # Routes are tried one after another: those first that people wait for.
    for router in (*_live(settings), *ROUTERS):
        # As they are: for `include_router` every app would read the signatures of all of them once more.
        app.router.routes.extend(router.routes)
    app.add_exception_handler(BakeoffError, _mistake)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _bug)
    # The last that is added is the first to see a request.
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.add_middleware(Bodies, largest=settings.largest_upload)
    app.add_middleware(Limits, who=account_of)
    app.add_middleware(Viewers, library=app.state.library, secure=settings.secure)
    app.add_middleware(Origin, address=settings.address)
    app.add_middleware(Limits, who=address_of, writes=settings.writes)
    app.add_middleware(NoNul)
    app.add_middleware(Keeping, stamp=app.state.library.stamp)
    app.add_middleware(Host, address=settings.address)
    app.add_middleware(Headers, secure=settings.secure)
    app.add_middleware(Proxy, trusted=settings.trusted_proxies)
    return app


def _arenas(engine: "Engine", settings: Settings) -> "dict[str, Running]":
    if not settings.arenas:
        return {}
    from bakeoff.arena.live.running import Running

    return {each.name: Running(engine, each) for each in settings.arenas}


def _live(settings: Settings) -> "tuple[APIRouter, ...]":
    if not settings.arenas:
        return ()
    from bakeoff.web.routes import arena_battle

    return (arena_battle.router,)


class _Static(StaticFiles):
    """Our files. Their addresses change with their content: what has a version may be kept for ever."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        if path != "charts.css":
            return super().lookup_path(path)
        found = str(static_file(path))
        return found, Path(found).stat()

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        versioned = scope.get("query_string", b"").startswith(b"v=")

        async def kept(message: "dict[str, object]") -> None:
            if message["type"] == "http.response.start" and versioned and message["status"] == 200:
                headers = cast("list[tuple[bytes, bytes]]", message["headers"])
                headers.append((b"cache-control", b"public, max-age=31536000, immutable"))
            await send(message)

        await super().__call__(scope, receive, kept)  # type: ignore[arg-type]


def _mistake(request: Request, error: Exception) -> Response:
    assert isinstance(error, BakeoffError)
    missing = error.message.startswith(("there is no ", "no run ", "you have no battle "))
    return refusal(request, 404 if missing else 400, error.message, error.hint or "")


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    messages = {404: "there is no such page", 405: "this page cannot be asked that way"}
    message = messages.get(error.status_code, str(error.detail))
    return refusal(request, error.status_code, message, headers=error.headers)


def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    return refusal(request, 422, f"{place}: {first['msg']}")


def _gone(_request: Request, _error: Exception) -> Response:
    """Nobody is there any more to be told; the rest of a form did not come."""
    return Response(status_code=400)


def _bug(request: Request, _error: Exception) -> Response:
    hint = "the server's log has the details; please report it"
    # Starlette answers outside of all that surrounds other answers.
    return refusal(request, 500, "this is a bug in bakeoff", hint, ALWAYS)
