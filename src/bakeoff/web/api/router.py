"""All endpoints of the API. A line for each file."""

from fastapi import APIRouter

from bakeoff.web.api import (
    acts,
    arenas,
    boards,
    discussion,
    exchange,
    history,
    log,
    rows,
    runs,
    search,
    snapshots,
    submissions,
)
from bakeoff.web.api.request import PREFIX

router = APIRouter(prefix=PREFIX)
for _part in (
    arenas,
    boards,
    rows,
    snapshots,
    history,
    submissions,
    acts,
    discussion,
    log,
    runs,
    exchange,
    search,
):
    router.include_router(_part.router)
