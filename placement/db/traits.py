"""Statements on traits, and on which provider has which."""

import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import MAX_PARAMETERS
from placement.db.conditions import is_one_of
from placement.db.names import NamedRow

_traits = tables.traits
_on_providers = tables.resource_provider_traits

_columns = (_traits.c.id, _traits.c.name, _traits.c.created_at, _traits.c.updated_at)


def list_matching(conn, names=None, prefix=None, associated=None):
    """Return the NamedRows that meet all conditions that are not None.

    `names` is a collection, `associated` says whether any provider has the trait.
    """
    query = sa.select(*_columns).order_by(_traits.c.id)
    if names is not None and len(names) <= MAX_PARAMETERS:
        query = query.where(_traits.c.name.in_(names))
    if prefix is not None:
        query = query.where(_traits.c.name.startswith(prefix, autoescape=True))
    if associated is not None:
        somewhere = sa.exists().where(_on_providers.c.trait_id == _traits.c.id)
        query = query.where(somewhere if associated else ~somewhere)
    return [
        row
        for row in map(NamedRow._make, conn.execute(query))
        if (names is None or row.name in names) and row.name.startswith(prefix or "")
    ]


def find(conn, name):
    """Return the NamedRow of exactly this name, or None."""
    return next(iter(list_matching(conn, names=[name])), None)


def insert(conn, name):
    """Raises: DBDuplicateEntry."""
    conn.execute(sa.insert(_traits).values(name=name))


def delete(conn, trait_id):
    """Raises: DBReferenceError when a provider has the trait, where the database checks that."""
    conn.execute(sa.delete(_traits).where(_traits.c.id == trait_id))


def is_on_a_provider(conn, trait_id):
    query = sa.select(_on_providers.c.trait_id).where(_on_providers.c.trait_id == trait_id)
    return conn.execute(query.limit(1)).first() is not None


def list_for(conn, provider_id):
    """Return the NamedRows of a provider."""
    query = (
        sa.select(*_columns)
        .join(_on_providers, _on_providers.c.trait_id == _traits.c.id)
        .where(_on_providers.c.resource_provider_id == provider_id)
        .order_by(_traits.c.id)
    )
    return [NamedRow(*row) for row in conn.execute(query)]


def attach(conn, provider_id, trait_ids):
    """Raises: DBReferenceError when a trait has been deleted meanwhile."""
    if trait_ids:
        conn.execute(
            sa.insert(_on_providers),
            [
                {"resource_provider_id": provider_id, "trait_id": trait_id}
                for trait_id in sorted(trait_ids)
            ],
        )


def detach(conn, provider_id, trait_ids):
    if trait_ids:
        conn.execute(
            sa.delete(_on_providers).where(
                _on_providers.c.resource_provider_id == provider_id,
                is_one_of(_on_providers.c.trait_id, trait_ids),
            )
        )
