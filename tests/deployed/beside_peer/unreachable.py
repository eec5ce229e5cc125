"""Which documented statuses no step can get from both services, and why."""

from collections.abc import Callable
from typing import NamedTuple


class Reason(NamedTuple):
    """`covers` takes (route, method, era, status)."""

    why: str
    covers: Callable


def why(seen):
    """Return the reason why no step leads to a (route, method, era, status), or None."""
    return next((each.why for each in REASONS if each.covers(*seen)), None)


# These answer 409 only if another client was faster: (route, method), and the eras, or () for all.
_RACES = {
    ("/allocations/{consumer_uuid}", "DELETE"): (),
    ("/resource_classes/{name}", "PUT"): (27, 37, 39),  # Before 1.7, this renamed a class.
    ("/resource_providers/{uuid}/aggregates", "PUT"): (11,),  # Since 1.19, it takes a generation.
    ("/resource_providers/{uuid}/traits", "DELETE"): (),
    ("/traits/{name}", "PUT"): (),
}
# These operations give an empty answer, or create what is missing, instead of a 404. They exist in
# 1.0, too.
_ALWAYS_THERE = {
    ("/allocations/{consumer_uuid}", "GET"),
    ("/allocations/{consumer_uuid}", "PUT"),
}
# These operations create what is missing. They do not exist in 1.0, which is in the first era.
_CREATE = {
    ("/resource_classes/{name}", "PUT"),
    ("/traits/{name}", "PUT"),
}

REASONS = (
    Reason("only this service has it", lambda route, *_: route == "/healthcheck"),
    Reason("only this service limits bodies", lambda *seen: seen[-1] == "413"),
    Reason("the web server's, for long URLs", lambda *seen: seen[-1] == "414"),
    Reason("the service fails", lambda *seen: seen[-1] in ("500", "503")),
    Reason("another client is faster", lambda *seen: _is_race(*seen)),
    Reason("what is missing is shown as empty, or created", lambda *seen: _is_always_there(*seen)),
    Reason(
        "any form of answer is accepted, but no other version (without a version: seen)",
        lambda *seen: _accepts_anything(*seen),
    ),
)


def _is_race(route, method, era, status):
    eras = _RACES.get((route, method))
    return status == "409" and eras is not None and (not eras or era in eras)


def _is_always_there(route, method, era, status):
    if status != "404":
        return False
    return (route, method) in _ALWAYS_THERE or ((route, method) in _CREATE and era != 11)


def _accepts_anything(route, method, era, status):
    return status == "406" and (method != "GET" or route in ("/", "/traits/{name}"))
