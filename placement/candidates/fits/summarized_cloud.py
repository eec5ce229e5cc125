"""How often each of many requests fits on its own, in a cloud that is read only once.

Of several hosts that are alike for all of these requests, only one is kept, with their number.
Source: doc/how-to/flavors.rst; doc/explanation/rules.rst, Q5.
"""

import collections
import math
from collections import Counter
from typing import NamedTuple

from placement import exception
from placement.candidates import forests, name_lookup, resolution
from placement.candidates.effort import SpentError
from placement.candidates.fits import greedy
from placement.db.names_and_ids import Names
from placement.db.provider_room import Provider
from placement.db.search import every_tree, sharing_providers


class SummarizedCloud(NamedTuple):
    """All hosts, in just enough detail for some requests to tell them apart.

    names        the Names of everything in the requests that exists
    trees        {root id: Providers}, one tree of each kind
    tree_counts  {root id: how many trees are like it, itself included}
    sharing_ids  the ids of sharing providers
    size         the number of all providers
    """

    names: Names
    trees: dict[int, list[Provider]]
    tree_counts: dict[int, int]
    sharing_ids: list[int]
    size: int


class FitCount(NamedTuple):
    """How often a request fits.

    host_count  on how many hosts it fits
    stopped_by  {a class, or a query parameter: how many hosts it stops}
    """

    times: int
    host_count: int
    stopped_by: dict[str, int]


def read(conn, queries):
    """Return the SummarizedCloud for some CandidateQueries.

    Cost: two statements for each batch of hosts, and at most five more.
    """
    names = name_lookup.known(conn, *queries)
    sharing = sharing_providers.find(conn, resolution.sharing_trait_id(names.traits))
    sharing_roots = {provider.root_id for provider in sharing}
    reaching = every_tree.reaching_aggregates(conn, sharing)
    wanted = every_tree.Wanted.of(names).with_aggregates(reaching)
    first_root_by_content, trees, tree_counts = {}, {}, Counter()
    size = 0
    simplifier = _simplifier(queries, names)
    for batch in every_tree.batches(conn, wanted, every_tree.AT_ONCE, simplified=simplifier):
        size += sum(map(len, batch.members.values()))
        # Trees that can use the same sharing provider compete for it, so each is counted
        # separately.
        apart = sharing_roots | set(names.trees.values()) | batch.in_aggregates(reaching)
        # Other trees with the same content are alike.
        for content, root_ids in batch.contents(apart).items():
            root_id = first_root_by_content.setdefault(content, root_ids[0])
            if root_id == root_ids[0]:
                trees[root_id] = batch.providers(root_id)
            tree_counts[root_id] += len(root_ids)
    sharing_ids = [provider.id for provider in sharing]
    return SummarizedCloud(names, trees, tree_counts, sharing_ids, size)


def count(cloud, query, effort):
    """Return the FitCount of a CandidateQuery, one of those that the SummarizedCloud was read for.

    Raises: UnknownTraits, UnknownResourceClass, FitTooLong.
    """
    names = cloud.names
    resolution.refuse_unknown_of_root(query, names)
    resolution.check_known(query, names)
    effort.allow_for(cloud.size)
    resolved = resolution.resolved(query, resolution.with_unknown(query, names))
    try:
        return _summed(cloud, _filled(cloud, resolved, effort))
    except SpentError:
        raise exception.FitTooLong() from None


def _filled(cloud, resolved, effort):
    """Return an iterator of a FilledAnchor for each tree in the cloud. Raises: SpentError."""
    # These are copies, because claims change what a provider offers.
    providers = [
        each._replace(rooms=dict(each.rooms)) for tree in cloud.trees.values() for each in tree
    ]
    forest = forests.build(providers, cloud.sharing_ids, root_ids=cloud.trees)
    return greedy.fill(
        [forest],
        resolved,
        one_provider_per_tree=False,
        effort=effort,
        known_roots=cloud.names.trees.values(),
    )


def _summed(cloud, filled):
    """Return the FitCount of FilledAnchors; each stands for all the hosts like it."""
    class_names = {key: name for name, key in cloud.names.resource_classes.items()}
    times = host_count = 0
    stopped_by = Counter()
    for host in filled:
        alike = cloud.tree_counts[host.root_id]
        times += alike * host.times
        host_count += alike if host.times else 0
        # Without a bound on the claims, a constraint always stops them in the end.
        stop = host.stopped_by
        stopped_by[stop.kind.name_of_stop(stop.value, class_names)] += alike
    return FitCount(times, host_count, dict(stopped_by.most_common()))


def _simplifier(queries, names):
    """Return a function that makes Rooms equal if these queries cannot tell them apart.

    It is the argument `simplified` of every_tree.batches.

    All amounts of a class are multiples of some number, so the free amount is rounded down to a
    multiple of it. No request takes more of a class than the largest total of a request, so a
    max_unit above that total is lowered to it.

    Neither is done for classes of suffixed groups: which of their constraints stops a host depends
    on how much is missing.
    """
    exact = {name for query in queries for g in query.groups if g.suffix for name in g.resources}
    # By class name: the greatest common divisor of all amounts, and the largest total of a request.
    common, largest = collections.defaultdict(int), collections.defaultdict(int)
    for query in queries:
        totals = Counter()
        for group in query.groups:
            totals.update(group.resources)
            for name, amount in group.resources.items():
                common[name] = math.gcd(common[name], amount)
        for name, total in totals.items():
            largest[name] = max(largest[name], total)
    # By class_id, for classes whose exact amounts do not matter.
    unit_and_most = {
        key: (common[name], largest[name])
        for name, key in names.resource_classes.items()
        if name in common and name not in exact
    }

    def simplified(class_id, room):
        """Return a Room with nothing used, and the same free amount, perhaps rounded down."""
        if class_id not in unit_and_most:
            return room._replace(capacity=room.free, used=0)
        unit, most = unit_and_most[class_id]
        return room._replace(
            capacity=room.free - room.free % unit, used=0, max_unit=min(room.max_unit, most)
        )

    return simplified
