"""States of boards that were published."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "snapshot",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("made", sa.Double, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_snapshot"),
    )
    op.create_index("ix_snapshot_board_made", "snapshot", ["board", "made"])
