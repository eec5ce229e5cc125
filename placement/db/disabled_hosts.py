"""Hosts that nova has disabled: they have the trait COMPUTE_STATUS_DISABLED."""

import os_traits
import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import chunks
from placement.db.sql.conditions import is_root

_providers = tables.resource_providers
_held_traits = tables.resource_provider_traits
_query = (
    sa.select(_providers.c.uuid)
    .join(_held_traits, _held_traits.c.resource_provider_id == _providers.c.id)
    .join(tables.traits, tables.traits.c.id == _held_traits.c.trait_id)
    .where(
        is_root(_providers),
        tables.traits.c.name == os_traits.COMPUTE_STATUS_DISABLED,
    )
)


def among(conn, uuids):
    """Return those of the given UUIDs that belong to disabled hosts, as a set.

    Cost: one query for each chunk, none without UUIDs.
    """
    return {
        uuid
        for chunk in chunks(uuids)
        for uuid in conn.scalars(_query.where(_providers.c.uuid.in_(chunk)))
    }
