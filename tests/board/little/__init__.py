"""A board of one task of one item, for tests that are about neither: its rule is made in no time."""

from pathlib import Path

from bakeoff.board.definition import Board

LITTLE = Board(
    name="small",
    version=1,
    since="2026-01-01",
    suites=({"suite": str(Path(__file__).parent / "suite.yaml")},),
)
