"""An app that says what reached it, behind one middleware."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from bakeoff.web.settings import Settings


async def _echo(request: Request):
    body = await request.body()
    return JSONResponse(
        {
            "client": request.client.host if request.client else None,
            "scheme": request.url.scheme,
            "host": request.headers.get("host"),
            "bytes": len(body),
        }
    )


METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]


def behind(middleware, *, client="203.0.113.7", **options):
    """A client of the app behind that middleware, at that address."""
    app = Starlette(routes=[Route("/{path:path}", _echo, methods=METHODS)])
    app.state.settings = Settings()
    app.add_middleware(middleware, **options)
    return TestClient(app, base_url="http://boards.example.org", client=(client, 50000))
