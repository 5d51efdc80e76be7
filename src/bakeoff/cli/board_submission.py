"""`bakeoff board submit`, `queue`, `publish`, `reject` and `withdraw`."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user

Json = Annotated[bool, Parameter(negative=())]


def submit(
    board: str,
    *,
    model: str,
    organisation: str,
    licence: str = "",
    parameters: float | None = None,
    weight_type: Literal["original", "adapter", "merge", "quantised"] = "original",
    base: str = "",
    supersedes: int | None = None,
    set_: Annotated[tuple[str, ...], Parameter(name="--set", negative=())] = (),
    key_from: str = "",
    priority: int = 0,
    out: Path = Path("runs"),
    database: str | None = None,
    json: Json = False,
) -> None:
    """Hand in a model. A worker looks at it first, and then asks it everything.

    Example: bakeoff board submit small-models --model hf:ORG/NAME@COMMIT --organisation ORG --licence mit

    Parameters
    ----------
    board:
        The board's name.
    model:
        A model reference as for `bakeoff run`: weights, a recorded file of predictions, or an endpoint.
    organisation:
        For whom. Quotas and turns are by organisation, and all its attempts are shown.
    licence:
        The SPDX name of the model's licence.
    parameters:
        In billions.
    weight_type:
        What the weights are.
    base:
        The model they were made from.
    supersedes:
        The number of one's own submission that this one is to replace on the board; it stays as a row.
    set_:
        A setting of the engine, KEY=VALUE; repeat it for several.
    key_from:
        The environment variable with one's own key for the endpoint. It is lent for this evaluation: sealed
        here, opened by the board's workers alone, and destroyed when they are done.
    priority:
        A higher one goes first.
    out:
        Where a file of predictions is kept: the --out of the workers.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.entry.door import address, lendable
    from bakeoff.board.entry.predictions import keep
    from bakeoff.board.registry import known
    from bakeoff.board.submissions import Model, Way
    from bakeoff.board.work.handing_in import hand_in, name_of
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.cli.settings import read_settings
    from bakeoff.database import writing

    settings = read_settings(set_)
    address(model, settings)  # a mistake in the reference is better found here than by a worker
    own = lendable(model, settings, key_from) if key_from else None
    prefix = model.partition(":")[0]
    way: Way = "weights"
    if prefix == "recorded":
        way = "predictions"
        model = keep(model, out)
    elif prefix in ("openai", "anthropic", "http", "https", "endpoint"):
        way = "endpoint"
    name, found = name_of(model, way)
    said = Model(
        name=name,
        revision=found,
        engine=prefix,
        weight_type=weight_type,
        base=base,
        licence=licence,
        parameters=parameters,
    )
    with opened(database) as engine, writing(engine) as connection:
        made, lent = hand_in(
            connection,
            known(connection, board),
            model,
            said,
            way=way,
            organisation=organisation,
            submitter=user(),
            settings=settings,
            lent=own,
            supersedes=supersedes,
            priority=priority,
        )
    if json:
        print_json({"submission": made.id, "attempt": made.attempt, "lent": lent})
        return
    if lent:
        stdout().print(f"its key is sealed for the workers that offer {lent}", soft_wrap=True)
    stdout().print(
        f"submission {made.id}, attempt {made.attempt} of {organisation}. bakeoff board queue {board} shows "
        "where it stands; bakeoff board worker does the work",
        soft_wrap=True,
    )


def queue(board: str, *, events: int | None = None, database: str | None = None, json: Json = False) -> None:
    """Where submissions stand: state, place in the queue and why they wait, progress, and what went wrong.

    Example: bakeoff board queue small-models

    Parameters
    ----------
    board:
        The board's name.
    events:
        Show all that happened to one submission, by its number.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.registry import known
    from bakeoff.board.submissions import submissions
    from bakeoff.board.work.settling import settle
    from bakeoff.cli.board_view import print_events, print_queue
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading, writing
    from bakeoff.database.log import events as logged
    from bakeoff.jobs import jobs, waits

    with opened(database) as engine:
        with writing(engine) as connection:
            settle(connection)
        with reading(engine) as connection:
            known(connection, board)
            found = list(submissions(connection, board))
            told = [] if events is None else list(logged(connection, f"submission {events}"))
        work = {each.payload.get("submission"): each for each in jobs(engine)}
        waiting = waits(engine)
    if events is not None:
        if json:
            print_json(told)
        else:
            print_events(stdout(), told)
    elif json:
        print_json(
            [
                {"submission": each, "job": job, "waits": waiting.get(job.id) if job else None}
                for each in found
                for job in [work.get(each.id)]
            ]
        )
    else:
        print_queue(stdout(), found, work, waiting)


def publish(submission: int, *, database: str | None = None) -> None:
    """Publish a submission that was evaluated. What is published is never gone, only withdrawn in sight.

    Example: bakeoff board publish 3

    Parameters
    ----------
    submission:
        Its number.
    database:
        The address of the database.
    """
    from bakeoff.board.submissions import publish as published
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = published(connection, submission, actor=user())
    stdout().print(f"submission {made.id} ({made.model.name}) is published", soft_wrap=True)


def reject(submission: int, *, reason: str, database: str | None = None) -> None:
    """Reject a submission that was evaluated, at review. It stays as a row that has no rank, with its score.

    Example: bakeoff board reject 3 --reason "not the model that it is called"

    Parameters
    ----------
    submission:
        Its number.
    reason:
        Why; shown on the row.
    database:
        The address of the database.
    """
    from bakeoff.board.life import State
    from bakeoff.board.submissions import move
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = move(connection, submission, State.REJECTED, actor=user(), reason=reason)
    stdout().print(f"submission {made.id} ({made.model.name}) is rejected", soft_wrap=True)


def withdraw(submission: int, *, reason: str, database: str | None = None) -> None:
    """Withdraw a submission. Its row stays, with the score it had, and has no rank.

    Example: bakeoff board withdraw 3 --reason "wrong weights"

    Parameters
    ----------
    submission:
        Its number.
    reason:
        Why; shown on the row.
    database:
        The address of the database.
    """
    from bakeoff.board.life import State
    from bakeoff.board.submissions import move
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing
    from bakeoff.jobs import cancel

    with opened(database) as engine:
        with writing(engine) as connection:
            made = move(connection, submission, State.WITHDRAWN, actor=user(), reason=reason)
        if made.job is not None:
            cancel(engine, made.job, actor=user(), reason=reason)
    stdout().print(f"submission {made.id} ({made.model.name}) is withdrawn", soft_wrap=True)
