"""The providers that share their inventories with the trees in their aggregates."""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables

_providers = tables.resource_providers
_traits = tables.resource_provider_traits


class SharingProvider(NamedTuple):
    """A provider that shares its inventories, and the root of its own tree."""

    id: int
    root_id: int


_sharing_query = (
    sa.select(_providers.c.id, _providers.c.root_provider_id)
    .join(_traits, _traits.c.resource_provider_id == _providers.c.id)
    .where(_traits.c.trait_id == sa.bindparam("trait_id"))
    .order_by(_providers.c.root_provider_id, _providers.c.id)
)


def find(conn, sharing_trait_id):
    """Return a SharingProvider for each provider with the sharing trait, tree by tree.

    Cost: one query.
    """
    rows = conn.execute(_sharing_query, {"trait_id": sharing_trait_id})
    return [SharingProvider(*row) for row in rows]
