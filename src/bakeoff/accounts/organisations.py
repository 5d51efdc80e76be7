"""For which organisations an account speaks, besides itself. An operator says so."""

from sqlalchemy import Connection, delete, func, insert, select

from bakeoff.accounts.account import Account, by_name, told
from bakeoff.accounts.names import line
from bakeoff.database.log import lock
from bakeoff.database.tables import account as table
from bakeoff.database.tables import membership
from bakeoff.errors import BakeoffError

LONGEST = 100


def grant(connection: Connection, name: str, organisation: str, *, actor: str) -> Account:
    """Let an account submit, discuss and reply for an organisation.

    Raises:
        BakeoffError: there is no such account, it speaks for it already, or the organisation is called as
            another account is.
    """
    organisation = line(organisation, "organisation", LONGEST)
    lock(connection)
    found = by_name(connection, name)
    if organisation in found.organisations:
        raise BakeoffError(f"{found.name} speaks for {organisation} already")
    other = select(table.c.name).where(table.c.name == func.lower(organisation), table.c.id != found.id)
    if connection.execute(other).first() is not None:
        raise BakeoffError(
            f"{organisation} is an account, which speaks for itself alone", "name the organisation otherwise"
        )
    connection.execute(insert(membership).values(account=found.id, organisation=organisation))
    told(connection, found, "organisation granted", actor=actor, facts={"organisation": organisation})
    return by_name(connection, found.name)


def withdraw(connection: Connection, name: str, organisation: str, *, actor: str) -> Account:
    """Let an account no longer speak for an organisation. What it handed in stays.

    Raises:
        BakeoffError: there is no such account, or it does not speak for it.
    """
    lock(connection)
    found = by_name(connection, name)
    gone = connection.execute(
        delete(membership).where(membership.c.account == found.id, membership.c.organisation == organisation)
    )
    if gone.rowcount == 0:
        raise BakeoffError(
            f"{found.name} does not speak for {organisation}",
            f"it speaks for {', '.join(found.organisations) or 'itself alone'}",
        )
    told(connection, found, "organisation withdrawn", actor=actor, facts={"organisation": organisation})
    return by_name(connection, found.name)
