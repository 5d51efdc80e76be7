"""Making, keeping and checking the snapshots of a board."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

import orjson
from sqlalchemy import Connection, insert, select

from bakeoff.board.definition import Board
from bakeoff.board.scores import scores_from
from bakeoff.board.snapshot import Entrant, Snapshot, ranked, snapshot_from
from bakeoff.board.submissions import Submission, submissions
from bakeoff.database.clock import current
from bakeoff.database.log import broken, events, head, record
from bakeoff.database.tables import snapshot as table
from bakeoff.digest import canonical_json, digest
from bakeoff.errors import BakeoffError


def take(connection: Connection, board: Board, *, actor: str) -> Snapshot:
    """Publish the present state of a board as a snapshot; where nothing changed since the last, that one."""
    policy = board.policy
    now = current(connection)
    made = Snapshot(
        board=board.name,
        version=board.version,
        rule=board.digest,
        level=board.level,
        made=_utc(now),
        log=head(connection),
        rows=ranked(
            list(entrants(connection, board)),
            level=board.level,
            per_organisation=policy.ranked_per_organisation,
        ),
    )
    last = latest(connection, board.name)
    if last is not None and (last.rule, last.version, last.rows) == (made.rule, made.version, made.rows):
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

    A submission that never got scores is no row; the attempts of its organisation count it.
    """
    found = list(submissions(connection, board.name))
    attempts = Counter(each.organisation for each in found)
    published = {each.id for each in found if each.state == "published"}
    for each in found:
        if each.scores is not None:
            yield _entrant(each, attempts[each.organisation], published)


def snapshots(connection: Connection, board: str) -> Iterator[Snapshot]:
    """The snapshots of a board, the oldest first."""
    for row in connection.execute(select(table).where(table.c.board == board).order_by(table.c.made)):
        yield snapshot_from(orjson.loads(row.content))


def latest(connection: Connection, board: str) -> Snapshot | None:
    """The newest snapshot of a board."""
    row = connection.execute(
        select(table).where(table.c.board == board).order_by(table.c.made.desc()).limit(1)
    ).one_or_none()
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
    """What is not as it was when it was published: the log, each snapshot by its digest, and each one's place
    in the log. Nothing where all is whole.
    """
    if found := broken(connection):
        yield f"the log: {found}"
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


def _entrant(found: Submission, attempts: int, published: set[int]) -> Entrant:
    assert found.scores is not None
    model = found.model
    return Entrant(
        submission=found.id,
        organisation=found.organisation,
        model=model.name,
        revision=model.revision,
        precision=model.precision,
        licence=model.licence,
        parameters=model.parameters,
        provenance="records" if found.way == "predictions" else "measured",
        first_seen=_utc(found.created),
        attempt=found.attempt,
        attempts=attempts,
        state=found.state.value,
        scores=scores_from(found.scores),
        # A duplicate of what is not on the board any more stands for itself.
        duplicate_of=found.duplicate_of if found.duplicate_of in published else None,
    )


def _utc(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
