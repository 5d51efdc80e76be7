"""`/boards/{board}/rows` and `/models`: the rows of a board, chosen and ordered as on its page."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from bakeoff.board.ranking.publishing import dates
from bakeoff.board.ranking.snapshot import Entrant
from bakeoff.board.registry import known
from bakeoff.board.submissions import submissions as handed_in
from bakeoff.board.table import EVERYTHING, Line, View, at, seen
from bakeoff.errors import BakeoffError
from bakeoff.web.api.boards import Dated
from bakeoff.web.api.request import BoardName, Books, onward, problems, unchanged
from bakeoff.web.api.shape import Part, Shape
from bakeoff.web.api.submissions import Handed, shown
from bakeoff.web.api.viewing import VIEW_PARAMETERS

router = APIRouter(tags=["rows"])


class Row(Shape):
    """A row, as in its snapshot, with its range of ranks; all ranges hold at once with the board's level."""

    key: str = Field(description="Names the row on its board, from one state to the next.")
    place: int | None = Field(description="Its place in the order of scores; null without a rank.")
    low: int | None = Field(description="The best rank that the scores can bear.")
    high: int | None = Field(description="The worst one; both null where scores come without errors.")
    tier: int | None = Field(description="No two rows of a tier are told apart; 1 may be the best.")
    unranked: str = Field(description="Why it has no rank; empty where it has one.")
    pinned: bool
    matches: bool = Field(description="A pinned row is there even where it does not match.")
    entrant: Entrant


class Rows(Part):
    """Rows of a state of a board: `matching` of `total` match."""

    board: str
    state: Dated
    unit: str = Field(description="`share`: scores are shares of 1; `raw`: numbers on a scale of their own.")
    lower_is_better: bool
    level: float
    notes: list[str]
    matching: int
    total: int
    unknown: int = Field(description="Left out only because what was asked for is not known of them.")
    page: int
    pages: int
    front: list[str] = Field(description="Keys on the front of the score against what `pareto` names.")
    rows: list[Row]


class ModelRows(Shape):
    """All that a board has of a model, by its name."""

    board: str
    state: Dated
    name: str
    rows: list[Row]
    submissions: list[Handed]


@router.get(
    "/boards/{board}/rows",
    response_model=Rows,
    responses=problems(400, 404),
    openapi_extra={"parameters": VIEW_PARAMETERS},
)
def rows(board: BoardName, library: Books, request: Request, response: Response) -> Rows | Response:
    """The rows of a board, as its page shows them for the same parameters.

    `next` names the state by its digest, so that the parts of a list are of one state, whatever is published
    meanwhile. The same as CSV or Parquet: /boards/{board}/rows.csv.
    """
    view = View.parse(request.query_params.multi_items())
    with library.read() as connection:
        definition = known(connection, board)
        state = at(dates(connection, board), view.at, view.version)
        if whole := unchanged(request, response, state.digest, view.query()):
            return whole
        found = seen(library.table(connection, definition, state.digest), view)
    following = {"page": found.page + 1, "at": state.digest}
    return Rows(
        board=board,
        state=Dated.model_validate(state),
        unit=found.table.snapshot.unit,
        lower_is_better=found.table.lower,
        level=found.table.snapshot.level,
        notes=list(found.table.snapshot.notes),
        matching=found.matching,
        total=found.total,
        unknown=found.unknown,
        page=found.page,
        pages=found.pages,
        front=sorted(found.front),
        rows=[_row(line) for line in found.rows],
        next=onward(request, following) if found.page < found.pages else None,
    )


@router.get("/boards/{board}/models/{name:path}", responses=problems(400, 404))
def model(
    board: BoardName,
    name: Annotated[str, Path(min_length=1, max_length=300, description="The model's whole name.")],
    library: Books,
    response: Response,
    state: Annotated[str, Query(alias="at", max_length=80, description="Which state; the newest.")] = "",
) -> ModelRows:
    """A model on a board: each row by its name, and everything that was handed in by it, as it stands now."""
    response.headers["cache-control"] = "no-store"
    with library.read() as connection:
        definition = known(connection, board)
        which = at(dates(connection, board), state)
        found = seen(library.table(connection, definition, which.digest), EVERYTHING)
        lines = [line for line in found.every if line.row.entrant.model == name]
        attempts = [each for each in handed_in(connection, board) if each.model.name == name]
        if not lines and not attempts:
            raise BakeoffError(f"there is no model {name!r:.200} on {board}", "give its whole name")
        given = shown(library, connection, board, attempts)
    return ModelRows(
        board=board,
        state=Dated.model_validate(which),
        name=name,
        rows=[_row(line) for line in lines],
        submissions=given,
    )


def _row(line: Line) -> Row:
    return Row(
        key=line.key,
        place=line.row.place,
        low=line.row.low,
        high=line.row.high,
        tier=line.tier,
        unranked=line.row.unranked,
        pinned=line.pinned,
        matches=line.matches,
        entrant=line.row.entrant,
    )
