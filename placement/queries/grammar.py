"""Read the values of parameters that several queries have, such as resources= and required=; pure.

What a microversion allows comes in as named flags. Functions raise BadQuery, which says what is
wrong.
Source: doc/explanation/rules.rst, Q2 to Q4.
"""

import re

from oslo_utils import uuidutils

from placement import errors, exception
from placement.candidates.kinds.wording import ANY_OF, NOT
from placement.microversion import Since

INVALID = "Invalid query string parameters: "
# int() would also accept digits of other scripts, and underscores between digits. Like int(), this
# refuses more than 4300 digits.
_AMOUNT = re.compile(" *[+-]?[0-9]{1,4300} *")


def resources(value):
    """Return {class name: amount} for `CLASS:AMOUNT,...`; the last amount of a class counts."""
    if not value.strip():
        raise _malformed_resources("empty string")
    amounts = {}
    for item in value.split(","):
        class_name, colon, amount = item.partition(":")
        if not colon or ":" in amount:
            raise _malformed_resources(item)
        amounts[class_name] = _amount(class_name, amount)
    return amounts


def required(values, *, forbidden_traits, any_traits):
    """Return (required, forbidden) for all the values of one `required` key.

    required: a tuple of sets of trait names; of each set, one trait is enough
    forbidden: a set of trait names
    Without `any_traits`, only the last value counts.
    """
    required = []
    forbidden = set()
    for value in values if any_traits else values[-1:]:
        if value.startswith(ANY_OF):
            required.append(_any_of_traits(value, any_traits))
            continue
        for name in _trait_names(value, forbidden_traits):
            if name.startswith(NOT):
                forbidden.add(name.lstrip(NOT))
            else:
                required.append(frozenset([name]))
    return tuple(dict.fromkeys(required)), frozenset(forbidden)


def member_of(key, values, *, repeated_member_of, forbidden_aggregates):
    """Return (member_of, not_member_of) for all the values of `key`, which may have a suffix.

    member_of: a tuple of sets of aggregate uuids; of each set, one aggregate is enough
    not_member_of: a set of aggregate uuids
    """
    if len(values) > 1 and not repeated_member_of:
        raise exception.BadQuery(f"Multiple {key} parameters are not supported")
    member_of = []
    not_member_of = frozenset()
    for value in values:
        aggregates = _aggregates(value)
        if not value.startswith(NOT):
            member_of.append(aggregates)
        elif forbidden_aggregates:
            not_member_of |= aggregates
        else:
            raise exception.BadQuery(
                f"Forbidden {key} parameters are not supported in the specified microversion"
            )
    return tuple(member_of), not_member_of


def listed(value):
    """Return the trimmed names in `A,B`. A name may be empty: the database has no such name."""
    return [name.strip() for name in value.split(",")]


def in_tree(value):
    """Return the uuid, as it was written, of a provider in the wanted tree."""
    uuid = value.strip()
    if not uuidutils.is_uuid_like(uuid):
        raise exception.BadQuery(
            f"{INVALID}Expected 'in_tree' parameter to be a format of uuid. Got: {value}"
        )
    return uuid


def only_value(key, values):
    """Return the value of a parameter that may not be repeated; None if there are no values."""
    if len(values) > 1:
        raise repeated(key)
    return values[0] if values else None


def repeated(key, *, for_one_subject=False):
    """Return the BadQuery for a parameter that may not be repeated.

    With `for_one_subject`, it may be repeated, but not for one class or host: "ratio=VCPU:8.0" and
    "ratio=DISK_GB:2.0" can be in one query.
    """
    for_each = " for each class or host" if for_one_subject else ""
    return exception.BadQuery(
        f"Query parameter '{key}' may be specified only once{for_each}.",
        errors.QUERY_DUPLICATE_KEY,
    )


def number(values, otherwise=None):
    """Return the first of the values, as a number; without values, return `otherwise`."""
    return int(values[0]) if values else otherwise


def _amount(class_name, text):
    """Return the amount of a class as an int. Raises: BadQuery."""
    if not _AMOUNT.fullmatch(text):
        raise exception.BadQuery(
            f"Requested resource {class_name} expected positive integer amount. Got: {text}."
        )
    amount = int(text)
    if amount < 1:
        raise exception.BadQuery(
            f"Requested resource {class_name} requires amount >= 1. Got: {amount}."
        )
    return amount


def _malformed_resources(found):
    return exception.BadQuery(
        "Badly formed resources parameter. Expected resources query string parameter in form: "
        f"?resources=VCPU:2,MEMORY_MB:1024. Got: {found}."
    )


def _trait_names(value, forbidden_traits):
    """Return the trimmed names in `T1,!T2`; the forbidden ones keep their exclamation mark."""
    magic = "!CUSTOM_MAGIC" if forbidden_traits else "CUSTOM_MAGIC"
    expected = f"HW_CPU_X86_VMX,{magic}"
    names = listed(value)
    if not all(name.lstrip(NOT) for name in names):
        raise _malformed_traits(expected, f"Got an empty trait in: {value}")
    if not forbidden_traits and any(name.startswith(NOT) for name in names):
        raise _malformed_traits(expected, f"Got: {value}")
    return names


def _any_of_traits(value, any_traits):
    """Return the set of names in `in:T1,T2`."""
    expected = "in:HW_CPU_X86_VMX,CUSTOM_MAGIC"
    if not any_traits:
        raise exception.BadQuery(
            f"{INVALID}The format '{expected}' only supported since microversion "
            f"{Since.ANY_TRAITS.number}. Got: {value}"
        )
    names = listed(value.removeprefix(ANY_OF))
    if not all(names):
        raise _malformed_traits(expected, f"Got an empty trait in: {value}")
    if any(name.startswith(NOT) for name in names):
        raise exception.BadQuery(
            f"{INVALID}The format '{expected}' does not support forbidden traits. Got: {value}"
        )
    return frozenset(names)


def _malformed_traits(expected, found):
    return exception.BadQuery(
        f"{INVALID}Expected 'required' parameter value of the form: {expected}. {found}"
    )


def _aggregates(value):
    """Return the set of uuids in `U`, `in:U,U`, `!U` or `!in:U,U`."""
    positive = value.removeprefix(NOT)
    if positive.startswith(ANY_OF):
        uuids = positive.removeprefix(ANY_OF).split(",")
    elif "," in positive:
        raise exception.BadQuery(
            "Multiple values for 'member_of' must be prefixed with the 'in:' or '!in:' keyword "
            f"using the valid microversion. Got: {value}"
        )
    else:
        uuids = [positive]
    for uuid in uuids:
        if not uuidutils.is_uuid_like(uuid):
            raise exception.BadQuery(
                f"{INVALID}Expected 'member_of' parameter to contain valid UUID(s). Got: {uuid}"
            )
    # The uuid stays as the client wrote it: a uuid without dashes is valid here, but matches no
    # provider.
    return frozenset(uuids)
