"""Candidates -> allocation_requests and provider_summaries, ready to be rendered as JSON; pure.

Source: contract of the candidates, sections 4 (mappings), 5 (what versions show) and 7 (summaries).
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a response shows; the default is all of it, in the newest shape.

    allocations_as_list  one element for each provider, in the place of an object keyed by uuid
    mappings             which providers serve which group
    traits               of each provider summarised
    nested               whole trees are summarised, with the parent and the root of each provider;
                         otherwise only the providers that a candidate takes something from
    class_ids            the classes that are summarised; None for every class of a provider
    """

    allocations_as_list: bool = False
    mappings: bool = True
    traits: bool = True
    nested: bool = True
    class_ids: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names of the resource classes and of the traits, by id."""

    class_names: Mapping[int, str]
    trait_names: Mapping[int, str]


def present(candidates, forest, vocabulary, form):
    """Return the body of the response for a list of candidates, all of them from the forest.

    Without `nested`, a limited answer is summarised by the same rule as a complete one.
    """
    return {
        "allocation_requests": [
            _allocation_request(candidate, forest, vocabulary, form) for candidate in candidates
        ],
        "provider_summaries": _provider_summaries(candidates, forest, vocabulary, form),
    }


def _allocation_request(candidate, forest, vocabulary, form):
    providers = forest.providers
    resources_by_uuid = {}
    for (provider_id, class_id), amount in candidate.amounts.items():
        resources = resources_by_uuid.setdefault(providers[provider_id].uuid, {})
        resources[vocabulary.class_names[class_id]] = amount
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


def _provider_summaries(candidates, forest, vocabulary, form):
    used_ids = dict.fromkeys(
        provider_id for candidate in candidates for provider_id, _ in candidate.amounts
    )
    summarised = [forest.providers[provider_id] for provider_id in used_ids]
    if form.nested:
        root_ids = dict.fromkeys(provider.root_id for provider in summarised)
        summarised = [provider for root_id in root_ids for provider in forest.trees[root_id]]
    # Hosts of one kind share one set of traits, and so one list of names.
    names_by_traits = {}
    summaries = {}
    for provider in summarised:
        summary = {"resources": _resources(provider, vocabulary, form)}
        if form.traits:
            names = names_by_traits.get(provider.traits)
            if names is None:
                names = sorted(vocabulary.trait_names[trait_id] for trait_id in provider.traits)
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


def _resources(provider, vocabulary, form):
    return {
        vocabulary.class_names[class_id]: {"capacity": room.capacity, "used": room.used}
        for class_id, room in provider.rooms.items()
        if form.class_ids is None or class_id in form.class_ids
    }
