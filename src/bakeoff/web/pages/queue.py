"""The queue of a board: what waits and why, what runs and how far, what is to be reviewed, what ended."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from bakeoff.accounts import Account
from bakeoff.board.changelog import last_moves
from bakeoff.board.community.votes import votes
from bakeoff.board.definition import Board
from bakeoff.board.life import State
from bakeoff.board.registry import known
from bakeoff.board.scores import Value, scores_from
from bakeoff.board.submissions import Submission, submissions
from bakeoff.board.work.progress import Work, progress
from bakeoff.database.log import Event, events
from bakeoff.digest import digest
from bakeoff.jobs import Wait, waits
from bakeoff.jobs.workers import Worker, there
from bakeoff.web.pages.acts import Act, acts
from bakeoff.web.pages.telling import FAULTS, STATES, error_and_remedy, length
from bakeoff.web.reading import Library

SHOWN = 100
"""Submissions that ended, on the page before it is asked for all."""
_UNDER_WAY = frozenset({State.DRAFT, State.VALIDATING, State.QUEUED, State.RUNNING, State.PREEMPTED})
_IN_REVIEW = frozenset({State.SCORING, State.REVIEW})


@dataclass(frozen=True, slots=True)
class Entry:
    """A submission and where it stands. `told` says why it is in its state, `error` what went wrong in its
    job, with the `remedy`, and `fault` whose fault that was; each "" where there is nothing to say.
    """

    submission: Submission
    state: State
    work: Work | None = None
    wait: Wait | None = None
    votes: int = 0
    voted: bool = False
    acts: tuple[Act, ...] = ()
    told: str = ""
    error: str = ""
    remedy: str = ""
    fault: str = ""

    @property
    def is_active(self) -> bool:
        """Whether something is still to come."""
        return self.state in _UNDER_WAY or self.state in _IN_REVIEW

    @property
    def is_running(self) -> bool:
        """Whether a worker is at it."""
        return self.work is not None and self.work.state == "running" and self.wait is None

    @property
    def stage(self) -> str:
        """Where it stands, in words."""
        if self.state is State.VALIDATING and self.is_running:
            return "is being looked at"
        return STATES[self.state]

    @property
    def score(self) -> Value | None:
        """Its score, where it has one."""
        kept = self.submission.scores
        found = scores_from(kept).score if kept else None
        return found if found and found.value is not None else None

    @property
    def expected(self) -> str:
        """When it may be done, roughly; "" where nobody can tell."""
        if self.wait is None or self.wait.done_in is None:
            return ""
        low, high = map(length, self.wait.done_in)
        return f"done in about {low}" if low == high else f"done in about {low} to {high}"

    @property
    def samples(self) -> str:
        """How far it is, in words."""
        if self.work is None:
            return ""
        of = f" of about {self.work.total:,}" if self.work.total else ""
        return f"{self.work.done:,}{of} samples"


@dataclass(frozen=True, slots=True)
class Queue:
    """`running` and `waiting` (in the order of their turns) are under way; `ended` has the newest, of
    `all_ended`.
    """

    board: Board
    workers: tuple[Worker, ...]
    running: tuple[Entry, ...]
    waiting: tuple[Entry, ...]
    review: tuple[Entry, ...]
    ended: tuple[Entry, ...]
    all_ended: int


@dataclass(frozen=True, slots=True)
class Pulse:
    """`stamp` is another one as soon as the page says something else than how far jobs are. `progress` is by
    the number of a submission: `done`, `total` (None where it is not known) and `samples`, the same in words.
    """

    stamp: str
    progress: Mapping[str, Mapping[str, int | str | None]]


def pulse(page: Queue) -> Pulse:
    """What moves on a queue."""
    active = (*page.running, *page.waiting, *page.review)
    stands = [
        [
            each.submission.id,
            each.state.value,
            each.work and [each.work.state, each.work.worker, each.work.attempts, each.work.error],
            each.wait and each.wait.position,
            each.votes,
        ]
        for each in active
    ]
    return Pulse(
        stamp=digest([stands, page.all_ended, len(page.workers)])[7:23],
        progress={
            str(each.submission.id): {
                "done": each.work.done,
                "total": each.work.total,
                "samples": each.samples,
            }
            for each in active
            if each.work and each.is_running
        },
    )


def queue(
    library: Library, connection: Connection, name: str, viewer: Account | None, *, all_ended: bool = False
) -> Queue:
    """The page's data.

    Raises:
        BakeoffError: there is no such board.
    """
    board = known(connection, name)
    work, given, waiting = progress(connection, name), votes(connection, name), waits(library.engine)
    seen = [_seen(each, work.get(each.id)) for each in submissions(connection, name)]
    active = [each for each in seen if each.is_active]
    ended = [each for each in reversed(seen) if not each.is_active]
    shown = ended if all_ended else ended[:SHOWN]
    moves = last_moves(connection, [each.submission.id for each in (*active, *shown)])
    alive = [_alive(connection, each, board, viewer, waiting, given, moves) for each in active]
    return Queue(
        board=board,
        workers=tuple(there(connection)),
        running=tuple(each for each in alive if each.state in _UNDER_WAY and each.is_running),
        waiting=_in_turn(each for each in alive if each.state in _UNDER_WAY and not each.is_running),
        review=tuple(each for each in alive if each.state in _IN_REVIEW),
        ended=tuple(_with_reason(each, moves) for each in shown),
        all_ended=len(ended),
    )


def entry(
    library: Library, connection: Connection, board: Board, submission: Submission, viewer: Account | None
) -> Entry:
    """One submission, as the queue has it."""
    seen = _seen(submission, progress(connection, board.name).get(submission.id))
    moves = last_moves(connection, [submission.id])
    given = votes(connection, board.name)
    return _alive(connection, seen, board, viewer, waits(library.engine), given, moves)


def _seen(submission: Submission, work: Work | None) -> Entry:
    """A submission in the state that it will be in once it is said that its job has ended."""
    lost = work is not None and work.ended and submission.state in _UNDER_WAY
    message, remedy = error_and_remedy(work.error or "") if work else ("", "")
    return Entry(
        submission=submission,
        state=State.FAILED if lost else submission.state,
        work=work,
        error=message,
        remedy=remedy,
        fault=FAULTS[work.fault] if work and work.fault and message else "",
    )


def _alive(
    connection: Connection,
    seen: Entry,
    board: Board,
    viewer: Account | None,
    waiting: Mapping[int, Wait],
    given: Mapping[int, int],
    moves: Mapping[int, Event],
) -> Entry:
    number = seen.submission.id
    voted = viewer is not None and any(
        each.kind == "voted" and each.actor == viewer.name
        for each in events(connection, f"submission {number}")
    )
    return replace(
        _with_reason(seen, moves),
        wait=waiting.get(seen.work.job) if seen.work else None,
        votes=given.get(number, 0),
        voted=voted,
        acts=acts(viewer, board, seen.submission, seen.work, voted=voted),
    )


def _with_reason(seen: Entry, moves: Mapping[int, Event]) -> Entry:
    """With why it is in its state, unless that is its job's error."""
    move = moves.get(seen.submission.id)
    reason = move.reason if move else ""
    return replace(seen, told="" if error_and_remedy(reason)[0] == seen.error else reason)


def _in_turn(waiting: Iterable[Entry]) -> tuple[Entry, ...]:
    def turn(each: Entry) -> tuple[float, int]:
        place = each.wait.position if each.wait else None
        return (float("inf") if place is None else place, each.submission.id)

    return tuple(sorted(waiting, key=turn))
