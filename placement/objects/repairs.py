"""Repair what an audit finds, while the service runs.

Each repair is a function that takes the Database, works in transactions of bounded size, decides
under lock what is still wrong, and returns how many rows it found or changed.
"""

import datetime
import functools

from oslo_utils import timeutils

from placement.db import inventories
from placement.db import trees as db_trees
from placement.db.chunks import chunks
from placement.db.derived_sums import recount
from placement.db.reports import empty_consumers
from placement.db.schema import data_migrations
from placement.objects import tree_faults

# Another Placement adds a consumer moments before its allocations, not this many seconds before.
EMPTY_SECONDS = 3600

# How many providers or consumers one transaction repairs, while other writers wait for it.
_PROVIDERS_AT_ONCE = 200
_CONSUMERS_AT_ONCE = 500


def empty_before():
    """Return the moment (naive UTC) after which a consumer without allocations is left alone."""
    return timeutils.utcnow() - datetime.timedelta(seconds=EMPTY_SECONDS)


def recount_providers(database, is_wrong):
    """Recount the sums of providers. Return how many inventories were wrong.

    `is_wrong` says of a Wrong inventory, from recount.find_wrong, whether it is to be recounted.
    """
    with database.reader() as conn:
        wrong = [each for each in recount.find_wrong(conn) if is_wrong(each)]
    wrong_ids = sorted({each.provider_id for each in wrong})
    for provider_ids in chunks(wrong_ids, _PROVIDERS_AT_ONCE):
        database.in_transaction(functools.partial(recount.of_providers, provider_ids=provider_ids))
    return len(wrong)


def record_consumers(database, owner):
    """Add rows for the consumers that have allocations but no row. Return how many there were.

    The added consumers belong to `owner`, a pair of project and user.
    """
    project, user = owner
    count, last = 0, ""
    while recorded := database.in_transaction(
        functools.partial(
            data_migrations.create_incomplete_consumers,
            limit=_CONSUMERS_AT_ONCE,
            after=last,
            project=project,
            user=user,
        ),
    ):
        count += len(recorded)
        last = recorded[-1]
    return count


def remove_inventories_without_class(database):
    """Remove inventories of classes that do not exist, unless they have allocations.

    Return how many there were.
    """
    return database.in_transaction(inventories.delete_without_class)


def remove_empty_consumers(database):
    """Remove consumers that have been empty for EMPTY_SECONDS. Return how many there were."""
    before = empty_before()
    with database.reader() as conn:
        empty_uuids = empty_consumers.uuids(conn, before)

    def remove(conn, consumer_uuids):
        return empty_consumers.delete(conn, consumer_uuids, before)

    return sum(
        database.in_transaction(functools.partial(remove, consumer_uuids=chunk))
        for chunk in chunks(empty_uuids, _CONSUMERS_AT_ONCE)
    )


def correct_roots(database):
    """Put providers into the trees of their parents. Return how many were in the wrong tree."""
    with database.reader() as conn:
        members = db_trees.members_of_trees(conn)
    wrong = tree_faults.find(members).wrong_roots
    return sum(
        database.in_transaction(functools.partial(_correct_roots_of, seen=members, ids=chunk))
        for chunk in chunks(sorted(wrong), _PROVIDERS_AT_ONCE)
    )


def _correct_roots_of(conn, seen, ids):
    """Correct the roots of providers with these ids, if they are still where they were `seen`.

    `seen` are the TreeMembers that were read before. Return how many were corrected.
    """
    seen_by_id = {member.id: member for member in seen}
    parent_ids = {member.id: member.parent_id for member in seen}
    ancestors_by_id = {key: tree_faults.ancestors(key, parent_ids) for key in ids}
    # Moving one of these providers, or one above it, locks the moved provider and its recorded
    # root. Adding a provider below one of them locks its parent and the parent's recorded root,
    # too.
    root_ids = {seen_by_id[key].root_id for key in ids} - {None}
    locked_ids = {*ids, *root_ids}.union(*ancestors_by_id.values())
    db_trees.lock_by_id(conn, locked_ids)
    # Locks do not reach other nodes of a Galera cluster. If a rival there does the same, this makes
    # one of the two transactions fail.
    db_trees.clash_across_nodes(conn, locked_ids)
    members = db_trees.members_of_trees(conn)
    member_by_id = {member.id: member for member in members}
    ids_by_root_id = {}
    for provider_id, root_id in tree_faults.find(members).wrong_roots.items():
        if provider_id not in ancestors_by_id:
            continue
        path = [provider_id, *ancestors_by_id[provider_id]]
        if all(member_by_id.get(key) == seen_by_id[key] for key in path):
            ids_by_root_id.setdefault(root_id, []).append(provider_id)
    for root_id, provider_ids in ids_by_root_id.items():
        db_trees.set_root(conn, provider_ids, root_id)
    return sum(map(len, ids_by_root_id.values()))
