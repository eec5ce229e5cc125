"""The providers of some trees, with all that they offer, in one statement of any size.

A provider is one row: what it has in other tables is one text for each of them, as most of the
time that a large answer takes would go into reading rows.
"""

import sqlalchemy as sa

from placement.db import tables, texts
from placement.db.conditions import is_one_of
from placement.db.offers import Provider, Room

_providers = tables.resource_providers
_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates


def providers(conn, roots, with_aggregates=True):
    """Return the Providers of the trees of `roots`, a Select of ids; perhaps without aggregates.

    Order: tree by tree, as their ids are.
    Cost: one query.
    Raises: Outage if the database cuts texts, as MySQL does after group_concat_max_len.
    """
    aggregates = _TEXT_OF_AGGREGATES if with_aggregates else _NO_TEXT
    return _read(conn, roots, _TEXT_OF_TRAITS, aggregates, _TEXT_OF_ROOMS)


def providers_for(conn, roots, class_ids, trait_ids):
    """Return the Providers with no rooms and traits but these; otherwise as `providers`."""
    traits = _TEXT_OF_TRAITS.where(is_one_of(_traits.c.trait_id, trait_ids))
    rooms = _TEXT_OF_ROOMS.where(is_one_of(_inventories.c.resource_class_id, class_ids))
    return _read(conn, roots, traits, _TEXT_OF_AGGREGATES, rooms)


def _text(table, *columns):
    """Select what a provider has in a table, as texts.rows_of reads it."""
    return (
        sa.select(texts.of_rows(*columns))
        .where(table.c.resource_provider_id == _providers.c.id)
        .correlate(_providers)
    )


_TEXT_OF_TRAITS = _text(_traits, _traits.c.trait_id)
_TEXT_OF_AGGREGATES = _text(_members, _members.c.aggregate_id)
_TEXT_OF_ROOMS = _text(
    _inventories,
    _inventories.c.resource_class_id,
    *(_inventories.c[field] for field in Room._fields),
)
_NO_TEXT = sa.select(sa.null())


def _read(conn, roots, *selects):
    of_trees = roots.subquery("of_trees")
    query = (
        sa.select(
            _providers.c.id,
            _providers.c.uuid,
            _providers.c.parent_provider_id,
            _providers.c.root_provider_id,
            *(select.scalar_subquery() for select in selects),
        )
        .join(of_trees, of_trees.c.id == _providers.c.root_provider_id)
        .order_by(_providers.c.root_provider_id, _providers.c.id)
    )
    sets, rooms = _Sets(), _RoomsOfPieces()
    return [
        Provider(
            provider_id,
            uuid,
            parent_id,
            root_id,
            sets[traits],
            sets[aggregates],
            dict(map(rooms.__getitem__, texts.rows_of(text))),
        )
        for provider_id, uuid, parent_id, root_id, traits, aggregates, text in conn.execute(query)
    ]


class _Sets(dict):
    """Text -> frozenset of ids. Hosts of one kind have equal sets: each is made once."""

    def __missing__(self, text):
        self[text] = ids = frozenset(map(int, texts.rows_of(text)))
        return ids


class _RoomsOfPieces(dict):
    """One row of an inventory's text -> (class_id, Room); many hosts have equal ones."""

    def __missing__(self, piece):
        class_id, *room = map(int, piece.split(","))
        self[piece] = found = class_id, Room._make(room)
        return found
