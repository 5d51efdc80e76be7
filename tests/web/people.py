"""Accounts for tests of the web: made in the database of the app, and logged in without a form."""

from contextlib import contextmanager

from bakeoff.accounts import Role, add, by_name, grant, new_token, open_session, set_password
from bakeoff.database import database_url, open_database, writing
from bakeoff.database.migrate import migrate


def account(folder, name, *, role=Role.MEMBER, organisations=(), password=None):
    """An account in the database of `folder`; returns the text of a token of it."""
    with _written(folder) as connection:
        add(connection, name, role=role, actor="operator")
        for each in organisations:
            grant(connection, name, each, actor="operator")
        if password is not None:
            set_password(connection, name, password, actor="operator")
        return new_token(connection, name, "test", actor=name)[1]


def log_in(client, folder, name):
    """Give a client the cookie of a new session."""
    with _written(folder) as connection:
        client.cookies.set("bakeoff", open_session(connection, by_name(connection, name)))


def by_token(text):
    """The headers of a program that has a token."""
    return {"authorization": f"Bearer {text}"}


@contextmanager
def _written(folder):
    engine = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
    migrate(engine)
    try:
        with writing(engine) as connection:
            yield connection
    finally:
        engine.dispose()
