"""Submissions: handed in once, moved step by step, and never gone.

Every change is an entry of the log. Nothing is deleted: what was withdrawn stays as a tombstone, and keeps
the score it had, since taking back what one does not like is how boards are gamed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import orjson
from sqlalchemy import Connection, Row, Select, and_, func, insert, select, update

from bakeoff.board.definition import Board
from bakeoff.board.entry.keys import destroy
from bakeoff.board.life import State, check_move
from bakeoff.database.clock import current, now
from bakeoff.database.log import lock, record
from bakeoff.database.tables import score as score_table
from bakeoff.database.tables import submission as table
from bakeoff.digest import canonical_json, digest
from bakeoff.errors import BakeoffError

Way = Literal["weights", "endpoint", "predictions"]
_DAY_S = 86_400.0
_WANTS_KEY = frozenset({State.VALIDATING, State.QUEUED, State.RUNNING, State.PREEMPTED})
"""States in which a key that was lent is still to be used; in any other it is destroyed."""


@dataclass(frozen=True, slots=True)
class Model:
    """What is to be evaluated. `revision` is a commit, a dated snapshot, or the digest of a file.

    Two submissions of one identity are the same model under the same conditions, whatever they are called.
    `stated` names what of licence, parameters and base is the submitter's word alone, once the model was
    opened: its files do not say.
    """

    name: str
    revision: str
    engine: str
    precision: str = ""
    weight_type: Literal["original", "adapter", "merge", "quantised"] = "original"
    chat_template: str = ""
    base: str = ""
    licence: str = ""
    parameters: float | None = None
    endpoint: str = ""
    stated: str = ""

    @property
    def identity(self) -> str:
        """Names the weights and how they are run, not what they are called, unless nothing else tells."""
        return digest(
            {
                "revision": self.revision or f"of {self.name} at {self.endpoint}",
                "engine": self.engine,
                "precision": self.precision,
                "weight_type": self.weight_type,
                "chat_template": self.chat_template,
            }
        )


@dataclass(frozen=True, slots=True)
class Submission:
    """A row. `attempt` counts the organisation's submissions to the board, this one included. `version` is
    the board's when it was handed in, and `scores` are those under that version.
    """

    id: int
    board: str
    version: int
    organisation: str
    submitter: str
    way: Way
    model: Model
    state: State
    attempt: int
    duplicate_of: int | None
    supersedes: int | None
    job: int | None
    scores: Mapping[str, Any] | None
    created: float
    changed: float


def submit(
    connection: Connection,
    board: Board,
    model: Model,
    *,
    organisation: str,
    submitter: str,
    way: Way = "weights",
    supersedes: int | None = None,
) -> Submission:
    """Hand in a model, as a draft.

    One that was handed in before, under whatever name, is linked to the first of its identity and not
    refused: the row says so. Drafts count towards the quota, so that nobody can look for free how far they
    get.

    Raises:
        BakeoffError: the organisation's quota is used up, or `supersedes` is not a submission of its own.
    """
    lock(connection)  # or two at once could both be the last that the quota allows
    check_open(connection, board, organisation)
    if supersedes is not None:
        before = get(connection, supersedes)
        if (before.board, before.organisation) != (board.name, organisation):
            raise BakeoffError(
                f"submission {supersedes} is not one of {organisation} to {board.name}",
                "only one's own can be superseded",
            )
    same = connection.execute(
        select(func.min(table.c.id)).where(table.c.board == board.name, table.c.identity == model.identity)
    ).scalar()
    count = connection.execute(
        select(func.count()).where(table.c.board == board.name, table.c.organisation == organisation)
    ).scalar_one()
    made = connection.execute(
        insert(table)
        .values(
            board=board.name,
            organisation=organisation,
            submitter=submitter,
            way=way,
            model=canonical_json(model).decode(),
            identity=model.identity,
            duplicate_of=same,
            supersedes=supersedes,
            state=State.DRAFT.value,
            attempt=count + 1,
            version=board.version,
            created=now(),
            changed=now(),
        )
        .returning(table.c.id)
    ).scalar_one()
    facts: dict[str, Any] = {
        "board": board.name,
        "version": board.version,
        "model": canonical_json(model).decode(),
    }
    if same is not None:
        facts["duplicate_of"] = same
    record(connection, actor=submitter, kind="submitted", subject=_subject(made), facts=facts)
    return get(connection, made)


def check_open(connection: Connection, board: Board, organisation: str) -> None:
    """Whether one more may be handed in now.

    Raises:
        BakeoffError: nothing is submitted to the board, or the organisation's quota is used up.
    """
    if board.source:
        raise BakeoffError(f"{board.name} keeps scores that others report", "nothing is submitted to it")
    quota = board.policy.quota
    since = current(connection) - quota.days * _DAY_S
    recent = connection.execute(
        select(func.count(), func.min(table.c.created)).where(
            table.c.board == board.name, table.c.organisation == organisation, table.c.created > since
        )
    ).one()
    if recent[0] >= quota.submissions:
        days = (recent[1] - since) / _DAY_S
        raise BakeoffError(
            f"{organisation} has submitted {recent[0]} times in {quota.days} days, the quota of {board.name}",
            f"the next is possible in {days:.1f} days",
        )


def identify(connection: Connection, number: int, model: Model, *, actor: str) -> Submission:
    """Replace what was said of a model by what it is: the engine opened it and looked.

    Raises:
        BakeoffError: there is no such submission, or it is not being validated.
    """
    found = get(connection, number)
    if found.state is not State.VALIDATING:
        raise BakeoffError(f"submission {number} is {found.state}, and its model stays what it is")
    same = connection.execute(
        select(func.min(table.c.id)).where(
            table.c.board == found.board, table.c.identity == model.identity, table.c.id < number
        )
    ).scalar()
    written = canonical_json(model).decode()
    connection.execute(
        update(table)
        .where(table.c.id == number)
        .values(model=written, identity=model.identity, duplicate_of=same, changed=now())
    )
    record(
        connection,
        actor=actor,
        kind="identified",
        subject=_subject(number),
        facts={"model": written} | ({} if same is None else {"duplicate_of": same}),
    )
    return get(connection, number)


def move(
    connection: Connection, number: int, then: State, *, actor: str, reason: str = "", **facts: Any
) -> Submission:
    """Put a submission into another state.

    Raises:
        BakeoffError: there is none of that number, the move is not one of its life, or a reason is missing.
    """
    found = get(connection, number)
    check_move(found.state, then, reason)
    changed = connection.execute(
        update(table)
        .where(table.c.id == number, table.c.state == found.state.value)
        .values(state=then.value, changed=now())
    )
    if changed.rowcount == 0:
        raise BakeoffError(f"submission {number} was moved by someone else meanwhile", "look again")
    record(
        connection,
        actor=actor,
        kind=f"submission {then}",
        subject=_subject(number),
        reason=reason,
        facts={"from": found.state.value} | facts,
    )
    if then not in _WANTS_KEY:
        destroy(connection, number, actor=actor)
    return get(connection, number)


def assign(connection: Connection, number: int, job: int) -> None:
    """Say which job works for a submission now."""
    connection.execute(update(table).where(table.c.id == number).values(job=job))


def publish(connection: Connection, number: int, *, actor: str) -> Submission:
    """Publish what was reviewed. The row that it supersedes, if any, steps back and stays.

    Raises:
        BakeoffError: it is not in review, or has no scores.
    """
    found = get(connection, number)
    if not found.scores:
        raise BakeoffError(f"submission {number} has no scores to publish")
    published = move(connection, number, State.PUBLISHED, actor=actor)
    if found.supersedes is not None and get(connection, found.supersedes).state is State.PUBLISHED:
        move(
            connection,
            found.supersedes,
            State.SUPERSEDED,
            actor=actor,
            reason=f"by submission {number}",
        )
    return published


def score(connection: Connection, number: int, scores: Mapping[str, Any], *, actor: str) -> None:
    """Keep the scores of a submission whose samples are all there (`Scores.as_json`). They are kept once.

    Raises:
        BakeoffError: it is not being scored, or has scores already.
    """
    found = get(connection, number)
    if found.state is not State.SCORING or found.scores is not None:
        what = "has scores already" if found.scores is not None else f"is {found.state}"
        raise BakeoffError(f"submission {number} {what}", "a new evaluation is a new submission")
    keep(connection, number, found.version, scores)
    record(connection, actor=actor, kind="scored", subject=_subject(number), facts={"scores": dict(scores)})


def keep(connection: Connection, number: int, version: int, scores: Mapping[str, Any]) -> None:
    """Keep scores under a version of the board, for which there are none yet."""
    connection.execute(
        insert(score_table).values(
            submission=number, version=version, content=canonical_json(dict(scores)).decode(), created=now()
        )
    )


def scores_under(connection: Connection, board: str, version: int) -> dict[int, dict[str, Any]]:
    """The scores of a board's submissions under a version of it, by submission, as far as there are."""
    query = (
        select(score_table.c.submission, score_table.c.content)
        .join(table, table.c.id == score_table.c.submission)
        .where(table.c.board == board, score_table.c.version == version)
    )
    return {row.submission: orjson.loads(row.content) for row in connection.execute(query)}


def get(connection: Connection, number: int) -> Submission:
    """One submission.

    Raises:
        BakeoffError: there is none of that number.
    """
    query = _rows().where(table.c.id == number)
    # Databases know no number beyond 64 bits.
    row = connection.execute(query).one_or_none() if 0 < number < 2**63 else None
    if row is None:
        raise BakeoffError(f"there is no submission {number}", "bakeoff board queue lists them")
    return _submission(row)


def submissions(
    connection: Connection, board: str, *, organisation: str | None = None
) -> Iterator[Submission]:
    """All submissions to a board that left the draft or not, tombstones included, in the order of arrival."""
    query = _rows().where(table.c.board == board).order_by(table.c.id)
    if organisation is not None:
        query = query.where(table.c.organisation == organisation)
    for row in connection.execute(query):
        yield _submission(row)


def _rows() -> Select[Any]:
    """Submissions, each with its scores under the version it was handed in under."""
    own = and_(score_table.c.submission == table.c.id, score_table.c.version == table.c.version)
    return select(table, score_table.c.content.label("scores")).outerjoin(score_table, own)


def _subject(number: int) -> str:
    return f"submission {number}"


def _submission(row: Row[Any]) -> Submission:
    return Submission(
        id=row.id,
        board=row.board,
        version=row.version,
        organisation=row.organisation,
        submitter=row.submitter,
        way=row.way,
        model=Model(**orjson.loads(row.model)),
        state=State(row.state),
        attempt=row.attempt,
        duplicate_of=row.duplicate_of,
        supersedes=row.supersedes,
        job=row.job,
        scores=orjson.loads(row.scores) if row.scores else None,
        created=row.created,
        changed=row.changed,
    )
