"""Orphans: consumers no longer known to the service that created them.

Source: doc/how-to/audit.rst.
"""

import collections
import datetime
import functools
from typing import NamedTuple

from placement import exception
from placement.db import names_and_ids
from placement.db.consumers import stored_type
from placement.db.reports import orphans as db_orphans
from placement.objects.claims import writing


class Comparison(NamedTuple):
    """How many consumers of a type there are, and the rows of those that are orphans."""

    consumer_count: int
    orphans: list[db_orphans.ConsumerRow]


class HeldOnHost(NamedTuple):
    """What a consumer holds on a host.

    amounts      {class_name: amount}
    is_disabled  whether it is known that nova has disabled the host
    """

    host_uuid: str
    host_name: str
    amounts: dict[str, int]
    is_disabled: bool = False


class NoSuchType(Exception):
    """There is no such consumer type."""


def normalized(uuid):
    """Return a UUID without dashes and in lower case, to compare different spellings."""
    return uuid.replace("-", "").lower()


def compare(conn, consumer_type, known, before):
    """Return the Comparison of the consumers of a type with those `known`.

    The type is as `shown_type` shows it. `known` has normalized UUIDs. A consumer written since
    `before` (naive UTC) is not an orphan.
    Raises: NoSuchType.
    """
    count, orphans = 0, []
    for row in db_orphans.consumers_of_type(conn, _type_id(conn, consumer_type)):
        count += 1
        if normalized(row.uuid) not in known and _is_older(row.touched, before):
            orphans.append(row)
    return Comparison(count, orphans)


def _type_id(conn, shown):
    """Return the id of a type; None stands for consumers without one. Raises: NoSuchType."""
    consumer_type = stored_type(shown)
    if consumer_type is None:
        return None
    names = names_and_ids.resolve(conn, consumer_types={consumer_type})
    try:
        return names.consumer_types[consumer_type]
    except KeyError:
        raise NoSuchType(f"There are no consumers of type {consumer_type}.") from None


def _is_older(touched: datetime.datetime | None, before):
    return touched is None or touched < before


def holdings(conn, consumer_uuids):
    """Return {consumer_uuid: [HeldOnHost]} of some consumers."""
    amounts = collections.defaultdict(dict)
    for row in db_orphans.held_rows(conn, consumer_uuids):
        consumer_and_host = row.consumer_uuid, row.host_uuid, row.host_name
        amounts[consumer_and_host][row.class_name] = row.amount
    result = {uuid: [] for uuid in consumer_uuids}
    for (consumer_uuid, *host), amounts_on_host in amounts.items():
        # A database may ignore case, and find consumers whose uuids are not in consumer_uuids.
        result.setdefault(consumer_uuid, []).append(HeldOnHost(*host, amounts_on_host))
    return result


def remove_allocations(database, orphan):
    """Remove the allocations of an orphan. Return False if it has changed since it was seen."""

    delete = functools.partial(
        writing.delete_allocations, uuid=orphan.uuid, generation=orphan.generation
    )
    try:
        database.in_transaction(delete)
    except exception.NoAllocations:
        return False
    return True
