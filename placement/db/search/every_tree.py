"""Every tree of a cloud, batch by batch, with the wanted rows: for answers about all hosts.

There may be a million trees. So the tables are read by ranges of ids, and all rows of a batch as
one text. Callers examine only one of several hosts that are alike in these rows.
"""

import collections
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.faults import outages
from placement.db.provider_room import Provider, Room
from placement.db.search import roots
from placement.db.sql import many_shapes, packed_rows
from placement.db.sql.conditions import are_near, is_one_of

_providers = tables.resource_providers
_inventories = tables.inventories
_traits = tables.resource_provider_traits
_members = tables.resource_provider_aggregates


class Wanted(NamedTuple):
    """The classes, traits and aggregates for which the rows of providers are read.

    If `aggregate_ids` is None, the rows for all aggregates are read.
    """

    class_ids: frozenset[int]
    trait_ids: frozenset[int]
    aggregate_ids: frozenset[int] | None

    @classmethod
    def of(cls, names):
        """Return the Wanted for all classes, traits and aggregates in Names."""
        return cls(
            frozenset(names.resource_classes.values()),
            frozenset(names.traits.values()),
            frozenset(names.aggregates.values()),
        )

    def with_aggregates_of(self, sharing, shared):
        """Return this Wanted, with the aggregates through which trees reach sharing providers.

        sharing: the SharingProviders
        shared: {root id: Providers} of the trees that these providers are in
        """
        ids = {provider.id for provider in sharing}
        reached_by = (p.aggregates for tree in shared.values() for p in tree if p.id in ids)
        return self._replace(aggregate_ids=self.aggregate_ids.union(*reached_by))

    def with_aggregates(self, ids):
        """Return this Wanted, with more aggregates."""
        return self._replace(aggregate_ids=self.aggregate_ids | ids)


NOTHING = Wanted(frozenset(), frozenset(), frozenset())

# The size of a batch for callers that need most of what is in the trees.
AT_ONCE = 2000


class BatchOfTrees:
    """Some trees, read together.

    members     id of a root -> [(id, id of the parent or None)] of the providers in its tree, by id
    rooms       id of a provider -> [(class_id, Room)]
    traits      id of a provider -> [trait_id]
    aggregates  id of a provider -> [aggregate_id]
    """

    def __init__(self, members, rooms, traits, aggregates):
        self.members = members
        self._rooms = rooms
        self._traits = traits
        self._aggregates = aggregates

    def providers(self, root_id):
        """Return the Providers of a tree, by id; their uuids have not been read."""
        return [
            Provider(
                id=provider_id,
                uuid="",
                parent_id=parent_id,
                root_id=root_id,
                traits=frozenset(self._traits.get(provider_id, ())),
                aggregates=frozenset(self._aggregates.get(provider_id, ())),
                rooms=dict(self._rooms.get(provider_id, ())),
            )
            for provider_id, parent_id in self.members[root_id]
        ]

    def ids(self, root_id):
        """Return the ids of the providers of a tree, in order."""
        return [each for each, _ in self.members[root_id]]

    def in_aggregates(self, aggregate_ids):
        """Return the set of the roots of trees with a provider in any of these aggregates."""
        if not aggregate_ids:
            return set()
        return {
            root_id
            for root_id, members in self.members.items()
            for provider_id, _ in members
            if not aggregate_ids.isdisjoint(self._aggregates.get(provider_id, ()))
        }

    def alike(self, apart):
        """Return lists of root ids, in order: the trees of each list are alike.

        Each tree in `apart` (root ids) has a list of its own.
        """
        return list(self.contents(apart).values())

    def contents(self, apart):
        """Return {content: ids of the roots of the trees that have it}, in the order of the roots.

        The content says what is in a tree: see _content(). Each tree in `apart` (root ids) has an
        item of its own, and the key of that item is the id of the root.
        """
        groups = {}
        for root_id, members in self.members.items():
            key = root_id if root_id in apart else self._content(members)
            groups.setdefault(key, []).append(root_id)
        return groups

    def _content(self, members):
        """Return what is in a tree, without ids of providers: trees that are alike have the same.

        For each provider: its rooms, traits and aggregates, and the place of its parent in the list
        of `members`, or None.
        """
        rooms, traits, aggregates = self._rooms, self._traits, self._aggregates
        places = {provider_id: place for place, (provider_id, _) in enumerate(members)}
        return tuple(
            [
                (
                    tuple(rooms.get(provider_id, ())),
                    tuple(traits.get(provider_id, ())),
                    tuple(aggregates.get(provider_id, ())),
                    places.get(parent_id),
                )
                for provider_id, parent_id in members
            ]
        )


def trees_of(conn, root_ids, wanted, simplified=None):
    """Return {root id: Providers} of some trees, with what is `wanted` and all their aggregates.

    simplified: (class_id, Room) -> the Room to use instead; None to use each Room as it is
    Cost: three queries, none without ids; more if MySQL cuts a text.
    Raises: Outage if the text of a single tree or provider is too long for MySQL.
    """
    if not root_ids:
        return {}
    every_aggregate = wanted._replace(aggregate_ids=None)
    conditions = [roots.among(root_ids)]
    return {
        root_id: trees.providers(root_id)
        for trees in batches(
            conn, every_aggregate, len(root_ids), conditions=conditions, simplified=simplified
        )
        for root_id in trees.members
    }


def reaching_aggregates(conn, sharing):
    """Return the frozenset of ids of the aggregates through which trees reach SharingProviders.

    Cost: that of trees_of().
    """
    shared = trees_of(conn, {each.root_id for each in sharing}, NOTHING)
    return NOTHING.with_aggregates_of(sharing, shared).aggregate_ids


def batches(conn, wanted, size, conditions=(), simplified=None):
    """Yield BatchOfTrees of the trees whose roots meet the conditions, sorted by root id.

    wanted: a Wanted, which says what to read of each provider
    size: the most trees in a batch
    simplified: (class_id, Room) -> the Room to use instead; None to use each Room as it is
    Cost: two queries for each batch, and one more at the end; more if MySQL cuts a text.
    Raises: Outage if the text of a single tree or provider is too long for MySQL.
    """
    last_root_id = 0
    while members := _read_members(conn, conditions, last_root_id, size):
        last_root_id = next(reversed(members))
        ids = sorted(provider_id for tree in members.values() for provider_id, _ in tree)
        yield BatchOfTrees(members, *_read_contents(conn, wanted, ids, simplified))


def _read_members(conn, conditions, after, size):
    """Return {root id: [(provider_id, parent id or None)]} of the next trees: at most `size`.

    Their roots have ids above `after`. Roots and providers are in the order of their ids.
    """
    later = roots.Span(after, None)
    of_batch = roots.batch(conditions, span=later, size=size).subquery("of_batch")
    query = sa.select(
        packed_rows.of_all_rows(
            _providers.c.root_provider_id,
            _providers.c.id,
            sa.func.coalesce(_providers.c.parent_provider_id, 0),
        )
    ).join(of_batch, of_batch.c.id == _providers.c.root_provider_id)
    try:
        numbers = iter(packed_rows.numbers_of(packed_rows.whole(_row(conn, query)[0])))
    except outages.CutText:
        if size == 1:
            raise
        # MySQL has cut the text because it was too long.
        return _read_members(conn, conditions, after, size // 2)
    members = collections.defaultdict(list)
    # Three consecutive numbers belong to one provider; the id of a root's parent is 0 here.
    for root_id, provider_id, parent_id in sorted(zip(numbers, numbers, numbers, strict=True)):
        members[root_id].append((provider_id, parent_id or None))
    return members


def _read_contents(conn, wanted, ids, simplified):
    """Return three {provider_id: list}: of (class_id, Room), of trait ids and of aggregate ids."""
    rooms, traits, aggregates = (collections.defaultdict(list) for _ in range(3))
    room_by_text = _RoomsByText(simplified)
    for inventory_rows, trait_rows, aggregate_rows in _read_rows(conn, wanted, ids):
        _add(rooms, inventory_rows, parse=room_by_text.__getitem__)
        _add(traits, trait_rows, parse=int)
        _add(aggregates, aggregate_rows, parse=int)
    return rooms, traits, aggregates


def _add(lists, rows, parse):
    """Parse the rest of each row, "provider id,rest", and add it to {provider id: list}."""
    for row in rows:
        provider_id, _, rest = row.partition(packed_rows.ROWS.column)
        lists[int(provider_id)].append(parse(rest))


def _read_rows(conn, wanted, ids):
    """Return [(rows of inventories, rows of traits, rows of aggregates)]; each row is a string.

    There is one item for all ids. If MySQL cuts one of its texts, there are several items, each for
    some of the ids.
    """
    try:
        texts = _row(conn, _contents(wanted, ids))
        return [[packed_rows.rows_of(packed_rows.whole(text)) for text in texts]]
    except outages.CutText:
        if len(ids) == 1:
            raise
    middle = len(ids) // 2
    return _read_rows(conn, wanted, ids[:middle]) + _read_rows(conn, wanted, ids[middle:])


def _contents(wanted, ids):
    """Select three texts of packed rows for some providers: inventories, traits and aggregates."""
    return sa.select(
        _text(
            [_inventories.c.resource_provider_id, _inventories.c.resource_class_id]
            + [_inventories.c[field] for field in Room._fields],
            ids,
            wanted.class_ids,
        ),
        _text([_traits.c.resource_provider_id, _traits.c.trait_id], ids, wanted.trait_ids),
        _text(
            [_members.c.resource_provider_id, _members.c.aggregate_id], ids, wanted.aggregate_ids
        ),
    )


def _text(columns, ids, keys):
    """Select a text of packed rows of one table, for the providers with these `ids`.

    columns: the first has the id of the provider, the second the id of a class, trait or aggregate
    keys: the wanted ids in the second column; None for all
    """
    provider_id, key, *_ = columns
    query = sa.select(packed_rows.of_all_rows(*columns)).where(are_near(provider_id, ids))
    if keys is not None:
        query = query.where(is_one_of(key, keys))
    return query.scalar_subquery()


def _row(conn, query):
    return conn.execute(query, execution_options=many_shapes.OWN_CACHE).one()


class _RoomsByText(dict):
    """Caches (class_id, Room) by the text of an inventory: many providers have equal ones."""

    def __init__(self, simplified):
        self._simplified = simplified

    def __missing__(self, text):
        """Parse "class_id,fields of a Room"; return (class_id, Room), and remember it."""
        class_id, *fields = map(int, text.split(packed_rows.ROWS.column))
        room = Room._make(fields)
        if self._simplified is not None:
            room = self._simplified(class_id, room)
        self[text] = class_id, room
        return class_id, room
