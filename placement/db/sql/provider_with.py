"""A provider's traits, inventories and so on, read in one statement with its generation.

This is for code that shows what a provider has. Code that replaces it uses db/replacement.py.
"""

from typing import Any, NamedTuple

import sqlalchemy as sa

from placement.db import tables

_providers = tables.resource_providers


class Holding(NamedTuple):
    """What a provider has, such as InventoryRows, and its generation when that was read."""

    generation: int
    rows: list[Any]


def query(columns, *joins):
    """Select the uuid and the generation of the provider bound to `uuid`, and what it has.

    columns: the columns of what the provider has. The first one is NULL only where one of the joins
        has found no row; find() ignores such rows.
    joins: pairs of a table and the condition that ties its rows to those of the tables before it
    """
    joined = _providers
    # The tables are joined one by one, because SQLite reads all rows of tables joined in
    # parentheses.
    for table, condition in joins:
        joined = joined.outerjoin(table, condition)
    return (
        sa.select(_providers.c.uuid, _providers.c.generation, *columns)
        .select_from(joined)
        .where(_providers.c.uuid == sa.bindparam("uuid"))
    )


def find(conn, query, uuid, make):
    """Return the Holding of the provider with exactly this uuid, or None.

    `query` is a result of query(); `make` turns the columns of each of its rows, without uuid and
    generation, into an item.
    Cost: one statement.
    """
    # A database may ignore case; the API does not.
    rows = [row[1:] for row in conn.execute(query, {"uuid": uuid}) if row[0] == uuid]
    if not rows:
        return None
    generation = rows[0][0]
    # See query() for rows whose first column is NULL.
    return Holding(generation, [make(*held) for _, *held in rows if held[0] is not None])
