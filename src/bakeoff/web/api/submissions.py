"""`/boards/{board}/submissions` and `/queue`: what was handed in, where it stands, and handing in."""

from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, HTTPException, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import ConfigDict, Field
from sqlalchemy import Connection

from bakeoff.accounts import Account, Action, may, speaks_for
from bakeoff.board.community.votes import votes
from bakeoff.board.life import State
from bakeoff.board.registry import known
from bakeoff.board.scores import Scores, scores_from
from bakeoff.board.submissions import Submission, check_open, get
from bakeoff.board.submissions import submissions as handed_in
from bakeoff.board.work.progress import Work, progress
from bakeoff.database.log import events
from bakeoff.jobs import Wait, waits
from bakeoff.web.api.bodies import into_file, read_as, takes
from bakeoff.web.api.log import Entry
from bakeoff.web.api.request import (
    PREFIX,
    After,
    BoardName,
    Books,
    Limit,
    Number,
    Viewer,
    onward,
    problems,
)
from bakeoff.web.api.shape import Moment, Part, Shape
from bakeoff.web.reading import Library
from bakeoff.web.submitting import LONGEST, Asked, FieldError, WeightType, hand_in, upload

router = APIRouter(tags=["submissions"])


class Model(Shape):
    """What is evaluated. `parameters` are in billions; `stated` names what is the submitter's word alone."""

    name: str
    revision: str
    engine: str
    precision: str
    weight_type: str
    chat_template: str
    base: str
    licence: str
    parameters: float | None
    endpoint: str
    stated: str


class Job(Shape):
    """The work for a submission: a look ("validate") or everything ("evaluate"), counted in samples."""

    kind: str
    state: str
    attempts: int
    worker: str | None
    done: int
    total: int | None
    fault: str | None = Field(description="Whose failure `error` was: ours, the model's, the submitter's.")
    error: str | None
    started: Moment | None
    finished: Moment | None


class Waiting(Shape):
    """Why it waits. `position` is null where its turn does not come; `done_in` guesses at seconds."""

    position: int | None
    reasons: list[str]
    done_in: tuple[float, float] | None


class Handed(Shape):
    """A submission. It is never gone: what was withdrawn or rejected stays, with the score it had."""

    id: int
    board: str
    version: int
    organisation: str
    submitter: str
    way: Literal["weights", "endpoint", "predictions"]
    model: Model
    state: State
    ended: bool = Field(description="Whether nothing follows by itself any more.")
    attempt: int
    duplicate_of: int | None
    supersedes: int | None
    created: Moment
    changed: Moment
    votes: int
    job: Job | None
    waits: Waiting | None
    scores: Scores | None


class Submissions(Part):
    """Submissions, the oldest first."""

    submissions: list[Handed]


class Queue(Shape):
    """What is on its way, in the order of turns; what runs comes first."""

    submissions: list[Handed]


class Events(Shape):
    """All that happened to a submission, in order."""

    entries: list[Entry]


class ToHandIn(Shape):
    """A model to hand in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(
        min_length=1,
        max_length=LONGEST,
        description="hf:ORG/NAME@COMMIT, openai:MODEL, anthropic:MODEL or https://HOST/v1#MODEL.",
    )
    organisation: str = Field(min_length=1, max_length=100, description="One that the account speaks for.")
    licence: str = Field("", max_length=LONGEST, description="The SPDX name of the model's licence.")
    parameters: float | None = Field(None, gt=0, lt=1e6, description="In billions.")
    weight_type: WeightType = "original"
    base: str = Field("", max_length=LONGEST, description="The model it was made from.")
    supersedes: int | None = Field(None, ge=1, le=2**53 - 1, description="One's own row that this replaces.")
    settings: dict[str, str] = Field({}, max_length=40, description="Settings of the engine.")
    key: str = Field(
        "",
        max_length=10_000,
        description="One's own key for the endpoint: lent for this evaluation, sealed, and destroyed after.",
    )


@router.get("/boards/{board}/submissions", responses=problems(404))
def submissions(
    board: BoardName,
    library: Books,
    request: Request,
    response: Response,
    state: Annotated[State | None, Query(description="Only those in this state.")] = None,
    organisation: Annotated[str, Query(max_length=100, description="Only those of this one.")] = "",
    after: After = 0,
    limit: Limit = 100,
) -> Submissions:
    """What was handed in to a board: every attempt of everybody, whatever became of it."""
    response.headers["cache-control"] = "no-store"  # progress changes without an entry in the log
    with library.read() as connection:
        known(connection, board)
        wanted = [
            each
            for each in handed_in(connection, board)
            if each.id > after and state in (None, each.state) and organisation in ("", each.organisation)
        ]
        found = shown(library, connection, board, wanted[:limit])
    following = onward(request, {"after": wanted[limit - 1].id}) if len(wanted) > limit else None
    return Submissions(submissions=found, next=following)


@router.get("/boards/{board}/queue", responses=problems(404))
def queue(board: BoardName, library: Books, response: Response) -> Queue:
    """What is on its way to a board: position, why it waits and for how long about, progress, and errors."""
    response.headers["cache-control"] = "no-store"
    with library.read() as connection:
        known(connection, board)
        on_its_way = [each for each in handed_in(connection, board) if each.state.active]
        found = shown(library, connection, board, on_its_way)
    return Queue(submissions=sorted(found, key=_turn))


@router.get("/submissions/{number}", responses=problems(404))
def submission(number: Number, library: Books, response: Response) -> Handed:
    """One submission."""
    response.headers["cache-control"] = "no-store"
    with library.read() as connection:
        found = get(connection, number)
        return shown(library, connection, found.board, [found])[0]


@router.get("/submissions/{number}/events", responses=problems(404))
def submission_events(number: Number, library: Books) -> Events:
    """All that happened to a submission: what was said of it, each step of its way, by whom and why."""
    with library.read() as connection:
        found = get(connection, number)
        told = [Entry.model_validate(each) for each in events(connection, f"submission {found.id}")]
    return Events(entries=told)


@router.post(
    "/boards/{board}/submissions",
    status_code=201,
    responses=problems(400, 401, 403, 404, 413, 422),
    openapi_extra=takes(ToHandIn),
)
def submit(
    board: BoardName,
    library: Books,
    account: Viewer,
    said: Annotated[ToHandIn, Depends(read_as(ToHandIn))],
    request: Request,
    response: Response,
) -> Handed:
    """Hand in a model: weights on the hub, or an endpoint. A worker looks at it first, then asks everything.

    It counts towards the organisation's quota as soon as it is handed in.
    """
    if said.model.startswith("recorded:"):
        # Whoever knows the digest of another's answers could hand them in as their own.
        hint = f"POST them to {PREFIX}/boards/{board}/predictions"
        raise FieldError("model", "recorded answers are sent as a file", hint)
    made = _hand_in(library, board, account, Asked(**said.model_dump()))
    response.headers["location"] = _address(request, made.id)
    return made


@router.post(
    "/boards/{board}/predictions",
    status_code=201,
    response_model=Handed,
    responses=problems(400, 401, 403, 404, 413, 422),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def submit_predictions(
    board: BoardName,
    library: Books,
    account: Viewer,
    request: Request,
    response: Response,
    file: Annotated[str, Query(min_length=1, max_length=100, description="What the file is called.")],
    organisation: Annotated[
        str, Query(min_length=1, max_length=100, description="One that the account speaks for.")
    ],
    model: Annotated[str, Query(max_length=100, description="The model whose answers are in it.")] = "",
    licence: Annotated[str, Query(max_length=LONGEST, description="The SPDX name of its licence.")] = "",
    parameters: Annotated[float | None, Query(gt=0, lt=1e6, description="In billions.")] = None,
    base: Annotated[str, Query(max_length=LONGEST, description="The model it was made from.")] = "",
    supersedes: Annotated[
        int | None, Query(ge=1, le=2**53 - 1, description="One's own row that this replaces.")
    ] = None,
) -> Handed:
    """Hand in recorded answers: the body is the file, as for `recorded:` on the command line."""
    _check_may(account, organisation)
    async with into_file(request) as aside:
        kept = await run_in_threadpool(_keep, library, board, organisation, aside, file, model)
    asked = Asked(
        model=kept,
        organisation=organisation,
        licence=licence,
        parameters=parameters,
        base=base,
        supersedes=supersedes,
    )
    made = await run_in_threadpool(_hand_in, library, board, account, asked)
    response.headers["location"] = _address(request, made.id)
    return made


def _hand_in(library: Library, name: str, account: Account, asked: Asked) -> Handed:
    with library.write() as connection:
        board = known(connection, name)
        _check_may(account, asked.organisation)
        made = hand_in(connection, board, asked, submitter=account.name)
    with library.read() as connection:
        return shown(library, connection, name, [made])[0]


def _keep(library: Library, board: str, organisation: str, aside: Path, file: str, model: str) -> str:
    with library.read() as connection:
        check_open(connection, known(connection, board), organisation)  # or what is refused would lie here
    return upload(aside, file, library.runs, model=model)


def _check_may(account: Account, organisation: str) -> None:
    if not may(account, Action.SUBMIT):
        raise HTTPException(403, f"{account.name} may not hand in models")
    if not speaks_for(account, organisation):
        spoken = ", ".join(sorted({account.name, *account.organisations}))
        raise HTTPException(403, f"{account.name} does not speak for {organisation}, but for {spoken}")


def _address(request: Request, number: int) -> str:
    return f"{request.scope.get('root_path', '')}{PREFIX}/submissions/{number}"


def shown(library: Library, connection: Connection, board: str, found: list[Submission]) -> list[Handed]:
    """Submissions to a board, with the work for each and why it waits."""
    work, given = progress(connection, board), votes(connection, board)
    waiting = waits(library.engine) if any(each.state.active for each in found) else {}
    return [
        _handed(each, work.get(each.id), waiting.get(each.job or 0), given.get(each.id, 0)) for each in found
    ]


def _handed(found: Submission, work: Work | None, wait: Wait | None, given: int) -> Handed:
    return Handed(
        id=found.id,
        board=found.board,
        version=found.version,
        organisation=found.organisation,
        submitter=found.submitter,
        way=found.way,
        model=Model.model_validate(found.model),
        state=found.state,
        ended=not found.state.active and found.state is not State.DRAFT,
        attempt=found.attempt,
        duplicate_of=found.duplicate_of,
        supersedes=found.supersedes,
        created=found.created,
        changed=found.changed,
        votes=given,
        job=None if work is None else Job.model_validate(work),
        waits=None if wait is None else Waiting.model_validate(wait),
        scores=None if found.scores is None else scores_from(found.scores),
    )


def _turn(found: Handed) -> tuple[int, int]:
    """What has a position comes in its order, what runs before, and what waits without a turn last."""
    if found.waits is None:
        return (0, found.id)
    return (1, found.waits.position) if found.waits.position is not None else (2, found.id)
