"""`bakeoff account add`, `list`, `role`, `disable`, `enable` and `organisation`."""

from typing import Annotated, Literal

from cyclopts import Parameter

from bakeoff.cli.board_database import opened, user

Json = Annotated[bool, Parameter(negative=())]
RoleName = Literal["member", "moderator", "admin"]


def add(
    name: str,
    *,
    role: RoleName = "member",
    display: str = "",
    organisation: tuple[str, ...] = (),
    database: str | None = None,
    json: Json = False,
) -> None:
    """Add an account. It can log in when it has a password, or a token.

    Example: bakeoff account add ann --organisation acme

    Parameters
    ----------
    name:
        Letters, digits, '.', '_' and '-'; the name under which the log keeps what it does.
    role:
        A member submits, discusses, flags and votes; a moderator also rules on what others wrote and handed
        in; an admin also sees the accounts.
    display:
        A name to show beside it.
    organisation:
        An organisation that it speaks for; may be given several times.
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.accounts import Role, grant
    from bakeoff.accounts import add as added
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = added(connection, name, role=Role(role), display=display, actor=user())
        for each in organisation:
            made = grant(connection, made.name, each, actor=user())
    if json:
        print_json(made)
        return
    stdout().print(
        f"{made.name} has the role {made.role}; bakeoff account password {made.name} lets it log in"
    )


def list_(*, database: str | None = None, json: Json = False) -> None:
    """All accounts, those that are disabled too.

    Example: bakeoff account list

    Parameters
    ----------
    database:
        The address of the database.
    json:
        Print JSON.
    """
    from bakeoff.accounts import accounts
    from bakeoff.cli.account_view import print_accounts
    from bakeoff.cli.output import print_json, stdout
    from bakeoff.database import reading

    with opened(database) as engine, reading(engine) as connection:
        found = accounts(connection)
    if json:
        print_json(found)
    else:
        print_accounts(stdout(), found)


def role(name: str, role: RoleName, *, database: str | None = None) -> None:
    """Give an account another role.

    Example: bakeoff account role ann moderator

    Parameters
    ----------
    name:
        The account.
    role:
        Member, moderator or admin.
    database:
        The address of the database.
    """
    from bakeoff.accounts import Role, set_role
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = set_role(connection, name, Role(role), actor=user())
    stdout().print(f"{made.name} has the role {made.role}")


def disable(name: str, *, reason: str, database: str | None = None) -> None:
    """Shut an account: its sessions end, and its tokens are taken no longer. What it did stays.

    Example: bakeoff account disable ann --reason "left the organisation"

    Parameters
    ----------
    name:
        The account.
    reason:
        Why; kept in the log, which everyone may read.
    database:
        The address of the database.
    """
    from bakeoff.accounts import disable as disabled
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = disabled(connection, name, actor=user(), reason=reason)
    stdout().print(f"{made.name} is disabled")


def enable(name: str, *, reason: str = "", database: str | None = None) -> None:
    """Open an account again that was disabled.

    Example: bakeoff account enable ann

    Parameters
    ----------
    name:
        The account.
    reason:
        Why; kept in the log, which everyone may read.
    database:
        The address of the database.
    """
    from bakeoff.accounts import enable as enabled
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing

    with opened(database) as engine, writing(engine) as connection:
        made = enabled(connection, name, actor=user(), reason=reason)
    stdout().print(f"{made.name} is open again")


def organisation(
    name: str,
    organisation: str,
    *,
    remove: Annotated[bool, Parameter(negative=())] = False,
    database: str | None = None,
) -> None:
    """Let an account submit, discuss and reply for an organisation, or no longer.

    Example: bakeoff account organisation ann acme

    Parameters
    ----------
    name:
        The account.
    organisation:
        The organisation, as its rows on boards say it.
    remove:
        Let it no longer; what it handed in stays.
    database:
        The address of the database.
    """
    from bakeoff.accounts import grant, withdraw
    from bakeoff.cli.output import stdout
    from bakeoff.database import writing
    from bakeoff.visible import visible

    change = withdraw if remove else grant
    with opened(database) as engine, writing(engine) as connection:
        made = change(connection, name, organisation, actor=user())
    speaks = ", ".join(made.organisations) or "itself alone"
    stdout().print(f"{made.name} speaks for {visible(speaks)}", soft_wrap=True)
