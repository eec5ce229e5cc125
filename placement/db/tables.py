"""All tables, with the same names, types and indexes as in openstack-placement.

Some columns are our own. Two of them, inventories.capacity and inventories.used, are derived:

- capacity is trunc((total - reserved) * allocation_ratio), computed in Python when the inventory
  is written.
- used is the sum of the allocations of that provider and class, and changes in the same transaction
  as these allocations.

From these two columns, the database generates inventories.headroom, which has an index.
resource_providers.counted_generation is the generation up to which these two columns are right.
When another program writes, it advances only the generation: see derived_sums/. All tables of
`our_metadata` are our own.
"""

import sqlalchemy as sa
from oslo_utils import timeutils
from sqlalchemy.dialects import mysql

from placement import constants

metadata = sa.MetaData()
our_metadata = sa.MetaData()
_OURS = {"is_ours": True}


def _now():
    # Like prepared.now(), this has no fraction of a second.
    return timeutils.utcnow().replace(microsecond=0)


def _table(name, *columns):
    """A table whose rows record their creation and last change (naive UTC)."""
    return sa.Table(
        name,
        metadata,
        sa.Column("created_at", sa.DateTime, default=_now),
        sa.Column("updated_at", sa.DateTime, onupdate=_now),
        *columns,
    )


def touched(table):
    """The SQL for when a row of a table last changed or, if it never did, when it was created."""
    return sa.func.coalesce(table.c.updated_at, table.c.created_at)


def _ours(name, *arguments, **options):
    """A column that openstack-placement does not have."""
    return sa.Column(name, *arguments, info=_OURS, **options)


def our_columns():
    """Return the columns that openstack-placement does not have.

    Generated columns come before those that they are generated from, so that all can be dropped in
    this order.
    """
    columns = [column for table in metadata.sorted_tables for column in table.columns]
    return [column for column in reversed(columns) if column.info == _OURS]


def _id():
    return sa.Column("id", sa.Integer, primary_key=True, nullable=False)


def _names(table, column, length=constants.MAX_NAME, nullable=False):
    """A table that has only ids and, in `column`, unique names."""
    return _table(
        table,
        _id(),
        sa.Column(column, sa.String(length), nullable=nullable),
        sa.UniqueConstraint(column, name=f"uniq_{table}0{column}"),
    )


resource_classes = _names("resource_classes", "name")
traits = _names("traits", "name")
consumer_types = _names("consumer_types", "name")
projects = _names("projects", "external_id")
users = _names("users", "external_id")
aggregates = _names("placement_aggregates", "uuid", length=36, nullable=True)

resource_providers = _table(
    "resource_providers",
    _id(),
    sa.Column("uuid", sa.String(36), nullable=False),
    sa.Column("name", sa.Unicode(constants.MAX_PROVIDER_NAME), nullable=True),
    sa.Column("generation", sa.Integer, default=0),
    _ours("counted_generation", sa.Integer),
    sa.Column("root_provider_id", sa.Integer, sa.ForeignKey("resource_providers.id")),
    sa.Column("parent_provider_id", sa.Integer, sa.ForeignKey("resource_providers.id")),
    sa.UniqueConstraint("uuid", name="uniq_resource_providers0uuid"),
    sa.UniqueConstraint("name", name="uniq_resource_providers0name"),
    sa.Index("resource_providers_root_provider_id_idx", "root_provider_id"),
    sa.Index("resource_providers_parent_provider_id_idx", "parent_provider_id"),
)

# Arguments of with_hint() for statements on the first providers after an id. If MariaDB happens to
# estimate as many providers in the range of ids as there are roots, it would otherwise read the
# roots, beginning with the first of all.
PRIMARY_KEY_HINT = ("FORCE INDEX (PRIMARY)", "mysql")

# The most that one more allocation can take: 0 if the inventory is full, and never more than
# max_unit. It is a generated column, so writers of the other columns need not know about it.
_HEADROOM = """
    CASE WHEN used >= capacity THEN 0
         WHEN used + max_unit <= capacity THEN max_unit
         ELSE capacity - used END
"""
headroom_index = sa.Index(
    "inventories_resource_class_headroom_idx",
    "resource_class_id",
    "headroom",
    "resource_provider_id",
)
inventories = _table(
    "inventories",
    _id(),
    sa.Column("resource_provider_id", sa.Integer, nullable=False),
    sa.Column("resource_class_id", sa.Integer, nullable=False),
    sa.Column("total", sa.Integer, nullable=False),
    sa.Column("reserved", sa.Integer, nullable=False),
    sa.Column("min_unit", sa.Integer, nullable=False),
    sa.Column("max_unit", sa.Integer, nullable=False),
    sa.Column("step_size", sa.Integer, nullable=False),
    sa.Column("allocation_ratio", sa.Float, nullable=False),
    _ours("capacity", sa.BigInteger, nullable=False, server_default="0"),
    _ours("used", sa.BigInteger, nullable=False, server_default="0"),
    _ours("headroom", sa.Integer, sa.Computed(_HEADROOM)),
    sa.UniqueConstraint(
        "resource_provider_id",
        "resource_class_id",
        name="uniq_inventories0resource_provider_resource_class",
    ),
    sa.Index("inventories_resource_class_id_idx", "resource_class_id"),
    headroom_index,
)

allocations = _table(
    "allocations",
    _id(),
    sa.Column("resource_provider_id", sa.Integer, nullable=False),
    # The uuid of the consumer, not its id.
    sa.Column("consumer_id", sa.String(36), nullable=False),
    sa.Column("resource_class_id", sa.Integer, nullable=False),
    sa.Column("used", sa.Integer, nullable=False),
    sa.Index(
        "allocations_resource_provider_class_used_idx",
        "resource_provider_id",
        "resource_class_id",
        "used",
    ),
    sa.Index("allocations_resource_class_id_idx", "resource_class_id"),
    sa.Index("allocations_consumer_id_idx", "consumer_id"),
)
# Arguments of with_hint() for statements on all allocations by inventory. If MariaDB's statistics
# are older than many of the allocations, it would otherwise look them up by class, once for each
# inventory. For a million allocations that takes more than ten minutes, instead of a second.
PROVIDER_AND_CLASS_HINT = ("FORCE INDEX (allocations_resource_provider_class_used_idx)", "mysql")

consumers = _table(
    "consumers",
    _id(),
    sa.Column("uuid", sa.String(36), nullable=False),
    sa.Column("project_id", sa.Integer, nullable=False),
    sa.Column("user_id", sa.Integer, nullable=False),
    sa.Column("generation", sa.Integer, nullable=False, default=0, server_default="0"),
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

resource_provider_traits = _table(
    "resource_provider_traits",
    sa.Column("trait_id", sa.Integer, sa.ForeignKey("traits.id"), primary_key=True),
    sa.Column(
        "resource_provider_id",
        sa.Integer,
        sa.ForeignKey("resource_providers.id"),
        primary_key=True,
    ),
    sa.Index(
        "resource_provider_traits_resource_provider_trait_idx",
        "resource_provider_id",
        "trait_id",
    ),
)

resource_provider_aggregates = _table(
    "resource_provider_aggregates",
    sa.Column("resource_provider_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("aggregate_id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Index("resource_provider_aggregates_aggregate_id_idx", "aggregate_id"),
)

# MySQL's TEXT holds 64 KB; a claim may be larger.
_LARGE_TEXT = sa.Text().with_variant(mysql.MEDIUMTEXT(), "mysql", "mariadb")

# What was changed, and by whom: one row for each subject that a transaction has changed. A row gets
# its position only after it has been committed: see doc/explanation/changes.rst.
changes = sa.Table(
    "placement_changes",
    our_metadata,
    # SQLite numbers rows only if the type of the column is spelled INTEGER.
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True),
    sa.Column("position", sa.BigInteger),
    sa.Column("written_at", sa.DateTime, nullable=False),
    sa.Column("request_id", sa.String(64)),
    sa.Column("user_id", sa.String(constants.MAX_NAME)),
    sa.Column("project_id", sa.String(constants.MAX_NAME)),
    sa.Column("operation", sa.String(constants.MAX_NAME)),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("uuid", sa.String(36)),
    sa.Column("name", sa.Unicode(constants.MAX_NAME)),
    # The new generations of providers, as packed_rows.of_rows(uuid, generation).
    sa.Column("generations", _LARGE_TEXT),
    # JSON in ASCII.
    sa.Column("state_before", _LARGE_TEXT),
    sa.Column("state_after", _LARGE_TEXT),
    sa.UniqueConstraint("position", name="uniq_placement_changes0position"),
    sa.Index("placement_changes_uuid_idx", "uuid"),
    sa.Index("placement_changes_written_at_idx", "written_at"),
    # Otherwise SQLite reuses the highest id once its row is deleted.
    sqlite_autoincrement=True,
)

# This has one row: the newest position that was given, and the newest that is no longer kept.
feed = sa.Table(
    "placement_feed",
    our_metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("newest", sa.BigInteger, nullable=False),
    sa.Column("dropped", sa.BigInteger, nullable=False),
)


def _hour():
    """Return the column for hours since 1970, in UTC."""
    return sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False)


# The first process to insert the row of an hour stores its sample. A NULL stands for a number that
# an imported sample did not have.
capacity_hours = sa.Table(
    "placement_capacity_hours",
    our_metadata,
    _hour(),
    sa.Column("taken_at", sa.DateTime, nullable=False),
    sa.Column("hosts", sa.Integer),
)

# Classes are stored by name, not by id: a class may be deleted, and its id given to another.
capacity_sums = sa.Table(
    "placement_capacity_sums",
    our_metadata,
    _hour(),
    sa.Column("class_name", sa.String(constants.MAX_NAME), primary_key=True),
    sa.Column("capacity", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger, nullable=False),
    sa.Column("largest_free", sa.BigInteger),
    sa.Column("full_providers", sa.Integer),
    sa.Column("providers", sa.Integer),
)
