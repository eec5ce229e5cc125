"""The JSON of an answer with allocation candidates, piece by piece; pure.

Source: doc/reference/api/allocation-candidates.rst; doc/reference/differences.rst.
"""

import itertools

from placement import exception
from placement.documents import allocation_candidates
from placement.handlers.answering import response

# The number of items that are rendered at once.
_AT_ONCE = 500


def pieces(result, form, most):
    """Return the JSON of a SearchResult, as a list of bytes to be joined.

    `form` is a Form, and `most` is the largest total number of bytes.
    Raises: CandidatesTooLarge.
    """
    made = []
    size = 0
    for piece in _pieces(result, form):
        size += len(piece)
        if size > most:
            raise exception.CandidatesTooLarge(most=most)
        made.append(piece)
    return made


def _pieces(result, form):
    """Yield the JSON of a SearchResult in pieces of bytes."""
    yield b'{"allocation_requests":['
    yield from _items(allocation_candidates.allocation_requests(result, form), list)
    yield b'],"provider_summaries":{'
    yield from _items(allocation_candidates.provider_summaries(result, form), dict)
    yield b"}}"


def _items(items, kind):
    """Yield the JSON of many items, some at a time, without the brackets around all of them.

    `kind` is list, or dict if the items are pairs of key and value.
    """
    items = iter(items)
    comma = b""
    while some := kind(itertools.islice(items, _AT_ONCE)):
        yield comma + response.as_json(some)[1:-1]
        comma = b","
