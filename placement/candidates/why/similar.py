"""Which of many names, or UUIDs, may be meant by one that is written wrongly? Pure."""

import difflib
import heapq
import operator

MOST_SUGGESTIONS = 3
# The names that are compared closely, which may take milliseconds each.
_MOST_COMPARED = 10
# Characters in which a UUID may differ from the one that was meant. (Of two that have nothing to do
# with each other some thirty do.)
_MOST_MISTYPED = 3
_DIGITS = 32
# The lowest bit of each hexadecimal digit of a UUID.
_ONES = int("1" * _DIGITS, 16)


class Names:
    """Known names, to look for similar ones among them.

    Cost: some microseconds for each name.
    """

    def __init__(self, known):
        self._parts = {name: _parts(name) for name in known}

    def like(self, name):
        """Return the known names that are like another one, likeliest first.

        Cost: a microsecond for each known name, and a close look at a few of them.
        """
        wanted = _parts(name)
        compared = heapq.nlargest(
            _MOST_COMPARED, self._parts, key=lambda each: _likeness(wanted, self._parts[each])
        )
        return difflib.get_close_matches(name, compared, MOST_SUGGESTIONS)


def _parts(name):
    """Return the letters of a name, and its pairs of neighbouring ones."""
    return set(name).union(map(operator.add, name, name[1:]))


def _likeness(some, others):
    return len(some & others) / (len(some) + len(others) or 1)


class UUIDs:
    """Known UUIDs, to look for some that differ in a few digits."""

    def __init__(self, known):
        self._numbers = {uuid: number for uuid in known if (number := _number(uuid)) is not None}

    def like(self, uuid):
        """Return the known UUIDs that are like another one, likeliest first.

        Cost: half a microsecond for each known one.
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
    """Return the number that a UUID is, in any spelling; None for a text that is none."""
    digits = uuid.replace("-", "")
    try:
        return int(digits, 16) if len(digits) == _DIGITS else None
    except ValueError:
        return None


def _distance(one, other):
    """In how many digits do two numbers of a UUID differ?"""
    bits = one ^ other
    bits |= bits >> 2
    bits |= bits >> 1
    return (bits & _ONES).bit_count()
