"""The differences in doc/reference/differences.rst that the steps can meet."""

import dataclasses
import functools
import itertools
import re
from collections.abc import Callable
from typing import NamedTuple

from placement.middleware.auth import NO_TOKEN

_NOT_FOUND = r"No .+? found(?: for delete)?"


class Known(NamedTuple):
    """A difference, in the `words` of the page; `without` removes it from their Answer.

    `without` takes an Exchange, and returns their Answer unchanged if the difference is not in it.
    """

    words: str
    without: Callable


def explanations(exchange):
    """Return the Known differences between Answers, or None if they also differ in other ways."""
    found = []
    for each in DIFFERENCES:
        theirs = each.without(exchange)
        if theirs != exchange.theirs:
            found.append(each)
            exchange = exchange._replace(theirs=theirs)
    return found if exchange.ours == exchange.theirs else None


def _as_ours(is_shown, exchange):
    return exchange.ours if is_shown(exchange) else exchange.theirs


def _with_vary(exchange):
    ours, theirs = exchange.ours, exchange.theirs
    if ours.status < 400 or theirs.headers["Vary"] is not None:
        return theirs
    return dataclasses.replace(theirs, headers=theirs.headers | {"Vary": ours.headers["Vary"]})


def _with_time_of_change(exchange):
    """Their answer has no time if there was no earlier change."""
    step, theirs = exchange.step, exchange.theirs
    is_change = (step.method, step.route) == ("PUT", "/resource_providers/{uuid}")
    if not is_change or theirs.status != 200 or step.version < 15:
        return theirs
    return dataclasses.replace(theirs, headers=theirs.headers | {"Last-Modified": True})


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


def _ignores_unknown_name(exchange):
    """Our answer is an error; theirs has no providers."""
    return (
        exchange.step.route == "/resource_providers"
        and (exchange.ours.status, exchange.theirs.status) == (400, 200)
        and re.search(r"No such (trait|resource class)", str(exchange.ours.body))
        and exchange.theirs.body == {"resource_providers": []}
    )


def _reworded(pattern, ours, exchange):
    """Return their Answer with a pattern in the text of a refusal replaced by our words."""
    theirs = exchange.theirs
    if theirs.status < 400:
        return theirs
    return dataclasses.replace(theirs, body=_replaced(re.compile(pattern), ours, theirs.body))


def _replaced(pattern, words, body):
    if isinstance(body, str):
        return pattern.sub(words, body)
    if isinstance(body, dict):
        return {name: _replaced(pattern, words, value) for name, value in body.items()}
    if isinstance(body, list):
        return [_replaced(pattern, words, each) for each in body]
    return body


def _with_class_instead_of_sql(exchange):
    if not isinstance(exchange.step.body, dict):
        return exchange.theirs
    name = exchange.step.body.get("resource_class")
    words = f"Update conflict: Inventory of class {name} already exists."
    return _reworded(r"Update conflict: \(.*", words, exchange)


def _with_the_other_of_name_and_uuid(exchange):
    """Return our Answer if one refusal says that a name is taken, and the other that a uuid is."""
    body = exchange.step.body
    if exchange.step.route != "/resource_providers" or not isinstance(body, dict):
        return exchange.theirs
    taken = {f"{each}: {body.get(each)} already exists." for each in ("name", "uuid")}
    for one, other in itertools.permutations(taken):
        reworded = _reworded(re.escape(one), other, exchange)
        if reworded == exchange.ours:
            return reworded
    return exchange.theirs


def _names_what_is_given_back(exchange):
    """Both refuse a claim that does not fit, in a request that also empties a consumer."""
    body = exchange.step.body
    if exchange.step.route != "/allocations" or not isinstance(body, dict):
        return False
    answers = exchange.ours, exchange.theirs
    return (
        any(isinstance(claim, dict) and claim.get("allocations") == {} for claim in body.values())
        and {answer.status for answer in answers} == {409}
        and all("Unable to allocate inventory:" in str(answer.body) for answer in answers)
    )


DIFFERENCES = (
    Known("Every answer with a microversion has ``Vary``", _with_vary),
    Known("is the time of this change, not of the one before", _with_time_of_change),
    Known(
        "``GET /allocation_candidates`` with a forbidden trait works on PostgreSQL",
        functools.partial(_as_ours, _fails_on_forbidden_trait),
    ),
    Known(
        "``GET /usages`` by consumer type works on PostgreSQL",
        functools.partial(_as_ours, _fails_on_usages_by_type),
    ),
    Known(
        "An unknown forbidden trait or resource class in ``GET /resource_providers``",
        functools.partial(_as_ours, _ignores_unknown_name),
    ),
    Known(
        "leave out ``Object action create failed because:``",
        functools.partial(_reworded, r"Object action \w+ failed because: ", ""),
    ),
    Known(
        "say once what was not found",
        functools.partial(_reworded, rf"({_NOT_FOUND}) ?: (\1|No such resource class .+)", r"\1"),
    ),
    Known(
        "end in a full stop",
        functools.partial(_reworded, r"(Cannot update standard resource class \w+)$", r"\1."),
    ),
    Known("name the class whose inventory exists already", _with_class_instead_of_sql),
    Known(
        "mention either the name or the UUID if both are taken", _with_the_other_of_name_and_uuid
    ),
    Known(
        "not those that another consumer of the request gives back",
        functools.partial(_as_ours, _names_what_is_given_back),
    ),
    Known(
        "say which header to send in place of a token",
        functools.partial(
            _reworded, r"(how to supply the credentials required\.<br /><br />)", rf"\1 {NO_TOKEN}"
        ),
    ),
)
