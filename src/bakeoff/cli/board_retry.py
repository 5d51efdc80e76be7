"""`bakeoff board retry`."""

from bakeoff.cli.board_database import opened, user


def retry(submission: int, *, reason: str = "", database: str | None = None) -> None:
    """Try a submission again that failed by no fault of its own. It counts as no new attempt.

    Runs go on where they were. What the model or the submitter has to mend is a new submission.

    Example: bakeoff board retry 3

    Parameters
    ----------
    submission:
        Its number.
    reason:
        What was mended; kept in the log.
    database:
        The address of the database.
    """
    from bakeoff.board.work.settling import retry as tried
    from bakeoff.board.work.settling import settle
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        settle(connection)
        tried(connection, submission, actor=user(), reason=reason)
    stdout().print(f"submission {submission} is looked at again", soft_wrap=True)
