"""Making, keeping and checking the snapshots of a board."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import orjson
from sqlalchemy import Connection, insert, select

from bakeoff.board.community import discussion, flags, votes
from bakeoff.board.definition import Board
from bakeoff.board.life import State
from bakeoff.board.ranking.provenance import provenance
from bakeoff.board.ranking.snapshot import Entrant, Snapshot, ranked, snapshot_from
from bakeoff.board.registry import check_rule, known_versions
from bakeoff.board.scores import Scores, Value, scores_from
from bakeoff.board.submissions import scores_under, submissions
from bakeoff.database.clock import current
from bakeoff.database.log import broken, events, head, record
from bakeoff.database.tables import snapshot as table
from bakeoff.digest import canonical_json, digest
from bakeoff.errors import BakeoffError


def take(connection: Connection, board: Board, *, actor: str) -> Snapshot:
    """Publish the present state of a board as a snapshot; where nothing changed since the last, that one.

    Raises:
        BakeoffError: the version is not registered, its rule changed since, or it is new and what stands on
            the board has no scores under it yet.
    """
    policy, rule = board.policy, check_rule(connection, board)
    last = latest(connection, board.name, board.version)
    if last is None and (before := latest(connection, board.name)) is not None:
        _check_carried_over(connection, board, before)
    now = current(connection)
    made = Snapshot(
        board=board.name,
        version=board.version,
        rule=rule,
        level=board.level,
        made=_utc(now),
        log=head(connection),
        rows=ranked(
            list(entrants(connection, board)),
            level=board.level,
            per_organisation=policy.ranked_per_organisation,
        ),
    )
    if last is not None and (last.rule, last.rows) == (made.rule, made.rows):
        return last
    connection.execute(
        insert(table).values(
            digest=made.digest,
            board=board.name,
            version=board.version,
            made=now,
            content=canonical_json(made.as_json()).decode(),
        )
    )
    record(
        connection,
        actor=actor,
        kind="snapshot",
        subject=f"board {board.name}",
        facts={"digest": made.digest, "version": board.version, "rows": len(made.rows)},
    )
    return made


def entrants(connection: Connection, board: Board) -> Iterator[Entrant]:
    """What stands on a board: every submission with scores, whatever became of it, with its attempts counted.

    A submission that never got scores is no row; the attempts of its organisation count it. One without
    scores under this version of the board is a row that says so.
    """
    found = list(submissions(connection, board.name))
    under = scores_under(connection, board.name, board.version)
    attempts = Counter(each.organisation for each in found)
    published = {each.id for each in found if each.state == "published"}
    first = {each.model.identity: each.created for each in reversed(found)}
    scored = [each for each in found if each.scores is not None]
    flagged = flags.flags(connection, board.name)
    scores = {
        each.id: scores_from(under[each.id])
        if each.id in under
        else Scores(Value(None), {}, incomplete=f"there are scores under version {each.version} alone")
        for each in scored
    }
    for each in scored:
        known, remarks = provenance(each, scores, scored)
        raised = [flag for flag in flagged.get(each.id, ()) if flag.state != "dismissed"]
        yield Entrant(
            submission=each.id,
            organisation=each.organisation,
            model=each.model.name,
            revision=each.model.revision,
            precision=each.model.precision,
            licence=each.model.licence,
            parameters=each.model.parameters,
            provenance=known,
            first_seen=_utc(first[each.model.identity]),
            attempt=each.attempt,
            attempts=attempts[each.organisation],
            state=each.state.value,
            scores=scores[each.id],
            flags=(*remarks, *(flag.text for flag in raised)),
            removed=next((flag.removed for flag in raised if flag.removed), ""),
            # A duplicate of what is not on the board any more stands for itself.
            duplicate_of=each.duplicate_of if each.duplicate_of in published else None,
        )


@dataclass(frozen=True, slots=True)
class Dated:
    """Which snapshot it is, without what is in it; `made` is UTC, ISO 8601."""

    digest: str
    version: int
    made: str


def dates(connection: Connection, board: str) -> tuple[Dated, ...]:
    """The snapshots there are of a board, the newest first."""
    query = select(table.c.digest, table.c.version, table.c.made).where(table.c.board == board)
    rows = connection.execute(query.order_by(table.c.made.desc()))
    return tuple(Dated(row.digest, row.version, _utc(row.made)) for row in rows)


def snapshots(connection: Connection, board: str) -> Iterator[Snapshot]:
    """The snapshots of a board, the oldest first."""
    for row in connection.execute(select(table).where(table.c.board == board).order_by(table.c.made)):
        yield snapshot_from(orjson.loads(row.content))


def latest(connection: Connection, board: str, version: int | None = None) -> Snapshot | None:
    """The newest snapshot of a board, or of one version of it."""
    query = select(table).where(table.c.board == board).order_by(table.c.made.desc()).limit(1)
    if version is not None:
        query = query.where(table.c.version == version)
    row = connection.execute(query).one_or_none()
    return None if row is None else snapshot_from(orjson.loads(row.content))


def find(connection: Connection, board: str, name: str) -> Snapshot:
    """The snapshot whose digest begins with `name`, with or without `sha256:`, or `last`, or `first`.

    Raises:
        BakeoffError: none does, or several do.
    """
    if name in ("last", "first"):
        order = table.c.made.desc() if name == "last" else table.c.made
        rows = connection.execute(select(table).where(table.c.board == board).order_by(order).limit(1)).all()
    else:
        begins = name if name.startswith("sha256:") else f"sha256:{name}"
        rows = connection.execute(
            select(table).where(table.c.board == board, table.c.digest.startswith(begins, autoescape=True))
        ).all()
    if len(rows) != 1:
        what = f"{len(rows)} snapshots of {board} begin with" if rows else f"{board} has no snapshot"
        raise BakeoffError(f"{what} {name}", f"bakeoff board snapshot {board} --list shows them")
    return snapshot_from(orjson.loads(rows[0].content))


def problems(connection: Connection, board: str) -> Iterator[str]:
    """What is not as it was written: the log, each snapshot by its digest and its place in the log, and the
    submissions, which the log tells of one by one. Nothing where all is whole.
    """
    if found := broken(connection):
        yield f"the log: {found}"
    yield from _submission_problems(connection, board)
    for part in (flags, discussion, votes):
        yield from part.problems(connection, board)
    told = {each.facts["digest"] for each in events(connection, f"board {board}") if each.kind == "snapshot"}
    heads = {each.digest for each in events(connection)}
    kept = set()
    for row in connection.execute(select(table).where(table.c.board == board).order_by(table.c.made)):
        kept.add(row.digest)
        content = orjson.loads(row.content)
        name = f"snapshot {row.digest[7:19]}"
        if digest(content) != row.digest:
            yield f"{name}: it was changed after it was published"
        if row.digest not in told:
            yield f"{name}: the log does not know it"
        if content["log"] not in heads:
            yield f"{name}: the log is not the one it was made from: its end was cut off, or written anew"
    for missing in sorted(told - kept):
        yield f"snapshot {missing[7:19]}: the log tells of it, and it is gone"


def _submission_problems(connection: Connection, board: str) -> Iterator[str]:
    """Where the table of submissions and the log disagree: one gone, or another state or score than told."""
    there = {f"submission {each.id}": each for each in submissions(connection, board)}
    scores = {
        (f"submission {number}", canonical_json(content))
        for version in known_versions(connection, board)
        for number, content in scores_under(connection, board, version).items()
    }
    states: dict[str, str] = {}
    told: set[tuple[str, bytes]] = set()
    for each in events(connection):
        if each.kind == "submitted" and each.facts["board"] == board:
            states[each.subject] = State.DRAFT.value
        elif each.subject in states and each.kind.startswith("submission "):
            states[each.subject] = each.kind.removeprefix("submission ")
        elif each.subject in states and each.kind == "scored":
            told.add((each.subject, canonical_json(each.facts["scores"])))
    for subject, state in states.items():
        if subject not in there:
            yield f"{subject}: the log tells of it, and it is gone"
        elif there[subject].state.value != state:
            yield f"{subject}: it is {there[subject].state}, and by the log {state}"
    for subject in there.keys() - states.keys():
        yield f"{subject}: the log does not know it"
    for subject in sorted({subject for subject, _ in scores ^ told if subject in there}):
        yield f"{subject}: its scores are not those that the log tells of"


def _check_carried_over(connection: Connection, board: Board, before: Snapshot) -> None:
    """A new method is published with the old one beside it, over the same submissions."""
    under = scores_under(connection, board.name, board.version)
    missing = [row.entrant.submission for row in before.rows if row.entrant.submission not in under]
    if missing:
        raise BakeoffError(
            f"{len(missing)} rows of version {before.version} have no scores under version {board.version}",
            f"a new method ranks the old data too: bakeoff board rerank {board.name}",
        )


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
