"""Providers with all their inventories, traits, aggregates and allocations, batch by batch."""

import collections
import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from placement.db import names_and_ids, tables
from placement.db import resource_providers as db_providers
from placement.db.sql import consumer_owners, packed_rows
from placement.db.sql.conditions import is_one_of_given

_inventories = tables.inventories
_classes = tables.resource_classes
_traits = tables.traits
_held_traits = tables.resource_provider_traits
_aggregates = tables.aggregates
_members = tables.resource_provider_aggregates
_allocations = tables.allocations
_consumers = tables.consumers

# The most providers in memory at a time.
_BATCH = 500

# The parameter of the statements below. These are built only once, because building one leaves
# garbage that is rarely collected.
_PROVIDERS = "provider_ids"


class WholeInventory(NamedTuple):
    """What a provider has of one class, and how much of it is used."""

    resource_class: str
    total: int
    reserved: int
    min_unit: int
    max_unit: int
    step_size: int
    allocation_ratio: float
    capacity: int
    used: int


class WholeAllocation(NamedTuple):
    """What a consumer takes of one class of a provider, and who owns the consumer.

    created_at  when the consumer was created (UTC); None if its writer did not record that
    """

    consumer_uuid: str
    generation: int
    consumer_type: str | None
    project_id: str
    user_id: str
    created_at: datetime.datetime | None
    resource_class: str
    amount: int


class WholeProvider(NamedTuple):
    """A provider with all that it has.

    provider     a ProviderRow
    allocations  None unless they were asked for
    """

    provider: Any
    inventories: list[WholeInventory]
    traits: list[str]
    aggregates: list[str]
    allocations: list[WholeAllocation] | None


_inventory_query = (
    sa.select(
        _inventories.c.resource_provider_id,
        _classes.c.name,
        *(_inventories.c[field] for field in WholeInventory._fields[1:]),
    )
    .join(_classes, _classes.c.id == _inventories.c.resource_class_id)
    .where(is_one_of_given(_inventories.c.resource_provider_id, _PROVIDERS))
    .order_by(_classes.c.id)
)


def _sets_query(link, member_id):
    """Select (provider_id, packed ids of its traits or aggregates) of providers that have any.

    link: the table that says which provider has which trait, or is in which aggregate
    member_id: its column with the id of the trait or the aggregate
    """
    provider_id = link.c.resource_provider_id
    return (
        sa.select(provider_id, packed_rows.of_rows(member_id))
        .where(is_one_of_given(provider_id, _PROVIDERS))
        .group_by(provider_id)
    )


_traits_query = _sets_query(_held_traits, _held_traits.c.trait_id)
_aggregates_query = _sets_query(_members, _members.c.aggregate_id)

_allocation_query = consumer_owners.joined(
    sa.select(
        _allocations.c.resource_provider_id,
        _consumers.c.uuid,
        _consumers.c.generation,
        consumer_owners.TYPE,
        consumer_owners.PROJECT,
        consumer_owners.USER,
        _consumers.c.created_at,
        _classes.c.name,
        _allocations.c.used,
    )
    .join(_consumers, _consumers.c.uuid == _allocations.c.consumer_id)
    .join(_classes, _classes.c.id == _allocations.c.resource_class_id)
    .where(is_one_of_given(_allocations.c.resource_provider_id, _PROVIDERS))
    .order_by(_consumers.c.id, _classes.c.id)
)


def batches(conn, filters, with_allocations):
    """Yield lists of WholeProviders that pass the Filters, in the order of their ids.

    Cost: three statements, and four more for each list, or five with allocations.
    """
    names_of_traits = _NamesOfSets(conn, _traits.c.name)
    names_of_aggregates = _NamesOfSets(conn, _aggregates.c.uuid)
    after = 0
    while rows := db_providers.next_matching(conn, filters, after, _BATCH):
        after = rows[-1].id
        ids = [row.id for row in rows]
        inventories = _grouped(conn, _inventory_query, ids, WholeInventory)
        # {provider_id: packed ids}: equal texts are parsed once. A provider without traits or
        # aggregates is missing here; for None, the sets below have no names.
        traits = dict(_of_providers(conn, _traits_query, ids))
        aggregates = dict(_of_providers(conn, _aggregates_query, ids))
        allocations = None
        if with_allocations:
            allocations = _grouped(conn, _allocation_query, ids, WholeAllocation)
        yield [
            WholeProvider(
                row,
                inventories[row.id],
                names_of_traits[traits.get(row.id)],
                names_of_aggregates[aggregates.get(row.id)],
                None if allocations is None else allocations[row.id],
            )
            for row in rows
        ]


class _NamesOfSets(dict):
    """Caches the names of each set, by its text from _sets_query(): many hosts have equal sets.

    Traits and aggregates that no longer exist are left out, as they are when a single provider is
    read: in SQL, nothing prevents the deletion of an aggregate.
    """

    def __init__(self, conn, name):
        self._names = names_and_ids.all_by_id(conn, name)

    def __missing__(self, text):
        keys = sorted(map(int, packed_rows.rows_of(text)))
        self[text] = known = [self._names[key] for key in keys if key in self._names]
        return known


def _grouped(conn, query, provider_ids, make):
    """Return {provider_id: [what `make` returns for the other columns of each of its rows]}."""
    made = collections.defaultdict(list)
    for provider_id, *values in _of_providers(conn, query, provider_ids):
        made[provider_id].append(make(*values))
    return made


def _of_providers(conn, query, provider_ids):
    return conn.execute(query, {_PROVIDERS: provider_ids}).all()
