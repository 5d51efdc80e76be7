"""What a board with private answers tells of a submission: by the Ladder, and nothing task by task.

Whatever else is told of a run could carry what the Ladder holds back, or what was asked, since a model may
choose when to refuse, how much to say and how long to take: so it is told as coarsely as it is of use.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from sqlalchemy import Connection

from bakeoff.board.private.ladder import Release, release, rounded
from bakeoff.board.scores import Scores, Value
from bakeoff.board.submissions import Submission, submissions
from bakeoff.errors import BakeoffError, ModelError, StoreError
from bakeoff.run import Stopped
from bakeoff.store import query, read_manifest, write_atomically


def released(
    connection: Connection, submission: Submission, runs: Sequence[Path], scores: Scores, out: Path
) -> Scores:
    """The scores of a submission as they may be kept and shown: the board's score is what the Ladder
    releases, without an interval or columns, and the runs are named without digests of their samples.

    How answers ended is told with a score of its own, in the steps of the score, and time and cost with one
    figure. The submission is held against the organisation's last one that counted as an improvement, whose
    runs lie under `out`; so is one of another name, since names are free, and one that was withdrawn.

    Raises:
        BakeoffError: those runs are gone, or of other items under the same version of the board.
    """
    if scores.score.value is None:
        return Scores(Value(None), {}, incomplete=_incomplete(scores))
    own = item_scores(runs)
    before = _before(connection, submission, own.keys(), out)
    found = _release(own, before)
    return Scores(
        Value(found.score, n=len(own)),
        {},
        {name: rounded(share, len(own)) for name, share in scores.outcomes.items() if found.improved},
        _one_figure(scores.latency_p50),
        _one_figure(scores.cost),
        {task: name.partition(" ")[0] for task, name in scores.runs.items()},
        improved=found.improved,
    )


def sayable(error: BakeoffError) -> tuple[str, str]:
    """The message and the hint of an error as whoever looks at a private board's queue may see them.

    What went wrong while items were asked may repeat them, as servers do: it is kept beside the run.
    """
    if isinstance(error, ModelError | StoreError):
        return error.message, error.hint  # before anything was asked: of the model and its settings
    if not isinstance(error, Stopped):
        return "the board's own tasks are at fault", "whoever keeps the board: bakeoff task lint"
    kind = type(error.__cause__ or error).__name__
    file = error.folder / "stopped.txt"
    write_atomically(file, str(error).encode())
    file.chmod(0o600)
    return f"the run stopped by a {kind}", f"whoever keeps the board finds what was said in {file}"


def item_scores(runs: Sequence[Path]) -> dict[str, float]:
    """The score of each item of several tasks, repeats averaged; unscored items count 0, which a submitter
    can only lose by.
    """
    sql = "SELECT item_id, avg(coalesce(value, 0)) FROM samples GROUP BY item_id"
    tasks = [(read_manifest(run).task, run) for run in runs]
    return {
        f"{task.name}:{task.variant}/{item}": value for task, run in tasks for item, value in query(run, sql)
    }


def _release(own: Mapping[str, float], before: tuple[float, Mapping[str, float]] | None) -> Release:
    items = sorted(own)
    if before is None:
        return release([own[item] for item in items], None)
    told, best = before
    return release([own[item] for item in items], [best[item] for item in items], told)


def _before(
    connection: Connection, submission: Submission, items: AbstractSet[str], out: Path
) -> tuple[float, Mapping[str, float]] | None:
    """What was told last of an improvement by the organisation on these items, and its item scores.

    A new version of the board does not begin anew where it asks the same.
    """
    earlier = submissions(connection, submission.board, organisation=submission.organisation)
    improved = [
        each for each in earlier if each.id < submission.id and each.scores and each.scores.get("improved")
    ]
    for each in reversed(improved):
        assert each.scores is not None
        found = item_scores(_runs_of(each, out))
        if found.keys() == items:
            return each.scores["score"]["value"], found
        if each.version == submission.version:
            raise BakeoffError(
                f"submission {each.id} was asked other items",
                "a new version of the private set is a new version of the board",
            )
    return None


def _incomplete(scores: Scores) -> str:
    """Which tasks lack scores, and not of how many items."""
    problems = scores.incomplete.split("; ")
    lacking = [task for task in scores.runs if any(each.startswith(f"{task}: ") for each in problems)]
    return f"too many samples have no score: {', '.join(lacking)}" if lacking else "a task is missing"


def _one_figure(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.0e}")


def _runs_of(submission: Submission, out: Path) -> list[Path]:
    assert submission.scores is not None
    wanted = set(submission.scores["runs"].values())
    found = [path.parent for path in (out / f"submission-{submission.id}").glob("*/*/*/manifest.json")]
    runs = [folder for folder in found if folder.name in wanted]
    if len(runs) != len(wanted):
        raise BakeoffError(
            f"the runs of submission {submission.id} are not all under {out}",
            "the Ladder compares with them: all workers of a board need the same --out",
        )
    return runs
