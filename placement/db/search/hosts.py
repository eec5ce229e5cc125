"""Finding hosts, the root providers, by UUID or name."""

from typing import NamedTuple

import sqlalchemy as sa

from placement.db import disabled_hosts, tables
from placement.db.chunks import chunks
from placement.db.sql import uuid_or_name
from placement.db.sql.conditions import is_root

_providers = tables.resource_providers
_is_root = is_root(_providers)
_aggregates = tables.aggregates
_members = tables.resource_provider_aggregates
_in_aggregates = (
    sa.select(_aggregates.c.uuid, _providers.c.id)
    .join(_members, _members.c.aggregate_id == _aggregates.c.id)
    .join(_providers, _providers.c.id == _members.c.resource_provider_id)
    .where(_is_root)
)


class NamedHost(NamedTuple):
    """A host, which is a root provider."""

    id: int
    uuid: str
    name: str


class MarkedProvider(NamedTuple):
    """The uuid and the name of a provider, and whether it is a host that nova has disabled."""

    uuid: str
    name: str
    is_disabled: bool


def find_ids(conn, texts):
    """Return {text: id of the host} for those texts that are a host's UUID or name.

    Cost: one query for each chunk of texts.
    """
    query = sa.select(_providers.c.id, _providers.c.uuid, _providers.c.name).where(_is_root)
    ids = {}
    for chunk in chunks(texts):
        rows = conn.execute(query.where(uuid_or_name.may_be_meant(_providers, chunk))).all()
        ids |= {text: row.id for text, row in uuid_or_name.meant(rows, chunk).items()}
    return ids


def names(conn):
    """Return the names of all hosts, in the order of their ids."""
    query = sa.select(_providers.c.name).where(_is_root).order_by(_providers.c.id)
    return list(conn.scalars(query))


def host_of_provider(conn, text):
    """Return the NamedHost above a provider; None if there is no such provider.

    text: the UUID or name of the provider
    """
    host = _providers.alias("host")
    query = (
        sa.select(_providers.c.uuid, _providers.c.name, host.c.id, host.c.uuid, host.c.name)
        .join(host, host.c.id == _providers.c.root_provider_id)
        .where(uuid_or_name.may_be_meant(_providers, [text]))
    )
    found = uuid_or_name.meant(conn.execute(query).all(), [text])
    return NamedHost(*found[text][2:]) if found else None


def mark_disabled(conn, providers):
    """Return {id: MarkedProvider} for `providers`, {id: NamedProvider}.

    Cost: one query for each chunk.
    """
    disabled = disabled_hosts.among(conn, [provider.uuid for provider in providers.values()])
    return {
        provider_id: MarkedProvider(provider.uuid, provider.name, provider.uuid in disabled)
        for provider_id, provider in providers.items()
    }


def ids_in_aggregates(conn, uuids):
    """Return {uuid of an aggregate that exists: the ids of the hosts in it}.

    Cost: two queries.
    """
    is_given = _aggregates.c.uuid.in_(uuids)
    existing = conn.scalars(sa.select(_aggregates.c.uuid).where(is_given))
    host_ids = {uuid: [] for uuid in existing if uuid in uuids}
    query = _in_aggregates.where(is_given).order_by(_providers.c.id)
    for uuid, host_id in conn.execute(query):
        if uuid in host_ids:
            host_ids[uuid].append(host_id)
    return host_ids


def ids_by_aggregate(conn):
    """Return {uuid of an aggregate that has hosts: the ids of the hosts in it}, sorted by uuid.

    Cost: one query.
    """
    host_ids = {}
    for uuid, host_id in conn.execute(_in_aggregates.order_by(_aggregates.c.uuid, _providers.c.id)):
        host_ids.setdefault(uuid, []).append(host_id)
    return host_ids
