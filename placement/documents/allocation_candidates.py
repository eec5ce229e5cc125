"""A SearchResult -> allocation_requests and provider_summaries, to be sent as JSON. Pure.

The requests and summaries are made one by one: all those of a large answer, held as Python objects
at the same time, would take many times the memory of their JSON.

Source: doc/explanation/rules.rst, A1 to A4.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What an answer shows; by default everything, in the newest shape.

    allocations_as_list  one element for each provider, instead of an object keyed by uuid
    with_mappings        which providers serve which group
    with_traits          the traits of each summarised provider
    whole_trees          whole trees are summarised, with the parent and the root of each provider;
                         otherwise only the providers that a candidate takes something from
    all_classes          all classes of a provider are summarised, not only the requested ones
    """

    allocations_as_list: bool = False
    with_mappings: bool = True
    with_traits: bool = True
    whole_trees: bool = True
    all_classes: bool = True


def allocation_requests(result, form):
    """Yield the allocation request of each candidate."""
    resources = _Resources(result.vocabulary.class_names)
    for candidate in result.candidates:
        yield _allocation_request(candidate, resources, form)


def _allocation_request(candidate, resources, form):
    """Return one allocation request.

    candidate.way.taken is {index of a provider in candidate.offered: what is taken from it, as
    pairs of class id and amount}. `resources` maps such pairs to {"resources": ...}.
    candidate.way.serving is {suffix of a group: indexes of the providers that serve it}.
    """
    offered, way = candidate.offered, candidate.way
    if form.allocations_as_list:
        return {
            "allocations": [
                {"resource_provider": {"uuid": offered[place].uuid}} | resources[needs]
                for place, needs in way.taken.items()
            ]
        }
    request = {
        "allocations": {
            offered[place].uuid: resources[needs] for place, needs in way.taken.items()
        }
    }
    if form.with_mappings:
        request["mappings"] = {
            suffix: [offered[place].uuid for place in places]
            for suffix, places in way.serving.items()
        }
    return request


class _Resources(dict):
    """A cache that maps pairs of class id and amount to {"resources": ...}.

    The cache helps because most candidates take the same amounts from a provider.
    """

    def __init__(self, class_names):
        self._class_names = class_names

    def __missing__(self, needs):
        resources = {self._class_names[class_id]: amount for class_id, amount in needs}
        self[needs] = shown = {"resources": resources}
        return shown


def provider_summaries(result, form):
    """Yield (uuid, summary) for each provider that the answer summarises.

    With form.whole_trees, these are all providers in the trees of the candidates; otherwise, only
    the providers that candidates take from.
    """
    class_ids = None if form.all_classes else result.requested_class_ids
    # {trait ids: their names}. Providers with the same traits share one list of names.
    names_by_traits = {}
    for forest, provider in _summarised(result.candidates, form):
        summary = {"resources": _resources(provider, result.vocabulary.class_names, class_ids)}
        if form.with_traits:
            names = names_by_traits.get(provider.traits)
            if names is None:
                trait_names = result.vocabulary.trait_names
                names = [trait_names[trait_id] for trait_id in sorted(provider.traits)]
                names_by_traits[provider.traits] = names
            summary["traits"] = names
        if form.whole_trees:
            parent_id = provider.parent_id
            summary["parent_provider_uuid"] = (
                None if parent_id is None else forest.providers[parent_id].uuid
            )
            summary["root_provider_uuid"] = forest.providers[provider.root_id].uuid
        yield provider.uuid, summary


def _summarised(candidates, form):
    """Return [(forest, provider)]: the providers taken from, or all providers in their trees."""
    taken_from = {
        provider.id: (candidate.forest, provider)
        for candidate in candidates
        for provider in candidate.providers
    }.values()
    if not form.whole_trees:
        return taken_from
    forests_by_root_id = {provider.root_id: forest for forest, provider in taken_from}
    return [
        (forest, provider)
        for root_id, forest in forests_by_root_id.items()
        for provider in forest.trees[root_id]
    ]


def _resources(provider, class_names, class_ids):
    """Return {class: its capacity and usage} of a provider.

    `class_names` is {id: name}. `class_ids` are the ids of the classes to show, or None for all.
    """
    # An inventory may have no class: see inventory_without_class in doc/how-to/audit.rst.
    return {
        class_names[class_id]: {"capacity": room.capacity, "used": room.used}
        for class_id, room in provider.rooms.items()
        if class_id in class_names and (class_ids is None or class_id in class_ids)
    }
