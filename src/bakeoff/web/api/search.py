"""`/search`: everything that has a name."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from bakeoff.board.everywhere import LONGEST
from bakeoff.web.api.request import Books, problems
from bakeoff.web.api.shape import Shape
from bakeoff.web.pages.search import search as everywhere

router = APIRouter(tags=["search"])


class Hit(Shape):
    """What was found, on a board where it is of one. A post is named by its thread, and has a number."""

    kind: Literal["board", "model", "task", "run", "post"]
    name: str
    board: str
    text: str
    number: int | None


class Hits(Shape):
    """The closest of a kind, of `total`."""

    kind: Literal["board", "model", "task", "run", "post"]
    hits: list[Hit]
    total: int


class Found(Shape):
    """What was found, by kind; kinds without a hit are left out."""

    found: list[Hits]


@router.get("/search", responses=problems())
def search(
    library: Books,
    q: Annotated[str, Query(max_length=LONGEST, description="Words that must all be there.")],
) -> Found:
    """Boards, models, tasks, runs and posts that hold all of some words."""
    with library.read() as connection:
        page = everywhere(library, connection, q)
    return Found(found=[Hits.model_validate(each) for each in page.found])
