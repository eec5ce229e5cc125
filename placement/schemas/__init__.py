"""JSON schemas of bodies and queries, one module for each resource.

There is a function for each request and each answer. It takes the flags of a version, and returns a
validator. The service validates only requests. The validators of answers serve to describe the API,
and tests check that the answers match.
Source: openstack-placement's API reference; doc/reference/differences.rst, "Refused with 400".

Called by handlers/, queries/, flavors/, middleware/, openapi/ and the commands.
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
