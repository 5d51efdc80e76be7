"""The variants of models that an arena knows, and which pairs of them it served, day by day.

A day is a number of whole days since 1970 in UTC.
"""

from sqlalchemy import BigInteger, CheckConstraint, Column, Double, Index, Integer, Table, Text

from bakeoff.database.base import metadata

LICENCES = ("proprietary", "open_weights", "open_source")
ACCESS = ("private", "public")
STATES = ("registered", "testing", "provisional", "listed", "inactive", "retired", "withdrawn", "disputed")

variant = Table(
    "variant",
    metadata,
    Column("arena", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("provider", Text, nullable=False),
    Column("family", Text, nullable=False),
    Column("licence", Text, nullable=False),
    Column("access", Text, nullable=False),
    Column("artefact", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("before", Text),
    Column("rating", Text),
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    CheckConstraint(f"licence IN {LICENCES}", name="licence"),
    CheckConstraint(f"access IN {ACCESS}", name="access"),
    CheckConstraint(f"state IN {STATES}", name="state"),
    CheckConstraint("(state = 'disputed') = (before IS NOT NULL)", name="disputed_from_somewhere"),
    Index(None, "arena", "provider"),
)

served = Table(
    "served",
    metadata,
    Column("arena", Text, primary_key=True),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("first", Text, primary_key=True),
    Column("second", Text, primary_key=True),
    Column("shown", BigInteger, nullable=False),
    Column("votes", BigInteger, nullable=False),
    Column("propensity", Double, nullable=False),
    Column("first_vote", Double),
    CheckConstraint("shown >= 0 AND votes >= 0", name="counts"),
    CheckConstraint("(votes = 0) = (first_vote IS NULL)", name="voted_at_some_time"),
)
