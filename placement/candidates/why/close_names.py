"""Which known names or UUIDs a misspelt one may stand for; pure."""

import difflib
import heapq
import operator

MOST_SUGGESTIONS = 3
# The most names that are compared closely, which may take milliseconds each.
_MOST_COMPARED = 10
# The most characters in which a UUID may differ from the one that was meant. (Two unrelated ones
# differ in some thirty.)
_MOST_MISTYPED = 3
_DIGITS = 32
# The lowest bit of each hexadecimal digit of a UUID.
_ONES = int("1" * _DIGITS, 16)


class KnownNames:
    """Known names, to be searched for similar ones.

    Cost: some microseconds for each name.
    """

    def __init__(self, known):
        self._parts = {name: _parts(name) for name in known}

    def like(self, name):
        """Return the known names that are similar to `name`, likeliest first.

        Cost: a microsecond for each known name, and a close look at a few of them.
        """
        wanted = _parts(name)
        compared = heapq.nlargest(
            _MOST_COMPARED, self._parts, key=lambda each: _likeness(wanted, self._parts[each])
        )
        return difflib.get_close_matches(name, compared, MOST_SUGGESTIONS)


def _parts(name):
    """Return the letters of a name, and its pairs of neighbouring letters."""
    return set(name).union(map(operator.add, name, name[1:]))


def _likeness(some, others):
    return len(some & others) / (len(some) + len(others) or 1)


class KnownUUIDs:
    """Known UUIDs, to be searched for those that differ in a few digits."""

    def __init__(self, known):
        self._numbers = {uuid: number for uuid in known if (number := _number(uuid)) is not None}

    def like(self, uuid):
        """Return the known UUIDs that are similar to `uuid`, likeliest first.

        Cost: half a microsecond for each known UUID.
        """
        wanted = _number(uuid)
        if wanted is None:
            return []
        distances = ((_distance(wanted, each), uuid) for uuid, each in self._numbers.items())
        close = heapq.nsmallest(
            MOST_SUGGESTIONS, (each for each in distances if each[0] <= _MOST_MISTYPED)
        )
        return [each for _, each in close]


def _number(uuid):
    """Return a UUID in any spelling as a number; None for text that is no UUID."""
    digits = uuid.replace("-", "")
    try:
        return int(digits, 16) if len(digits) == _DIGITS else None
    except ValueError:
        return None


def _distance(one, other):
    """Return the number of digits in which two UUIDs, given as numbers, differ."""
    bits = one ^ other
    bits |= bits >> 2
    bits |= bits >> 1
    return (bits & _ONES).bit_count()
