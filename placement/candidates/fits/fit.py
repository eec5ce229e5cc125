"""How often a request could be claimed: the stages of the answer. The search is the usual one.

Source: doc/how-to/fit.rst.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from placement import exception
from placement.candidates import forests, kinds, resolution
from placement.candidates.effort import SpentError
from placement.candidates.fits import greedy, what_if
from placement.candidates.why import spelling
from placement.db import inventories as db_inventories
from placement.db import names as db_names
from placement.db.search import forests as db_forests
from placement.db.search import hosts as db_hosts
from placement.db.search import roots


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Assumed changes of the cloud.

    excluded  uuids or names of hosts to leave out
    ratios    class -> allocation_ratio, on every provider that offers it
    added     uuid or name of a host -> how many more like it to add, with nothing used
    """

    excluded: frozenset[str] = frozenset()
    ratios: dict[str, float] = field(default_factory=dict)
    added: dict[str, int] = field(default_factory=dict)


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

    hosts       those on which it fits, in the order they are filled
    stopped_by  {a class, or a query parameter: how many hosts it stops}
    stranded    {class: what is left in the end on hosts that only lack room}
    unknown     Unknowns: uuids in the query that nothing has, which is no error
    """

    fit: int
    hosts: list[HostFit]
    stopped_by: dict[str, int]
    stranded: dict[str, int]
    unknown: list[spelling.Unknown]


def count(database, query, change, one_provider_per_tree, bound, effort):
    """Return the Fit of a CandidateQuery after a WhatIf, counted up to a bound (None for no bound).

    Claims are counted one after the other, each taking the first candidate of the search. All hosts
    are read in one transaction, which ends before anything is computed.
    Cost: at most seven statements, and one more for each ratio.
    Raises: UnknownTraits, UnknownResourceClass, NoSuchHost, FitTooLong.
    """
    with database.reports() as conn:
        names = resolution.look_up(conn, query)
        classes = db_names.resolve(conn, resource_classes=change.ratios.keys()).resource_classes
        hosts = db_hosts.called(conn, change.excluded | change.added.keys())
        _check_known(query, names, change, classes, hosts)
        unknown = spelling.unknown_in(conn, query, names)
        sharing_trait_id = resolution.sharing_trait_id(names)
        providers = db_forests.providers_for(
            conn, roots.batch(), names.resource_classes.values(), names.traits.values()
        )
        effort.look_around()
        effort.allow_for(len(providers))
        # Other classes do not matter.
        asked_for = classes.keys() & names.resource_classes.keys()
        capacities = {
            classes[name]: db_inventories.capacities_at(conn, classes[name], ratio)
            for name, ratio in change.ratios.items()
            if name in asked_for
        }
        uuids_and_names = db_names.of_providers(conn, forests.roots_of(providers))
    resolved = resolution.resolved(query, _with_unknown_trees(query, names))
    try:
        providers, models = _changed(providers, change, hosts, capacities, effort)
        forest = forests.build(
            providers,
            [provider.id for provider in providers if sharing_trait_id in provider.traits],
            forests.roots_of(providers),
        )
        filled = list(greedy.fill(forest, resolved, one_provider_per_tree, effort, bound))
    except SpentError:
        raise exception.FitTooLong() from None
    class_names = {
        names.resource_classes[name]: name for group in query.groups for name in group.resources
    }
    return _fit(filled, forest, class_names, uuids_and_names, models, unknown)


def _changed(providers, change, hosts, capacities, effort):
    """Return the Providers after a WhatIf, and the models of those that are added.

    hosts: the ids of those it names by uuid or name; capacities: as what_if takes them.
    Raises: SpentError.
    """
    if capacities:
        providers = what_if.with_capacities(providers, capacities)
    models = {}
    if change.added:
        # A host given both by name and by uuid gets the sum of both numbers.
        added = Counter()
        for host, number in change.added.items():
            added[hosts[host]] += number
        sizes = Counter(provider.root_id for provider in providers)
        effort.add_objects(sum(sizes[root_id] * number for root_id, number in added.items()))
        providers, models = what_if.with_more(providers, added)
    if change.excluded:
        providers = what_if.without(providers, {hosts[host] for host in change.excluded})
    return providers, models


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
    """Return Names in which trees that do not exist have a root id that no provider has."""
    wanted = {group.in_tree for group in query.groups} - {None}
    return names._replace(trees=dict.fromkeys(wanted, 0) | names.trees)


def _fit(filled, forest, class_names, uuids_and_names, models, unknown):
    stops = Counter()
    stranded = dict.fromkeys(class_names.values(), 0)
    hosts = []
    for each in filled:
        stop = class_names.get(each.stopped_by, each.stopped_by)
        if stop is not None:
            stops[stop] += 1
        if each.stopped_by == kinds.TOGETHER.name or each.stopped_by in class_names:
            for provider in forest.trees[each.root_id]:
                for class_id, room in provider.rooms.items():
                    if class_id in class_names:
                        stranded[class_names[class_id]] += max(0, room.capacity - room.used)
        if each.fit:
            hosts.append(_host(each, stop, uuids_and_names, models))
    fit = sum(each.fit for each in filled)
    return Fit(fit, hosts, dict(stops.most_common()), stranded, unknown)


def _host(filled, stop, uuids_and_names, models):
    if filled.root_id in models:
        model_id, number = models[filled.root_id]
        return HostFit(None, f"{uuids_and_names[model_id][1]} +{number}", filled.fit, stop)
    return HostFit(*uuids_and_names[filled.root_id], filled.fit, stop)
