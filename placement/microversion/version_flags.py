"""What each version shows in its answers, and understands in its requests, as named flags.

Handlers read and present by these flags, and the description of the API (openapi/) passes them to
the schemas of the same answers, so neither has to know a version. Each flag is a boolean; `with_x`
says whether x is part of the document. Each function takes `since`, which says whether a version
has a behaviour.
"""

from placement.microversion import Since

# The links of a provider to what it has, in the order in which they are shown.
_LINKS = {
    "inventories": None,
    "usages": None,
    "aggregates": Since.AGGREGATES,
    "traits": Since.TRAITS,
    "allocations": Since.ALLOCATIONS_LINK,
}


def resource_provider(since):
    """A provider in an answer, with links to its `relations`, besides itself."""
    relations = (name for name, behaviour in _LINKS.items() if not behaviour or since(behaviour))
    return {"relations": tuple(relations), "with_parent": since(Since.NESTED_PROVIDERS)}


def created_provider(since):
    """The answer to the creation of a provider."""
    return {"with_provider": since(Since.CREATE_RETURNS_PROVIDER)}


def aggregates(since):
    """The aggregates of a provider, in a request as well."""
    return {"with_generation": since(Since.AGGREGATES_GENERATION)}


def allocations_of_consumer(since):
    """A consumer in an answer."""
    return {
        "with_owner": since(Since.ALLOCATIONS_BY_PROVIDER),
        "with_generation": since(Since.CONSUMER_GENERATION),
        "with_consumer_type": since(Since.CONSUMER_TYPES),
    }


def allocations_on_provider(since):
    """The allocations of a provider, by consumer."""
    return {"with_generation": since(Since.CONSUMER_GENERATION)}


def claim(since):
    """A consumer, with its allocations by provider, in a request."""
    return {
        "with_generation": since(Since.CONSUMER_GENERATION),
        "with_mappings": since(Since.MAPPINGS),
        "with_consumer_type": since(Since.CONSUMER_TYPES),
    }


def candidates(since):
    """Allocation requests and provider summaries."""
    return {
        "allocations_as_list": not since(Since.ALLOCATIONS_BY_PROVIDER),
        "with_mappings": since(Since.MAPPINGS),
        "with_traits": since(Since.CANDIDATES_REQUIRED),
        "whole_trees": since(Since.CANDIDATES_NESTED),
    }


def usages_of_project(since):
    """The usages of a project, and the query that asks for them."""
    return {"by_consumer_type": since(Since.CONSUMER_TYPES)}


def required(since):
    """The values of required=, as queries/grammar.py reads them."""
    return {
        "forbidden_traits": since(Since.FORBIDDEN_TRAITS),
        "any_traits": since(Since.ANY_TRAITS),
    }


def member_of(since):
    """The values of member_of=, as queries/grammar.py reads them."""
    return {
        "repeated_member_of": since(Since.REPEATED_MEMBER_OF),
        "forbidden_aggregates": since(Since.FORBIDDEN_AGGREGATES),
    }
