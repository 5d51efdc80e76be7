"""States of boards that were published, each by its digest. Rows are added, never changed."""

from sqlalchemy import Column, Double, Index, Integer, Table, Text

from bakeoff.database.base import metadata

snapshot = Table(
    "snapshot",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("board", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("made", Double, nullable=False),
    Column("content", Text, nullable=False),
    Index(None, "board", "made"),
)
