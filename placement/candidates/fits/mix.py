"""How many of several requests could be claimed together, the largest first.

Source: doc/how-to/fit.rst.
"""

import contextlib
from collections import Counter
from typing import NamedTuple

from placement import exception
from placement.candidates import claim_size, name_lookup, resolution
from placement.candidates.effort import SpentError
from placement.candidates.fits import assumed_cloud, greedy
from placement.candidates.fits.sums_over_hosts import Sums
from placement.db import inventories as db_inventories
from placement.db.search import hosts as db_hosts


class MixFit(NamedTuple):
    """How often one of the requests fits.

    claim_order  its place in the order in which the requests are claimed, from 1
    stopped_by   {a class, or a query parameter: how many hosts it stops}; empty if all fit
    """

    claim_order: int
    times: int
    stopped_by: dict[str, int]


def count(conn, mix, one_provider_per_tree, effort):
    """Return a MixFit for each MixedRequest of a Mix.

    The requests are claimed one after the other, the largest first. Each is claimed as often as it
    is wanted or, if that is less, as often as it fits. Each claim takes the first candidate of the
    search.
    Cost: two statements for each request and each batch of hosts that it reaches; in addition, at
        most ten.
    Raises: UnknownTraits, UnknownResourceClass, NoSuchHost, MixTooLong.
    """
    names = name_lookup.known(conn, *(request.query for request in mix.requests))
    excluded = db_hosts.find_ids(conn, mix.excluded)
    for host in sorted(mix.excluded - excluded.keys()):
        raise exception.NoSuchHost(host=host)
    for request in mix.requests:
        with _errors_naming(request):
            resolution.refuse_unknown_of_root(request.query, names)
            resolution.check_known(request.query, names)
    excluded_ids = set(excluded.values())
    try:
        cloud = assumed_cloud.AssumedCloud(
            conn, names, excluded_ids, added=Counter(), ratios={}, effort=effort
        )
        return _claim_all(conn, mix, names, cloud, excluded_ids, one_provider_per_tree, effort)
    except SpentError:
        raise exception.MixTooLong() from None


@contextlib.contextmanager
def _errors_naming(request):
    """Context manager: errors raised inside say which request they are about."""
    try:
        yield
    except exception.PlacementException as error:
        error.prefix = f"Request {exception.legible(request.name)}: {error.prefix}"
        raise


def _claim_all(conn, mix, names, cloud, excluded_ids, one_provider_per_tree, effort):
    """Return the MixFit of each request, in the order of the Mix. Raises: SpentError."""
    known_roots = set(names.trees.values()) - excluded_ids
    fits_by_number = {}
    for claim_order, number in enumerate(_largest_first(conn, mix, names), start=1):
        request = mix.requests[number]
        complete = resolution.with_unknown_trees(request.query, names)
        query = resolution.resolved(request.query, complete)
        filled = greedy.fill(
            cloud.forests(), query, one_provider_per_tree, effort, known_roots, request.count
        )
        fits_by_number[number] = _summed(filled, request, names, cloud, claim_order)
    return [fits_by_number[number] for number in range(len(mix.requests))]


def _summed(filled, request, names, cloud, claim_order):
    """Return the MixFit of an iterable of FilledAnchors, and keep in the cloud what they claim.

    claim_order: the position of the request, from 1, in the order in which they are claimed
    """
    class_names = {key: name for name, key in names.resource_classes.items()}
    sums = Sums(class_names, cloud.shared, top=0)
    for host in filled:
        if host.times:
            cloud.keep(host)
        sums.add(host)
    stopped_by = dict(sums.stopped_by.most_common()) if sums.times < request.count else {}
    return MixFit(claim_order, sums.times, stopped_by)


def _largest_first(conn, mix, names):
    """Return the numbers of the requests in the order in which they are claimed.

    The size of a request is that of one claim. Requests of equal size stay in their order.
    """
    classes = names.resource_classes
    capacities = db_inventories.capacities(conn, classes.values())
    sizes = []
    for request in mix.requests:
        totals = Counter()
        for group in request.query.groups:
            totals.update({classes[name]: amount for name, amount in group.resources.items()})
        sizes.append(claim_size.shares(totals, capacities))
    return sorted(range(len(sizes)), key=lambda number: sizes[number], reverse=True)
