"""Boards by version, and what was handed in to them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "board",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("definition", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("name", "version", name="pk_board"),
    )
    op.create_table(
        "submission",
        sa.Column("id", _ID, nullable=False),
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("organisation", sa.Text, nullable=False),
        sa.Column("submitter", sa.Text, nullable=False),
        sa.Column("way", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("identity", sa.Text, nullable=False),
        sa.Column("duplicate_of", _ID),
        sa.Column("supersedes", _ID),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("job", _ID),
        sa.Column("scores", sa.Text),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_submission"),
        sa.ForeignKeyConstraint(["duplicate_of"], ["submission.id"], name="fk_submission_duplicate_of"),
        sa.ForeignKeyConstraint(["supersedes"], ["submission.id"], name="fk_submission_supersedes"),
        sa.ForeignKeyConstraint(["job"], ["job.id"], name="fk_submission_job"),
        sa.CheckConstraint("way IN ('weights', 'endpoint', 'predictions')", name=op.f("ck_submission_way")),
    )
    op.create_index(
        "ix_submission_board_organisation_created", "submission", ["board", "organisation", "created"]
    )
    op.create_index("ix_submission_board_identity", "submission", ["board", "identity"])
