"""The description of the API, in the words of OpenAPI."""

from collections.abc import Sequence
from typing import Any

from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute

from bakeoff import __version__
from bakeoff.web.api.acts import NewPost, Reason, Reply, Ruling
from bakeoff.web.api.request import problems
from bakeoff.web.api.shape import Problem
from bakeoff.web.api.submissions import ToHandIn

_ABOUT = """\
Everything the pages show, as JSON. Paths begin with the version of the API; within a version fields are added
and none is removed or changes its meaning. Reading needs no account.

What was published never changes: a snapshot is named by the SHA-256 of its bytes, and its answers carry an
ETag, so that asking again costs nothing. Lists come in parts: `next` is the path of the next one. Errors are
`application/problem+json` with a `title`, and a `hint` where there is something to do. Numbers that are not
known are null, never 0. Texts are as they were written, by anybody: escape them before you show them."""
_TAGS = {
    "boards": "What is ranked, by which rule.",
    "rows": "A board's rows, chosen and ordered by the same view as its page and its downloads.",
    "snapshots": "States of a board that were published.",
    "arenas": "Rankings by votes, and what they can bear.",
    "submissions": "What was handed in, where it stands, and handing in.",
    "acts": "What is done under one's name, and kept in the log: votes, reviews, posts, flags, rulings.",
    "discussion": "What people say, and flags on rows.",
    "log": "What happened, in the order in which it did.",
    "runs": "Runs that lie on this server, down to each sample.",
    "exchange": "The same in the shape of Every Eval Ever, in which results are exchanged.",
    "search": "Everything that has a name.",
}


def document(routes: Sequence[BaseRoute], root: str = "") -> dict[str, Any]:
    """The OpenAPI description of these routes, on a server whose pages lie under `root`."""
    found = get_openapi(
        title="Bakeoff",
        version=__version__,
        summary="Leaderboards, and what their numbers can bear",
        description=_ABOUT,
        routes=routes,
        tags=[{"name": name, "description": what} for name, what in _TAGS.items()],
        servers=[{"url": root or "/"}],
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    shapes = found.setdefault("components", {}).setdefault("schemas", {})
    for shape in (Problem, ToHandIn, Reason, NewPost, Reply, Ruling):
        shapes[shape.__name__] = shape.model_json_schema(ref_template="#/components/schemas/{model}")
    found["components"]["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "A token of your account: bkf_…"}
    }
    for operations in found["paths"].values():
        for method, operation in operations.items():
            if method != "get":
                operation["security"] = [{"token": []}]
            if "422" in operation["responses"]:  # answered as every other mistake is
                operation["responses"]["422"] = problems(422)[422]
    for name in ("HTTPValidationError", "ValidationError"):
        shapes.pop(name, None)
    return found
