"""Who may do what: people, what they speak for, and by what they are known. No secret is kept as it is.

Passwords are kept as Argon2id makes them, tokens and sessions as SHA-256 of 256 random bits.
"""

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
)

from bakeoff.database.base import metadata

_ID = BigInteger().with_variant(Integer, "sqlite")
ROLES = ("member", "moderator", "admin")

account = Table(
    "account",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("display", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("password", Text),
    Column("issuer", Text),
    Column("subject", Text),
    Column("created", Double, nullable=False),
    Column("disabled", Double),
    CheckConstraint(f"role IN {ROLES}", name="role"),
    CheckConstraint("(issuer IS NULL) = (subject IS NULL)", name="issuer_has_subject"),
    UniqueConstraint("issuer", "subject"),
)

membership = Table(
    "membership",
    metadata,
    Column("account", ForeignKey("account.id"), primary_key=True),
    Column("organisation", Text, primary_key=True),
)

token = Table(
    "token",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("account", ForeignKey("account.id"), nullable=False),
    Column("label", Text, nullable=False),
    Column("digest", Text, nullable=False, unique=True),
    Column("created", Double, nullable=False),
    Column("expires", Double, nullable=False),
    Column("last_used", Double),
    Column("revoked", Double),
    Index(None, "account", "id"),
)

session = Table(
    "session",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("account", ForeignKey("account.id"), nullable=False),
    Column("created", Double, nullable=False),
    Column("seen", Double, nullable=False),
    Column("expires", Double, nullable=False),
    Index(None, "account"),
)
