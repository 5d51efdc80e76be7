"""Bringing a database to the form that this bakeoff knows."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine

from bakeoff.database.engine import shown_url
from bakeoff.errors import StoreError

if TYPE_CHECKING:
    from alembic.config import Config

_SCRIPTS = Path(__file__).parent / "migrations"
_LOCK = 7_203_114_052


def migrate(engine: Engine) -> None:
    """Make the tables, or bring older ones up to date, step by step; nothing is lost. Does nothing else.

    Several may call it at once: one does it, the others wait. A step that fails is undone whole.

    Raises:
        StoreError: a newer bakeoff made the database.
    """
    from alembic import command

    with engine.connect() as connection:
        found = revision(connection)
        if found is not None and found not in known_revisions():
            raise StoreError(
                f"{shown_url(engine.url)} was made by a newer bakeoff (revision {found})",
                "upgrade bakeoff, or name another database",
            )
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()


def revision(connection: Connection) -> str | None:
    """The revision that the database is in; None for an empty one."""
    from alembic.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


def known_revisions() -> tuple[str, ...]:
    """All revisions there have been, the newest first."""
    from alembic.script import ScriptDirectory

    return tuple(each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions())


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    return config
