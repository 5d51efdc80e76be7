"""How Alembic runs the steps: in the connection and the transaction that it is given."""

from alembic import context

from bakeoff.database.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite cannot change a column: the table is written anew.
    render_as_batch=True,
)
context.run_migrations()
