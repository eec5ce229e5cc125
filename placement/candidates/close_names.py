"""Which known names or UUIDs a misspelt one may stand for; pure."""

import difflib
import heapq
import operator

MOST_SUGGESTIONS = 3
# The most names that are compared closely, which may take milliseconds each.
_MOST_COMPARED = 10
# The most digits in which a UUID may differ from the one that was meant. (Two unrelated UUIDs
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
        self._parts_by_name = {name: _parts(name) for name in known}

    def like(self, name):
        """Return the known names that are similar to `name`, likeliest first.

        Cost: a microsecond for each known name, and a close look at a few of them.
        """
        parts = _parts(name)

        def likeness(known):
            return _likeness(parts, self._parts_by_name[known])

        compared = heapq.nlargest(_MOST_COMPARED, self._parts_by_name, key=likeness)
        return difflib.get_close_matches(name, compared, MOST_SUGGESTIONS)


def _parts(name):
    """Return the letters of a name, and its pairs of neighbouring letters: A, B and AB for AB."""
    return set(name).union(map(operator.add, name, name[1:]))


def _likeness(some, others):
    """Return the number of common parts, divided by that of all parts of both: at most a half."""
    # Two empty names have no parts, and are not alike.
    return len(some & others) / (len(some) + len(others) or 1)


class KnownUUIDs:
    """Known UUIDs, to be searched for those that differ in a few digits."""

    def __init__(self, known):
        numbers = ((uuid, _number(uuid)) for uuid in known)
        self._number_by_uuid = {uuid: number for uuid, number in numbers if number is not None}

    def like(self, uuid):
        """Return the known UUIDs that are similar to `uuid`, likeliest first.

        Cost: half a microsecond for each known UUID.
        """
        number = _number(uuid)
        if number is None:
            return []
        distances = (
            (_distance(number, other), known) for known, other in self._number_by_uuid.items()
        )
        close = heapq.nsmallest(
            MOST_SUGGESTIONS, (pair for pair in distances if pair[0] <= _MOST_MISTYPED)
        )
        return [known for _, known in close]


def _number(uuid):
    """Return a UUID, with or without dashes, as a number; None for any other string."""
    digits = uuid.replace("-", "")
    try:
        return int(digits, 16) if len(digits) == _DIGITS else None
    except ValueError:
        return None


def _distance(one, other):
    """Return the number of digits in which two UUIDs, given as numbers, differ."""
    # A hexadecimal digit has four bits. If any of them differ, its lowest bit is set; then the
    # lowest bits are counted.
    bits = one ^ other
    bits |= bits >> 2
    bits |= bits >> 1
    return (bits & _ONES).bit_count()
