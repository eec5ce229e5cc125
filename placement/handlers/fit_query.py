"""The what-ifs of GET /operator/fit: query parameters -> fit.WhatIf; pure.

Source: doc/how-to/fit.rst.
"""

import math
import re

from placement import errors, exception
from placement.candidates.fit import WhatIf

# The parameters that GET /allocation_candidates does not have.
NAMES = ("exclude", "ratio", "add", "bound")

# Hosts that one request may think of: as many as a large cloud has.
MOST_ADDED = 10_000

_RATIO = re.compile(r"([A-Z0-9_]+):([0-9]{1,9}(?:\.[0-9]{1,9})?)")
# A name may have colons in it.
_ADDED = re.compile(r"(.+):([1-9][0-9]{0,4})", re.DOTALL)


def what_if(query):
    """Return the WhatIf of a MultiDict. Raises: BadQuery."""
    return WhatIf(
        frozenset(map(_excluded, query.getall("exclude"))),
        dict(_unique("ratio", map(_ratio, query.getall("ratio")))),
        _added(query.getall("add")),
    )


def _ratio(value):
    match = _RATIO.fullmatch(value)
    ratio = float(match[2]) if match else 0
    if not ratio or not math.isfinite(ratio):
        raise _bad("ratio", "a class and a number above zero, such as VCPU:8.0", value)
    return match[1], ratio


def _added(values):
    added = dict(_unique("add", map(_one_added, values)))
    if sum(added.values()) > MOST_ADDED:
        raise exception.BadQuery(
            f"Query parameter 'add' may add {MOST_ADDED:,} hosts at most.", errors.QUERY_BAD_VALUE
        )
    return added


def _one_added(value):
    match = _ADDED.fullmatch(value)
    if match is None:
        raise _bad("add", "a host and how many more like it, such as compute-7:10", value)
    return match[1], int(match[2])


def _excluded(value):
    if not value:
        raise _bad("exclude", "the uuid or the name of a host", value)
    return value


def _unique(name, pairs):
    pairs = list(pairs)
    if len(dict(pairs)) < len(pairs):
        raise exception.BadQuery(
            f"Query parameter '{name}' may be specified only once for each subject.",
            errors.QUERY_DUPLICATE_KEY,
        )
    return pairs


def _bad(name, expected, found):
    return exception.BadQuery(
        f"Query parameter '{name}' expected {expected}. Got: {found}", errors.QUERY_BAD_VALUE
    )
