"""The providers of some trees, with all they offer, in one statement for any number of trees.

A tree is one row: its providers are packed into one text, with their rows of other tables. For a
large answer, reading separate rows would take most of the time.
"""

import sqlalchemy as sa

from placement.db import tables
from placement.db.faults import outages
from placement.db.provider_room import Provider, Room
from placement.db.sql import many_shapes, packed_rows
from placement.db.sql.conditions import is_one_of

_providers = tables.resource_providers
_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates


def providers(conn, roots, with_aggregates=True):
    """Return the Providers of the trees of `roots`, a Select of ids; aggregates are optional.

    Order: tree by tree, and in each tree by id.
    Cost: one query; one more for each tree whose text is too long for MySQL, which allows
        group_concat_max_len and max_allowed_packet bytes.
    Raises: Outage if the text of a single provider is too long.
    """
    return _read(conn, _of_roots(_select_trees(with_aggregates), roots))


def providers_of(conn, root_ids, with_aggregates=True):
    """Return the Providers of the trees of some roots, given by their ids; see providers()."""
    is_wanted = is_one_of(_providers.c.root_provider_id, root_ids)
    return _read(conn, _select_trees(with_aggregates).where(is_wanted))


def _text(table, *columns):
    """Select the packed rows that a provider of the enclosing query has in a table."""
    return (
        sa.select(packed_rows.of_rows(*columns))
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


def _trees(*selects):
    """Select trees: the id of the root, and the tree's providers packed into one text.

    selects: Selects of what each provider has, as packed rows
    """
    members = packed_rows.of_rows(
        _providers.c.id,
        _providers.c.uuid,
        packed_rows.or_empty(_providers.c.parent_provider_id),
        *(packed_rows.or_empty(select.scalar_subquery()) for select in selects),
        marks=packed_rows.NESTED,
    )
    root_id = _providers.c.root_provider_id
    return sa.select(root_id, members).group_by(root_id).order_by(root_id)


# The statement never changes, and building it takes longer than reading a few trees.
_TREES = _trees(_TEXT_OF_TRAITS, _TEXT_OF_AGGREGATES, _TEXT_OF_ROOMS)
_TREES_WITHOUT_AGGREGATES = _trees(_TEXT_OF_TRAITS, _NO_TEXT, _TEXT_OF_ROOMS)


def _select_trees(with_aggregates):
    return _TREES if with_aggregates else _TREES_WITHOUT_AGGREGATES


def _of_roots(trees, roots):
    """Limit a Select of trees to those whose root is among `roots`, a Select of ids."""
    of_trees = roots.subquery("of_trees")
    return trees.join(of_trees, of_trees.c.id == _providers.c.root_provider_id)


def _read(conn, query):
    """Return the Providers of the trees, which a query selects as texts."""
    # These caches parse each text only once.
    sets, rooms = _Sets(), _Rooms()
    providers = []
    for root_id, text in conn.execute(query, execution_options=many_shapes.OWN_CACHE):
        try:
            rows = _provider_rows(text)
        except outages.Outage:
            # The text of the tree is too long for MySQL; those of single providers may not be.
            rows = _one_by_one(conn, query.where(_providers.c.root_provider_id == root_id))
        providers += _tree(root_id, rows, sets, rooms)
    return providers


def _one_by_one(conn, query):
    """Return the rows of a large tree, reading each provider as a row of its own."""
    # The rows are grouped by provider, too, so each text has the row of only one provider.
    texts = conn.execute(query.group_by(_providers.c.id)).all()
    return [row for _, text in texts for row in _provider_rows(text)]


def _provider_rows(text):
    """Return the rows of a text of providers, at least one. Raises: Outage if the text is cut."""
    return packed_rows.rows_of(packed_rows.whole(text), packed_rows.NESTED)


def _tree(root_id, rows, sets, rooms):
    """Return the Providers of a tree, in the order of their ids.

    rows: one text for each provider
    sets: the _Sets
    rooms: the _Rooms
    """
    tree = []
    for row in rows:
        key, uuid, parent, traits, aggregates, inventories = row.split(packed_rows.NESTED.column)
        tree.append(
            Provider(
                int(key),
                uuid,
                int(parent) if parent else None,
                root_id,
                sets[traits],
                sets[aggregates],
                rooms[inventories].copy(),
            )
        )
    # The first field of a Provider is its id.
    tree.sort()
    return tree


class _Sets(dict):
    """Caches frozensets of ids by their text: hosts of one kind have equal sets."""

    def __missing__(self, text):
        self[text] = ids = frozenset(map(int, packed_rows.rows_of(text)))
        return ids


class _Rooms(dict):
    """Caches {class_id: Room} by the text of a provider's inventories: many have equal ones."""

    def __init__(self):
        self._rooms = _RoomsByRow()

    def __missing__(self, text):
        self[text] = rooms = dict(map(self._rooms.__getitem__, packed_rows.rows_of(text)))
        return rooms


class _RoomsByRow(dict):
    """Caches (class_id, Room) by the text of one inventory: many hosts have equal ones."""

    def __missing__(self, row):
        class_id, *room = map(int, row.split(","))
        self[row] = class_and_room = class_id, Room._make(room)
        return class_and_room
