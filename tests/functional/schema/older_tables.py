"""Databases as releases of openstack-placement created them, at each of their revisions.

Source: doc/reference/placement-manage.rst, "db stamp VERSION".
"""

import sqlalchemy as sa

from placement.db.schema import adoption, peer_tables

# The first revision that knows types of consumers.
WITH_CONSUMER_TYPES = "422ece571366"

# The indexes that the newest revision dropped.
REDUNDANT_INDEXES = (
    "inventories_resource_provider_id_idx ON inventories (resource_provider_id)",
    "inventories_resource_provider_resource_class_idx "
    "ON inventories (resource_provider_id, resource_class_id)",
    "ix_placement_aggregates_uuid ON placement_aggregates (uuid)",
    "resource_providers_name_idx ON resource_providers (name)",
    "resource_providers_uuid_idx ON resource_providers (uuid)",
)

CONSUMERS_WITHOUT_TYPE = sa.Table(
    "consumers",
    sa.MetaData(),
    sa.Column("created_at", sa.DateTime),
    sa.Column("updated_at", sa.DateTime),
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("uuid", sa.String(36), nullable=False),
    sa.Column("project_id", sa.Integer, nullable=False),
    sa.Column("user_id", sa.Integer, nullable=False),
    sa.Column("generation", sa.Integer, nullable=False, server_default=sa.text("0")),
    sa.UniqueConstraint("uuid", name="uniq_consumers0uuid"),
    sa.Index("consumers_project_id_uuid_idx", "project_id", "uuid"),
    sa.Index("consumers_project_id_user_id_uuid_idx", "project_id", "user_id", "uuid"),
)

ROWS = (
    "INSERT INTO resource_providers (id, uuid, name, generation, root_provider_id) "
    "VALUES (1, 'p1', 'host', 3, 1), (2, 'p2', 'other', 0, 2)",
    "INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved, "
    "min_unit, max_unit, step_size, allocation_ratio) VALUES (1, 0, 100, 0, 1, 9, 1, 0.29)",
    "INSERT INTO projects (id, external_id) VALUES (1, 'project')",
    "INSERT INTO users (id, external_id) VALUES (1, 'user')",
    "INSERT INTO consumers (uuid, project_id, user_id) VALUES ('a', 1, 1), ('b', 1, 1)",
    "INSERT INTO allocations (resource_provider_id, consumer_id, resource_class_id, used) "
    "VALUES (1, 'a', 0, 3), (1, 'b', 0, 4), (2, 'b', 0, 5)",
)


def create(conn, revision, stamps=None):
    """Make the tables of a revision, with some rows.

    `stamps` are the rows of alembic_version: by default one with the revision; () leaves it empty.
    """
    _create_tables(conn, has_types=_is_since(revision, WITH_CONSUMER_TYPES))
    if not _is_since(revision, adoption.NEWEST):
        for index in REDUNDANT_INDEXES:
            conn.execute(sa.text(f"CREATE INDEX {index}"))
    for row in ROWS:
        conn.execute(sa.text(row))
    conn.execute(sa.text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
    for stamp in [revision] if stamps is None else stamps:
        conn.execute(sa.text("INSERT INTO alembic_version VALUES (:stamp)"), {"stamp": stamp})


def _is_since(revision, other):
    return adoption.REVISIONS.index(revision) >= adoption.REVISIONS.index(other)


def _create_tables(conn, has_types):
    if has_types:
        peer_tables.metadata.create_all(conn)
        return
    tables = [
        table
        for name, table in peer_tables.metadata.tables.items()
        if name not in ("consumer_types", "consumers")
    ]
    peer_tables.metadata.create_all(conn, tables=tables)
    CONSUMERS_WITHOUT_TYPE.create(conn)
