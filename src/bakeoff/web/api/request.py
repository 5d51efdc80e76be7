"""What the endpoints of the API need of a request, and what they answer with when something is wrong."""

from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlencode

from fastapi import Depends, HTTPException, Path, Query, Request, Response

from bakeoff.digest import digest
from bakeoff.web.reading import Library
from bakeoff.web.settings import Settings

if TYPE_CHECKING:
    from bakeoff.accounts import Account
    from bakeoff.web.runs import Runs

PREFIX = "/api/v1"
LARGEST = 2**53 - 1
"""What every reader of JSON can hold exactly."""


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of an endpoint, for its description; 429 is one of all."""
    shape = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": _MEANING[status], "content": shape} for status in (*statuses, 429)}


_MEANING = {
    400: "Something that was asked for is wrong; the title names it.",
    401: "Who asks is not known: send a token.",
    403: "Who asks may not do that.",
    404: "There is no such thing.",
    413: "What is sent is too large.",
    422: "A parameter or field is malformed; the title names it.",
    429: "Too many requests; Retry-After says when to ask again.",
}


def _library(request: Request) -> Library:
    found: Library = request.app.state.library
    return found


def _settings(request: Request) -> Settings:
    found: Settings = request.app.state.settings
    return found


def _account(request: Request) -> "Account":
    found: Account | None = getattr(request.state, "viewer", None)
    if found is None:
        raise HTTPException(401, "who asks is not known: send a token", {"www-authenticate": "Bearer"})
    return found


Books = Annotated[Library, Depends(_library)]
"""The library of the server."""


def _shelf(library: Books) -> "Runs":
    # Pages are above; what they are served by imports this.
    from bakeoff.web.runs import runs_of

    return runs_of(library.index)


Served = Annotated[Settings, Depends(_settings)]
Shelf = Annotated[Any, Depends(_shelf)]
"""The runs of the server."""
Viewer = Annotated[Any, Depends(_account)]
"""The account of who asks; without one the answer is 401."""
BoardName = Annotated[
    str, Path(pattern=r"^[a-z0-9_.-]{1,100}$", description="The board's name, as in the list of boards.")
]
Number = Annotated[int, Path(ge=1, le=LARGEST, description="Its number.")]
Limit = Annotated[int, Query(ge=1, le=1000, description="So many at most.")]
After = Annotated[
    int, Query(ge=0, le=LARGEST, description="Only those with a higher number: the cursor in `next`.")
]


def onward(request: Request, changes: dict[str, Any]) -> str:
    """The address that is asked, with other values of some parameters."""
    kept = [(name, value) for name, value in request.query_params.multi_items() if name not in changes]
    return f"{request.url.path}?{urlencode([*kept, *changes.items()])}"


def unchanged(request: Request, response: Response, *parts: str) -> Response | None:
    """Marks the answer as made from `parts` alone, such as the digest of a snapshot and what is asked of it.

    Returns the whole answer where the reader has it already.
    """
    from bakeoff import __version__

    tag = f'W/"{digest([__version__, *parts])[7:39]}"'
    response.headers["etag"] = tag
    response.headers["cache-control"] = "no-cache"
    known = [each.strip() for each in request.headers.get("if-none-match", "").split(",")]
    if tag in known or "*" in known:
        return Response(status_code=304, headers={"etag": tag, "cache-control": "no-cache"})
    return None
