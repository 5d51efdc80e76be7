"""Which role may do what, on which board."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from bakeoff.accounts.account import Account, Role


class Action(StrEnum):
    """What somebody would do. Reading needs no account."""

    SUBMIT = "submit"
    WITHDRAW = "withdraw"
    REPLY = "reply"
    DISCUSS = "discuss"
    FLAG = "flag"
    VOTE = "vote"
    HIDE = "hide"
    RULE = "rule"
    PUBLISH = "publish"
    REJECT = "reject"
    RETRY = "retry"
    SEE_ACCOUNTS = "see accounts"

    @property
    def moderates(self) -> bool:
        """Whether it is done for a board, on what others wrote or handed in."""
        return self in _MODERATING


_MODERATING = frozenset({Action.HIDE, Action.RULE, Action.PUBLISH, Action.REJECT, Action.RETRY})
_OF_ADMINS = frozenset({Action.SEE_ACCOUNTS})


class Moderated(Protocol):
    """What of a board matters here: who moderates it, and nobody else; empty where the role decides alone."""

    @property
    def moderators(self) -> Sequence[str]:
        """Names of accounts."""


def may(account: Account | None, action: Action, board: Moderated | None = None) -> bool:
    """Whether somebody may do that; nobody (None) and a disabled account may do nothing.

    To moderate, one has to have the role, and be named where the board names its moderators. What is done for
    an organisation (submit, withdraw, reply) needs `speaks_for`, too.

    Raises:
        ValueError: the action moderates, and the board is not given.
    """
    if action.moderates and board is None:
        raise ValueError(f"who may {action} depends on the board")
    if account is None or account.disabled is not None:
        return False
    if action in _OF_ADMINS:
        return account.role is Role.ADMIN
    if action.moderates and board is not None:
        named = not board.moderators or account.name in board.moderators
        return named and account.role in (Role.MODERATOR, Role.ADMIN)
    return True


def speaks_for(account: Account, organisation: str) -> bool:
    """Whether an account speaks for an organisation: one that it was granted, or itself."""
    return organisation == account.name or organisation in account.organisations
