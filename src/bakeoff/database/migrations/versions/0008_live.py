"""Live arenas: battles, their turns and answers, votes, guesses and invitations."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "live_arena",
        sa.Column("arena", sa.Text, nullable=False),
        sa.Column("definition", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("salt", sa.Text, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("arena", name="pk_live_arena"),
    )
    _battles()
    _turns()
    _votes()
    op.create_table(
        "invitation",
        sa.Column("arena", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("revoked", sa.Double),
        sa.PrimaryKeyConstraint("arena", "digest", name="pk_invitation"),
        sa.ForeignKeyConstraint(["arena"], ["live_arena.arena"], name="fk_invitation_arena"),
    )


def _battles() -> None:
    op.create_table(
        "battle",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("arena", sa.Text, nullable=False),
        sa.Column("voter", sa.Text, nullable=False),
        sa.Column("left", sa.Text, nullable=False),
        sa.Column("right", sa.Text, nullable=False),
        sa.Column("propensity", sa.Double, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("void", sa.Text),
        sa.Column("outcome", sa.Text),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("language", sa.Text),
        sa.Column("held_back", sa.Boolean, nullable=False),
        sa.Column("opened", sa.Double, nullable=False),
        sa.Column("changed", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_battle"),
        sa.ForeignKeyConstraint(["arena"], ["live_arena.arena"], name="fk_battle_arena"),
        sa.CheckConstraint(
            "state IN ('answering', 'answered', 'voted', 'void', 'abandoned')", name=op.f("ck_battle_state")
        ),
        sa.CheckConstraint(
            "void IN ('timeout', 'model_error', 'empty', 'too_long', 'stopped', 'moderated')",
            name=op.f("ck_battle_void"),
        ),
        sa.CheckConstraint("outcome IN ('a', 'b', 'tie', 'both_bad')", name=op.f("ck_battle_outcome")),
        sa.CheckConstraint("(state = 'void') = (void IS NOT NULL)", name=op.f("ck_battle_void_for_a_reason")),
        sa.CheckConstraint(
            "(state = 'voted') = (outcome IS NOT NULL)", name=op.f("ck_battle_voted_for_something")
        ),
        sa.CheckConstraint('"left" <> "right"', name=op.f("ck_battle_two_variants")),
        sa.CheckConstraint("propensity > 0 AND propensity <= 1", name=op.f("ck_battle_propensity")),
    )
    op.create_index("ix_battle_arena_voter_state_changed", "battle", ["arena", "voter", "state", "changed"])
    op.create_index("ix_battle_arena_state_id", "battle", ["arena", "state", "id"])
    op.create_index(
        "ix_battle_arena_left_right_outcome",
        "battle",
        ["arena", "left", "right", "outcome"],
        sqlite_where=sa.text("outcome IS NOT NULL"),
        postgresql_where=sa.text("outcome IS NOT NULL"),
    )


def _turns() -> None:
    op.create_table(
        "turn",
        sa.Column("battle", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("prompt", sa.Text),
        sa.Column("images", sa.Text),
        sa.Column("pseudonym", sa.Text, nullable=False),
        sa.Column("tags", sa.Text, nullable=False),
        sa.Column("asked", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("battle", "number", name="pk_turn"),
        sa.ForeignKeyConstraint(["battle"], ["battle.id"], name="fk_turn_battle"),
    )
    op.create_table(
        "answer",
        sa.Column("battle", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("text", sa.Text),
        sa.Column("shown", sa.Text),
        sa.Column("finish", sa.Text, nullable=False),
        sa.Column("refused", sa.Boolean, nullable=False),
        sa.Column("first_token_s", sa.Double),
        sa.Column("total_s", sa.Double, nullable=False),
        sa.Column("tokens", sa.Integer),
        sa.Column("scrubbed", sa.Integer, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("headers", sa.Integer, nullable=False),
        sa.Column("lists", sa.Integer, nullable=False),
        sa.Column("bold", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("battle", "number", "side", name="pk_answer"),
        sa.ForeignKeyConstraint(
            ["battle", "number"], ["turn.battle", "turn.number"], name="fk_answer_battle_number"
        ),
        sa.CheckConstraint("side IN ('left', 'right')", name=op.f("ck_answer_side")),
    )


def _votes() -> None:
    op.create_table(
        "ballot",
        sa.Column("battle", sa.Text, nullable=False),
        sa.Column("reasons", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("battle", name="pk_ballot"),
        sa.ForeignKeyConstraint(["battle"], ["battle.id"], name="fk_ballot_battle"),
        sa.CheckConstraint("seconds >= 0", name=op.f("ck_ballot_seconds")),
    )
    op.create_table(
        "guess",
        sa.Column("battle", sa.Text, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("named", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("battle", "side", name="pk_guess"),
        sa.ForeignKeyConstraint(["battle"], ["battle.id"], name="fk_guess_battle"),
        sa.CheckConstraint("side IN ('left', 'right')", name=op.f("ck_guess_side")),
    )
