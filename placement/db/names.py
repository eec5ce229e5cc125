"""The integer keys behind the names and uuids that a client writes."""

import datetime
import functools
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import mysql

from placement.db import tables
from placement.db.sql import prepared
from placement.db.sql.chunks import MAX_CONDITIONS, chunks
from placement.db.sql.conditions import is_one_of

# For each kind, the column of its names, and the column that they resolve to.
NAMED = {
    "providers": (tables.resource_providers.c.uuid, tables.resource_providers.c.id),
    "trees": (tables.resource_providers.c.uuid, tables.resource_providers.c.root_provider_id),
    "resource_classes": (tables.resource_classes.c.name, tables.resource_classes.c.id),
    "traits": (tables.traits.c.name, tables.traits.c.id),
    "aggregates": (tables.aggregates.c.uuid, tables.aggregates.c.id),
    "projects": (tables.projects.c.external_id, tables.projects.c.id),
    "users": (tables.users.c.external_id, tables.users.c.id),
    "consumer_types": (tables.consumer_types.c.name, tables.consumer_types.c.id),
    "consumers": (tables.consumers.c.uuid, tables.consumers.c.generation),
}


class NamedRow(NamedTuple):
    """A row of resource_classes or of traits."""

    id: int
    name: str
    created_at: datetime.datetime | None
    updated_at: datetime.datetime | None

    @property
    def touched(self):
        """When the row last changed or, if it never did, when it was created."""
        return self.updated_at or self.created_at


class Names(NamedTuple):
    """For each kind, {name: id} of those that exist. Names are compared as exact text.

    `trees` maps the uuid of any provider to the id of its root, and `consumers` the uuid of a
    consumer to its generation.
    """

    providers: dict[str, int]
    trees: dict[str, int]
    resource_classes: dict[str, int]
    traits: dict[str, int]
    aggregates: dict[str, int]
    projects: dict[str, int]
    users: dict[str, int]
    consumer_types: dict[str, int]
    consumers: dict[str, int]


NO_NAMES = Names(*({} for _ in Names._fields))


def resolve(conn, **wanted):
    """Return the Names of what is wanted: keywords are fields of Names, values collections.

    Cost: one query, however many kinds are wanted (and one more for each ten thousand names of a
        kind); none if nothing is wanted.
    """
    found = Names(*({} for _ in Names._fields))
    chunked = {kind: chunks(sorted(wanted.get(kind, ()))) for kind in NAMED}
    while chunk := {kind: names for kind in NAMED if (names := next(chunked[kind], None))}:
        for kind, key, name in _rows(conn, chunk):
            # A database may ignore case; the API does not.
            if name in wanted[kind]:
                getattr(found, kind)[name] = key
    return found


def _rows(conn, names_by_kind):
    """Return (kind, key, name) of those that exist."""
    if len(names_by_kind) == 1:
        [(kind, names)] = names_by_kind.items()
        if len(names) <= MAX_CONDITIONS:
            names = prepared.filled(names)
            query = _query_of_one(kind, len(names))
            rows = query.execute(conn, prepared.values(zip(names), "name"))
            return [(kind, *row) for row in rows]
    return conn.execute(_query_of(tuple(names_by_kind)), names_by_kind)


@prepared.for_each_shape
def _query_of_one(kind, count):
    name, key = NAMED[kind]
    names = [each for (each,) in prepared.numbered(count, "name")]
    return sa.select(key, name).where(name.in_(names))


def all_of(conn, kind):
    """Return {name: key} of all names of a kind, which is a field of Names.

    Cost: one query, of as many rows as there are.
    """
    name, key = NAMED[kind]
    return dict(conn.execute(sa.select(name, key).order_by(key)).all())


@functools.cache
def _query_of(kinds):
    """Select (kind, key, name) of the names bound to each of `kinds`."""
    return sa.union_all(
        *(
            sa.select(
                sa.literal(kind, literal_execute=True).label("kind"), key, name.label("name")
            ).where(name.in_(sa.bindparam(kind, expanding=True)))
            for kind, (name, key) in NAMED.items()
            if kind in kinds
        )
    )


def add(conn, kind, names):
    """Add rows for names of one kind, and return {name: id}.

    To MySQL, names that differ only in case or accents may be equal: then both have the same id.
    Cost: one statement for one name, two for more, and one more for each that MySQL takes for
        another.
    Raises: DBDuplicateEntry when another writer adds one of them at this moment.
    """
    column, _ = NAMED[kind]
    if len(names) == 1:
        [name] = names
        insert = _insert_or_find(conn, column.table).values({column: name})
        return {name: conn.execute(insert).inserted_primary_key[0]}
    conn.execute(
        _insert_or_find(conn, column.table), [{column.name: name} for name in sorted(names)]
    )
    found = getattr(resolve(conn, **{kind: names}), kind)
    return found | alike(conn, kind, names - found.keys())


def alike(conn, kind, names):
    """Return {name: id} of the rows whose names the database considers equal to these.

    Cost: one query for each.
    """
    column, key = NAMED[kind]
    ids = {name: conn.scalar(sa.select(key).where(column == name)) for name in names}
    return {name: row_id for name, row_id in ids.items() if row_id is not None}


def _insert_or_find(conn, table):
    """An INSERT that, on MySQL, returns the id of the row that has the name already."""
    if conn.dialect.name != "mysql":
        return sa.insert(table)
    return mysql.insert(table).on_duplicate_key_update(id=sa.func.last_insert_id(table.c.id))


class Vocabulary(NamedTuple):
    """The names of resource classes and of traits, by id."""

    class_names: dict[int, str]
    trait_names: dict[int, str]


def by_ids(conn, *, class_ids, trait_ids):
    """Return the Vocabulary of these ids.

    Cost: one query.
    """
    classes, traits = tables.resource_classes, tables.traits
    query = sa.union_all(
        sa.select(sa.literal(0).label("kind"), classes.c.id, classes.c.name).where(
            is_one_of(classes.c.id, class_ids)
        ),
        sa.select(sa.literal(1), traits.c.id, traits.c.name).where(
            is_one_of(traits.c.id, trait_ids)
        ),
    )
    found = Vocabulary({}, {})
    for kind, row_id, name in conn.execute(query):
        found[kind][row_id] = name
    return found


def of_providers(conn, ids):
    """Return {id: (uuid, name)} of providers.

    Cost: one query.
    """
    providers = tables.resource_providers
    query = sa.select(providers.c.id, providers.c.uuid, providers.c.name).where(
        is_one_of(providers.c.id, ids)
    )
    return {provider_id: (uuid, name) for provider_id, uuid, name in conn.execute(query)}
