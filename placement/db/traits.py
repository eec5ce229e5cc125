"""SQL statements for traits, and for the traits that each provider has."""

import datetime
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import MAX_CONDITIONS, MAX_PARAMETERS, chunks
from placement.db.names_and_ids import NamedRow
from placement.db.sql import packed_rows, prepared, provider_with

_traits = tables.traits
_on_providers = tables.resource_provider_traits


class TraitsOfProvider(NamedTuple):
    """The generation and traits of a provider, and when a trait was last changed, if it has any."""

    generation: int
    names: list[str]
    touched: datetime.datetime | None


_columns = (_traits.c.id, _traits.c.name, _traits.c.created_at, _traits.c.updated_at)


def list_matching(conn, names=None, prefix=None, associated=None):
    """Return the NamedRows that meet all conditions that are not None.

    names: a collection of names
    prefix: what the names must begin with
    associated: True for traits that some provider has, False for those that none has
    """
    query = sa.select(*_columns).order_by(_traits.c.id)
    # More names than that are only compared below.
    if names is not None and len(names) <= MAX_PARAMETERS:
        query = query.where(_traits.c.name.in_(names))
    if prefix is not None:
        query = query.where(_traits.c.name.startswith(prefix, autoescape=True))
    if associated is not None:
        has_provider = sa.exists().where(_on_providers.c.trait_id == _traits.c.id)
        query = query.where(has_provider if associated else ~has_provider)
    # A database may ignore case; the API does not.
    return [
        row
        for row in map(NamedRow._make, conn.execute(query))
        if (names is None or row.name in names) and row.name.startswith(prefix or "")
    ]


def find(conn, name):
    """Return the NamedRow with exactly this name, or None."""
    return next(iter(list_matching(conn, names=[name])), None)


def insert(conn, name):
    """Add a trait. Raises: DBDuplicateEntry."""
    conn.execute(sa.insert(_traits).values(name=name))


def delete(conn, trait_id):
    """Delete a trait.

    Raises: DBReferenceError when a provider has the trait, if the database checks that.
    """
    conn.execute(sa.delete(_traits).where(_traits.c.id == trait_id))


def is_on_a_provider(conn, trait_id):
    query = sa.select(_on_providers.c.trait_id).where(_on_providers.c.trait_id == trait_id)
    return conn.execute(query.limit(1)).first() is not None


# A host may have a hundred traits, so they are packed into one row.
_of_provider_query = provider_with.query(
    (
        packed_rows.of_rows(_traits.c.id, _traits.c.name),
        sa.func.max(tables.touched(_traits)),
    ),
    (_on_providers, _on_providers.c.resource_provider_id == tables.resource_providers.c.id),
    (_traits, _traits.c.id == _on_providers.c.trait_id),
).group_by(tables.resource_providers.c.id)


def of_provider(conn, provider_uuid):
    """Return the TraitsOfProvider, or None if there is no such provider.

    Cost: one statement.
    Raises: Outage if the database cuts texts.
    """
    holding = provider_with.find(conn, _of_provider_query, provider_uuid, make=lambda *row: row)
    if holding is None:
        return None
    # There is at most one row: the traits as one text, and when one of them was last changed.
    [(text, touched)] = holding.rows or [(None, None)]
    ids_and_names = [row.split(",", 1) for row in packed_rows.rows_of(text)]
    names = [name for _, name in sorted([(int(key), name) for key, name in ids_and_names])]
    return TraitsOfProvider(holding.generation, names, touched)


def attach(conn, provider_id, trait_ids):
    """Give traits to a provider. Raises: DBReferenceError if one has been deleted meanwhile.

    Cost: one statement for each chunk.
    """
    rows = [(provider_id, trait_id) for trait_id in sorted(trait_ids)]
    prepared.insert(conn, _on_providers, ("resource_provider_id", "trait_id"), rows)


def detach(conn, provider_id, trait_ids):
    """Take traits away from a provider. Cost: one statement for each chunk."""
    for chunk in chunks(trait_ids, MAX_CONDITIONS):
        rows = prepared.padded([(trait_id,) for trait_id in sorted(chunk)])
        parameters = prepared.values(rows, "trait_id") | {"provider_id": provider_id}
        _detach_statement(len(rows)).execute(conn, parameters)


@prepared.for_each_shape
def _detach_statement(count):
    return sa.delete(_on_providers).where(
        _on_providers.c.resource_provider_id == sa.bindparam("provider_id"),
        _on_providers.c.trait_id.in_([each for (each,) in prepared.numbered(count, "trait_id")]),
    )
