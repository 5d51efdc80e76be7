"""Bringing a database to the form that this bakeoff knows."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect

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
    with engine.connect() as connection:
        if _at_head(connection):
            return  # as nearly always, and alembic takes a tenth of a second to say so
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
        from alembic import command

        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()


def revision(connection: Connection) -> str | None:
    """The revision that the database is in; None for an empty one."""
    from alembic.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


def _at_head(connection: Connection) -> bool:
    if not inspect(connection).has_table("alembic_version"):
        return False
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    return found == [max(path.name for path in (_SCRIPTS / "versions").glob("*.py"))[:4]]


def known_revisions() -> tuple[str, ...]:
    """All revisions there have been, the newest first."""
    from alembic.script import ScriptDirectory

    return tuple(each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions())


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS))
    return config
