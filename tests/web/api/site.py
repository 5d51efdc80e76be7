"""A small site for tests of the API: a board with what was handed in, its runs, and people with tokens."""

from contextlib import contextmanager

from bakeoff.accounts import Role
from bakeoff.board.life import State
from bakeoff.board.ranking.publishing import take
from bakeoff.board.registry import known
from bakeoff.board.submissions import move, publish
from bakeoff.database import database_url, open_database, writing
from bakeoff.database.migrate import migrate
from bakeoff.web.middleware.limits import Limits
from tests.board.making import model
from tests.board.recorded import answers, little, submitted, work_off
from tests.web.people import account


def build(folder):
    """The board `little`: three rows, of which the second state withdrew one. People's tokens, by name."""
    engine = open_database(database_url(f"sqlite:///{folder / 'bakeoff.db'}"))
    migrate(engine)
    board = little(folder)
    for number, right in enumerate((11, 9, 4)):
        ref = answers(folder, right, f"m{number}")
        submitted(engine, board, ref, given=model(number), organisation=f"org{number}")
        work_off(engine, folder)
    with writing(engine) as connection:
        for number in (1, 2, 3):
            publish(connection, number, actor="bob")
        take(connection, board, actor="bob")
        move(connection, 3, State.WITHDRAWN, actor="ann", reason="wrong weights")
        take(connection, board, actor="bob")
    engine.dispose()
    people = {"ann": ("org0", "new"), "eve": ("other",), "nobody": ()}
    tokens = {name: account(folder, name, organisations=each) for name, each in people.items()}
    return tokens | {"mia": account(folder, "mia", role=Role.MODERATOR)}


@contextmanager
def written(site):
    """A transaction in the database of a client's app."""
    with writing(site.app.state.library.engine) as connection:
        yield connection


def republish(site):
    """One more state of the board: its second row is gone."""
    with written(site) as connection:
        move(connection, 2, State.WITHDRAWN, actor="ann", reason="worse than it seemed")
        return take(connection, known(connection, "little"), actor="bob")


def work(site, folder):
    """Have a worker do all that waits."""
    return work_off(site.app.state.library.engine, folder)


def without_limits(app):
    """An app, before its first request, that may be asked as often as one likes."""
    app.user_middleware = [each for each in app.user_middleware if each.cls is not Limits]
    return app
