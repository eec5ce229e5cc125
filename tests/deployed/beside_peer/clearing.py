"""Removes everything that the steps have left in both clouds."""

import json

from tests.deployed.beside_peer import cloud
from tests.deployed.beside_peer.answers import Step


def clear(comparison, steps):
    """Remove the consumers in some steps, and all providers, classes and traits."""
    for consumer in consumers(steps):
        _remove(comparison, "/allocations/{consumer_uuid}", f"/allocations/{consumer}")
    left = _providers(comparison)
    # A parent can be removed when its children are gone.
    while left := [each for each in left if not _is_removed(comparison, each)]:
        pass
    for name in (*cloud.CUSTOM_TRAITS, cloud.OTHER_NAME):
        _remove(comparison, "/traits/{name}", f"/traits/{name}")
    for name in (*cloud.CUSTOM_CLASSES, cloud.OTHER_NAME):
        _remove(comparison, "/resource_classes/{name}", f"/resource_classes/{name}")


def consumers(steps):
    """Return the consumers that some steps name."""
    named = "\n".join(each.url + json.dumps(each.body) for each in steps)
    return sorted(set(cloud.CONSUMER.findall(named)))


def _providers(comparison):
    """Return the UUIDs of the providers in both clouds.

    They differ for providers that were created without a UUID.
    """
    route = "/resource_providers"
    lists = [answer.body[route[1:]] for answer in comparison.send(_step("GET", route, route))]
    return {provider["uuid"] for providers in lists for provider in providers}


def _is_removed(comparison, provider):
    answers = _remove(comparison, "/resource_providers/{uuid}", f"/resource_providers/{provider}")
    return {answer.status for answer in answers} <= {204, 404}


def _remove(comparison, route, url):
    return comparison.send(_step("DELETE", route, url))


def _step(method, route, url):
    return Step(method, route, url, cloud.NEWEST)
