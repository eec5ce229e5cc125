"""Is there one order of calls on an object in which every answer is right?

The search of Wing and Gong: the calls that may come next are those that began before any of the
rest ended. Take one of them whose answer is right, and go on; if there is none, go back. Lowe's
memory: a state that was reached once is not tried again. Two shortcuts save time, and never miss an
order if there is one:

- A call that changes nothing and whose answer is right comes next, and no other is tried: had it
  come later, it could as well have come now.
- Of calls with equal effects, the one that ends first comes first: they could change places.

A call that may not have happened is tried after all others, and need not be in the order at all.
"""

import collections
from typing import Any, NamedTuple

# What `Effect.after` returns if the answer would not be right.
WRONG = object()
# Where the search gives up. 100,000 calls on one object take 100,000 states if only one order is
# possible.
MOST_STATES = 1_000_000


class Operation(NamedTuple):
    """What a call does to an object.

    An `effect` can be hashed, and its `after(state)` is the state after it, or WRONG.
    """

    effect: Any
    call: Any


class Stuck(NamedTuple):
    """Where the longest order ends: its length, the state, and what cannot come next.

    `is_certain` is false if the search gave up.
    """

    length: int
    state: Any
    next_operations: list
    is_certain: bool


class _Point(NamedTuple):
    """The first part of an order.

    The first `done` of the certain operations are in it, and the one at `done + bit` for each bit
    of `more`. Of the uncertain ones, `used` has (effect, how often) pairs: those with equal effects
    are used in the order in which they began.
    """

    done: int
    more: int
    used: frozenset
    state: Any


def find_fault(certain, uncertain, state):
    """Return None if Operations have an order that begins in a state, or where it is Stuck."""
    return _Search(certain, uncertain).run(state)


class _Search:
    def __init__(self, certain, uncertain):
        self._certain = sorted(certain, key=_begin)
        self._begins = [operation.call.begin for operation in self._certain]
        self._ends = [operation.call.end for operation in self._certain]
        # For each effect, when the uncertain operations that may have had it began.
        self._uncertain = collections.defaultdict(list)
        for effect, call in sorted(uncertain, key=_begin):
            self._uncertain[effect].append(call.begin)

    def run(self, state):
        point = longest = _Point(0, 0, frozenset(), state)
        seen = set()
        # The points that can follow each point of the order.
        ways = [iter([point])]
        while ways and len(seen) < MOST_STATES:
            point = next(ways[-1], None)
            if point is None:
                ways.pop()
            elif point not in seen:
                if point.done == len(self._certain):
                    return None
                seen.add(point)
                ways.append(self._following(point))
                if _length(point) > _length(longest):
                    longest = point
        return self._stuck(longest, is_certain=not ways)

    def _following(self, point):
        """Yield the points that are one operation later, the most promising first."""
        indexes, first_end = self._next(point)
        tried = set()
        for index in sorted(indexes, key=self._ends.__getitem__):
            effect = self._certain[index].effect
            if effect in tried:
                continue
            tried.add(effect)
            state = effect.after(point.state)
            if state is WRONG:
                continue
            yield _with(point, index - point.done, state)
            if state == point.state:
                return
        yield from self._following_uncertain(point, first_end)

    def _following_uncertain(self, point, first_end):
        used = dict(point.used)
        for effect, begins in self._uncertain.items():
            count = used.get(effect, 0)
            if count == len(begins) or begins[count] > first_end:
                continue
            state = effect.after(point.state)
            if state is not WRONG and state != point.state:
                more = frozenset({**used, effect: count + 1}.items())
                yield point._replace(used=more, state=state)

    def _next(self, point):
        """Return the indexes of the certain operations that may come next, and their first end."""
        begins, ends = self._begins, self._ends
        index = point.done
        first_end = ends[index]
        found = []
        while index < len(begins) and begins[index] <= first_end:
            if not point.more >> (index - point.done) & 1:
                found.append(index)
                first_end = min(first_end, ends[index])
            index += 1
        return [index for index in found if begins[index] <= first_end], first_end

    def _stuck(self, point, is_certain):
        indexes, _ = self._next(point)
        following = [self._certain[index] for index in indexes]
        return Stuck(_length(point), point.state, following, is_certain)


def _begin(operation):
    return operation.call.begin


def _length(point):
    return point.done + point.more.bit_count()


def _with(point, bit, state):
    """Return the point with the certain operation of a bit added."""
    done, more = point.done, point.more | 1 << bit
    while more & 1:
        done, more = done + 1, more >> 1
    return _Point(done, more, point.used, state)
