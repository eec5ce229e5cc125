"""The tables of the newest openstack-placement, on which ours are based.

We share these tables with the other service, so they never change here. What our migrations add is
in placement.db.tables.
"""

import sqlalchemy as sa

metadata = sa.MetaData()


def _table(name, *columns):
    return sa.Table(
        name,
        metadata,
        sa.Column("created_at", sa.DateTime),
        sa.Column("updated_at", sa.DateTime),
        *columns,
        # Otherwise SQLite reuses the highest id once its row is deleted. Only tables that link
        # providers to something have no id.
        sqlite_autoincrement=any(column.name == "id" for column in columns[:1]),
    )


def _id():
    return sa.Column("id", sa.Integer, primary_key=True, nullable=False)


def _number(name, **options):
    return sa.Column(name, sa.Integer, nullable=False, **options)


def _names(table, column, length=255, nullable=False):
    """A table that has only ids and, in `column`, unique names."""
    return _table(
        table,
        _id(),
        sa.Column(column, sa.String(length), nullable=nullable),
        sa.UniqueConstraint(column, name=f"uniq_{table}0{column}"),
    )


_names("resource_classes", "name")
_names("traits", "name")
consumer_types = _names("consumer_types", "name")
_names("projects", "external_id")
_names("users", "external_id")
_names("placement_aggregates", "uuid", length=36, nullable=True)

_table(
    "resource_providers",
    _id(),
    sa.Column("uuid", sa.String(36), nullable=False),
    sa.Column("name", sa.Unicode(200)),
    sa.Column("generation", sa.Integer),
    sa.Column("root_provider_id", sa.Integer),
    sa.Column("parent_provider_id", sa.Integer),
    # MariaDB names foreign keys by number, in this order.
    sa.ForeignKeyConstraint(["parent_provider_id"], ["resource_providers.id"]),
    sa.ForeignKeyConstraint(["root_provider_id"], ["resource_providers.id"]),
    sa.UniqueConstraint("uuid", name="uniq_resource_providers0uuid"),
    sa.UniqueConstraint("name", name="uniq_resource_providers0name"),
    sa.Index("resource_providers_root_provider_id_idx", "root_provider_id"),
    sa.Index("resource_providers_parent_provider_id_idx", "parent_provider_id"),
)

_table(
    "inventories",
    _id(),
    _number("resource_provider_id"),
    _number("resource_class_id"),
    _number("total"),
    _number("reserved"),
    _number("min_unit"),
    _number("max_unit"),
    _number("step_size"),
    sa.Column("allocation_ratio", sa.Float, nullable=False),
    sa.UniqueConstraint(
        "resource_provider_id",
        "resource_class_id",
        name="uniq_inventories0resource_provider_resource_class",
    ),
    sa.Index("inventories_resource_class_id_idx", "resource_class_id"),
)

_table(
    "allocations",
    _id(),
    _number("resource_provider_id"),
    sa.Column("consumer_id", sa.String(36), nullable=False),
    _number("resource_class_id"),
    _number("used"),
    sa.Index(
        "allocations_resource_provider_class_used_idx",
        "resource_provider_id",
        "resource_class_id",
        "used",
    ),
    sa.Index("allocations_resource_class_id_idx", "resource_class_id"),
    sa.Index("allocations_consumer_id_idx", "consumer_id"),
)

_table(
    "consumers",
    _id(),
    sa.Column("uuid", sa.String(36), nullable=False),
    _number("project_id"),
    _number("user_id"),
    _number("generation", server_default=sa.text("0")),
    sa.Column(
        "consumer_type_id",
        sa.Integer,
        sa.ForeignKey("consumer_types.id", name="consumers_consumer_type_id_fkey"),
    ),
    sa.UniqueConstraint("uuid", name="uniq_consumers0uuid"),
    sa.Index("consumers_project_id_uuid_idx", "project_id", "uuid"),
    sa.Index("consumers_project_id_user_id_uuid_idx", "project_id", "user_id", "uuid"),
    sa.Index("consumers_consumer_type_id_idx", "consumer_type_id"),
)

_table(
    "resource_provider_traits",
    _number("trait_id", primary_key=True),
    _number("resource_provider_id", primary_key=True),
    sa.ForeignKeyConstraint(["resource_provider_id"], ["resource_providers.id"]),
    sa.ForeignKeyConstraint(["trait_id"], ["traits.id"]),
    sa.Index(
        "resource_provider_traits_resource_provider_trait_idx",
        "resource_provider_id",
        "trait_id",
    ),
)

_table(
    "resource_provider_aggregates",
    _number("resource_provider_id", primary_key=True, autoincrement=False),
    _number("aggregate_id", primary_key=True, autoincrement=False),
    sa.Index("resource_provider_aggregates_aggregate_id_idx", "aggregate_id"),
)


def create_missing(conn):
    """Create the tables that are missing, and the indexes that the existing ones lack.

    MariaDB commits after each table or index, so an earlier attempt may have stopped anywhere.
    """
    metadata.create_all(conn)
    existing = sa.inspect(conn)
    for table in metadata.sorted_tables:
        names = {index["name"] for index in existing.get_indexes(table.name)}
        for index in table.indexes:
            if index.name not in names:
                index.create(conn)
