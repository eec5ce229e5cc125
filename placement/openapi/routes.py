"""The operations of a version, with their URLs, and what is checked before each of them."""

from typing import NamedTuple

from placement.handler import ROUTE_DECLARATIONS
from placement.openapi import operations, without_handlers
from placement.openapi.operations.declaration import Operation
from placement.policies import public


class Route(NamedTuple):
    """An operation at a URL, which may have variables: /traits/{name}.

    subject           its key in tags.TAGS
    policy_rule       None if no rule applies
    takes_json        whether the media type of the body is checked
    is_one_at_a_time  whether it is refused while another report or plan waits
    """

    url: str
    method: str
    operation: Operation
    subject: str
    policy_rule: str | None = None
    takes_json: bool = False
    is_one_at_a_time: bool = False


def in_version(since):
    """Yield a Route for each operation of a version, and for each that has no versions.

    `since` says whether the version has a behaviour.
    """
    for url, handlers in ROUTE_DECLARATIONS.items():
        # The empty path is another spelling of the root.
        if not url:
            continue
        for method, handler in handlers.items():
            if operations.is_available(handler, since):
                yield _route(url, method, operations.variant(handler, since))
    # The description of the API is not in ROUTE_DECLARATIONS.
    yield Route(
        public.DESCRIPTION, "GET", without_handlers.DESCRIBE, "description"
    )


def _route(url, method, handler):
    """Return the Route of a handler, from the attributes that its decorators have set on it."""
    return Route(
        url,
        method,
        operations.OPERATIONS[handler],
        subject=handler.__module__.rpartition(".")[2],
        policy_rule=getattr(handler, "policy_rule", None),
        takes_json=hasattr(handler, "takes_json"),
        is_one_at_a_time=hasattr(handler, "is_one_at_a_time"),
    )
