"""The query string of GET /operator/fit -> FitQuery, with the what-ifs in it; pure.

Source: doc/how-to/fit.rst.
"""

import math
import re
from typing import NamedTuple

from placement import errors, exception, schemas
from placement.candidates.fits.what_if import WhatIf
from placement.candidates.query import CandidateQuery
from placement.microversion import version_flags
from placement.queries import candidate_query, grammar
from placement.schemas import common

# How many hosts one request may add: as many as a large cloud has.
MOST_ADDED = 10_000

_RATIO = re.compile(rf"({common.NAME}):([0-9]{{1,9}}(?:\.[0-9]{{1,9}})?)")
# A name may contain colons.
_ADDED = re.compile(r"(.+):([1-9][0-9]{0,4})", re.DOTALL)


class FitQuery(NamedTuple):
    """The arguments of `fit.count` that a query gives.

    bound  how many claims to count at most; None for no bound
    top    how many hosts to list
    """

    query: CandidateQuery
    change: WhatIf
    one_provider_per_tree: bool
    bound: int | None
    top: int


def validator(since):
    """Return the validator: a version's query for candidates, with what-ifs but no limit."""
    return schemas.operator.fit.query(candidate_query.validator(since))


def read(pairs, since):
    """Return the FitQuery of an accepted MultiDict. Raises: BadQuery."""
    return FitQuery(
        candidate_query.read(pairs, since),
        _what_if(pairs),
        version_flags.one_provider_per_tree(since),
        bound=grammar.number(pairs.getall("bound")),
        top=grammar.number(pairs.getall("top"), schemas.operator.fit.TOP),
    )


def _what_if(pairs):
    """Return the WhatIf of an accepted MultiDict. Raises: BadQuery."""
    return WhatIf(
        excluded=frozenset(map(_excluded, pairs.getall("exclude"))),
        ratios=dict(_unique("ratio", map(_ratio, pairs.getall("ratio")))),
        added=_added(pairs.getall("add")),
    )


def _ratio(value):
    """Return (class name, ratio). Raises: BadQuery."""
    match = _RATIO.fullmatch(value)
    ratio = float(match[2]) if match else 0
    if not ratio or not math.isfinite(ratio):
        raise _bad("ratio", "a class and a number above zero, such as VCPU:8.0", value)
    return match[1], ratio


def _added(values):
    """Return {host: number} of `add`. Raises: BadQuery."""
    added = dict(_unique("add", map(_one_added, values)))
    count = sum(added.values())
    if count > MOST_ADDED:
        raise exception.BadQuery(
            f"Query parameter 'add' may add {MOST_ADDED:,} hosts at most. Got: {count:,}",
            errors.QUERY_BAD_VALUE,
        )
    return added


def _one_added(value):
    """Return (host, number). Raises: BadQuery."""
    match = _ADDED.fullmatch(value)
    if match is None:
        raise _bad("add", "a host and how many more like it, such as compute-7:10", value)
    return match[1], int(match[2])


def _excluded(value):
    if not value:
        raise _bad("exclude", "the uuid or the name of a host", value)
    return value


def _unique(name, pairs):
    """Return (subject, value) pairs as a list. Raises: BadQuery if two have the same subject."""
    pairs = list(pairs)
    if len(dict(pairs)) < len(pairs):
        raise grammar.repeated(name, for_one_subject=True)
    return pairs


def _bad(name, expected, found):
    """Return the error for a value, `found`, of the parameter with this name."""
    return exception.BadQuery(
        f"Query parameter '{name}' expected {expected}. Got: {found}", errors.QUERY_BAD_VALUE
    )
