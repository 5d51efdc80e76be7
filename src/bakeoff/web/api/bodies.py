"""What is sent with a request: read when it is known who sends it, and no further than it may be long."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from fastapi import HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

S = TypeVar("S", bound=BaseModel)
MOST = 64 * 1024
"""Bytes of JSON."""


def read_as(shape: type[S]) -> Callable[[Request], Awaitable[S]]:
    """Reads a body of JSON as that shape; to depend on behind what says who sends it, since FastAPI would
    read a body of its own before anything else.
    """

    async def read(request: Request) -> S:
        body = await _small(request)
        try:
            return shape.model_validate_json(body)
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
            raise RequestValidationError([each | {"loc": ("body", *each["loc"])} for each in found]) from None

    return read


def takes(shape: type[BaseModel]) -> dict[str, Any]:
    """What is read so, for the description of an endpoint."""
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{shape.__name__}"}}}
    return {"requestBody": {"required": True, "content": content}}


async def _small(request: Request) -> bytes:
    said = request.headers.get("content-length", "")
    if said.isdigit() and int(said) > MOST:
        raise _too_large()
    found = bytearray()
    async for part in request.stream():
        found += part
        if len(found) > MOST:
            raise _too_large()
    return bytes(found)


@asynccontextmanager
async def into_file(request: Request) -> AsyncIterator[Path]:
    """The body in a file, in a folder of its own that goes away after; as long as the server takes any."""
    with TemporaryDirectory(prefix="bakeoff-upload-") as folder:
        path = Path(folder) / "upload"
        with path.open("wb") as file:
            async for part in request.stream():
                await run_in_threadpool(file.write, part)
        yield path


def _too_large() -> HTTPException:
    return HTTPException(413, f"what is sent is longer than {MOST:,} bytes", {"connection": "close"})
