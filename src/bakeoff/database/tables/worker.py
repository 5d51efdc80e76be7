"""The workers that were seen, and what each can run."""

from sqlalchemy import Column, Double, Table, Text

from bakeoff.database.base import metadata

worker = Table(
    "worker",
    metadata,
    Column("name", Text, primary_key=True),
    Column("offers", Text, nullable=False),
    Column("memory", Double, nullable=False),
    Column("seen", Double, nullable=False),
)
