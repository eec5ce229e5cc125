"""The differences in doc/reference/differences.rst that the steps can meet."""

from collections.abc import Callable
from typing import NamedTuple


class Known(NamedTuple):
    """A difference. `told`: words of the page; `explains`: whether an Exchange shows it."""

    told: str
    explains: Callable


def explanation(exchange):
    """Return the Known difference that an Exchange shows, or None."""
    return next((each for each in DIFFERENCES if each.explains(exchange)), None)


def _lacks_vary(exchange):
    ours, theirs = exchange.ours, exchange.theirs
    return (
        (ours.status, ours.body) == (theirs.status, theirs.body)
        and ours.status >= 400
        and ours.headers == theirs.headers | {"Vary": ours.headers["Vary"]}
    )


def _fails_on_forbidden_trait(exchange):
    return (
        exchange.database == "postgresql"
        and exchange.theirs.status == 500
        and exchange.step.query.get("required", "").startswith("!")
    )


def _fails_on_usages_by_type(exchange):
    return (
        exchange.database == "postgresql"
        and exchange.theirs.status == 500
        and exchange.step.route == "/usages"
        and exchange.step.version >= 38
    )


def _ignores_unknown_forbidden_trait(exchange):
    """Ours is an error; theirs has no providers."""
    return (
        exchange.step.route == "/resource_providers"
        and exchange.step.query.get("required", "").startswith("!")
        and (exchange.ours.status, exchange.theirs.status) == (400, 200)
        and exchange.theirs.body == {"resource_providers": []}
    )


DIFFERENCES = (
    Known("Every answer to a request for a version has ``Vary``", _lacks_vary),
    Known(
        "``GET /allocation_candidates`` with a forbidden trait works on PostgreSQL",
        _fails_on_forbidden_trait,
    ),
    Known(
        "``GET /usages`` by type of consumer works on PostgreSQL",
        _fails_on_usages_by_type,
    ),
    Known(
        "An unknown forbidden trait or resource class in ``GET /resource_providers``",
        _ignores_unknown_forbidden_trait,
    ),
)
