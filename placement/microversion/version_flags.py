"""What each version shows in its answers, and understands in its requests, as named flags.

Handlers read requests and present answers by these flags. The description of the API (openapi/)
passes them to the schemas of the same answers. So neither of the two has to know about versions.
Each flag is a boolean; `with_x` says whether x is part of the document. One more flag,
one_provider_per_tree, is about the search, not about a document. Each function takes `since`, which
says whether a version has a behaviour.
"""

from placement.microversion import Since

# The links from a provider to its inventories, traits and so on, in the order shown.
_LINKS = {
    "inventories": None,
    "usages": None,
    "aggregates": Since.AGGREGATES,
    "traits": Since.TRAITS,
    "allocations": Since.ALLOCATIONS_LINK,
}


def resource_provider(since):
    """Return the flags of a provider in an answer, and the `relations` that it links to."""
    relations = (name for name, behaviour in _LINKS.items() if not behaviour or since(behaviour))
    return {"relations": tuple(relations), "with_parent": since(Since.NESTED_PROVIDERS)}


def provider_in_request(since):
    """Return the flags of a provider that is created or updated, {name: bool}."""
    return {"with_parent": since(Since.NESTED_PROVIDERS)}


def created_provider(since):
    """Return the flags of the answer to the creation of a provider, {name: bool}."""
    return {"with_provider": since(Since.CREATE_RETURNS_PROVIDER)}


def aggregates(since):
    """Return the flags of a provider's aggregates, in answers and in requests, {name: bool}."""
    return {"with_generation": since(Since.AGGREGATES_GENERATION)}


def allocations_of_consumer(since):
    """Return the flags of a consumer in an answer, {name: bool}."""
    return {
        "with_owner": since(Since.ALLOCATIONS_BY_PROVIDER),
        "with_generation": since(Since.CONSUMER_GENERATION),
        "with_consumer_type": since(Since.CONSUMER_TYPES),
    }


def allocations_on_provider(since):
    """Return the flags of an answer with a provider's allocations, {name: bool}."""
    return {"with_generation": since(Since.CONSUMER_GENERATION)}


def claim(since):
    """Return the flags of a claim in a request, with allocations by provider, {name: bool}."""
    return {
        "with_generation": since(Since.CONSUMER_GENERATION),
        "with_mappings": since(Since.MAPPINGS),
        "with_consumer_type": since(Since.CONSUMER_TYPES),
    }


def candidates(since):
    """Return the flags of allocation requests and provider summaries, {name: bool}."""
    return {
        "allocations_as_list": not since(Since.ALLOCATIONS_BY_PROVIDER),
        "with_mappings": since(Since.MAPPINGS),
        "with_traits": since(Since.CANDIDATES_REQUIRED),
        "whole_trees": since(Since.CANDIDATES_NESTED),
    }


def usages_of_project(since):
    """Return the flags of the usages of a project, and of the query for them, {name: bool}."""
    return {"by_consumer_type": since(Since.CONSUMER_TYPES)}


def required(since):
    """Return the flags of what required= may contain, {name: bool}."""
    return {
        "forbidden_traits": since(Since.FORBIDDEN_TRAITS),
        "any_traits": since(Since.ANY_TRAITS),
    }


def member_of(since):
    """Return the flags of what member_of= may contain, {name: bool}."""
    return {
        "repeated_member_of": since(Since.REPEATED_MEMBER_OF),
        "forbidden_aggregates": since(Since.FORBIDDEN_AGGREGATES),
    }


def one_provider_per_tree(since):
    """Return whether a candidate never takes from two providers of one tree, as before 1.29."""
    return not since(Since.CANDIDATES_NESTED)
