"""`bakeoff board flag`, `flags`, `reply` and `rule`."""

from typing import Annotated, Literal

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user

Json = Annotated[bool, Parameter(negative=())]


def flag(submission: int, *, rule: str, reason: str, database: str | None = None, json: Json = False) -> None:
    """Say that a row breaks a rule of its board. The flag is public, and kept for good whatever is ruled.

    Example: bakeoff board flag 3 --rule contamination --reason "its training data holds the items, see …"

    Parameters
    ----------
    submission:
        Its number.
    rule:
        One of the board's `policy.removal`: there are no other grounds on which a row loses its rank.
    reason:
        What speaks for it.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.community.flags import raise_flag
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import writing
    from bakeoff.visible import visible

    with opened(database) as engine, writing(engine) as connection:
        made = raise_flag(connection, submission, rule, reason, actor=user())
    if json:
        print_json({"flag": made.id})
    else:
        stdout().print(f"flag {made.id} on submission {submission} under {visible(rule)}", soft_wrap=True)


def flags(board: str, *, database: str | None = None, json: Json = False) -> None:
    """The flags on the rows of a board, with replies and rulings; those that were dismissed too.

    Example: bakeoff board flags small-models

    Parameters
    ----------
    board:
        The board's name.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.board.community.flags import flags as raised
    from bakeoff.board.registry import known
    from bakeoff.cli.board_said import print_flags
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading

    with opened(database) as engine, reading(engine) as connection:
        known(connection, board)
        found = [each for on in raised(connection, board).values() for each in on]
    if json:
        print_json(found)
    elif found:
        print_flags(stdout(), found)
    else:
        stdout().print("nothing was flagged")


def reply(flag: int, *, text: str, database: str | None = None) -> None:
    """Answer a flag, once, for the organisation whose row it is on. The reply stands on the row beside it.

    Example: bakeoff board reply 2 --text "The set that you name was left out; the list of sources is at …"

    Parameters
    ----------
    flag:
        Its number.
    text:
        The answer.
    database:
        The address of the database.
    """
    from bakeoff.board.community.flags import reply as replied
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = replied(connection, flag, text, actor=user())
    stdout().print(f"flag {made.id} has a reply")


def rule(
    flag: int,
    ruling: Literal["uphold", "dismiss"],
    *,
    reason: str,
    urgent: Annotated[bool, Parameter(negative=())] = False,
    database: str | None = None,
) -> None:
    """Rule on a flag. Where it is upheld the row loses its rank, and stays; `dismiss` then gives it back.

    Whoever raised the flag, handed in the row or replied cannot rule on it. A flag that was dismissed stays
    so, and can be raised anew.

    Example: bakeoff board rule 2 uphold --reason "41 of 500 items are in the training data, word for word"

    Parameters
    ----------
    flag:
        Its number.
    ruling:
        Uphold or dismiss.
    reason:
        Why; shown on the row.
    urgent:
        Uphold it before the organisation has replied or had its seven days to; shown on the row.
    database:
        The address of the database.
    """
    from bakeoff.board.community.flags import rule_on
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = rule_on(connection, flag, ruling, actor=user(), reason=reason, urgent=urgent)
    stdout().print(f"flag {made.id} is {made.state}")
