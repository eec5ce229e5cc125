"""Run by alembic, with the connection that placement.db.schema.migrate has opened and locked."""

from alembic import context
from oslo_log import log

from placement.db import tables
from placement.db.schema import revisions

LOG = log.getLogger("placement.db.schema.migrate")


def tell(*, step, **context_of_step):
    LOG.info("The tables are at revision %s: %s", step.up_revision_id, step.up_revision.doc)
    context.config.attributes["tell"](f"Upgrading the tables: {step.up_revision_id} is done")


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=tables.metadata,
    version_table=revisions.VERSION_TABLE,
    transactional_ddl=False,
    on_version_apply=tell,
)
context.run_migrations()
