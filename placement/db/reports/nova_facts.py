"""Facts of the audit: leftovers of moves, and devices that wait for an operator.

They have the form of the findings in ledger_checks.py.
"""

import os_traits
import sqlalchemy as sa

from placement.constants import INSTANCE
from placement.db import tables
from placement.db.reports import ledger_checks

# os_traits.HW_PCI_ONE_TIME_USE does not exist in the oldest release of os-traits that we allow.
_ONE_TIME_USE = "HW_PCI_ONE_TIME_USE"

_allocations = tables.allocations
_consumers = tables.consumers
_held_traits = tables.resource_provider_traits
_inventories = tables.inventories
_providers = tables.resource_providers
_types = tables.consumer_types
_host, _other_host = _providers.alias("host"), _providers.alias("other_host")


def _having(trait):
    """Select the ids of the providers that have a trait."""
    return (
        sa.select(_held_traits.c.resource_provider_id)
        .join(tables.traits, tables.traits.c.id == _held_traits.c.trait_id)
        .where(tables.traits.c.name == trait)
    )


def _split():
    """Select (uuid, lowest and highest root id) of consumers with allocations in several trees.

    What they hold on sharing providers does not count as another tree. The rows are grouped before
    they are joined with consumers, so that few consumers are looked up.
    """
    sharing = _having(os_traits.MISC_SHARES_VIA_AGGREGATE).subquery()
    first = sa.func.min(_providers.c.root_provider_id)
    last = sa.func.max(_providers.c.root_provider_id)
    return (
        sa.select(
            _allocations.c.consumer_id.label("uuid"),
            first.label("first_root_id"),
            last.label("last_root_id"),
        )
        .join(_providers, _providers.c.id == _allocations.c.resource_provider_id)
        .outerjoin(sharing, sharing.c.resource_provider_id == _providers.c.id)
        .where(sharing.c.resource_provider_id.is_(None))
        .group_by(_allocations.c.consumer_id)
        .having(first != last)
        .subquery()
    )


def _instances_in_two_trees():
    """Select the instances with allocations in two trees, and the hosts of both."""
    split = _split()
    return (
        sa.select(
            _consumers.c.uuid.label("consumer_uuid"),
            _host.c.name.label("host"),
            _other_host.c.name.label("other_host"),
            tables.touched(_consumers).label("last_written"),
        )
        .select_from(split)
        .join(_consumers, _consumers.c.uuid == split.c.uuid)
        .join(_types, _types.c.id == _consumers.c.consumer_type_id)
        .outerjoin(_host, _host.c.id == split.c.first_root_id)
        .outerjoin(_other_host, _other_host.c.id == split.c.last_root_id)
        .where(_types.c.name == INSTANCE)
    )


# The oldest come first. The newest ones may be moves that are still under way.
_split_query = _instances_in_two_trees()
_split_order = (_split_query.selected_columns.last_written, _consumers.c.id)

_devices = _having(_ONE_TIME_USE).subquery()
_devices_query = (
    sa.select(
        _providers.c.uuid.label("provider_uuid"),
        _providers.c.name.label("provider"),
        tables.resource_classes.c.name.label("resource_class"),
        _inventories.c.total,
    )
    .select_from(_devices)
    .join(_providers, _providers.c.id == _devices.c.resource_provider_id)
    .join(_inventories, _inventories.c.resource_provider_id == _providers.c.id)
    .join(
        tables.resource_classes,
        tables.resource_classes.c.id == _inventories.c.resource_class_id,
    )
    .where(
        _inventories.c.total > 0,
        _inventories.c.reserved >= _inventories.c.total,
        _inventories.c.used == 0,
    )
)


def instance_in_two_trees(conn):
    """Find instances that use several trees, apart from sharing providers.

    Cost: one query, which reads all allocations.
    """
    return ledger_checks.counted(conn, _split_query, *_split_order)


def device_to_clean(conn):
    """Find one-time-use devices that nobody uses but that are still reserved. Cost: one query."""
    return ledger_checks.counted(conn, _devices_query, _inventories.c.id)
