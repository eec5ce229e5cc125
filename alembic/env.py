"""Run by alembic, with the connection that placement.db.schema has opened and locked."""

from alembic import context

from placement.db import schema, tables

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=tables.metadata,
    version_table=schema.VERSION_TABLE,
    transactional_ddl=False,
)
context.run_migrations()
