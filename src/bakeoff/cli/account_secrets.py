"""`bakeoff account password`, `token` and `sessions`. No secret is an argument, which others could see."""

import getpass
import sys
from typing import Annotated

from cyclopts import App, Parameter

from bakeoff.cli.board_database import opened, user
from bakeoff.errors import BakeoffError

Json = Annotated[bool, Parameter(negative=())]

token = App(
    name="token",
    help="Tokens, by which programs act for an account.",
    help_format="plaintext",
    result_action="return_value",
)


def password(name: str, *, database: str | None = None) -> None:
    """Set the password of an account, and end its sessions. It is asked for, or read from standard input.

    Example: bakeoff account password ann

    Parameters
    ----------
    name:
        The account.
    database:
        The address of the database.
    """
    from bakeoff.accounts import by_name, set_password
    from bakeoff.cli.output import stdout
    from bakeoff.database import reading, writing

    with opened(database) as engine:
        with reading(engine) as connection:
            found = by_name(connection, name)  # before anybody types
        typed = _typed(found.name)
        with writing(engine) as connection:
            set_password(connection, found.name, typed, actor=user())
    stdout().print(f"{found.name} has a new password, and no sessions")


@token.command
def new(
    name: str, *, label: str, days: float | None = None, database: str | None = None, json: Json = False
) -> None:
    """Make a token. It is shown this once, and kept nowhere.

    Example: bakeoff account token new ann --label "nightly evaluation"

    Parameters
    ----------
    name:
        The account.
    label:
        What it is for.
    days:
        For how many days it is taken, up to 366; 90 where nothing is said.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.accounts import new_token
    from bakeoff.accounts.tokens import DAYS
    from bakeoff.cli.output import print_json, stderr, stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made, text = new_token(connection, name, label, actor=user(), days=DAYS if days is None else days)
    if json:
        print_json({"id": made.id, "token": text, "expires": made.expires})
        return
    stdout().print(text, soft_wrap=True)
    stderr().print(f"token {made.id}: keep it now, it is not shown again")


@token.command(name="list")
def list_(name: str, *, database: str | None = None, json: Json = False) -> None:
    """The tokens of an account, without what they are.

    Example: bakeoff account token list ann

    Parameters
    ----------
    name:
        The account.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.accounts import by_name, tokens_of
    from bakeoff.cli.account_view import print_tokens
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading
    from bakeoff.database.clock import current

    with opened(database) as engine, reading(engine) as connection:
        found, at = tokens_of(connection, by_name(connection, name)), current(connection)
    if json:
        print_json(found)
    else:
        print_tokens(stdout(), found, at)


@token.command
def revoke(name: str, token: int, *, database: str | None = None) -> None:
    """Take a token no longer.

    Example: bakeoff account token revoke ann 3

    Parameters
    ----------
    name:
        The account.
    token:
        Its number, as `list` shows it.
    database:
        The address of the database.
    """
    from bakeoff.accounts import revoke as revoked
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        revoked(connection, name, token, actor=user())
    stdout().print(f"token {token} is revoked")


def sessions(
    name: str,
    *,
    close: Annotated[bool, Parameter(negative=())] = False,
    database: str | None = None,
    json: Json = False,
) -> None:
    """Where an account is logged in; with `--close` it no longer is.

    Example: bakeoff account sessions ann --close

    Parameters
    ----------
    name:
        The account.
    close:
        End them all.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.accounts import by_name, close_all, sessions_of
    from bakeoff.cli.account_view import print_sessions
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading, writing

    with opened(database) as engine:
        if close:
            with writing(engine) as connection:
                many = close_all(connection, by_name(connection, name))
            if json:
                print_json({"closed": many})
            else:
                stdout().print(f"{many} closed")
            return
        with reading(engine) as connection:
            found = sessions_of(connection, by_name(connection, name))
    if json:
        print_json([{"created": each.created, "seen": each.seen, "expires": each.expires} for each in found])
    else:
        print_sessions(stdout(), found)


def _typed(name: str) -> str:
    """A password: asked for twice without being shown, or the first line of standard input."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass(f"new password of {name}: ")
    if first != getpass.getpass("once more: "):
        raise BakeoffError("the two are not the same", "nothing was changed; type it again")
    return first
