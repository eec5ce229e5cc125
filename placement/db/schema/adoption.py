"""Taking over the database of any release of openstack-placement.

The tables are recognised by their shape, and upgraded to those of the newest release.
openstack-placement records its revision in `alembic_version`. This table is left as the newest
release would leave it, so that the database can be given back.
Source: doc/reference/placement-manage.rst; its "db stamp VERSION" lists the revisions.
"""

import sqlalchemy as sa

from placement.db.schema import data_migrations, peer_tables

# The revisions of openstack-placement 1.0.0 to 16.0.0, oldest first.
REVISIONS = ("b4ed3a175331", "611cd6dffd7b", "b5c396305c25", "422ece571366", "a082b8bb98d0")
NEWEST = REVISIONS[-1]

_CONSUMER_TYPES = "consumer_types"
_CONSUMER_TYPE = "consumer_type_id"
_CONSUMER_TYPE_KEY = "consumers_consumer_type_id_fkey"

# Indexes of older releases, by table, on columns that also have a unique constraint.
_REDUNDANT_INDEXES = {
    "inventories": (
        "inventories_resource_provider_id_idx",
        "inventories_resource_provider_resource_class_idx",
    ),
    "placement_aggregates": ("ix_placement_aggregates_uuid",),
    "resource_providers": ("resource_providers_name_idx", "resource_providers_uuid_idx"),
}

_versions = sa.Table(
    "alembic_version",
    sa.MetaData(),
    sa.Column("version_num", sa.String(32), nullable=False),
    sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)


class CannotAdopt(Exception):
    """A database cannot be taken over; the message says why, and what can be done about it."""


def adopt(conn):
    """Upgrade the tables of another Placement to its newest revision, if there are any.

    That revision is recorded even if there are no tables, because the tables created next match it.
    So the tools of openstack-placement have nothing to do. MariaDB commits each step separately, so
    each can be repeated.
    Raises: CannotAdopt, before anything is changed.
    """
    if is_adoptable(conn):
        peer_tables.consumer_types.create(conn, checkfirst=True)
        _add_consumer_type(conn)
        peer_tables.create_missing(conn)
        _drop_redundant_indexes(conn)
    _record(conn, NEWEST)


def is_adoptable(conn):
    """Whether there are tables of another Placement to take over.

    Raises: CannotAdopt if there are tables, but they cannot be taken over.
    """
    if len(recorded := _recorded_revisions(conn)) > 1:
        raise CannotAdopt(
            f"alembic_version has more than one revision: {', '.join(recorded)}. Run "
            "'placement-manage db stamp head', and then 'placement-manage db sync', which looks at "
            "the tables themselves."
        )
    if not has_tables(conn):
        return False
    if not sa.inspect(conn).has_table(_CONSUMER_TYPES):
        # The releases that have this table refused to start while there were unmigrated rows.
        _refuse_unmigrated_rows(conn)
    return True


def has_tables(conn):
    """Whether the tables of some release of Placement exist.

    This is also false if only some of them exist, all empty: their creation was interrupted.
    Raises: CannotAdopt if tables of these names are not those of Placement, or some are missing.
    """
    inspector = sa.inspect(conn)
    expected = peer_tables.metadata.tables
    present = sorted(expected.keys() & set(inspector.get_table_names()))
    for name in present:
        columns = {column["name"] for column in inspector.get_columns(name)}
        # Older releases have no types of consumers: neither this column nor their table.
        if missing := {*expected[name].columns.keys()} - columns - {_CONSUMER_TYPE}:
            raise CannotAdopt(
                f"The table {name} in this database is not a table of Placement: it has no column "
                f"{min(missing)}. Use another database."
            )
    if missing := expected.keys() - {*present, _CONSUMER_TYPES}:
        if any(_has_rows(conn, expected[name]) for name in present):
            raise CannotAdopt(
                "This database has only some of the tables of Placement. Missing: "
                f"{', '.join(sorted(missing))}. Restore these, or use another database."
            )
        return False
    return True


def stamp(conn, name):
    """Record for the tools of openstack-placement that the tables are at one of its revisions.

    name: a revision or the beginning of one, "head" for the newest, "base" for none
    Raises: CannotAdopt if there is no such revision, or if the recorded one is unknown.
    """
    revision = _revision_named(name)
    _recorded_revisions(conn)  # An unknown revision is not replaced.
    _record(conn, revision)


def _revision_named(name):
    """Return the revision that `name` stands for, as in stamp(); None for "base".

    Raises: CannotAdopt.
    """
    if name == "base":
        return None
    if name in ("head", "heads"):
        return NEWEST
    matches = [revision for revision in REVISIONS if name and revision.startswith(name)]
    if len(matches) != 1:
        raise CannotAdopt(
            f"There is no revision {name!r}, or several begin with it: use "
            f"{', '.join(REVISIONS)}, head or base."
        )
    return matches[0]


def _record(conn, revision):
    """Make `revision` the only one in alembic_version."""
    _versions.create(conn, checkfirst=True)
    conn.execute(sa.delete(_versions))
    if revision is not None:
        conn.execute(sa.insert(_versions), {"version_num": revision})


def _recorded_revisions(conn):
    """Return the revisions in alembic_version: normally one, none if that table does not exist.

    Raises: CannotAdopt if one of them is unknown.
    """
    if not sa.inspect(conn).has_table(_versions.name):
        return []
    recorded = sorted(conn.scalars(sa.select(_versions.c.version_num)))
    for revision in recorded:
        if revision not in REVISIONS:
            raise CannotAdopt(
                f"alembic_version has revision {revision}, which is not one of those of "
                "openstack-placement 1.0.0 to 16.0.0."
            )
    return recorded


def _has_rows(conn, table):
    return conn.execute(sa.select(sa.literal(1)).select_from(table).limit(1)).first() is not None


def _refuse_unmigrated_rows(conn):
    """Raises: CannotAdopt if `db online_data_migrations` still has to complete some rows."""
    providers = data_migrations.count_providers_without_root(conn)
    consumers = data_migrations.count_consumers_without_record(conn)
    if providers or consumers:
        raise CannotAdopt(
            f"{providers} resource providers have no root, and {consumers} consumers have no "
            "record. Run 'placement-manage db online_data_migrations' first."
        )


def _add_consumer_type(conn):
    """Add the column for the type of a consumer, and its foreign key, unless they exist."""
    existing = sa.inspect(conn)
    columns = {column["name"] for column in existing.get_columns("consumers")}
    keys = {key["name"] for key in existing.get_foreign_keys("consumers")}
    # SQLite gets a new table, because it cannot add a constraint to an existing one.
    with _operations(conn).batch_alter_table("consumers") as consumers:
        if _CONSUMER_TYPE not in columns:
            consumers.add_column(sa.Column(_CONSUMER_TYPE, sa.Integer))
        if _CONSUMER_TYPE_KEY not in keys:
            consumers.create_foreign_key(
                _CONSUMER_TYPE_KEY, _CONSUMER_TYPES, [_CONSUMER_TYPE], ["id"]
            )


def _drop_redundant_indexes(conn):
    existing = sa.inspect(conn)
    for table, redundant in _REDUNDANT_INDEXES.items():
        for index in existing.get_indexes(table):
            if index["name"] in redundant:
                _operations(conn).drop_index(index["name"], table)


def _operations(conn):
    # Alembic is imported here because a process that only serves does not need it.
    from alembic import operations
    from alembic.runtime import migration

    return operations.Operations(migration.MigrationContext.configure(conn))
