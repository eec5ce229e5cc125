"""Statements on resource providers and their trees."""

import datetime
import functools
import itertools
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.derived_sums import recount
from placement.db.faults import drivers
from placement.db.sql import packed_rows, prepared
from placement.db.sql.chunks import MAX_CONDITIONS, chunks
from placement.db.sql.conditions import Exact, has_room, has_trait, is_member, is_one_of
from placement.db.sql.prepared import ONE, Prepared

_providers = tables.resource_providers
_root = _providers.alias("root")
_parent = _providers.alias("parent")
_member = _providers.alias("member")


class ProviderRow(NamedTuple):
    """A provider with the uuids of its parent (None for a root) and root."""

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
    """What is shown of a provider; `touched` is when it last changed, or was created."""

    uuid: str
    name: str
    generation: int
    parent_provider_uuid: str | None
    root_provider_uuid: str
    touched: datetime.datetime | None


class Place(NamedTuple):
    """Where a provider stands in its tree."""

    id: int
    parent_id: int | None
    root_id: int


class Filters(NamedTuple):
    """Conditions on single providers, as integer keys. Sequences are ANDed, sets in them ORed.

    `tree_of` is the uuid of any member of the wanted tree.
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

    Cost: one statement for each ten thousand.
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
        sa.func.coalesce(_providers.c.updated_at, _providers.c.created_at),
        _providers.c.name,
    )
)


def _shown(text):
    """Return the ShownProvider in a text that `_shown_query` selects."""
    uuid, generation, parent_uuid, root_uuid, touched, name = packed_rows.row_of(text, 6)
    return ShownProvider(
        uuid,
        name,
        int(generation) if generation else None,
        parent_uuid or None,
        root_uuid,
        drivers.moment(touched) if touched else None,
    )


# The conditions for the Filters that have one value each.
_OF_ONE_VALUE = {
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
    return _shown_query.where(*(_OF_ONE_VALUE[field] for field in fields))


def show(conn, uuid):
    """Return the ShownProvider with exactly this uuid, or None.

    Cost: one query.
    """
    return next(iter(list_matching(conn, Filters(uuid=uuid))), None)


def list_matching(conn, filters):
    """Return a ShownProvider for each provider that passes the Filters.

    Cost: one query.
    """
    given = _given(filters)
    query = _shown_query_of(tuple(given))
    if conditions := list(_conditions_on_sets(filters)):
        query = query.where(*conditions)
    found = [_shown(text) for text in conn.scalars(query, given).all()]
    if filters.name is None and filters.uuid is None:
        return found
    return [
        row
        for row in found
        if filters.name in (None, row.name) and filters.uuid in (None, row.uuid)
    ]


def next_matching(conn, filters, after, size):
    """Return the next ProviderRows that pass the Filters, in the order of their ids.

    Cost: one query.
    """
    given = _given(filters)
    query = (
        _row_query.where(
            _providers.c.id > sa.bindparam("after"),
            *(_OF_ONE_VALUE[field] for field in given),
            *_conditions_on_sets(filters),
        )
        .order_by(_providers.c.id)
        .limit(sa.bindparam("size"))
    )
    rows = conn.execute(query, given | {"after": after, "size": size})
    return [ProviderRow(*row) for row in rows]


def _given(filters):
    """Return {field: value} for the given Filters that have one value each."""
    values = {field: getattr(filters, field) for field in _OF_ONE_VALUE}
    return {field: value for field, value in values.items() if value is not None}


def _conditions_on_sets(filters):
    for trait_ids in filters.required:
        yield has_trait(trait_ids, _providers)
    if filters.forbidden:
        yield sa.not_(has_trait(filters.forbidden, _providers))
    for aggregate_ids in filters.member_of:
        yield is_member(aggregate_ids, _providers)
    if filters.not_member_of:
        yield sa.not_(is_member(filters.not_member_of, _providers))
    for class_id, amount in filters.resources.items():
        yield has_room(class_id, amount, _providers)


_place_query = (
    sa.select(
        _providers.c.uuid,
        _providers.c.id,
        _providers.c.parent_provider_id,
        _providers.c.root_provider_id,
    )
    .where(_providers.c.uuid.in_(sa.bindparam("uuids", expanding=True)))
    .order_by(_providers.c.id)
)


def places(conn, uuids):
    """Return {uuid: Place} of the providers that exist."""
    return _places(conn, _place_query, uuids)


def lock(conn, uuids):
    """Return {uuid: Place} of the providers that exist, and keep others from changing them."""
    return _places(conn, _place_query.with_for_update(), uuids)


def _places(conn, query, uuids):
    rows = conn.execute(query, {"uuids": sorted(uuids)})
    return {row.uuid: Place(*row[1:]) for row in rows if row.uuid in uuids}


def lock_roots(conn, root_ids):
    """Keep others from locking these roots, which they do before they change the trees."""
    conn.execute(
        sa.select(_providers.c.id)
        .where(is_one_of(_providers.c.id, root_ids))
        .order_by(_providers.c.id)
        .with_for_update()
    )


def contend(conn, root_ids):
    """Make Galera give up this transaction, or one that locks these roots on another node.

    The locks of a Galera node have no effect on other nodes. The nodes only compare which rows
    transactions have written, so the roots, which must be locked, are written twice, the second
    time with their old values.
    """
    if conn.dialect.name != "mysql":
        return
    for step in (1, -1):
        conn.execute(
            sa.update(_providers)
            .where(is_one_of(_providers.c.id, root_ids))
            .values(
                generation=_providers.c.generation + step, updated_at=_providers.c.updated_at
            )
        )


_places_query = sa.select(
    _providers.c.id, _providers.c.parent_provider_id, _providers.c.root_provider_id
)


def members(conn, root_id):
    """Return the Place of every provider in a tree."""
    query = _places_query.where(_providers.c.root_provider_id == root_id)
    return [Place(*row) for row in conn.execute(query)]


def places_in_trees(conn):
    """Return the Place of every provider that has a parent, a child or another one as its root.

    All others, most of those in a large cloud, are trees of one provider, which cannot be wrong.
    Cost: one query.
    """
    child = _providers.alias("child")
    parents = sa.select(child.c.parent_provider_id).where(child.c.parent_provider_id.is_not(None))
    query = _places_query.where(
        sa.or_(
            _providers.c.parent_provider_id.is_not(None),
            _providers.c.root_provider_id.is_(None),
            _providers.c.root_provider_id != _providers.c.id,
            _providers.c.id.in_(parents),
        )
    )
    return [Place(*row) for row in conn.execute(query)]


def insert(conn, uuid, name, parent=None):
    """Add a provider below `parent` (a Place), or as a root.

    Raises: DBDuplicateEntry, whose `columns` name those with a value that is taken.
    """
    names = ("uuid", "name", "generation", "counted_generation")
    values = (uuid, name, 0, 0)
    if parent is not None:
        names += ("parent_provider_id", "root_provider_id")
        values += (parent.id, parent.root_id)
    prepared.insert(conn, _providers, names, [values])
    if parent is None:
        _make_root.execute(conn, {"uuid": uuid})


_make_root = Prepared(
    lambda: (
        sa.update(_providers)
        .where(_providers.c.uuid == sa.bindparam("uuid"))
        .values(root_provider_id=_providers.c.id, updated_at=sa.null())
    )
)


def rename(conn, provider_id, uuid, name):
    """Rename a provider. Return whether there was one with this id and this uuid.

    Raises: DBDuplicateEntry when the name is taken.
    """
    is_meant = _providers.c.id == provider_id, _providers.c.uuid == uuid
    return conn.execute(sa.update(_providers).where(*is_meant).values(name=name)).rowcount == 1


def move(conn, provider_id, parent_id, root_id, subtree_ids):
    """Put a provider below another one (or at the top), and its whole subtree into that tree."""
    conn.execute(
        sa.update(_providers)
        .where(_providers.c.id == provider_id)
        .values(parent_provider_id=parent_id)
    )
    set_root(conn, subtree_ids, root_id)


def set_root(conn, provider_ids, root_id):
    """Record that providers belong to the tree of a root."""
    conn.execute(
        sa.update(_providers)
        .where(is_one_of(_providers.c.id, provider_ids))
        .values(root_provider_id=root_id)
    )


class Ties(NamedTuple):
    """What refers to a provider: whether there are rows of each kind."""

    id: int
    uuid: str
    has_children: bool
    has_allocations: bool
    has_inventories: bool
    has_aggregates: bool
    has_traits: bool


# In the order of Ties.
_CONTENTS = (
    tables.inventories,
    tables.resource_provider_aggregates,
    tables.resource_provider_traits,
)


# A root refers to itself, and MySQL takes it for its own child.
_untie = Prepared(
    lambda: (
        sa.update(_providers)
        .where(_providers.c.uuid == sa.bindparam("uuid"))
        .values(root_provider_id=sa.null(), updated_at=sa.null())
    )
)


def untie(conn, uuid):
    """Take a provider out of its tree, before it is removed, and return its Ties.

    Nobody else can change it from now on. None if there is no provider with exactly this uuid.
    Cost: two statements. The second sees what the first has waited for.
    """
    _untie.execute(conn, {"uuid": uuid})
    row = _ties_query.execute(conn, {"uuid": uuid}).first()
    # A database may ignore case; the API does not.
    return Ties._make(row) if row is not None and row.uuid == uuid else None


def _any_row(column):
    return sa.exists(sa.select(ONE).where(column == _providers.c.id).correlate(_providers))


_ties_query = Prepared(
    lambda: sa.select(
        _providers.c.id,
        _providers.c.uuid,
        _any_row(_member.c.parent_provider_id),
        _any_row(tables.allocations.c.resource_provider_id),
        *(_any_row(table.c.resource_provider_id) for table in _CONTENTS),
    ).where(_providers.c.uuid == sa.bindparam("uuid"))
)


def delete(conn, ties):
    """Remove a provider that has been untied, with its inventories, aggregates and traits.

    Cost: one statement, and one for each of these that it has.
    """
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


# The condition that the derived sums of a provider are right.
_is_counted = _providers.c.counted_generation == _providers.c.generation


def advance_generation(conn, provider_id, uuid, generation, steps=1):
    """Advance a provider if it still exists and is at `generation`. Return whether it was.

    The transaction that advances a generation has the provider to itself until it ends, and the
    derived sums of the provider are right.
    """
    parameters = {
        "provider_id": provider_id,
        "uuid": uuid,
        "seen": generation,
        "next": generation + steps,
        "now": prepared.now(),
    }
    if _advance_one.execute(conn, parameters).rowcount == 1:
        return True
    caught_up = recount.catch_up(conn, {provider_id})
    return bool(caught_up) and _advance_one.execute(conn, parameters).rowcount == 1


_advance_one = Prepared(
    lambda: (
        sa.update(_providers)
        .where(
            _providers.c.id == sa.bindparam("provider_id"),
            _providers.c.uuid == sa.bindparam("uuid"),
            _providers.c.generation == sa.bindparam("seen"),
            _is_counted,
        )
        .values(
            updated_at=sa.bindparam("now"),
            generation=sa.bindparam("next"),
            counted_generation=sa.bindparam("next"),
        )
    )
)


def advance_generations(conn, providers):
    """Advance several providers, whatever their generation. Return how many there were.

    `providers` is a set of (id, uuid). A provider with another uuid does not count, so of two uuids
    with one id at most one does. A uuid of None matches any. Their derived sums are right
    afterwards.
    Cost: one statement for each hundred.
    """
    advanced = _advance(conn, providers)
    if advanced < len(providers):
        caught_up = set(recount.catch_up(conn, {provider_id for provider_id, _ in providers}))
        advanced += _advance(conn, [each for each in providers if each[0] in caught_up])
    return advanced


def _advance(conn, providers):
    return sum(
        _advance_statement(len(rows))
        .execute(conn, {"now": prepared.now(), **prepared.values(rows, "provider_id", "uuid")})
        .rowcount
        for rows in map(prepared.filled, chunks(sorted(providers), MAX_CONDITIONS))
    )


@prepared.for_each_shape
def _advance_statement(count):
    own_uuid = _providers.c.uuid
    is_meant = sa.or_(
        *(
            sa.and_(_providers.c.id == key, own_uuid == Exact(sa.func.coalesce(uuid, own_uuid)))
            for key, uuid in prepared.numbered(count, "provider_id", "uuid")
        )
    )
    return (
        sa.update(_providers)
        .where(is_meant, _is_counted)
        .values(
            updated_at=sa.bindparam("now"),
            generation=_providers.c.generation + ONE,
            # Not from `generation`, which in MySQL has its new value by now.
            counted_generation=_providers.c.counted_generation + ONE,
        )
    )
