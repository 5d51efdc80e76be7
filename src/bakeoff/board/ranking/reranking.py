"""A new method, and the old one, over the same runs: what a change of the rule does by itself."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from bakeoff.board.definition import Board
from bakeoff.board.ranking.publishing import take
from bakeoff.board.ranking.snapshot import Snapshot
from bakeoff.board.registry import check_rule, known, known_versions
from bakeoff.board.scores import measured
from bakeoff.board.submissions import Submission, keep, scores_under, submissions
from bakeoff.database.log import record
from bakeoff.digest import digest_bytes
from bakeoff.errors import BakeoffError
from bakeoff.store import find_runs


@dataclass(frozen=True, slots=True)
class Reranked:
    """The same submissions under the version before and under the new one; `scored` of them just now."""

    old: Snapshot
    new: Snapshot
    scored: int


def rerank(connection: Connection, board: Board, out: Path, *, actor: str) -> Reranked:
    """Score every submission of a board under this version and the one before it, from the runs kept under
    `out`, and publish a snapshot under each. Nothing is asked again: a task that only the new version has is
    missing from old rows, which have no rank until their models are handed in anew.

    Raises:
        BakeoffError: there is no version before, the board keeps private answers, runs are gone or were
            changed, or the rule is not the registered one.
    """
    before = _before(connection, board)
    if board.policy.private or before.policy.private:
        raise BakeoffError(
            f"{board.name} keeps private answers",
            "a second score of an old submission tells of them: begin anew",
        )
    check_rule(connection, board)
    scored = sum(_score(connection, each, out, actor=actor) for each in (before, board))
    old, new = take(connection, before, actor=actor), take(connection, board, actor=actor)
    record(
        connection,
        actor=actor,
        kind="method change",
        subject=f"board {board.name}",
        facts={"old": old.digest, "new": new.digest},
    )
    return Reranked(old, new, scored)


def _before(connection: Connection, board: Board) -> Board:
    earlier = [each for each in known_versions(connection, board.name) if each < board.version]
    if not earlier:
        raise BakeoffError(f"{board.name} has one version", "there is no other method to hold it against")
    return known(connection, board.name, earlier[-1])


def _score(connection: Connection, board: Board, out: Path, *, actor: str) -> int:
    """Keep scores under this version of the board for the submissions that have some under another."""
    there = scores_under(connection, board.name, board.version)
    found = [
        each
        for each in submissions(connection, board.name)
        if each.scores is not None and each.id not in there
    ]
    for each in found:
        scores = measured(board, _runs(each, out)).as_json()
        keep(connection, each.id, board.version, scores)
        record(
            connection,
            actor=actor,
            kind="scored",
            subject=f"submission {each.id}",
            reason=f"under version {board.version}",
            facts={"scores": scores},
        )
    return len(found)


def _runs(submission: Submission, out: Path) -> list[Path]:
    """The runs that its scores were made from, as they were."""
    assert submission.scores is not None
    wanted = dict(submission.scores["runs"])
    found = {folder.name: folder for folder in find_runs(out / f"submission-{submission.id}")}
    return list(_checked(submission.id, wanted.values(), found))


def _checked(number: int, wanted: Iterable[str], found: dict[str, Path]) -> Iterable[Path]:
    for each in wanted:
        name, _, samples = each.partition(" ")
        folder = found.get(name)
        if folder is None:
            raise BakeoffError(
                f"submission {number}: its run {name} is not there any more", "restore it, or say --out"
            )
        if digest_bytes((folder / "samples.parquet").read_bytes()) != samples:
            raise BakeoffError(
                f"submission {number}: {folder / 'samples.parquet'} was changed since it was scored"
            )
        yield folder
