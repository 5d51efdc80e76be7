"""What is seen of a board: one view of its rows, for pages, the API, downloads and the terminal."""

from bakeoff.board.table.at import at
from bakeoff.board.table.columns import Column, label
from bakeoff.board.table.downloads import as_csv, as_json, as_parquet
from bakeoff.board.table.seen import Facet, Line, Offered, Seen, seen
from bakeoff.board.table.table import Table, prepared
from bakeoff.board.table.view import EVERYTHING, View
from bakeoff.board.table.wording import text, written

__all__ = [
    "EVERYTHING",
    "Column",
    "Facet",
    "Line",
    "Offered",
    "Seen",
    "Table",
    "View",
    "as_csv",
    "as_json",
    "as_parquet",
    "at",
    "label",
    "prepared",
    "seen",
    "text",
    "written",
]
