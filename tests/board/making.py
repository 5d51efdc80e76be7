"""Boards and submissions for tests."""

from bakeoff.board.definition import Board
from bakeoff.board.submissions import Model

BOARD = Board(name="small", version=1, since="2026-01-01", suites=({"suite": "core"},))


def model(number=0, **changes):
    return Model(**({"name": f"org/model-{number}", "revision": f"{number:040x}", "engine": "hf"} | changes))
