"""JSON schemas of bodies and queries, a module per resource.

A function per request, and one per answer, gives the compiled validator for the flags of a
microversion. Requests are checked as they come; the schemas of answers describe them, in
the description of the API (openapi/), and tests hold every answer to them.

When a document breaks several rules, only one violation is reported: the one nearest
to the top, and at the same place the one whose keyword comes first in the schema. So
the order of the keywords in a schema is visible to clients.
"""

from placement.schemas import (
    aggregate,
    allocation,
    allocation_candidate,
    audit,
    capacity,
    description,
    error,
    explanation,
    fit,
    inventory,
    reshaper,
    resource_class,
    resource_provider,
    service,
    trait,
    usage,
    version,
    whole_provider,
)

__all__ = [
    "aggregate",
    "allocation",
    "allocation_candidate",
    "audit",
    "capacity",
    "description",
    "error",
    "explanation",
    "fit",
    "inventory",
    "reshaper",
    "resource_class",
    "resource_provider",
    "service",
    "trait",
    "usage",
    "version",
    "whole_provider",
]
