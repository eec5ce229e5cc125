"""Candidates -> allocation_requests and provider_summaries, ready to be rendered as JSON; pure.

Source: doc/explanation/rules.rst, A1 to A4.
"""

from dataclasses import dataclass
from typing import NamedTuple

from placement.candidates.search import Candidate
from placement.db.names import Vocabulary


class Found(NamedTuple):
    """The candidates of an answer, the names behind their keys, and the classes asked for.

    hosts: how many were looked at, as they meet every constraint taken alone; None if the search
        came to nothing before that, for an unknown name
    nowhere: the constraints that no provider meets, in the words of the client, where that is
        known; there may be more
    """

    candidates: list[Candidate]
    vocabulary: Vocabulary
    requested_class_ids: frozenset[int]
    hosts: int | None = None
    nowhere: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a response shows; the default is all of it, in the newest shape.

    allocations_as_list  one element for each provider, instead of an object keyed by uuid
    mappings             which providers serve which group
    traits               of each provider summarised
    nested               whole trees are summarised, with the parent and the root of each provider;
                         otherwise only the providers that a candidate takes something from
    all_classes          of a provider are summarised, not only those that were asked for
    """

    allocations_as_list: bool = False
    mappings: bool = True
    traits: bool = True
    nested: bool = True
    all_classes: bool = True


def present(found, form):
    """Return the body of the response for what is Found.

    Without `nested`, a limited answer is summarised by the same rule as a complete one.
    """
    return {
        "allocation_requests": [
            _allocation_request(candidate, found.vocabulary.class_names, form)
            for candidate in found.candidates
        ],
        "provider_summaries": _provider_summaries(found, form),
    }


def _allocation_request(candidate, class_names, form):
    providers = candidate.forest.providers
    resources_by_uuid = {}
    for (provider_id, class_id), amount in candidate.amounts.items():
        resources = resources_by_uuid.setdefault(providers[provider_id].uuid, {})
        resources[class_names[class_id]] = amount
    if form.allocations_as_list:
        return {
            "allocations": [
                {"resource_provider": {"uuid": uuid}, "resources": resources}
                for uuid, resources in resources_by_uuid.items()
            ]
        }
    request = {
        "allocations": {
            uuid: {"resources": resources} for uuid, resources in resources_by_uuid.items()
        }
    }
    if form.mappings:
        request["mappings"] = {
            suffix: [providers[provider_id].uuid for provider_id in provider_ids]
            for suffix, provider_ids in candidate.providers_by_suffix.items()
        }
    return request


def _provider_summaries(found, form):
    class_ids = None if form.all_classes else found.requested_class_ids
    # Hosts of one kind share one set of traits, and so one list of names.
    names_by_traits = {}
    summaries = {}
    for forest, provider in _summarised(found.candidates, form):
        summary = {"resources": _resources(provider, found.vocabulary.class_names, class_ids)}
        if form.traits:
            names = names_by_traits.get(provider.traits)
            if names is None:
                trait_names = found.vocabulary.trait_names
                names = [trait_names[trait_id] for trait_id in sorted(provider.traits)]
                names_by_traits[provider.traits] = names
            summary["traits"] = names
        if form.nested:
            parent_id = provider.parent_id
            summary["parent_provider_uuid"] = (
                None if parent_id is None else forest.providers[parent_id].uuid
            )
            summary["root_provider_uuid"] = forest.providers[provider.root_id].uuid
        summaries[provider.uuid] = summary
    return summaries


def _summarised(candidates, form):
    """Return [(forest, provider)]: those that are taken from, or, if nested, all of their trees."""
    forests = {
        provider_id: candidate.forest
        for candidate in candidates
        for provider_id, _ in candidate.amounts
    }
    if not form.nested:
        return [(forest, forest.providers[each]) for each, forest in forests.items()]
    forests_by_root_id = {
        forest.providers[each].root_id: forest for each, forest in forests.items()
    }
    return [
        (forest, provider)
        for root_id, forest in forests_by_root_id.items()
        for provider in forest.trees[root_id]
    ]


def _resources(provider, class_names, class_ids):
    # An inventory may be of no class: see inventory_without_class in doc/how-to/audit.rst.
    return {
        class_names[class_id]: {"capacity": room.capacity, "used": room.used}
        for class_id, room in provider.rooms.items()
        if class_id in class_names and (class_ids is None or class_id in class_ids)
    }
