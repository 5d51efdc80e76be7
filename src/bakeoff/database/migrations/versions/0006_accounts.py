"""Accounts, the organisations they speak for, their tokens and their sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "account",
        sa.Column("id", _ID, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("display", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password", sa.Text),
        sa.Column("issuer", sa.Text),
        sa.Column("subject", sa.Text),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("disabled", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_account"),
        sa.CheckConstraint("role IN ('member', 'moderator', 'admin')", name=op.f("ck_account_role")),
        sa.CheckConstraint(
            "(issuer IS NULL) = (subject IS NULL)", name=op.f("ck_account_issuer_has_subject")
        ),
        sa.UniqueConstraint("name", name="uq_account_name"),
        sa.UniqueConstraint("issuer", "subject", name="uq_account_issuer_subject"),
    )
    op.create_table(
        "membership",
        sa.Column("account", _ID, nullable=False),
        sa.Column("organisation", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("account", "organisation", name="pk_membership"),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name="fk_membership_account"),
    )
    op.create_table(
        "token",
        sa.Column("id", _ID, nullable=False),
        sa.Column("account", _ID, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.Column("last_used", sa.Double),
        sa.Column("revoked", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_token"),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name="fk_token_account"),
        sa.UniqueConstraint("digest", name="uq_token_digest"),
    )
    op.create_index("ix_token_account_id", "token", ["account", "id"])
    op.create_table(
        "session",
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("account", _ID, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("seen", sa.Double, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_session"),
        sa.ForeignKeyConstraint(["account"], ["account.id"], name="fk_session_account"),
    )
    op.create_index("ix_session_account", "session", ["account"])
