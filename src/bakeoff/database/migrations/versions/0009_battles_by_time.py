"""Battles with a vote, by its time: what the page of battles reads, the newest first."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the index."""
    voted = sa.text("outcome IS NOT NULL")
    op.create_index(
        "ix_battle_arena_changed_id",
        "battle",
        ["arena", "changed", "id"],
        sqlite_where=voted,
        postgresql_where=voted,
    )
