"""Accounts: who somebody is, how that is shown, and what each may do. Everyone may read without one.

An account's name is the actor that the log keeps. Accounts are made by an operator, or by a provider of
identities (OpenID Connect) that the operator named; nobody makes one for themselves.
"""

from bakeoff.accounts.account import Account, Role, accounts, add, by_name, disable, enable, set_role
from bakeoff.accounts.organisations import grant, withdraw
from bakeoff.accounts.passwords import check_password, set_password
from bakeoff.accounts.provided import Identity, by_identity
from bakeoff.accounts.roles import Action, may, speaks_for
from bakeoff.accounts.sessions import Session, by_session, close, close_all, open_session, sessions_of
from bakeoff.accounts.tokens import Token, by_token, new_token, revoke, tokens_of

__all__ = [
    "Account",
    "Action",
    "Identity",
    "Role",
    "Session",
    "Token",
    "accounts",
    "add",
    "by_identity",
    "by_name",
    "by_session",
    "by_token",
    "check_password",
    "close",
    "close_all",
    "disable",
    "enable",
    "grant",
    "may",
    "new_token",
    "open_session",
    "revoke",
    "sessions_of",
    "set_password",
    "set_role",
    "speaks_for",
    "tokens_of",
    "withdraw",
]
