"""How often a request could be claimed: the stages of the answer. The search is the usual one.

Source: doc/how-to/fit.rst.
"""

from collections import Counter
from typing import NamedTuple

from placement import exception
from placement.candidates import lookup, resolution
from placement.candidates.effort import SpentError
from placement.candidates.fits import assumed, greedy
from placement.candidates.fits.sums import Sums
from placement.candidates.why import spelling
from placement.candidates.why.unknown import Unknown
from placement.db import names as db_names
from placement.db.search import hosts as db_hosts


class HostFit(NamedTuple):
    """How often a request fits on one host, and what stops it: a class, or a query parameter.

    uuid is None for an assumed host; its name is that of its model, and a number. stopped_by is
    None if the bound was reached.
    """

    uuid: str | None
    name: str
    fit: int
    stopped_by: str | None


class Fit(NamedTuple):
    """How often a request fits.

    hosts_by_fit  {how often it fits on a host: on how many}, without those where it does not
    hosts         those on which it fits most often, in the order they are filled
    stopped_by    {a class, or a query parameter: how many hosts it stops}
    stranded      {class: what is left in the end on hosts that only lack room}
    unknown       Unknowns: uuids in the query that do not exist, which is no error
    """

    fit: int
    hosts_by_fit: dict[int, int]
    hosts: list[HostFit]
    stopped_by: dict[str, int]
    stranded: dict[str, int]
    unknown: list[Unknown]


def count(conn, query, change, one_provider_per_tree, bound, top, effort):
    """Return the Fit of a CandidateQuery after a WhatIf, counted up to a bound (None for no bound).

    Claims are counted one after the other, each taking the first candidate of the search. Hosts are
    read only until the bound is reached, and at most `top` of them are listed.
    Cost: two statements for each batch of hosts, plus one for each ratio; besides, at most ten.
    Raises: UnknownTraits, UnknownResourceClass, NoSuchHost, FitTooLong.
    """
    names = lookup.look_up(conn, query)
    classes = db_names.resolve(conn, resource_classes=change.ratios.keys()).resource_classes
    hosts = db_hosts.called(conn, change.excluded | change.added.keys())
    _check_known(query, names, change, classes, hosts)
    unknown = spelling.unknown_in(conn, query, names)
    resolved = resolution.resolved(query, _with_unknown_trees(query, names))
    excluded = {hosts[host] for host in change.excluded}
    class_names = {
        names.resource_classes[name]: name for group in query.groups for name in group.resources
    }
    try:
        cloud = assumed.AssumedCloud(
            conn, names, excluded, _added(change, hosts), _ratios(change, classes, names), effort
        )
        sums = Sums(class_names, cloud.shared, top)
        named = {group.root_id for group in resolved.groups} - {None}
        is_tree_missing = not named <= set(names.trees.values()) - excluded
        for filled in (
            greedy.fill_nothing(cloud.forests())
            if is_tree_missing
            else greedy.fill(cloud.forests(), resolved, one_provider_per_tree, effort, bound)
        ):
            sums.add(filled)
    except SpentError:
        raise exception.FitTooLong() from None
    return Fit(
        sums.fit,
        dict(sorted(sums.hosts_by_fit.items())),
        _hosts(conn, sums, cloud.models),
        dict(sums.stopped_by.most_common()),
        sums.stranded(),
        unknown,
    )


def _added(change, hosts):
    """Return {root id: how many hosts to add}."""
    # A host given both by name and by uuid gets the sum of both numbers.
    added = Counter()
    for host, number in change.added.items():
        added[hosts[host]] += number
    return added


def _ratios(change, classes, names):
    """Return {class_id: allocation_ratio} of classes that are asked for; others do not matter."""
    asked_for = names.resource_classes
    return {classes[name]: ratio for name, ratio in change.ratios.items() if name in asked_for}


def _check_known(query, names, change, classes, hosts):
    """Raises: UnknownTraits, UnknownResourceClass, NoSuchHost."""
    unresolved = resolution.first_unknown(query, _with_unknown_trees(query, names))
    if unresolved is not None:
        raise unresolved.error
    for name in change.ratios:
        if name not in classes:
            raise exception.UnknownResourceClass(name=name)
    for host in sorted(change.excluded | change.added.keys()):
        if host not in hosts:
            raise exception.NoSuchHost(host=host)


def _with_unknown_trees(query, names):
    """Return Names in which trees that do not exist have ids that nothing else has."""
    return names._replace(trees=resolution.with_unknown(query, names).trees)


def _hosts(conn, sums, models):
    """Return the HostFits of the best hosts. `models`: see AssumedCloud."""
    best = sums.best
    ids = {models.get(each.root_id, [each.root_id])[0] for each in best}
    named = db_names.of_providers(conn, ids)
    found = []
    for each in best:
        if each.root_id in models:
            model_id, number = models[each.root_id]
            uuid, name = None, f"{named[model_id].name} +{number}"
        else:
            uuid, name = named[each.root_id]
        found.append(HostFit(uuid, name, each.fit, sums.stop_of(each)))
    return found
