"""Is there one order of calls on an object in which every answer is right?

The search of Wing and Gong: the calls that may come next are those that began before any of the
rest ended. Take one of them whose answer is right, and go on; if there is none, go back. Lowe's
memory: a state that was reached once is not tried again. Three shortcuts save time, and never miss
an order if there is one:

- A call that changes nothing and whose answer is right is taken at once, and no other is tried:
  moving it forward never makes a right order wrong.
- Of calls with equal effects, the one that ends first comes first: they could change places.
- If a state was reached with some of the calls that may not have happened, it is not tried again
  with those calls plus others.

A call that may not have happened need not be in the order at all. It is tried only where the
longest order so far ends, and orders with few such calls are tried before those with more: an
outage may leave hundreds, of which one or two happened.
"""

import collections
import heapq
import itertools
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

    It contains the first `done` certain operations and, for each `bit` that is set in `more`, the
    one at index `done + bit`. `used` says which uncertain operations it contains, as pairs (effect,
    number): operations with equal effects are numbered from 0, in the order in which they began,
    and are used in this order.
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
        # For each effect, when the uncertain operations began that may have had this effect.
        self._uncertain = collections.defaultdict(list)
        for effect, call in sorted(uncertain, key=_begin):
            self._uncertain[effect].append(call.begin)

    def run(self, state):
        start = longest = _Point(0, 0, frozenset(), state)
        tried = _Tried()
        queue = _Queue()
        queue.add(start)
        while queue and tried.count < MOST_STATES:
            point, is_stuck = queue.pop()
            if is_stuck:
                for following in self._following_uncertain(point):
                    queue.add(following)
            elif point.done == len(self._certain):
                return None
            elif tried.add(point):
                longest = max(longest, point, key=_length)
                following = self._following(point)
                for each in following:
                    queue.add(each)
                if not any(each.state == point.state for each in following):
                    queue.add(point, is_stuck=True)
        return self._stuck(longest, is_certain=not queue)

    def _following(self, point):
        """Return the points that are one certain operation later, the most promising first."""
        indexes, _ = self._next(point)
        found = {}
        for index in sorted(indexes, key=self._ends.__getitem__):
            effect = self._certain[index].effect
            if effect in found:
                continue
            state = effect.after(point.state)
            if state is not WRONG:
                found[effect] = _with(point, index - point.done, state)
                if state == point.state:
                    return [found[effect]]
        return [*found.values()]

    def _following_uncertain(self, point):
        """Yield the points that are one uncertain operation later."""
        _, first_end = self._next(point)
        counts = collections.Counter(effect for effect, _ in point.used)
        for effect, begins in self._uncertain.items():
            count = counts[effect]
            if count == len(begins) or begins[count] > first_end:
                continue
            state = effect.after(point.state)
            if state is not WRONG and state != point.state:
                yield point._replace(used=point.used | {(effect, count)}, state=state)

    def _next(self, point):
        """Return the certain operations that may come next, as indexes, and their earliest end."""
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


class _Queue:
    """Points, the longest order first; of equally long ones, the one with less uncertainty."""

    def __init__(self):
        self._heap = []
        self._serial = itertools.count()

    def __bool__(self):
        return bool(self._heap)

    def add(self, point, is_stuck=False):
        """Add a point; with `is_stuck`, add it again to go on with uncertain operations."""
        rank = -_length(point), len(point.used), next(self._serial)
        heapq.heappush(self._heap, (*rank, point, is_stuck))

    def pop(self):
        *_, point, is_stuck = heapq.heappop(self._heap)
        return point, is_stuck


class _Tried:
    """The points that were tried; `count` is how many there are."""

    def __init__(self):
        self.count = 0
        # The uncertain operations with which each state was reached.
        self._used = collections.defaultdict(list)

    def add(self, point):
        """Return whether a point is new.

        It is not new if its state was reached before with the same uncertain operations, or only
        some of them.
        """
        known = self._used[point.done, point.more, point.state]
        if any(used <= point.used for used in known):
            return False
        known.append(point.used)
        self.count += 1
        return True


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
