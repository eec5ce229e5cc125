"""What we have added to a database, to be removed before another Placement gets it back."""

import sqlalchemy as sa

from placement.db import tables
from placement.db.derived_sums import triggers
from placement.db.feed import foreign_triggers
from placement.db.records import last_audit
from placement.db.schema import adoption, errors, galera, migrate, migration_lock, revisions


def find(conn):
    """Return {kind: names} of what remove() would remove: triggers, columns, indexes, tables."""
    existing = sa.inspect(conn)
    names_by_kind = {
        "trigger": [*triggers.present(conn), *foreign_triggers.FOREIGN_WRITES.present(conn)],
        "column": [
            f"{column.table.name}.{column.name}"
            for column in tables.our_columns()
            if column.name in _columns(conn, column.table.name)
        ],
        "index": [
            index.name
            for index in (tables.headroom_index,)
            if existing.has_table(index.table.name)
            and existing.has_index(index.table.name, index.name)
        ],
        "table": [
            name
            for name in (
                revisions.VERSION_TABLE,
                galera.LOCK_TABLE,
                last_audit.TABLE,
                *tables.our_metadata.tables,
            )
            if existing.has_table(name)
        ],
    }
    return {kind: names for kind, names in names_by_kind.items() if names}


def remove(database):
    """Remove our tables, columns and triggers. No process of ours may be running.

    The call can be repeated, even after an interruption.
    Raises: NotPermitted; CannotMigrate when alembic_version is not that of another Placement, when
        the account may not change the tables, or when they are those of a later release.
    """
    with migration_lock.held(database), errors.translated():
        migrate.refuse_later(database)
        migrate.retry_while_in_use(_remove, database)


def _remove(conn):
    is_ours = sa.inspect(conn).has_table(revisions.VERSION_TABLE)
    if is_ours:
        # The stamp comes first: it may be refused, and MySQL cannot undo the later steps.
        adoption.stamp(conn, "head")
    triggers.remove(conn)
    foreign_triggers.FOREIGN_WRITES.remove(conn)
    if is_ours:
        # The record of our revision is dropped before the columns, so that `db sync` starts over
        # even if some columns remain.
        conn.exec_driver_sql(f"DROP TABLE {revisions.VERSION_TABLE}")
    if sa.inspect(conn).has_index(tables.inventories.name, tables.headroom_index.name):
        tables.headroom_index.drop(conn)
    for column in tables.our_columns():
        table = column.table.name
        if column.name in _columns(conn, table):
            conn.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {column.name}")
    conn.exec_driver_sql(f"DROP TABLE IF EXISTS {galera.LOCK_TABLE}")
    last_audit.forget(conn)
    tables.our_metadata.drop_all(conn)


def _columns(conn, table):
    """Return the names of the columns of a table; none if it does not exist."""
    existing = sa.inspect(conn)
    if not existing.has_table(table):
        return set()
    return {column["name"] for column in existing.get_columns(table)}
