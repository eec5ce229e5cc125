"""SQL statements for the aggregates of a provider."""

import sqlalchemy as sa

from placement.db import tables
from placement.db.sql import prepared, provider_with
from placement.db.sql.prepared import Prepared

_aggregates = tables.aggregates
_members = tables.resource_provider_aggregates


_of_provider_query = provider_with.query(
    (_aggregates.c.uuid,),
    (_members, _members.c.resource_provider_id == tables.resource_providers.c.id),
    (_aggregates, _aggregates.c.id == _members.c.aggregate_id),
).order_by(_aggregates.c.id)


def of_provider(conn, provider_uuid):
    """Return a Holding of a provider's aggregate uuids; None if there is no such provider.

    Cost: one statement.
    """
    return provider_with.find(conn, _of_provider_query, provider_uuid, make=str)


_ids_query = (
    sa.select(_aggregates.c.uuid, _aggregates.c.id)
    .join(_members, _members.c.aggregate_id == _aggregates.c.id)
    .where(_members.c.resource_provider_id == sa.bindparam("provider_id"))
)


def ids_of(conn, provider_id):
    """Return {uuid: id} of the aggregates of a provider.

    Cost: one statement.
    """
    return dict(conn.execute(_ids_query, {"provider_id": provider_id}).all())


_delete = Prepared(
    lambda: sa.delete(_members).where(
        _members.c.resource_provider_id == sa.bindparam("provider_id")
    )
)


def replace(conn, provider_id, aggregate_ids):
    """Put a provider into exactly these aggregates.

    Cost: one statement, and one for each chunk of aggregates.
    """
    _delete.execute(conn, {"provider_id": provider_id})
    rows = [(provider_id, aggregate_id) for aggregate_id in sorted(aggregate_ids)]
    prepared.insert(conn, _members, ("resource_provider_id", "aggregate_id"), rows)
