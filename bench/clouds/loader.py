"""Filling the tables of a server with a Cloud directly, because over HTTP it would take an hour.

It works for any server that has the tables of openstack-placement, with the standard classes and
traits in them. Columns that only some servers have are filled where they exist.
"""

import collections
import contextlib
import datetime
import itertools
import operator

import orjson
import sqlalchemy as sa

from bench.clouds import cloud
from placement.db.derived_sums import triggers
from placement.db.feed import foreign_triggers

# How many rows one statement inserts.
_ROWS = 10_000
# Databases also collect statistics by themselves, but a benchmark does not wait for that.
_ANALYZE = {
    "mysql": "ANALYZE TABLE {tables}",
    "postgresql": "VACUUM ANALYZE {tables}",
    "sqlite": "ANALYZE",
}


def load(url, plan, instances):
    """Fill the database at `url` with the providers of a Cloud, and with the claims of `instances`.

    Raises: sqlalchemy.exc.SQLAlchemyError.
    """
    engine = sa.create_engine(url)
    metadata = sa.MetaData()
    try:
        metadata.reflect(engine)
        with engine.begin() as conn:
            # The inserted inventories already have the sums of their allocations, so no trigger has
            # to count.
            conn.execute(sa.select(triggers.OurStatement()))
            with _without_triggers(conn):
                for table_name, rows in _rows(conn, metadata.tables, plan, instances):
                    _insert(conn, metadata.tables[table_name], rows)
            if conn.dialect.name == "postgresql":
                _advance_sequences(conn, metadata.tables)
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as conn:
            statement = _ANALYZE[conn.dialect.name].format(tables=", ".join(metadata.tables))
            conn.exec_driver_sql(statement)
    finally:
        engine.dispose()


@contextlib.contextmanager
def _without_triggers(conn):
    """Drop the triggers of this release during the block, and create them again.

    For each row, they would update sums, and record a change as if another program had made it.
    """
    present = [
        each for each in (triggers, foreign_triggers.FOREIGN_WRITES) if each.are_present(conn)
    ]
    for each in present:
        each.remove(conn)
    yield
    for each in present:
        each.install(conn)


def _insert(conn, table, rows):
    """Insert rows, {column: value}, without the columns that the table does not have."""
    now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
    rows = ({"created_at": now} | row for row in rows)
    insert = _insert_document if conn.dialect.name == "postgresql" else _insert_values
    while chunk := list(itertools.islice(rows, _ROWS)):
        insert(conn, table, [name for name in chunk[0] if name in table.c], chunk)


def _insert_values(conn, table, names, rows):
    """Pass the rows to the driver; drivers of MySQL insert thousands of rows per statement."""
    mark = "?" if conn.dialect.paramstyle == "qmark" else "%s"
    columns, marks = ", ".join(names), ", ".join([mark] * len(names))
    statement = f"INSERT INTO {table.name} ({columns}) VALUES ({marks})"  # noqa: S608
    conn.exec_driver_sql(statement, list(map(operator.itemgetter(*names), rows)))


def _insert_document(conn, table, names, rows):
    """Send the rows as one JSON document, which PostgreSQL turns into rows."""
    columns = ", ".join(names)
    statement = (
        f"INSERT INTO {table.name} ({columns}) SELECT {columns}"  # noqa: S608
        f" FROM json_populate_recordset(CAST(NULL AS {table.name}), CAST(:rows AS json))"
    )
    conn.execute(sa.text(statement), {"rows": orjson.dumps(rows).decode()})


def _advance_sequences(conn, tables):
    """Advance PostgreSQL's sequences past the ids that were assigned here."""
    for name, table in tables.items():
        if "id" in table.c:
            sequence = sa.func.pg_get_serial_sequence(name, "id")
            conn.execute(sa.select(sa.func.setval(sequence, sa.func.max(table.c.id))))


def _rows(conn, tables, plan, instances):
    """Yield (name of a table, its rows). Rows that other rows refer to get their ids here."""
    ids = {provider.name: number for number, provider in enumerate(plan.providers, 1)}
    yield "resource_providers", (_provider(provider, ids) for provider in plan.providers)
    trait_ids = _ids(conn, tables["traits"])
    yield (
        "resource_provider_traits",
        (
            {"resource_provider_id": ids[provider.name], "trait_id": trait_ids[trait]}
            for provider in plan.providers
            for trait in provider.traits
        ),
    )
    yield "placement_aggregates", _numbered("uuid", plan.aggregates)
    aggregate_ids = {uuid: number for number, uuid in enumerate(plan.aggregates, 1)}
    yield (
        "resource_provider_aggregates",
        (
            {"resource_provider_id": ids[provider.name], "aggregate_id": aggregate_ids[uuid]}
            for provider in plan.providers
            for uuid in provider.aggregates
        ),
    )
    yield "projects", _numbered("external_id", cloud.PROJECTS)
    yield "users", _numbered("external_id", cloud.USERS)
    yield "consumer_types", _numbered("name", [cloud.CONSUMER_TYPE])
    yield "consumers", map(_consumer, instances)
    class_ids = _ids(conn, tables["resource_classes"])
    yield "allocations", _allocations(instances, ids, class_ids)
    # Allocations come last, because the triggers of other releases may count each of them.
    yield "inventories", _inventories(plan.providers, instances, ids, class_ids)


def _ids(conn, table):
    return dict(conn.execute(sa.select(table.c.name, table.c.id)).all())


def _numbered(column, values):
    return [{"id": number, column: value} for number, value in enumerate(values, 1)]


def _provider(provider, ids):
    return {
        "id": ids[provider.name],
        "uuid": provider.uuid,
        "name": provider.name,
        "generation": 0,
        "counted_generation": 0,
        "root_provider_id": ids[provider.root],
        "parent_provider_id": ids.get(provider.parent),
    }


def _consumer(instance):
    return {
        "uuid": instance.consumer_uuid,
        "project_id": cloud.PROJECTS.index(instance.project) + 1,
        "user_id": cloud.USERS.index(instance.user) + 1,
        "generation": 1,
        "consumer_type_id": 1,
    }


def _allocations(instances, ids, class_ids):
    amounts = [(class_ids[name], amount) for name, amount in cloud.RESOURCES.items()]
    for instance in instances:
        for class_id, amount in amounts:
            yield {
                "resource_provider_id": ids[instance.host.name],
                "resource_class_id": class_id,
                "consumer_id": instance.consumer_uuid,
                "used": amount,
            }


def _inventories(providers, instances, ids, class_ids):
    counts = collections.Counter(instance.host.name for instance in instances)
    for provider in providers:
        for class_name, inventory in provider.inventories.items():
            yield {
                "resource_provider_id": ids[provider.name],
                "resource_class_id": class_ids[class_name],
                "total": inventory.total,
                "reserved": 0,
                "min_unit": 1,
                "max_unit": inventory.total,
                "step_size": 1,
                "allocation_ratio": inventory.allocation_ratio,
                "capacity": inventory.capacity,
                "used": counts[provider.name] * cloud.RESOURCES.get(class_name, 0),
            }
