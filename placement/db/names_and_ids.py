"""The integer keys behind the names and uuids that a client writes."""

import datetime
import functools
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import mysql

from placement.db import tables
from placement.db.chunks import MAX_CONDITIONS, chunks
from placement.db.sql import prepared
from placement.db.sql.conditions import is_one_of
from placement.db.subjects_of_names import Subject


class NameColumns(NamedTuple):
    """The column of a Subject's names, and the column of the keys that they resolve to."""

    name: sa.Column
    key: sa.Column


NAMED = {
    Subject.PROVIDERS: NameColumns(
        tables.resource_providers.c.uuid, tables.resource_providers.c.id
    ),
    Subject.TREES: NameColumns(
        tables.resource_providers.c.uuid, tables.resource_providers.c.root_provider_id
    ),
    Subject.RESOURCE_CLASSES: NameColumns(
        tables.resource_classes.c.name, tables.resource_classes.c.id
    ),
    Subject.TRAITS: NameColumns(tables.traits.c.name, tables.traits.c.id),
    Subject.AGGREGATES: NameColumns(tables.aggregates.c.uuid, tables.aggregates.c.id),
    Subject.PROJECTS: NameColumns(tables.projects.c.external_id, tables.projects.c.id),
    Subject.USERS: NameColumns(tables.users.c.external_id, tables.users.c.id),
    Subject.CONSUMER_TYPES: NameColumns(tables.consumer_types.c.name, tables.consumer_types.c.id),
    Subject.CONSUMERS: NameColumns(tables.consumers.c.uuid, tables.consumers.c.generation),
}


class HolderColumns(NamedTuple):
    """The columns with the id of a provider, and with the key of something that it has."""

    provider_id: sa.Column
    key: sa.Column


# For the Subjects that providers can have.
HELD = {
    Subject.RESOURCE_CLASSES: HolderColumns(
        tables.inventories.c.resource_provider_id,
        tables.inventories.c.resource_class_id,
    ),
    Subject.TRAITS: HolderColumns(
        tables.resource_provider_traits.c.resource_provider_id,
        tables.resource_provider_traits.c.trait_id,
    ),
    Subject.AGGREGATES: HolderColumns(
        tables.resource_provider_aggregates.c.resource_provider_id,
        tables.resource_provider_aggregates.c.aggregate_id,
    ),
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
    """For each Subject, {name: id} of the names that exist. Names are compared exactly.

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

    def ids_of(self, subject):
        """Return {name: id} for a Subject, whose value is the name of a field."""
        return getattr(self, subject)


NO_NAMES = Names(*({} for _ in Names._fields))


def resolve(conn, **wanted):
    """Return the wanted Names that exist: {name: key} for each Subject.

    Each keyword is a Subject, and so a field of Names; its value is a collection of names. Example:
    resolve(conn, traits={"HW_CPU_X86_AVX"}).
    Cost: as many queries as the Subject with the most names has chunks: each query has a chunk of
        every Subject that has one left. No query if nothing is wanted.
    """
    resolved = Names(*({} for _ in Names._fields))
    chunked = {subject: chunks(sorted(wanted.get(subject, ()))) for subject in NAMED}
    # Each round has the next chunk of every Subject that has one left.
    while chunk := {subject: names for subject in NAMED if (names := next(chunked[subject], None))}:
        for subject, key, name in _rows(conn, chunk):
            # A database may ignore case; the API does not.
            if name in wanted[subject]:
                getattr(resolved, subject)[name] = key
    return resolved


def _rows(conn, names_by_subject):
    """Return rows (subject, key, name) of the names in {subject: names} that exist."""
    # A few names of one Subject, the usual case, have a prepared query.
    if len(names_by_subject) == 1:
        [(subject, names)] = names_by_subject.items()
        if len(names) <= MAX_CONDITIONS:
            names = prepared.padded(names)
            query = _query_of_one(subject, len(names))
            rows = query.execute(conn, prepared.values(zip(names), "name"))
            return [(subject, *row) for row in rows]
    return conn.execute(_query_of(tuple(names_by_subject)), names_by_subject)


@prepared.for_each_shape
def _query_of_one(subject, count):
    name, key = NAMED[subject]
    names = [each for (each,) in prepared.numbered(count, "name")]
    return sa.select(key, name).where(name.in_(names))


def all_of(conn, subject):
    """Return {name: key} of all names of a Subject.

    Cost: one query, with one row for each name.
    """
    name, key = NAMED[subject]
    return dict(conn.execute(sa.select(name, key).order_by(key)).all())


def all_by_id(conn, name):
    """Return {id: name} of all rows of a table; `name` is its column of names.

    Cost: one query, with one row for each name.
    """
    return dict(conn.execute(sa.select(name.table.c.id, name)).all())


@functools.cache
def _query_of(subjects):
    """Select (subject, key, name).

    The bound parameter for a subject's names is named after the subject.
    """
    return sa.union_all(
        *(
            sa.select(
                sa.literal(subject.value, literal_execute=True).label("subject"),
                key,
                name.label("name"),
            ).where(name.in_(sa.bindparam(subject.value, expanding=True)))
            for subject, (name, key) in NAMED.items()
            if subject in subjects
        )
    )


def add(conn, subject, names):
    """Add rows for names of one Subject, and return {name: id}.

    MySQL may consider names equal that differ only in case or accents: these get the same id.
    Cost: one statement for a single name; two for several names, and one more for each of them that
        MySQL considers equal to another name.
    Raises: DBDuplicateEntry when another writer adds one of them at the same time.
    """
    column = NAMED[subject].name
    if len(names) == 1:
        [name] = names
        # On MySQL, an INSERT of one row returns the id of the row that has an equal name already.
        key = column.table.c.id
        insert = _insert_unless_alike(conn, column, id=sa.func.last_insert_id(key))
        return {name: conn.execute(insert.values({column: name})).inserted_primary_key[0]}
    insert = _insert_unless_alike(conn, column, **{column.name: column})
    conn.execute(insert, [{column.name: name} for name in sorted(names)])
    ids = resolve(conn, **{subject: names}).ids_of(subject)
    return ids | alike(conn, subject, names - ids.keys())


def alike(conn, subject, names):
    """Return {name: id} of the rows whose names the database considers equal to these.

    Cost: one query for each name.
    """
    column, key = NAMED[subject]
    ids = {name: conn.scalar(sa.select(key).where(column == name)) for name in names}
    return {name: row_id for name, row_id in ids.items() if row_id is not None}


def _insert_unless_alike(conn, column, **instead):
    """Return an INSERT that, on MySQL, updates the row with an equal name instead, if any.

    instead: {name of a column: its new value in the row that is updated}
    If a new value is LAST_INSERT_ID(id), the statement returns the id of the updated row. MySQL
    allows this only in an INSERT of one row (error 1869).
    """
    if conn.dialect.name != "mysql":
        return sa.insert(column.table)
    return mysql.insert(column.table).on_duplicate_key_update(**instead)


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
        sa.select(sa.literal(0).label("position"), classes.c.id, classes.c.name).where(
            is_one_of(classes.c.id, class_ids)
        ),
        sa.select(sa.literal(1), traits.c.id, traits.c.name).where(
            is_one_of(traits.c.id, trait_ids)
        ),
    )
    vocabulary = Vocabulary({}, {})
    # The position is the index of a field in a Vocabulary.
    for position, row_id, name in conn.execute(query):
        vocabulary[position][row_id] = name
    return vocabulary


class NamedProvider(NamedTuple):
    """The two names of a provider: clients use its uuid, people its name."""

    uuid: str
    name: str


def of_providers(conn, ids):
    """Return {id: NamedProvider} of providers.

    Cost: one query.
    """
    providers = tables.resource_providers
    query = sa.select(providers.c.id, providers.c.uuid, providers.c.name).where(
        is_one_of(providers.c.id, ids)
    )
    return {provider_id: NamedProvider(*named) for provider_id, *named in conn.execute(query)}
