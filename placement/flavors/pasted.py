"""What people paste -> the query in it; pure.

People paste a URL or a log line that has a query; amounts; or the sizes and extra specs of a
flavor, in the forms that commands print or take.
Source: doc/reference/api/operator.rst; doc/how-to/flavors.rst.
"""

import re
import urllib.parse

from placement import exception
from placement.flavors import nova
from placement.schemas import common

# Each pattern takes linear time: no part of a text can be matched in two ways.

# The address of the page for operators: .../operator/#/why?q=resources%3DVCPU%3A4
_ADDRESS_OF_PAGE = re.compile(r"#/\w+\?(\S+)", re.ASCII)
# The query of a URL, up to a space, a quote or an angle bracket.
_AFTER_QUESTION_MARK = re.compile(r"""\?([^\s"'<>=?]+=[^\s"'<>]*)""")
# A bare query: it begins with resources=, or has several parameters.
_QUERY = re.compile(r"resources[\w-]*=\S+|(?=[^\s&]+&)[a-z_][\w-]*=\S+", re.ASCII)
_AMOUNT = rf"{common.NAME}:[0-9]+"
_AMOUNTS = re.compile(rf"{_AMOUNT}(\s*,\s*{_AMOUNT})*")

_SIZES = nova.Sizes._fields
_EPHEMERAL = "os-flv-ext-data:ephemeral"
# The beginning of other attributes of a flavor, such as OS-FLV-DISABLED:disabled.
_ATTRIBUTE = "os-"
# `key=value`, `key='value'`, `"key": "value"`, `| key | value |` and, for a size, `--key value`. A
# value without quotes goes on after a comma unless another property begins there.
_PROPERTY = re.compile(
    rf"""
    (?<![\w:.-])
    (?: --(?P<option>{"|".join(_SIZES)}) [\s=]+ (?=[0-9])
      | (?P<key> group_policy | {"|".join(_SIZES)} | [A-Za-z][\w-]*:[\w.:-]+ )
        ['"]? \s* [=:|] \s* )
    (?: '(?P<single>[^'\n]*)'
      | "(?P<double>[^"\n]*)"
      | ['"]? (?P<bare> [^\s'",|}}]+ (?: , (?! [\w-]+[=:] ) [^\s'",|}}]+ )* ) )
    """,
    re.ASCII | re.VERBOSE,
)
# The query for a flavor without sizes and extra specs.
_NOTHING = nova.request(nova.Sizes(), {}).query


def read(text):
    """Return the FlavorQuery in a pasted string. Raises: BadQuery if there is none in it."""
    query = _query_in(text)
    if query is not None:
        return nova.FlavorQuery(query, ignored=[], left_to_nova=[])
    return _of_flavor(text)


def _query_in(text):
    """Return the query string in a pasted string; None if that has another form."""
    text = text.strip()
    address = _ADDRESS_OF_PAGE.search(text)
    if address:
        return urllib.parse.parse_qs(address[1]).get("q", [""])[0]
    if _AMOUNTS.fullmatch(text):
        return f"resources={''.join(text.split())}"
    if _QUERY.fullmatch(text):
        return text
    found = _AFTER_QUESTION_MARK.search(text)
    return found and found[1]


def _of_flavor(text):
    """Return the FlavorQuery of a flavor's properties. Raises: BadQuery if there are none."""
    sizes, specs, ignored = {}, {}, []
    for key, value in map(_pair, _PROPERTY.finditer(text)):
        if key in _SIZES and nova.NUMBER.fullmatch(value):
            sizes[key] = int(value)
        elif key in _SIZES and value:
            ignored.append(f"{key}={value}")
        elif key not in _SIZES and not key.lower().startswith(_ATTRIBUTE):
            specs[key] = value
    asked = nova.request(nova.Sizes(**sizes), specs)
    if asked.query == _NOTHING:
        raise exception.BadQuery(
            "There is no request in this. A request can be amounts, VCPU:4,MEMORY_MB:8192; a "
            "query, resources=...; a log line with GET /allocation_candidates?...; extra specs, "
            "resources:VCPU=4 or trait:...=required; or a flavor, vcpus=4 or --vcpus 4."
        )
    return asked._replace(ignored=ignored + asked.ignored)


def _pair(match):
    """Return the (key, value) of a match of _PROPERTY."""
    key = match["option"] or match["key"]
    value = match["single"] or match["double"] or match["bare"] or ""
    return ("ephemeral" if key.lower() == _EPHEMERAL else key), value
