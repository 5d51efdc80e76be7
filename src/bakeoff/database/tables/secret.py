"""Keys that submitters lent for one job, sealed; gone when the job has ended."""

from sqlalchemy import Column, Double, ForeignKey, Table, Text

from bakeoff.database.base import metadata

secret = Table(
    "secret",
    metadata,
    Column("submission", ForeignKey("submission.id"), primary_key=True),
    Column("sealed", Text, nullable=False),
    Column("created", Double, nullable=False),
)
