"""Storing what a transaction has changed, in its last statement.

At that point, the transaction holds all its locks. So if two writes conflict, the ids of their rows
are in the order of the writes: see doc/explanation/changes.rst.
"""

import enum
import json
from typing import NamedTuple

import sqlalchemy as sa

from placement import constants
from placement.db import tables
from placement.db.chunks import MAX_CONDITIONS
from placement.db.feed import author
from placement.db.sql import packed_rows, prepared
from placement.db.sql.conditions import is_one_of

_changes = tables.changes
_providers = tables.resource_providers

# The key, in the `info` of a connection, of the list of changes that store() will store.
_PENDING = "placement_changes"


class ChangeKind(enum.StrEnum):
    """What has been changed: the kinds of subjects."""

    PROVIDER = "provider"
    INVENTORIES = "inventories"
    TRAITS = "traits"
    AGGREGATES = "aggregates"
    ALLOCATIONS = "allocations"
    RESOURCE_CLASS = "resource_class"
    TRAIT = "trait"


class RecordedChange(NamedTuple):
    """The states of a subject before and after a transaction; None where it does not exist.

    `uuid` is that of a provider or of a consumer, and `name` that of a provider, class or trait;
    `provider_ids` are the providers whose generation may have advanced.
    """

    kind: ChangeKind
    uuid: str | None
    name: str | None
    before: dict | None
    after: dict | None
    provider_ids: frozenset[int] = frozenset()


def is_on():
    """Whether changes are recorded."""
    return author.current() is not None


def begin(conn):
    """Forget what an earlier transaction on this connection may have left."""
    conn.info[_PENDING] = []


def add(conn, change):
    """Store a RecordedChange at the end of the transaction, if changes are recorded."""
    if is_on():
        conn.info[_PENDING].append(change)


def store(conn):
    """Store the changes that were added, as the last statement before the commit.

    Cost: none without changes, and one statement for a single change. For several changes: one
    statement for each chunk, and one to read the generations of their providers, if any.
    """
    changes = conn.info[_PENDING]
    if not changes:
        return
    ids = set().union(*(change.provider_ids for change in changes))
    # A single change, the usual case, is stored by a statement that also reads the generations.
    if len(changes) == 1 and 0 < len(ids) <= MAX_CONDITIONS:
        _store_one(conn, changes[0])
        return
    generations = _generations(conn, ids) if ids else {}
    rows = [
        (*_row(change), _packed(generations, change.provider_ids)) for change in changes
    ]
    prepared.insert(conn, _changes, (*_NAMES, "generations"), rows, created_at=_WRITTEN_AT)


_WRITTEN_AT = "written_at"
_NAMES = (
    "request_id",
    "user_id",
    "project_id",
    "operation",
    "kind",
    "uuid",
    "name",
    "state_before",
    "state_after",
)


def _row(change):
    """Return the values of the columns _NAMES for a RecordedChange by the current author."""
    who = author.current()
    return (
        who.request_id,
        _cut(who.user_id),
        _cut(who.project_id),
        who.operation,
        change.kind.value,
        change.uuid,
        change.name,
        as_text(change.before),
        as_text(change.after),
    )


def _cut(text):
    """Return as much of a string from a token as fits into its column; None if it is None."""
    return text and text[: constants.MAX_NAME]


def as_text(state):
    """Return a state as it is stored; None if there is no state."""
    return None if state is None else json.dumps(state, separators=(",", ":"))


def generations_as_text(generations):
    """Return (uuid, generation) pairs of providers as they are stored; None if there are none."""
    return packed_rows.packed(generations) if generations else None


def _store_one(conn, change):
    """Store a change and read the generations of its providers, in one statement."""
    rows = prepared.padded([(provider_id,) for provider_id in sorted(change.provider_ids)])
    parameters = dict(zip(_NAMES, _row(change), strict=True))
    parameters |= prepared.values(rows, "provider_id") | {"now": prepared.now()}
    _statement_for_one(len(rows)).execute(conn, parameters)


@prepared.for_each_shape
def _statement_for_one(count):
    """The INSERT of a change, with the generations that `count` providers have at that moment."""
    ids = [parameter for (parameter,) in prepared.numbered(count, "provider_id")]
    generations = sa.select(packed_rows.of_rows(_providers.c.uuid, _providers.c.generation)).where(
        _providers.c.id.in_(ids)
    )
    return sa.insert(_changes).values(
        generations=generations.scalar_subquery(),
        **{_WRITTEN_AT: sa.bindparam("now")},
        **{name: sa.bindparam(name) for name in _NAMES},
    )


def _generations(conn, provider_ids):
    """Return {provider_id: (uuid, generation)}."""
    query = sa.select(_providers.c.id, _providers.c.uuid, _providers.c.generation).where(
        is_one_of(_providers.c.id, provider_ids)
    )
    return {row.id: (row.uuid, row.generation) for row in conn.execute(query)}


def _packed(generations, provider_ids):
    """Return the generations of those providers that exist, as they are stored.

    `generations` is {provider_id: (uuid, generation)}.
    """
    return generations_as_text(
        [generations[key] for key in sorted(provider_ids) if key in generations]
    )
