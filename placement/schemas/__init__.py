"""JSON schemas of bodies and queries, a module for each resource.

A function for each request and each answer returns the validator for the flags of a version.
Requests are checked as they come; answers are described, and tests check that they match.

Called by handlers/, queries/, flavors/, openapi/ and the commands.
"""

from placement.schemas import (
    aggregate,
    allocation,
    allocation_candidate,
    description,
    error,
    inventory,
    operator,
    reshaper,
    resource_class,
    resource_provider,
    trait,
    usage,
    version,
)
