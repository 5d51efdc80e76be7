"""What a board with private answers tells of a submission: by the Ladder, and nothing task by task."""

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection

from bakeoff.board.ladder import release
from bakeoff.board.scores import Scores, Value
from bakeoff.board.submissions import Submission, submissions
from bakeoff.errors import BakeoffError
from bakeoff.store import query, read_manifest


def released(
    connection: Connection, submission: Submission, runs: Sequence[Path], scores: Scores, out: Path
) -> Scores:
    """The scores of a submission as they may be kept and shown: the board's score is what the Ladder
    releases, without an interval or columns, and the runs are named without digests of their samples.

    The submission is held against the organisation's last one that counted as an improvement, whose runs lie
    under `out`; so is one of another name, since names are free.

    Raises:
        BakeoffError: those runs are gone, or of other items.
    """
    if scores.score.value is None:
        return Scores(Value(None), {}, scores.outcomes, incomplete=scores.incomplete)
    before = _last_improvement(connection, submission)
    own = item_scores(runs)
    best, told = None, 0.0
    if before is not None:
        assert before.scores is not None
        told = before.scores["score"]["value"]
        kept = item_scores(_runs_of(before, out))
        if kept.keys() != own.keys():
            raise BakeoffError(
                f"submission {before.id} was asked other items",
                "a new version of the private set is a new version of the board",
            )
        best = [kept[item] for item in sorted(kept)]
    found = release([own[item] for item in sorted(own)], best, told)
    return Scores(
        Value(found.score, n=len(own)),
        {},
        scores.outcomes,
        scores.latency_p50,
        scores.cost,
        {task: name.partition(" ")[0] for task, name in scores.runs.items()},
        improved=found.improved,
    )


def item_scores(runs: Sequence[Path]) -> dict[str, float]:
    """The score of each item of several tasks, repeats averaged; unscored items count 0, which a submitter
    can only lose by.
    """
    sql = "SELECT item_id, avg(coalesce(value, 0)) FROM samples GROUP BY item_id"
    return {
        f"{read_manifest(run).task.name}:{read_manifest(run).task.variant}/{item}": value
        for run in runs
        for item, value in query(run, sql)
    }


def _last_improvement(connection: Connection, submission: Submission) -> Submission | None:
    earlier = submissions(connection, submission.board, organisation=submission.organisation)
    found = [
        each for each in earlier if each.id < submission.id and each.scores and each.scores.get("improved")
    ]
    return found[-1] if found else None


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
