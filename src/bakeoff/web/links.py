"""The addresses of everything that has a page, in one place."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


@dataclass(frozen=True, slots=True)
class Links:
    """Addresses on the live site, whose pages lie under `root` ("" or "/prefix").

    Where another form of the site has no page for something, its method gives "", and templates then show
    words and no link.
    """

    root: str = ""
    has_task: Callable[[str], bool] = lambda _name: True
    """Whether there is a page of a task: some are of boards whose runs are elsewhere, or private."""

    live = True
    """Whether there is a server behind the page: forms, downloads of any view, accounts."""

    def to(self, *parts: str, **query: object) -> str:
        """The address of these parts of a path, each quoted whole, with what of the query is not None."""
        asked = {name: value for name, value in query.items() if value not in (None, "")}
        path = "/".join(("", *(quote(part, safe="") for part in parts)))
        return f"{self.root}{path}" + (f"?{urlencode(asked, doseq=True)}" if asked else "")

    def static(self, name: str) -> str:
        """A file of ours; its address changes with its content, so that it may be kept for ever."""
        return f"{self.root}/static/{name}?v={_version(name)}"

    def home(self) -> str:
        """The list of boards."""
        return self.to("")

    def board(self, board: str, query: str = "") -> str:
        """A board; `query` is a view of it (`board.table`)."""
        return self.to("boards", board) + (f"?{query}" if query else "")

    def rows(self, board: str, form: str, query: str = "") -> str:
        """What is seen of a board, as `csv`, `json` or `parquet`."""
        return self.to("boards", board, f"rows.{form}") + (f"?{query}" if query else "")

    def of_board(self, board: str, page: str, **query: object) -> str:
        """A page of a board: `queue`, `submit`, `policy`, `discussion`, `changes`, `compare`, `history`."""
        return self.to("boards", board, page, **query)

    def submission(self, board: str, number: int, act: str = "") -> str:
        """What was handed in to a board, by its number; with an `act`, where that is done to it."""
        return self.to("boards", board, "submissions", str(number), *filter(None, [act]))

    def model(self, board: str, model: str) -> str:
        """A model on a board, by its name."""
        return self.to("boards", board, "models", model)

    def column(self, board: str, column: str) -> str:
        """A task or another column of a board."""
        return self.to("boards", board, "tasks", column)

    def post(self, board: str, subject: str, number: int) -> str:
        """A post in the thread on a subject of a board."""
        on = None if subject == f"board {board}" else subject
        return f"{self.of_board(board, 'discussion', on=on)}#post-{number}"

    def feed(self, board: str) -> str:
        """The feed of a board's changes."""
        return self.to("boards", board, "changes.rss")

    def arenas(self) -> str:
        """The list of arenas."""
        return self.to("arenas")

    def arena(self, arena: str, page: str = "policy", **query: object) -> str:
        """A page of an arena: `policy`, `battle`, `ranking`, `matrix`, `sampling`, `battles`."""
        return self.to("arenas", arena, page, **query)

    def battle(self, arena: str, battle: str, act: str = "") -> str:
        """A battle, by its id; with an `act` (`events`, `turns`, `vote`, `leave`) where that is done."""
        return self.to("arenas", arena, "battles", battle, *filter(None, [act]))

    def battle_image(self, arena: str, battle: str, number: int) -> str:
        """An image that was sent in a battle, counted from 0."""
        return self.to("arenas", arena, "battles", battle, "images", str(number))

    def runs(self) -> str:
        """The list of runs."""
        return self.to("runs")

    def run(self, run_id: str, **query: object) -> str:
        """A run."""
        return self.to("runs", run_id, **query)

    def sample(self, run_id: str, item: str, repeat: int = 0) -> str:
        """One sample of a run."""
        return self.to("runs", run_id, "samples", item, repeat=repeat or None)

    def compare(self, *run_ids: str) -> str:
        """Runs side by side."""
        return self.to("compare", run=run_ids)

    def tasks(self) -> str:
        """The list of tasks."""
        return self.to("tasks")

    def task(self, name: str) -> str:
        """A task; `name` may be that of one of its variants, `mmlu_pro:reasoned`."""
        task = name.partition(":")[0]
        return self.to("tasks", task) if self.has_task(task) else ""

    def search(self, words: str = "") -> str:
        """What is found for these words."""
        return self.to("search", q=words)

    def account(self) -> str:
        """Who one is."""
        return self.to("account")

    def login(self, then: str = "") -> str:
        """Where one logs in; `then` is the path to come back to."""
        return self.to("login", then=then)

    def logout(self) -> str:
        """Where one logs out."""
        return self.to("logout")

    def api(self) -> str:
        """What the API is."""
        return self.to("api")


def static_file(name: str) -> "Traversable":
    """Where a file of ours lies; that of the charts lies with them."""
    if name == "charts.css":
        return files("bakeoff.charts").joinpath(name)
    return files("bakeoff.web").joinpath("static", name)


@cache
def _version(name: str) -> str:
    return hashlib.sha256(static_file(name).read_bytes()).hexdigest()[:12]
