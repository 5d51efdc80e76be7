"""What every route needs of a request, and how it answers."""

from typing import Annotated

from fastapi import Depends, Request

from bakeoff.web.answers import shown as shown
from bakeoff.web.reading import Library
from bakeoff.web.settings import Settings


# Coroutines, since FastAPI calls a plain function in a thread of its own, for every request.
async def _library(request: Request) -> Library:
    found: Library = request.app.state.library
    return found


async def _settings(request: Request) -> Settings:
    found: Settings = request.app.state.settings
    return found


Books = Annotated[Library, Depends(_library)]
"""The library of the server, for a route's parameter."""
Served = Annotated[Settings, Depends(_settings)]
