"""How often a request could be claimed: the stages of the count, which uses the usual search.

Source: doc/how-to/fit.rst.
"""

from collections import Counter
from typing import NamedTuple

from placement import exception
from placement.candidates import name_lookup, resolution
from placement.candidates.effort import SpentError
from placement.candidates.fits import assumed_cloud, greedy
from placement.candidates.fits.sums_over_hosts import Sums
from placement.candidates.why import spelling
from placement.candidates.why.unknown_names import Unknown
from placement.db import names_and_ids
from placement.db.search import hosts as db_hosts


class HostFit(NamedTuple):
    """How often a request fits on one host, and what stops it: a class, or a query parameter.

    uuid         None for an assumed host; its name is that of its model, followed by a number
    stopped_by   None if the bound was reached
    is_disabled  whether nova has disabled the host
    """

    uuid: str | None
    name: str
    times: int
    stopped_by: str | None
    is_disabled: bool = False


class Fit(NamedTuple):
    """How often a request fits.

    hosts_by_fit  {how often it fits on a host: how many such hosts}; hosts where it does not fit
                  are left out
    hosts         HostFits of the hosts on which it fits most often, in descending order
    stopped_by    {a class, or a query parameter: how many hosts it stops}
    stranded      {class: what is left at the end on hosts that lack nothing but room}
    unknown       Unknowns: uuids in the query that do not exist, which is not an error
    """

    times: int
    hosts_by_fit: dict[int, int]
    hosts: list[HostFit]
    stopped_by: dict[str, int]
    stranded: dict[str, int]
    unknown: list[Unknown]


def count(conn, query, change, one_provider_per_tree, bound, top, effort):
    """Return the Fit of a CandidateQuery after a WhatIf, counted up to a bound (None for no bound).

    Claims are counted one after the other, each taking the first candidate of the search. Hosts are
    read only until the bound is reached, and at most `top` of them are listed.
    Cost: two statements for each batch of hosts, plus one for each ratio; in addition, at most
        eleven, and one more for each chunk of hosts that are listed.
    Raises: UnknownTraits, UnknownResourceClass, NoSuchHost, FitTooLong.
    """
    names = name_lookup.look_up(conn, query)
    classes = names_and_ids.resolve(conn, resource_classes=change.ratios.keys()).resource_classes
    # {the uuid or name that was given: id} of the hosts that exist.
    hosts = db_hosts.find_ids(conn, change.excluded | change.added.keys())
    _check_known(query, names, change, classes, hosts)
    unknown = spelling.unknown_in(conn, query, names)
    resolved = resolution.resolved(query, resolution.with_unknown_trees(query, names))
    excluded = {hosts[host] for host in change.excluded}
    class_names = {
        names.resource_classes[name]: name for group in query.groups for name in group.resources
    }
    try:
        cloud = assumed_cloud.AssumedCloud(
            conn, names, excluded, _added(change, hosts), _ratios(change, classes, names), effort
        )
        sums = Sums(class_names, cloud.shared, top)
        known_roots = set(names.trees.values()) - excluded
        for filled in greedy.fill(
            cloud.forests(), resolved, one_provider_per_tree, effort, known_roots, bound
        ):
            sums.add(filled)
    except SpentError:
        raise exception.FitTooLong() from None
    return Fit(
        sums.times,
        hosts_by_fit=dict(sorted(sums.hosts_by_fit.items())),
        hosts=_hosts(conn, sums, cloud.models),
        stopped_by=dict(sums.stopped_by.most_common()),
        stranded=sums.stranded(),
        unknown=unknown,
    )


def _added(change, hosts):
    """Return {root id: how many hosts to add}."""
    # A host given both by name and by uuid gets the sum of both numbers.
    added = Counter()
    for host, number in change.added.items():
        added[hosts[host]] += number
    return added


def _ratios(change, classes, names):
    """Return {class_id: allocation_ratio} of the classes in the query; others do not matter."""
    asked_for = names.resource_classes
    return {classes[name]: ratio for name, ratio in change.ratios.items() if name in asked_for}


def _check_known(query, names, change, classes, hosts):
    """Check that everything named by a query and a WhatIf exists.

    classes: {name: id}; hosts: {the name or uuid that the WhatIf gives: id}
    Raises: UnknownTraits, UnknownResourceClass, NoSuchHost.
    """
    resolution.check_known(query, names)
    for name in change.ratios:
        if name not in classes:
            raise exception.UnknownResourceClass(name=name)
    for host in sorted(change.excluded | change.added.keys()):
        if host not in hosts:
            raise exception.NoSuchHost(host=host)


def _hosts(conn, sums, models):
    """Return the HostFits of the best hosts of some Sums.

    models: {root id of an added host: (root id of the host it is like, its number)}
    """
    best = sums.best
    ids = set()
    for filled in best:
        model_id, _ = models.get(filled.root_id, (filled.root_id, None))
        ids.add(model_id)
    hosts_by_id = db_hosts.mark_disabled(conn, names_and_ids.of_providers(conn, ids))
    fits = []
    for filled in best:
        if filled.root_id in models:
            model_id, number = models[filled.root_id]
            model = hosts_by_id[model_id]
            host = model._replace(uuid=None, name=f"{model.name} +{number}")
        else:
            host = hosts_by_id[filled.root_id]
        stop = sums.stop_of(filled)
        fits.append(HostFit(host.uuid, host.name, filled.times, stop, host.is_disabled))
    return fits
