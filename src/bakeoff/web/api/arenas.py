"""`/arenas/{arena}/ranking`: how the models of an arena stand by votes."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field

from bakeoff.web.api.request import Books, problems
from bakeoff.web.api.shape import Shape
from bakeoff.web.middleware.kept import LIVE

router = APIRouter(tags=["arenas"])
ArenaName = Annotated[
    str, Path(pattern=r"^[a-z0-9_.-]{1,100}$", description="The arena's name, as in the list of arenas.")
]


class EloScore(Shape):
    """A score in Elo points with its 95 % interval, and the range of ranks; null where there is none."""

    score: float | None
    low: float | None
    high: float | None
    best_rank: int | None
    worst_rank: int | None


class InSegment(Shape):
    """A model in a segment: `elsewhere` is its score by all other votes, `own` the share, in [0, 1], of its
    score that the segment's votes decided.
    """

    votes: int
    score: float | None
    own: float | None
    elsewhere: float | None


class RankedModel(Shape):
    """A model that is or was public. `tied` of its `votes` ended so; `expected` is the share of votes, in
    [0, 1], that it is expected to win against all others, met equally often.
    """

    model: str
    provider: str | None
    licence: str | None
    state: str | None = Field(description="Where it stands by the rules of the arena.")
    status: str = Field(description="`rated`, or why it has no score.")
    votes: int
    tied: int
    plain: EloScore
    equal_style: EloScore
    expected: float | None
    in_segment: InSegment | None
    last_vote: str | None = Field(description="A moment, ISO 8601.")


class StyleEffect(Shape):
    """What one standard difference in style is worth, in Elo points, with its 95 % interval."""

    style: str
    points: float
    low: float
    high: float


class SetAside(Shape):
    """What a filter did: of `before` votes it set `flagged` aside, and could not judge `unjudged`."""

    filter: str
    version: int
    parameters: dict[str, Any]
    before: int
    flagged: int
    unjudged: int


class ArenaSegment(Shape):
    """A language or tag. `apart` is how far such segments usually lie from the others, in Elo points."""

    kind: str
    value: str
    votes: int
    apart: float


class ArenaRanking(Shape):
    """Of the votes `cast`, `public` ones are between models that are public, `used` ones between those with a
    score. `clusters` counts the voters or prompts that the intervals take as one observation each.
    """

    arena: str
    cast: int
    public: int
    used: int
    clusters: dict[str, int]
    style: list[str] = Field(description="What is held equal in `equal_style`.")
    effects: list[StyleEffect]
    set_aside: list[SetAside]
    segment: ArenaSegment | None
    rows: list[RankedModel]


@router.get("/arenas/{arena}/ranking", responses=problems(400, 404))
def ranking(
    arena: ArenaName,
    library: Books,
    response: Response,
    style: Annotated[
        str, Query(max_length=200, description="`all`, `off`, or some of length, headers, lists and bold.")
    ] = "all",
    language: Annotated[str, Query(max_length=200, description="Beside it, votes in this language.")] = "",
    tag: Annotated[str, Query(max_length=200, description="Beside it, votes with this tag.")] = "",
) -> ArenaRanking:
    """The ranking by all votes so far, at most a few seconds old where votes come in."""
    # Pages are above; what they are served by imports this.
    from bakeoff.web.pages.arena_downloads import told
    from bakeoff.web.pages.arena_ranking import arena_ranking_page

    with library.read() as connection:
        page = arena_ranking_page(library, connection, arena, style=style, language=language, tag=tag)
    response.headers["cache-control"] = LIVE
    return ArenaRanking.model_validate(told(page))
