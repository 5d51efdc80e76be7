"""What people say of rows, tasks and boards: posts, flags, and votes for what is to be evaluated soon."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Double, ForeignKey, Index, Integer, Table, Text

from bakeoff.database.base import metadata

_ID = BigInteger().with_variant(Integer, "sqlite")

post = Table(
    "post",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("organisation", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("hidden_by", Text),
    Column("hidden_for", Text),
    CheckConstraint("(hidden_by IS NULL) = (hidden_for IS NULL)", name="hidden_for_a_reason"),
    Index(None, "subject", "id"),
)

flag = Table(
    "flag",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("submission", ForeignKey("submission.id"), nullable=False),
    Column("rule", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("raised_by", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("reply", Text),
    Column("replied_by", Text),
    Column("state", Text, nullable=False),
    Column("ruling", Text),
    Column("ruled_by", Text),
    CheckConstraint("state IN ('open', 'upheld', 'dismissed')", name="state"),
    CheckConstraint("(state = 'open') = (ruling IS NULL)", name="ruled_with_a_reason"),
    Index(None, "submission", "id"),
)

vote = Table(
    "vote",
    metadata,
    Column("submission", ForeignKey("submission.id"), primary_key=True),
    Column("voter", Text, primary_key=True),
    Column("created", Double, nullable=False),
)
