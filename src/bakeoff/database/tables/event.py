"""What happened: rows are added, never changed, and each holds the digest of the one before."""

from sqlalchemy import BigInteger, Column, Double, Index, Integer, Table, Text

from bakeoff.database.base import metadata

event = Table(
    "event",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("actor", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("facts", Text, nullable=False),
    Column("previous", Text, nullable=False),
    Column("digest", Text, nullable=False, unique=True),
    Index(None, "subject", "number"),
)
