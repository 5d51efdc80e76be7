"""Who one is here, and by what one is known: tokens and sessions."""

from dataclasses import dataclass

from sqlalchemy import Connection

from bakeoff.accounts import Account, Session, Token, sessions_of, tokens_of
from bakeoff.accounts.tokens import DAYS, MOST_DAYS
from bakeoff.database.clock import current
from bakeoff.web.pages.typed import Problem


@dataclass(frozen=True, slots=True)
class AccountPage:
    """`tokens` are those that are taken, the newest first, and `past` those that are no more. `here` is the
    digest of the session that looks. `new` is the text of a token just made, which is shown this once.
    """

    account: Account
    tokens: tuple[Token, ...]
    past: tuple[Token, ...]
    sessions: tuple[Session, ...]
    here: str
    days: int = DAYS
    most_days: int = MOST_DAYS
    new: str = ""
    problem: Problem | None = None


def account_page(
    connection: Connection, account: Account, here: Session, *, new: str = "", problem: Problem | None = None
) -> AccountPage:
    """The page's data."""
    at = current(connection)
    tokens = tokens_of(connection, account)
    return AccountPage(
        account=account,
        tokens=tuple(each for each in tokens if each.taken(at)),
        past=tuple(each for each in tokens if not each.taken(at)),
        sessions=sessions_of(connection, account),
        here=here.digest,
        new=new,
        problem=problem,
    )
