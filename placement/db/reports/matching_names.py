"""Names and UUIDs that begin with a text, and what they belong to."""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import tables
from placement.db.names_and_ids import NAMED
from placement.db.sql import consumer_owners
from placement.db.sql.conditions import Exact, is_root
from placement.db.subjects_of_names import Subject

_providers = tables.resource_providers
_roots = _providers.alias("roots")
_consumers = tables.consumers

# This character sorts after every other one.
_LAST = "\U0010ffff"
# This character sorts after all those of a UUID.
_AFTER_HEX = "g"
# The Subjects whose names are UUIDs.
_WITH_UUIDS = (Subject.CONSUMERS, Subject.AGGREGATES)


class ProviderInTree(NamedTuple):
    """A provider, and the root of its tree."""

    uuid: str
    name: str
    root_uuid: str
    root_name: str


class Owned(NamedTuple):
    """A consumer with its project and user; `consumer_type` is None if it has no type."""

    uuid: str
    project_id: str
    user_id: str
    consumer_type: str | None


def providers_named(conn, text, are_roots, most):
    """Return up to `most` UUIDs of providers whose names begin with a text, in order of the names.

    are_roots: True for roots only, False for providers below roots only
    Cost: one query.
    """
    name = _providers.c.name
    condition = sa.and_(_begins(conn, name, text), _is_root(are_roots))
    return _found(conn, _providers.c.uuid, condition, most, order_by=name)


def provider_uuids(conn, text, are_roots, most):
    """Do what providers_named() does, for UUIDs that begin with a text. Cost: one query."""
    uuid = _providers.c.uuid
    condition = sa.and_(_uuid_begins(conn, uuid, text), _is_root(are_roots))
    return _found(conn, uuid, condition, most, order_by=uuid)


def _is_root(wanted):
    return is_root(_providers) if wanted else sa.not_(is_root(_providers))


def names(conn, subject, text, most):
    """Return up to `most` names of a Subject that begin with a text, in order.

    Consumers and aggregates have no names: their UUIDs are used instead.
    Cost: one query.
    """
    name = NAMED[subject].name
    begins = _uuid_begins if subject in _WITH_UUIDS else _begins
    return _found(conn, name, begins(conn, name, text), most, order_by=name)


def names_with(conn, subject, text, most):
    """Return up to `most` names of a Subject that contain a text, in order.

    Cost: one query, which reads all names. So this is for traits and classes, which are few.
    """
    name = NAMED[subject].name
    return _found(conn, name, name.contains(text, autoescape=True), most, order_by=name)


def _found(conn, column, condition, most, order_by):
    """Return up to `most` values of a column, sorted by this or another column."""
    return conn.scalars(sa.select(column).where(condition).order_by(order_by).limit(most)).all()


def _uuid_begins(conn, column, text):
    """The condition that a UUID begins with a text; any database can use an index for it.

    text: hexadecimal digits in lower case, and hyphens
    """
    begins = _begins(conn, column, text)
    if conn.dialect.name == "postgresql":
        # Unlike LIKE, this range can use an index of any collation.
        return sa.and_(begins, column >= text, column < text + _AFTER_HEX)
    return begins


def _begins(conn, column, text):
    """The condition that a name begins with a text; most databases can use an index for it.

    PostgreSQL can do so only if the collation is C; otherwise it reads all names.
    """
    if conn.dialect.name == "sqlite":
        # SQLite's LIKE ignores case, so it cannot use an index that distinguishes case.
        return sa.and_(column >= text, column < text + _LAST)
    begins = column.startswith(text, autoescape=True)
    if conn.dialect.name == "mysql":
        return sa.and_(begins, Exact(column).startswith(text, autoescape=True))
    return begins


_providers_query = (
    sa.select(_providers.c.uuid, _providers.c.name, _roots.c.uuid, _roots.c.name)
    .outerjoin_from(_providers, _roots, _roots.c.id == _providers.c.root_provider_id)
    .where(_providers.c.uuid.in_(sa.bindparam("uuids", expanding=True)))
)


def providers(conn, uuids):
    """Return {uuid: ProviderInTree}. Cost: one query, none without uuids."""
    rows = conn.execute(_providers_query, {"uuids": uuids}) if uuids else ()
    # A provider without a root counts as its own root. Only the audit reports such providers.
    return {
        uuid: ProviderInTree(uuid, name, root_uuid or uuid, root_name or name)
        for uuid, name, root_uuid, root_name in rows
    }


_consumers_query = consumer_owners.joined(
    sa.select(
        _consumers.c.uuid,
        consumer_owners.PROJECT,
        consumer_owners.USER,
        consumer_owners.TYPE,
    ).where(_consumers.c.uuid.in_(sa.bindparam("uuids", expanding=True)))
)


def consumers(conn, uuids):
    """Return {uuid: Owned}. Cost: one query, none without uuids."""
    rows = conn.execute(_consumers_query, {"uuids": uuids}) if uuids else ()
    return {row[0]: Owned(*row) for row in rows}
