"""The addresses of a site that is files."""

import hashlib
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

from bakeoff.store import slug
from bakeoff.web.links import Links

MARK = "bakeoff-file:"
"""In a board that is one file, stands for the content of a file of ours."""


@dataclass(frozen=True, slots=True)
class Filed(Links):
    """Addresses relative to a page, `up` ("" or "../") from the folder of the site.

    There are pages of one board, its models, its tasks and its history, and the downloads of all its rows.
    """

    up: str = ""

    live = False

    def to(self, *parts: str, **query: object) -> str:
        """The file of the page at this path; "" where there is none."""
        match parts:
            case ("",) | ("boards", _):
                asked = urlencode(query, doseq=True)
                return f"{self.up}index.html" + (f"?{asked}" if asked else "")
            case ("boards", _, "history" | "rows.csv" | "rows.json" as page) if not query:
                return self.up + (page if "." in page else f"{page}.html")
            case ("boards", _, "models" | "tasks" as kind, name):
                return self.up + file_of(kind, name)
        return ""

    def static(self, name: str) -> str:
        """A file of ours."""
        return f"{self.up}static/{name}"

    def rows(self, board: str, form: str, query: str = "") -> str:
        """All rows, as `csv` or `json`; no other view is there."""
        return "" if query else self.to("boards", board, f"rows.{form}")


@dataclass(frozen=True, slots=True)
class Alone(Links):
    """Addresses in a board that is one file: views of the board itself, and nothing else."""

    live = False

    def to(self, *parts: str, **query: object) -> str:
        """The page itself for the boards and the board; "" for all else."""
        match parts:
            case ("",) | ("boards", _):
                return "?" + urlencode(query, doseq=True)
        return ""

    def static(self, name: str) -> str:
        """A mark, in whose place the file's content is put."""
        return MARK + name

    def board(self, board: str, query: str = "") -> str:  # noqa: ARG002 (there is one)
        """The page, whose script reads the view from the query."""
        return f"?{query}"

    def rows(self, board: str, form: str, query: str = "") -> str:  # noqa: ARG002 (there are none)
        """Nothing."""
        return ""


def file_of(kind: Literal["models", "tasks"], name: str) -> str:
    """The file of a model's or a task's page: readable, and another for every name."""
    return f"{kind}/{slug(name)[:80]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.html"
