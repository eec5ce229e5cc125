"""Malformed requests: bad headers, malformed UUIDs, and fields that no schema has."""

from placement.handler import ROUTE_DECLARATIONS
from tests.deployed.beside_peer import cloud
from tests.deployed.beside_peer.answers import Step

_OPERATIONS = [
    (method, route)
    for route, methods in ROUTE_DECLARATIONS.items()
    if route and not route.startswith("/operator")
    for method in methods
]
_WITH_BODY = ("PUT", "POST")
# Wrong headers: some are tried for each version, and some once.
_CHANGES = (
    {"X-Auth-Token": None},
    {"X-Roles": "reader"},
    {"Accept": "text/plain"},
    {"Content-Type": None},
    {"Content-Type": "text/plain"},
)
_CHANGES_ONCE = (
    {"Accept": "text/html"},
    {"OpenStack-API-Version": "placement 1.999"},
    {"OpenStack-API-Version": "placement newest"},
)


def _url(route, key):
    return route.format(uuid=key, consumer_uuid=key, resource_class="VCPU", name=cloud.OTHER_NAME)


# (method, route, URL, body)
MALFORMED = [
    (method, route, _url(route, key) + query, body)
    for method, route in _OPERATIONS
    for key in (cloud.PROVIDERS[0], "not-a-uuid")
    for query in ("", "?wrong=1")
    for body in ([{}, {"wrong": 1}, []] if method in _WITH_BODY else [None])
]


def steps(versions):
    """Return Steps with wrong headers for each operation, and for each of some versions."""
    changes = [(version, each) for version in versions for each in _CHANGES]
    changes += [(cloud.NEWEST, each) for each in _CHANGES_ONCE]
    return [
        _step(method, route, version, headers)
        for method, route in _OPERATIONS
        for version, headers in changes
    ]


def _step(method, route, version, headers):
    has_body = method in _WITH_BODY or "Content-Type" in headers
    url = _url(route, cloud.PROVIDERS[0])
    return Step(method, route, url, version, {} if has_body else None, tuple(headers.items()))
