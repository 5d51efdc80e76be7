"""The queue, and the log of what happened."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "event",
        sa.Column("number", _ID, autoincrement=False, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
        sa.Column("previous", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_event"),
        sa.UniqueConstraint("digest", name="uq_event_digest"),
    )
    op.create_index("ix_event_subject_number", "event", ["subject", "number"])
    op.create_table(
        "job",
        sa.Column("id", _ID, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("key", sa.Text),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("max_attempts", sa.Integer, nullable=False),
        sa.Column("not_before", sa.Double, nullable=False),
        sa.Column("worker", sa.Text),
        sa.Column("token", sa.BigInteger, nullable=False),
        sa.Column("lease_until", sa.Double),
        sa.Column("wanted", sa.Integer, nullable=False),
        sa.Column("done", sa.BigInteger, nullable=False),
        sa.Column("total", sa.BigInteger),
        sa.Column("fault", sa.Text),
        sa.Column("error", sa.Text),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("started", sa.Double),
        sa.Column("finished", sa.Double),
        sa.PrimaryKeyConstraint("id", name="pk_job"),
        sa.UniqueConstraint("key", name="uq_job_key"),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'cancelled')", name=op.f("ck_job_state")
        ),
        sa.CheckConstraint(
            "(state = 'running') = (worker IS NOT NULL)", name=op.f("ck_job_running_has_worker")
        ),
        sa.CheckConstraint("(worker IS NULL) = (lease_until IS NULL)", name=op.f("ck_job_worker_has_lease")),
    )
    op.create_index("ix_job_state_priority_id", "job", ["state", "priority", "id"])
    op.create_table(
        "job_need",
        sa.Column("job", _ID, nullable=False),
        sa.Column("need", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("job", "need", name="pk_job_need"),
        sa.ForeignKeyConstraint(["job"], ["job.id"], name="fk_job_need_job", ondelete="CASCADE"),
    )
