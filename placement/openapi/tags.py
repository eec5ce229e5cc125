"""Groups of operations. The key of a group is the name of the module of handlers that serves it."""

from typing import NamedTuple


class Tag(NamedTuple):
    name: str
    description: str


_OPERATORS = Tag(
    "Operators",
    "Operations for operators. There are no microversions; answers may gain new fields.",
)

# The tags, in the order in which a newcomer should read them.
TAGS = {
    "resource_provider": Tag(
        "Resource providers",
        "Whatever offers resources: hosts and, in trees, also the devices inside them.",
    ),
    "inventory": Tag(
        "Inventories", "How much of each resource class a provider has, and how it may be divided."
    ),
    "usage": Tag("Usages", "How much of a provider is used, and how much a project uses."),
    "aggregate": Tag("Aggregates", "Sets of providers: a rack, or an availability zone."),
    "trait": Tag("Traits", "Yes-or-no properties of providers."),
    "resource_class": Tag("Resource classes", "What is counted."),
    "allocation_candidate": Tag(
        "Allocation candidates", "The ways to satisfy a request, ready to be claimed."
    ),
    "allocation": Tag("Allocations", "What consumers have claimed."),
    "reshaper": Tag("Reshaper", "Moves inventories and their allocations together."),
    "explanation": _OPERATORS,
    "fit": _OPERATORS,
    "flavors": _OPERATORS,
    "evacuation": _OPERATORS,
    "survival": _OPERATORS,
    "release": _OPERATORS,
    "query": _OPERATORS,
    "capacity": _OPERATORS,
    "capacity_history": _OPERATORS,
    "changes": _OPERATORS,
    "providers": _OPERATORS,
    "audit": _OPERATORS,
    "find": _OPERATORS,
    "service": _OPERATORS,
    "root": Tag("Versions", "The versions of the API."),
    "description": Tag("Description", "This document."),
    "health": Tag("Health", "For load balancers."),
}


def in_order():
    """Return the tags of a document, in order."""
    # Several keys may have the same tag.
    return [tag._asdict() for tag in dict.fromkeys(TAGS.values())]
