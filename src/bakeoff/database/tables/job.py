"""Work that is done once: who has it, until when, and how often it was tried."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Double, ForeignKey, Index, Integer, Table, Text

from bakeoff.database.base import metadata

STATES = ("queued", "running", "done", "failed", "cancelled")

job = Table(
    "job",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("kind", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("key", Text, unique=True),
    Column("owner", Text, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("max_attempts", Integer, nullable=False),
    Column("not_before", Double, nullable=False),
    Column("worker", Text),
    Column("token", BigInteger, nullable=False),
    Column("lease_until", Double),
    Column("wanted", Integer, nullable=False),
    Column("done", BigInteger, nullable=False),
    Column("total", BigInteger),
    Column("fault", Text),
    Column("error", Text),
    Column("created", Double, nullable=False),
    Column("started", Double),
    Column("finished", Double),
    Column("memory", Double, nullable=False, server_default="0"),
    Column("votes", Integer, nullable=False, server_default="0"),
    Column("setbacks", Integer, nullable=False, server_default="0"),
    CheckConstraint(f"state IN {STATES}", name="state"),
    CheckConstraint("(state = 'running') = (worker IS NOT NULL)", name="running_has_worker"),
    CheckConstraint("(worker IS NULL) = (lease_until IS NULL)", name="worker_has_lease"),
    Index(None, "state", "priority", "id"),
)

job_need = Table(
    "job_need",
    metadata,
    Column("job", ForeignKey("job.id", ondelete="CASCADE"), primary_key=True),
    Column("need", Text, primary_key=True),
)
