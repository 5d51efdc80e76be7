"""`bakeoff board discuss`, `hide`, `unhide` and `erase`."""

from typing import Annotated

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user

Json = Annotated[bool, Parameter(negative=())]


def discuss(
    *subject: str,
    say: str | None = None,
    organisation: str = "",
    database: str | None = None,
    json: Json = False,
) -> None:
    """Read or add to what is said of a board, of a task on it, or of a submission. No post is ever deleted.

    Example: bakeoff board discuss submission 3 --say "Which chat template was used?"

    Parameters
    ----------
    subject:
        board NAME, task NAME/TASK, or submission NUMBER.
    say:
        Add this post; without it the thread is shown.
    organisation:
        Speak for an organisation that one has handed something in for.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.community.discussion import about, thread
    from bakeoff.board.community.discussion import say as said
    from bakeoff.board.community.flags import flags
    from bakeoff.cli.board_said import print_thread
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading, writing

    with opened(database) as engine:
        if say is not None:
            with writing(engine) as connection:
                on = about(connection, " ".join(subject))
                made = said(connection, on, say, author=user(), organisation=organisation)
            if json:
                print_json({"post": made.id})
            else:
                stdout().print(f"post {made.id} on {on.name}", soft_wrap=True)
            return
        with reading(engine) as connection:
            on = about(connection, " ".join(subject))
            posts = thread(connection, on)
            kind, _, number = on.name.partition(" ")
            raised = flags(connection, on.board.name).get(int(number), ()) if kind == "submission" else ()
    if json:
        print_json({"subject": on.name, "flags": raised, "posts": posts})
    else:
        print_thread(stdout(), raised, posts)


def hide(post: int, *, reason: str, database: str | None = None) -> None:
    """Hide a post. In its place stand who did it, when and why.

    Example: bakeoff board hide 12 --reason "an insult"

    Parameters
    ----------
    post:
        Its number.
    reason:
        Why; shown to everyone.
    database:
        The address of the database.
    """
    from bakeoff.board.community.discussion import hide as hidden
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = hidden(connection, post, actor=user(), reason=reason)
    stdout().print(f"post {made.id} is hidden")


def unhide(post: int, *, reason: str, database: str | None = None) -> None:
    """Show a post again that was hidden.

    Example: bakeoff board unhide 12 --reason "sharp, and no insult"

    Parameters
    ----------
    post:
        Its number.
    reason:
        Why; kept in the log.
    database:
        The address of the database.
    """
    from bakeoff.board.community.discussion import unhide as shown
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = shown(connection, post, actor=user(), reason=reason)
    stdout().print(f"post {made.id} is shown again")


def erase(post: int, *, reason: str, database: str | None = None) -> None:
    """Remove the text of a post for good, where somebody has a right to that. Its place stays, and says why.

    Example: bakeoff board erase 12 --reason "a private address"

    Parameters
    ----------
    post:
        Its number.
    reason:
        Why, without repeating what is removed: it is shown to everyone, for good.
    database:
        The address of the database.
    """
    from bakeoff.board.community.discussion import erase as erased
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = erased(connection, post, actor=user(), reason=reason)
    stdout().print(f"the text of post {made.id} is erased")
