"""Which consumers would have to go to make room for a request: on each host, the fewest.

Source: doc/how-to/planning.rst.
"""

import collections
import itertools
from typing import NamedTuple

from placement import exception
from placement.candidates import name_lookup, resolution
from placement.candidates.effort import SpentError
from placement.candidates.plans import cloud, removals
from placement.candidates.solver import anchors
from placement.db import consumers as db_consumers
from placement.db import names_and_ids
from placement.db.search import every_tree, holders, sharing_providers
from placement.db.search import hosts as db_hosts
from placement.db.search.holders import KnownConsumer
from placement.db.search.hosts import MarkedProvider


class HostRelease(NamedTuple):
    """A host, and the fewest consumers whose removal would make room there."""

    host: MarkedProvider
    consumers: list[KnownConsumer]


class Release(NamedTuple):
    """Which consumers would have to go.

    fitting_count  on how many hosts the request already fits
    hosts          the HostReleases with the fewest consumers, fewest first
    is_complete    False if the effort was used up before all of these hosts were found
    """

    fitting_count: int
    hosts: list[HostRelease]
    is_complete: bool


def find(conn, query, one_provider_per_tree, owner, top, effort):
    """Return the Release for a CandidateQuery, with at most `top` hosts.

    owner: the type or the project of the consumers that may go; None for any
    Raises: UnknownTraits, UnknownResourceClass, NoSuchConsumers, ReleaseTooLong.
    """
    names = name_lookup.look_up(conn, query)
    resolution.check_known(query, names)
    owner_filter = _owner_filter(conn, owner)
    if resolution.first_unknown(query, names) is not None:
        # The query asks for a tree that does not exist.
        return Release(fitting_count=0, hosts=[], is_complete=True)
    resolved = resolution.resolved(query, names)
    try:
        forest = _forest(conn, names, effort)
        prepared = anchors.prepare(resolved, one_provider_per_tree, effort)
        class_ids = {class_id for group in resolved.groups for class_id in group.amounts}
        fits, removables = _fits_and_removables(
            conn, forest, prepared, class_ids, owner_filter
        )
    except SpentError:
        raise exception.ReleaseTooLong() from None
    hosts, is_complete = _first(_fewest(removables), top)
    return Release(fits, _named(conn, hosts), is_complete)


def _owner_filter(conn, owner):
    """Return {column: id} for the `owner`, a type or a project; {} for None.

    These are keywords for holders.read_all. If a type and a project have the same name, the
    type takes precedence.
    Raises: NoSuchConsumers.
    """
    if owner is None:
        return {}
    # `owner` may be the name that stands for having no type.
    if db_consumers.stored_type(owner) is None:
        return {"consumer_type_id": None}
    names = names_and_ids.resolve(conn, consumer_types=[owner], projects=[owner])
    if owner in names.consumer_types:
        return {"consumer_type_id": names.consumer_types[owner]}
    if owner in names.projects:
        return {"project_id": names.projects[owner]}
    raise exception.NoSuchConsumers(of=owner)


def _forest(conn, names, effort):
    """Return the Forest of all trees, with what matters to a query with these Names."""
    sharing = sharing_providers.find(conn, resolution.sharing_trait_id(names.traits))
    reaching = every_tree.reaching_aggregates(conn, sharing)
    wanted = every_tree.Wanted.of(names).with_aggregates(reaching)
    return cloud.forest_of(conn, wanted, sharing, effort)


def _fits_and_removables(conn, forest, prepared, class_ids, owner_filter):
    """Return how many hosts the request fits on, and the Removables of hosts where it could fit.

    class_ids     the classes that the request asks for
    owner_filter  which consumers may go: keywords for holders.read_all
    Raises: SpentError.
    """
    without_room = [
        root_id
        for root_id in forest.root_ids
        if not anchors.has_candidate(forest, root_id, prepared)
    ]
    local, shared = _held(conn, forest, owner_filter, prepared.effort)
    removables = []
    for root_id in without_room:
        offered = forest.offered(root_id)
        consumers = removals.consumers_by_amounts(offered, class_ids, local[root_id], shared)
        removable = removals.Removable(forest, root_id, prepared, consumers)
        if consumers and removable.is_promising:
            removables.append(removable)
    return len(forest.root_ids) - len(without_room), removables


def _held(conn, forest, owner_filter, effort):
    """Return {root_id: {consumer id: held}}, and {held on sharing providers: consumer ids}.

    What consumers hold, `held`, is a tuple of HeldOnProviders.
    owner_filter: keywords for holders.read_all
    Raises: SpentError.
    """
    local, shared = collections.defaultdict(dict), collections.defaultdict(list)
    for holder in holders.read_all(conn, **owner_filter):
        # Spending effort also checks whether the client has hung up.
        effort.add_reasons(1)
        of_sharing = []
        for each in holder.held:
            provider = forest.providers.get(each.provider_id)
            if provider is None:
                # Another program may have deleted the provider, but not its allocations.
                continue
            local[provider.root_id][holder.id] = holder.held
            if provider.id in forest.sharing_ids:
                of_sharing.append(each)
        if of_sharing:
            shared[tuple(of_sharing)].append(holder.id)
    return local, shared


def _fewest(removables):
    """Yield (root_id, ids of consumers to remove) of Removables, the fewest consumers first."""
    number = 1
    waiting = removables
    while waiting:
        later = []
        for removable in waiting:
            consumer_ids = removable.choice_of(number)
            if consumer_ids is not None:
                yield removable.root_id, consumer_ids
            elif number < len(removable):
                later.append(removable)
        waiting = later
        number += 1


def _first(hosts, top):
    """Return a list of at most `top` hosts, and whether the effort sufficed to find all of them.

    Raises: ReleaseTooLong if the effort did not suffice for a single host.
    """
    first = []
    try:
        first.extend(itertools.islice(hosts, top))
    except SpentError:
        if not first:
            raise exception.ReleaseTooLong() from None
        return first, False
    return first, True


def _named(conn, hosts):
    """Return a HostRelease for each (root_id, consumer ids)."""
    names = names_and_ids.of_providers(conn, [root_id for root_id, _ in hosts])
    marked = db_hosts.mark_disabled(conn, names)
    owners = holders.owners(conn, {key for _, consumer_ids in hosts for key in consumer_ids})
    # A consumer that has gone since it was read has no owner.
    return [
        HostRelease(marked[root_id], [owners[key] for key in consumer_ids if key in owners])
        for root_id, consumer_ids in hosts
    ]
