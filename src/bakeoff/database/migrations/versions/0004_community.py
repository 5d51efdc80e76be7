"""Keys lent for a job, workers, what people say, and the memory and votes of jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables and columns."""
    op.add_column("job", sa.Column("memory", sa.Double, nullable=False, server_default="0"))
    op.add_column("job", sa.Column("votes", sa.Integer, nullable=False, server_default="0"))
    op.add_column("job", sa.Column("setbacks", sa.Integer, nullable=False, server_default="0"))
    op.create_table(
        "secret",
        sa.Column("submission", _ID, nullable=False),
        sa.Column("sealed", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("submission", name="pk_secret"),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"], name="fk_secret_submission"),
    )
    op.create_table(
        "worker",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("offers", sa.Text, nullable=False),
        sa.Column("memory", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_worker"),
    )
    op.create_table(
        "post",
        sa.Column("id", _ID, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("organisation", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("hidden_by", sa.Text),
        sa.Column("hidden_for", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_post"),
        sa.CheckConstraint(
            "(hidden_by IS NULL) = (hidden_for IS NULL)", name=op.f("ck_post_hidden_for_a_reason")
        ),
    )
    op.create_index("ix_post_subject_id", "post", ["subject", "id"])
    op.create_table(
        "flag",
        sa.Column("id", _ID, nullable=False),
        sa.Column("submission", _ID, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("raised_by", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("reply", sa.Text),
        sa.Column("replied_by", sa.Text),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("ruling", sa.Text),
        sa.Column("ruled_by", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_flag"),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"], name="fk_flag_submission"),
        sa.CheckConstraint("state IN ('open', 'upheld', 'dismissed')", name=op.f("ck_flag_state")),
        sa.CheckConstraint("(state = 'open') = (ruling IS NULL)", name=op.f("ck_flag_ruled_with_a_reason")),
    )
    op.create_index("ix_flag_submission_id", "flag", ["submission", "id"])
    op.create_table(
        "vote",
        sa.Column("submission", _ID, nullable=False),
        sa.Column("voter", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("submission", "voter", name="pk_vote"),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"], name="fk_vote_submission"),
    )
