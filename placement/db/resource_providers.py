"""SQL statements for resource providers; those that change trees are in trees.py."""

import datetime
import functools
import itertools
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.chunks import chunks
from placement.db.faults import drivers
from placement.db.sql import complete_rows, packed_rows, prepared
from placement.db.sql.complete_rows import IS_COMPLETE
from placement.db.sql.conditions import (
    Exact,
    fails,
    has_room,
    has_trait,
    is_member,
    is_one_of,
)
from placement.db.sql.prepared import ONE, Prepared

_providers = tables.resource_providers
_root = _providers.alias("root")
_parent = _providers.alias("parent")
_member = _providers.alias("member")


class ProviderRow(NamedTuple):
    """A provider with the uuids of its parent (None for a root) and of its root."""

    id: int
    uuid: str
    name: str
    generation: int
    parent_id: int | None
    parent_provider_uuid: str | None
    root_id: int
    root_provider_uuid: str
    created_at: datetime.datetime | None
    updated_at: datetime.datetime | None


class ShownProvider(NamedTuple):
    """The fields of a provider in answers; `touched` is when it last changed, or was created."""

    uuid: str
    name: str
    generation: int
    parent_provider_uuid: str | None
    root_provider_uuid: str
    touched: datetime.datetime | None


class Filters(NamedTuple):
    """Conditions on single providers, with ids of traits, aggregates and classes; all must be met.

    tree_of        the uuid of any member of the wanted tree
    required       the provider has at least one trait of each set
    forbidden      the provider has none of these traits
    member_of      the provider is in at least one aggregate of each set
    not_member_of  the provider is in none of these aggregates
    resources      {class_id: amount that the provider has room for}
    """

    name: str | None = None
    uuid: str | None = None
    tree_of: str | None = None
    required: tuple[frozenset[int], ...] = ()
    forbidden: frozenset[int] = frozenset()
    member_of: tuple[frozenset[int], ...] = ()
    not_member_of: frozenset[int] = frozenset()
    resources: dict[int, int] = {}


def _with_relatives(*columns):
    """Select columns of providers, their roots (_root) and, if any, their parents (_parent)."""
    return sa.select(*columns).select_from(
        _providers.join(_root, _root.c.id == _providers.c.root_provider_id).outerjoin(
            _parent, _parent.c.id == _providers.c.parent_provider_id
        )
    )


_row_query = _with_relatives(
    _providers.c.id,
    _providers.c.uuid,
    _providers.c.name,
    _providers.c.generation,
    _providers.c.parent_provider_id,
    _parent.c.uuid,
    _providers.c.root_provider_id,
    _root.c.uuid,
    _providers.c.created_at,
    _providers.c.updated_at,
)
_find_one_query = _row_query.where(_providers.c.uuid == sa.bindparam("wanted"))
_find_query = _row_query.where(_providers.c.uuid.in_(sa.bindparam("uuids", expanding=True)))


def find(conn, uuid):
    """Return the ProviderRow with exactly this uuid, or None."""
    row = conn.execute(_find_one_query, {"wanted": uuid}).first()
    # A database may ignore case; the API does not.
    return ProviderRow._make(row) if row is not None and row.uuid == uuid else None


def find_all(conn, uuids):
    """Return {uuid: ProviderRow} of those providers that exist.

    Cost: one statement for each chunk.
    """
    rows = {
        row.uuid: row
        for chunk in chunks(uuids)
        for row in map(ProviderRow._make, conn.execute(_find_query, {"uuids": chunk}))
    }
    # A database may ignore case; the API does not.
    return {uuid: rows[uuid] for uuid in uuids if uuid in rows}


_shown_query = _with_relatives(
    packed_rows.of_row(
        _providers.c.uuid,
        _providers.c.generation,
        _parent.c.uuid,
        _root.c.uuid,
        tables.touched(_providers),
        _providers.c.name,
    )
)


def _shown(text):
    """Return the ShownProvider for a text of six columns, as `_shown_query` selects it."""
    uuid, generation, parent_uuid, root_uuid, touched, name = packed_rows.row_of(text, 6)
    return ShownProvider(
        uuid,
        name,
        # Generations are 0 or more, but the column may be NULL.
        int(generation) if generation else None,
        parent_uuid or None,
        root_uuid,
        drivers.parsed_moment(touched) if touched else None,
    )


# The conditions for the Filters that are a single string.
_ON_TEXTS = {
    "name": _providers.c.name == sa.bindparam("name"),
    "uuid": _providers.c.uuid == sa.bindparam("uuid"),
    "tree_of": _providers.c.root_provider_id
    == (
        sa.select(_member.c.root_provider_id)
        .where(
            _member.c.uuid == sa.bindparam("tree_of"),
            # A database may ignore case; the API does not.
            Exact(_member.c.uuid) == sa.bindparam("tree_of"),
        )
        .scalar_subquery()
    ),
}


@functools.cache
def _shown_query_of(fields):
    return _shown_query.where(*(_ON_TEXTS[field] for field in fields))


def show(conn, uuid):
    """Return the ShownProvider with exactly this uuid, or None.

    Cost: one query.
    """
    return next(iter(list_matching(conn, Filters(uuid=uuid))), None)


def list_matching(conn, filters):
    """Return a ShownProvider for each provider that passes the Filters.

    Cost: one query.
    """
    given = _given_texts(filters)
    query = _shown_query_of(tuple(given))
    if conditions := list(_conditions_on_sets(filters)):
        query = query.where(*conditions)
    shown = [_shown(text) for text in conn.scalars(query, given).all()]
    if filters.name is None and filters.uuid is None:
        return shown
    # A database may ignore case; the API does not.
    return [
        provider
        for provider in shown
        if filters.name in (None, provider.name) and filters.uuid in (None, provider.uuid)
    ]


def next_matching(conn, filters, after, size):
    """Return the next ProviderRows that pass the Filters, in the order of their ids.

    There are at most `size` of them, with ids above `after`.
    Cost: one query.
    """
    given = _given_texts(filters)
    query = (
        _row_query.where(
            _providers.c.id > sa.bindparam("after"),
            *(_ON_TEXTS[field] for field in given),
            *_conditions_on_sets(filters),
        )
        .order_by(_providers.c.id)
        .limit(sa.bindparam("size"))
    )
    rows = conn.execute(query, given | {"after": after, "size": size})
    return [ProviderRow(*row) for row in rows]


def _given_texts(filters):
    """Return {field: string} for the given Filters that are a single string."""
    values = {field: getattr(filters, field) for field in _ON_TEXTS}
    return {field: value for field, value in values.items() if value is not None}


def _conditions_on_sets(filters):
    """Yield the conditions for the other Filters, which are collections."""
    for trait_ids in filters.required:
        yield has_trait(trait_ids, _providers)
    if filters.forbidden:
        yield fails(has_trait(filters.forbidden, _providers))
    for aggregate_ids in filters.member_of:
        yield is_member(aggregate_ids, _providers)
    if filters.not_member_of:
        yield fails(is_member(filters.not_member_of, _providers))
    for class_id, amount in filters.resources.items():
        yield has_room(class_id, amount, _providers)


def insert(conn, uuid, name, parent=None):
    """Add a provider below `parent` (a TreeMember), or as a root.

    Raises: DBDuplicateEntry, whose `columns` are those with a value that is taken.
    """
    names = ("uuid", "name", "generation", "counted_generation")
    values = (uuid, name, 0, 0)
    if parent is not None:
        names += ("parent_provider_id", "root_provider_id")
        values += (parent.id, parent.root_id)
    prepared.insert(conn, _providers, names, [values])
    if parent is None:
        # The provider is its own root, but its id is known only now.
        _make_root.execute(conn, {"uuid": uuid})


_make_root = Prepared(
    lambda: (
        sa.update(_providers)
        .where(_providers.c.uuid == sa.bindparam("uuid"))
        .values(root_provider_id=_providers.c.id, updated_at=sa.null())
    )
)


def rows_by_id(conn, ids):
    """Return {id: ProviderRow} of providers.

    Cost: one query.
    """
    rows = conn.execute(_row_query.where(is_one_of(_providers.c.id, ids)))
    return {row.id: ProviderRow._make(row) for row in rows}


def rename(conn, provider_id, uuid, name, new_name):
    """Rename a provider. Return whether there was one with this id, uuid and old name.

    Raises: DBDuplicateEntry when the name is taken.
    """
    columns = _providers.c
    is_meant = columns.id == provider_id, columns.uuid == uuid, columns.name == name
    statement = sa.update(_providers).where(*is_meant).values(name=new_name)
    return conn.execute(statement).rowcount == 1


class Ties(NamedTuple):
    """A provider that was taken out of its tree: where it was, and whether any rows refer to it."""

    id: int
    uuid: str
    name: str
    parent_provider_uuid: str | None
    root_provider_uuid: str
    has_children: bool
    has_allocations: bool
    has_inventories: bool
    has_aggregates: bool
    has_traits: bool


# The tables of what a provider has, in the order of the fields of Ties.
_CONTENTS = (
    tables.inventories,
    tables.resource_provider_aggregates,
    tables.resource_provider_traits,
)


# A root refers to itself; to MySQL, its row is therefore a child of itself.
_untie = Prepared(
    lambda: (
        sa.update(_providers)
        .where(_providers.c.uuid == sa.bindparam("uuid"))
        .values(root_provider_id=sa.null(), updated_at=sa.null())
    )
)


def untie(conn, uuid):
    """Take a provider out of its tree before it is deleted, and return its Ties.

    From now on, no other transaction can change it. Return None if no provider has exactly this
    uuid.
    Cost: two statements. The second one sees the changes that the first one has waited for.
    """
    _untie.execute(conn, {"uuid": uuid})
    rows = map(Ties._make, complete_rows.checked(_ties_query.execute(conn, {"uuid": uuid})))
    # A database may ignore case; the API does not.
    return next((ties for ties in rows if ties.uuid == uuid), None)


def _any_row(column):
    """The condition that some row has the provider's id in a column of another table."""
    return sa.exists(sa.select(ONE).where(column == _providers.c.id).correlate(_providers))


_ties_query = Prepared(
    lambda: sa.select(
        _providers.c.id,
        _providers.c.uuid,
        _providers.c.name,
        sa.select(_parent.c.uuid)
        .where(_parent.c.id == _providers.c.parent_provider_id)
        .scalar_subquery(),
        # The root, found through the parent. Without a parent, the provider was its own root.
        sa.func.coalesce(
            sa.select(_root.c.uuid)
            .where(
                _root.c.id == _parent.c.root_provider_id,
                _parent.c.id == _providers.c.parent_provider_id,
            )
            .scalar_subquery(),
            _providers.c.uuid,
        ),
        _any_row(_member.c.parent_provider_id),
        _any_row(tables.allocations.c.resource_provider_id),
        *(_any_row(table.c.resource_provider_id) for table in _CONTENTS),
        IS_COMPLETE,
    ).where(_providers.c.uuid == sa.bindparam("uuid"))
)


def delete(conn, ties):
    """Remove a provider that has been untied, with its inventories, aggregates and traits.

    Cost: one statement, and one for each kind that it has: inventories, aggregates, traits.
    """
    # These are in the order of _CONTENTS.
    has_rows = ties.has_inventories, ties.has_aggregates, ties.has_traits
    for table in itertools.compress(_CONTENTS, has_rows):
        _delete_rows(table).execute(conn, {"provider_id": ties.id})
    _delete.execute(conn, {"provider_id": ties.id})


@prepared.for_each_shape
def _delete_rows(table):
    return sa.delete(table).where(table.c.resource_provider_id == sa.bindparam("provider_id"))


_delete = Prepared(
    lambda: sa.delete(_providers).where(_providers.c.id == sa.bindparam("provider_id"))
)
