"""A live arena: battles, what was asked and answered in them, votes and guesses, and who is invited.

No name, address or secret of a voter is here: a voter is a pseudonym, by a salt that stays here. Texts become
NULL when they are erased; what was counted of them stays.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    Table,
    Text,
    text,
)

from bakeoff.database.base import metadata

STATES = ("answering", "answered", "voted", "void", "abandoned")
VOID = ("timeout", "model_error", "empty", "too_long", "stopped", "moderated")
OUTCOMES = ("a", "b", "tie", "both_bad")
SIDES = ("left", "right")

live_arena = Table(
    "live_arena",
    metadata,
    Column("arena", Text, primary_key=True),
    Column("definition", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("salt", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("created", Double, nullable=False),
)

battle = Table(
    "battle",
    metadata,
    Column("id", Text, primary_key=True),
    Column("arena", ForeignKey("live_arena.arena"), nullable=False),
    Column("voter", Text, nullable=False),
    Column("left", Text, nullable=False),
    Column("right", Text, nullable=False),
    Column("propensity", Double, nullable=False),
    Column("rule", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("void", Text),
    Column("outcome", Text),
    Column("turns", Integer, nullable=False),
    Column("language", Text),
    Column("held_back", Boolean, nullable=False),
    Column("opened", Double, nullable=False),
    Column("changed", Double, nullable=False),
    CheckConstraint(f"state IN {STATES}", name="state"),
    CheckConstraint(f"void IN {VOID}", name="void"),
    CheckConstraint(f"outcome IN {OUTCOMES}", name="outcome"),
    CheckConstraint("(state = 'void') = (void IS NOT NULL)", name="void_for_a_reason"),
    CheckConstraint("(state = 'voted') = (outcome IS NOT NULL)", name="voted_for_something"),
    CheckConstraint('"left" <> "right"', name="two_variants"),
    CheckConstraint("propensity > 0 AND propensity <= 1", name="propensity"),
    Index(None, "arena", "voter", "state", "changed"),
    Index(None, "arena", "state", "id"),
    # Those that can be read, the newest first.
    Index(
        None,
        "arena",
        "changed",
        "id",
        sqlite_where=text("outcome IS NOT NULL"),
        postgresql_where=text("outcome IS NOT NULL"),
    ),
    # All that counting votes of pairs needs to read.
    Index(
        None,
        "arena",
        "left",
        "right",
        "outcome",
        sqlite_where=text("outcome IS NOT NULL"),
        postgresql_where=text("outcome IS NOT NULL"),
    ),
)

turn = Table(
    "turn",
    metadata,
    Column("battle", ForeignKey("battle.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("prompt", Text),
    Column("images", Text),
    Column("pseudonym", Text, nullable=False),
    Column("tags", Text, nullable=False),
    Column("asked", Double, nullable=False),
)

answer = Table(
    "answer",
    metadata,
    Column("battle", Text, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("side", Text, primary_key=True),
    Column("text", Text),
    Column("shown", Text),
    Column("finish", Text, nullable=False),
    Column("refused", Boolean, nullable=False),
    Column("first_token_s", Double),
    Column("total_s", Double, nullable=False),
    Column("tokens", Integer),
    Column("scrubbed", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("headers", Integer, nullable=False),
    Column("lists", Integer, nullable=False),
    Column("bold", Integer, nullable=False),
    ForeignKeyConstraint(["battle", "number"], ["turn.battle", "turn.number"]),
    CheckConstraint(f"side IN {SIDES}", name="side"),
)

ballot = Table(
    "ballot",
    metadata,
    Column("battle", ForeignKey("battle.id"), primary_key=True),
    Column("reasons", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("seconds", Double, nullable=False),
    CheckConstraint("seconds >= 0", name="seconds"),
)

guess = Table(
    "guess",
    metadata,
    Column("battle", ForeignKey("battle.id"), primary_key=True),
    Column("side", Text, primary_key=True),
    Column("named", Text, nullable=False),
    Column("at", Double, nullable=False),
    CheckConstraint(f"side IN {SIDES}", name="side"),
)

invitation = Table(
    "invitation",
    metadata,
    Column("arena", ForeignKey("live_arena.arena"), primary_key=True),
    Column("digest", Text, primary_key=True),
    Column("label", Text, nullable=False),
    Column("created", Double, nullable=False),
    Column("revoked", Double),
)
