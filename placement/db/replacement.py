"""A provider's traits, aggregates or classes, read together with those that are to replace them.

The same statement reads the generation. If a writer can then advance the provider from this
generation, nothing that was read has changed.
"""

import sqlalchemy as sa

from placement.db import tables
from placement.db.faults import drivers
from placement.db.names_and_ids import HELD, NAMED
from placement.db.sql import complete_rows, packed_rows, prepared
from placement.db.sql.complete_rows import IS_COMPLETE

_providers = tables.resource_providers


def find(conn, uuid, subject, names, make):
    """Return the result of `make` for the provider with exactly this uuid, or None.

    subject: TRAITS, AGGREGATES or RESOURCE_CLASSES
    names: the names of the traits, aggregates or classes that the provider will have
    make: called with the provider's id, uuid, name and generation; with {name: id} of what it has
        now; with {name: id} of those `names` that exist; and with the moment when one of these
        existing names was last created or changed, or None
    Cost: one statement.
    Raises: Outage if the database cuts texts.
    """
    names = prepared.padded(names, prepared.SIZES_OF_LISTS) if names else []
    parameters = prepared.values(zip(names), "name") | {"uuid": uuid}
    rows = complete_rows.checked(_query(subject, len(names)).execute(conn, parameters))
    # A database may ignore case; the API does not.
    row = next((row for row in rows if row[1] == uuid), None)
    if row is None:
        return None
    *provider, held, wanted = row
    # {name: (id, when it was last created or changed)}
    existing = {}
    for row_of_name in packed_rows.rows_of(wanted):
        key, touched, name = row_of_name.split(",", 2)
        existing[name] = int(key), touched
    # These are in the order of `names`. A database that ignores case returns other names, too.
    existing = {name: existing[name] for name in dict.fromkeys(names) if name in existing}
    return make(
        *provider,
        {name: int(key) for key, name in _keys_and_names(held)},
        {name: key for name, (key, _) in existing.items()},
        drivers.parsed_moment(max((touched for _, touched in existing.values()), default=None)),
    )


def _keys_and_names(text):
    """Return [key, name], both of them strings, for each row of a packed text."""
    return [row.split(",", 1) for row in packed_rows.rows_of(text)]


@prepared.for_each_shape
def _query(subject, count):
    """Select a provider and, as packed rows, what it has and which of `count` names exist."""
    name, key = NAMED[subject]
    provider_id, held_key = HELD[subject]
    held = (
        sa.select(packed_rows.of_rows(key, name))
        .join_from(provider_id.table, key.table, held_key == key)
        .where(provider_id == _providers.c.id)
    )
    return sa.select(
        _providers.c.id,
        _providers.c.uuid,
        _providers.c.name,
        _providers.c.generation,
        held.scalar_subquery(),
        _wanted(name, key, count) if count else sa.null(),
        IS_COMPLETE,
    ).where(_providers.c.uuid == sa.bindparam("uuid"))


def _wanted(name, key, count):
    """Select those of `count` names that exist: packed rows of key, last change and name."""
    names = [each for (each,) in prepared.numbered(count, "name")]
    rows = packed_rows.of_rows(key, packed_rows.or_empty(tables.touched(name.table)), name)
    return sa.select(rows).where(name.in_(names)).scalar_subquery()
