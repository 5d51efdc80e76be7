"""A little board with people and submissions, and a site that serves it."""

from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Engine
from starlette.testclient import TestClient

from bakeoff.accounts import Role
from bakeoff.board.definition import Board, load_board
from bakeoff.board.registry import register
from bakeoff.board.submissions import get, submit
from bakeoff.board.work.evaluating import enqueue
from bakeoff.database import reading, writing
from tests.board.making import model
from tests.board.recorded import answers, little, work_off
from tests.web.live import client
from tests.web.people import account, log_in

MEMBERS = {"ann": ("Aurora",), "bea": ("Cobalt",)}


@dataclass
class Stage:
    site: TestClient
    engine: Engine
    board: Board
    folder: object
    given: int = 0

    def hand_in(self, right=9, *, by="ann", organisation="Aurora", ref=None, way="predictions", **changes):
        """A submission that a worker has not looked at yet; its number."""
        self.given += 1
        ref = ref or answers(self.folder, right, f"m{self.given}")
        facts = {"name": f"{organisation}/model-{self.given}".lower(), "licence": "mit"} | changes
        with writing(self.engine) as connection:
            made = submit(
                connection,
                self.board,
                model(self.given, **facts),
                organisation=organisation,
                submitter=by,
                way=way,
            )
            enqueue(connection, self.board, made, model=ref, settings={}, actor=by)
        return made.id

    def evaluated(self, right=9, **how):
        """A submission that is to be reviewed; its number."""
        number = self.hand_in(right, **how)
        work_off(self.engine, self.folder)
        return number

    def state(self, number):
        with reading(self.engine) as connection:
            return get(connection, number).state.value

    def as_(self, name):
        """Log somebody in; None: nobody."""
        self.site.cookies.clear()
        if name:
            log_in(self.site, self.folder, name)

    def post(self, path, **fields):
        """Send a form; the answer, before it leads on."""
        return self.site.post(f"/boards/little/{path}", data=fields, follow_redirects=False)

    def get(self, path):
        return self.site.get(f"/boards/little/{path}")


@contextmanager
def staged(folder, *, definition="", **settings):
    """The board `little` with these lines in its definition; members ann and bea, moderators mo and moira."""
    with client(folder, **settings) as site:
        little(folder)
        path = folder / "board.yaml"
        path.write_text(path.read_text() + definition)
        board, engine = load_board(path), site.app.state.library.engine
        with writing(engine) as connection:
            register(connection, board, actor="operator")
        for name, organisations in MEMBERS.items():
            account(folder, name, organisations=organisations)
        for name in ("mo", "moira"):
            account(folder, name, role=Role.MODERATOR)
        yield Stage(site, engine, board, folder)
