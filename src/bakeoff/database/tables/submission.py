"""What was handed in to a board, where it stands, and its scores under each version of the board."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Double, ForeignKey, Index, Integer, Table, Text

from bakeoff.database.base import metadata

board = Table(
    "board",
    metadata,
    Column("name", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("definition", Text, nullable=False),
    Column("rule", Text, nullable=False, server_default="{}"),
    Column("created", Double, nullable=False),
)

submission = Table(
    "submission",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("board", Text, nullable=False),
    Column("organisation", Text, nullable=False),
    Column("submitter", Text, nullable=False),
    Column("way", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("identity", Text, nullable=False),
    Column("duplicate_of", ForeignKey("submission.id")),
    Column("supersedes", ForeignKey("submission.id")),
    Column("state", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("job", ForeignKey("job.id")),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    Column("version", Integer, nullable=False, server_default="1"),
    CheckConstraint("way IN ('weights', 'endpoint', 'predictions')", name="way"),
    Index(None, "board", "organisation", "created"),
    Index(None, "board", "identity"),
)

score = Table(
    "score",
    metadata,
    Column("submission", ForeignKey("submission.id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("content", Text, nullable=False),
    Column("created", Double, nullable=False),
)
