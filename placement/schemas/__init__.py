"""JSON schemas of bodies and queries, a module per resource.

A function per request gives the compiled validator for the flags of a microversion.
When a document breaks several rules, only one violation is reported: the one nearest
to the top, and at the same place the one whose keyword stands first in the schema. So
the order of the keywords in a schema is part of the contract.
Source: contract, "Schema validation messages".
"""

from placement.schemas import (
    aggregate,
    allocation,
    allocation_candidate,
    inventory,
    reshaper,
    resource_class,
    resource_provider,
    trait,
    usage,
)

__all__ = [
    "aggregate",
    "allocation",
    "allocation_candidate",
    "inventory",
    "reshaper",
    "resource_class",
    "resource_provider",
    "trait",
    "usage",
]
