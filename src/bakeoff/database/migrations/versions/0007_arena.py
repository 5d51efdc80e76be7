"""The variants of an arena, and the pairs that it served."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "variant",
        sa.Column("arena", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("provider", sa.Text, nullable=False),
        sa.Column("family", sa.Text, nullable=False),
        sa.Column("licence", sa.Text, nullable=False),
        sa.Column("access", sa.Text, nullable=False),
        sa.Column("artefact", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("before", sa.Text),
        sa.Column("rating", sa.Text),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("arena", "name", name="pk_variant"),
        sa.CheckConstraint(
            "licence IN ('proprietary', 'open_weights', 'open_source')", name=op.f("ck_variant_licence")
        ),
        sa.CheckConstraint("access IN ('private', 'public')", name=op.f("ck_variant_access")),
        sa.CheckConstraint(
            "state IN ('registered', 'testing', 'provisional', 'listed', 'inactive', 'retired', 'withdrawn', "
            "'disputed')",
            name=op.f("ck_variant_state"),
        ),
        sa.CheckConstraint(
            "(state = 'disputed') = (before IS NOT NULL)", name=op.f("ck_variant_disputed_from_somewhere")
        ),
    )
    op.create_index("ix_variant_arena_provider", "variant", ["arena", "provider"])
    op.create_table(
        "served",
        sa.Column("arena", sa.Text, nullable=False),
        sa.Column("day", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("first", sa.Text, nullable=False),
        sa.Column("second", sa.Text, nullable=False),
        sa.Column("shown", sa.BigInteger, nullable=False),
        sa.Column("votes", sa.BigInteger, nullable=False),
        sa.Column("propensity", sa.Double, nullable=False),
        sa.Column("first_vote", sa.Double),
        sa.PrimaryKeyConstraint("arena", "day", "first", "second", name="pk_served"),
        sa.CheckConstraint("shown >= 0 AND votes >= 0", name=op.f("ck_served_counts")),
        sa.CheckConstraint("(votes = 0) = (first_vote IS NULL)", name=op.f("ck_served_voted_at_some_time")),
    )
