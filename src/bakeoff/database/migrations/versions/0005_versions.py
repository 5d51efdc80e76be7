"""Scores under each version of a board, and the rule that a version was registered with."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the columns and the table, and move what is there into them."""
    op.add_column("board", sa.Column("rule", sa.Text, nullable=False, server_default="{}"))
    op.add_column("submission", sa.Column("version", sa.Integer, nullable=False, server_default="1"))
    op.create_table(
        "score",
        sa.Column("submission", _ID, nullable=False),
        sa.Column("version", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("submission", "version", name="pk_score"),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"], name="fk_score_submission"),
    )
    connection = op.get_bind()
    # Rules and versions were in the log alone.
    for subject, facts in _told(connection, "board version"):
        connection.execute(
            sa.text("UPDATE board SET rule = :rule WHERE name = :name AND version = :version"),
            {
                "rule": json.dumps(facts["rule"]),
                "name": subject.removeprefix("board "),
                "version": facts["version"],
            },
        )
    for subject, facts in _told(connection, "submitted"):
        connection.execute(
            sa.text("UPDATE submission SET version = :version WHERE id = :id"),
            {"version": facts["version"], "id": int(subject.removeprefix("submission "))},
        )
    connection.execute(
        sa.text(
            "INSERT INTO score (submission, version, content, created) "
            "SELECT id, version, scores, changed FROM submission WHERE scores IS NOT NULL"
        )
    )
    op.drop_column("submission", "scores")


def _told(connection: sa.Connection, kind: str) -> list[tuple[str, dict[str, object]]]:
    rows = connection.execute(
        sa.text("SELECT subject, facts FROM event WHERE kind = :kind ORDER BY number"), {"kind": kind}
    )
    return [(subject, json.loads(facts)) for subject, facts in rows]
