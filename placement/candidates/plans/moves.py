"""Consumers and trees -> a place for each consumer, all at the same time; a heuristic; pure.

The largest consumers are placed first. The first attempt fills the trees that were emptiest; if it
fails, the next takes the tightest places, so that large gaps remain. Then the consumers left
without a place go first, for a few rounds; finally, they drive out others that can find a
place elsewhere. A plan that is found is valid, but if none is found, there may still be one.

A *plan*, here, is {consumer_id: its NewPlace, or None}. `needs` is {consumer_id: Need}.
Source: doc/how-to/planning.rst.
"""

# After this many rounds, consumers without a place drive out others. There are fewer rounds (but at
# least one) if together they would place more than _MOST_PLACED consumers.
ROUNDS = 6
_MOST_PLACED = 2000
# How many consumers may be driven out in vain: for one that has no place, and in a whole plan.
_MOST_EJECTIONS = 300
_MOST_EJECTIONS_IN_ALL = 3000
# How long a chain of consumers that drive each other out may be.
_LONGEST_CHAIN = 3


def find(needs, destinations):
    """Return {consumer_id: its NewPlace, or None} for {consumer_id: Need}, the largest first.

    The Destinations keep what the plan takes, until their next `begin_plan`.
    Raises: SpentError.
    """

    def size(consumer_id):
        """Return a sort key; the id decides between equal sizes."""
        return destinations.trees.size(needs[consumer_id]), consumer_id

    largest_first = sorted(needs, key=size, reverse=True)
    # Leave out consumers that would find no place even if no other consumer had to move.
    order = [each for each in largest_first if destinations.fits_alone(needs[each])]
    best = _best(order, needs, destinations)
    return {consumer_id: best.get(consumer_id) for consumer_id in largest_first}


def _best(order, needs, destinations):
    """Return the plan that leaves the fewest of the consumers in `order` without a place."""
    best = None
    for plan in _attempts(order, needs, destinations):
        if best is None or _missing(plan) < _missing(best):
            best = plan
        if not _missing(best):
            return best
    _arrange(best, destinations)
    _drive_out(best, needs, destinations)
    return best


def _missing(plan):
    """Return how many consumers have no place."""
    return sum(place is None for place in plan.values())


def _attempts(order, needs, destinations):
    """Yield one plan after the other, for some rounds or until the order repeats itself."""
    yield _place_all(order, needs, destinations, destinations.first)
    tried = set()
    # There is at least one round, however many consumers there are, even if there are none.
    rounds = max(1, min(ROUNDS, _MOST_PLACED // max(1, len(order))))
    while len(tried) < rounds and tuple(order) not in tried:
        tried.add(tuple(order))
        plan = _place_all(order, needs, destinations, destinations.tightest)
        yield plan
        # Those without a place go first now.
        order = sorted(order, key=lambda consumer_id: plan[consumer_id] is not None)


def _place_all(order, needs, destinations, choose):
    """Return a new plan: {consumer_id: its NewPlace, or None}, placed in this `order`.

    choose: returns the NewPlace of a Need, or None
    """
    destinations.clear()
    plan = {}
    failed = set()
    for consumer_id in order:
        need = needs[consumer_id]
        # Room only shrinks, so what failed once fails again.
        plan[consumer_id] = place = None if need in failed else choose(need)
        if place is None:
            failed.add(need)
        else:
            destinations.take(place)
    return plan


def _arrange(plan, destinations):
    """Take what a plan needs from the Destinations, and nothing else."""
    destinations.clear()
    for place in filter(None, plan.values()):
        destinations.take(place)


def _drive_out(plan, needs, destinations):
    """Give a place to consumers without one, by moving others, as far as that is possible."""
    # This has needs, not consumers, because consumers with equal needs fail alike.
    failed = set()
    # How many consumers may still be driven out in vain.
    left = _MOST_EJECTIONS_IN_ALL
    for consumer_id in [each for each, place in plan.items() if place is None]:
        if needs[consumer_id] in failed:
            continue
        chain = _Chain(plan, needs, destinations, most=min(left, _MOST_EJECTIONS))
        if not chain.extend(consumer_id, length=_LONGEST_CHAIN, moved=frozenset()):
            failed.add(needs[consumer_id])
        left -= chain.ejections


class _Chain:
    """Consumers that drive each other out until the last one finds a place.

    The plan is changed only by a chain that succeeds.
    """

    def __init__(self, plan, needs, destinations, most):
        """`most`: how many may be driven out in vain. `ejections` counts those that were."""
        self.ejections = 0
        self._plan = plan
        self._needs = needs
        self._destinations = destinations
        self._most = most

    def extend(self, consumer_id, length, moved):
        """Place a consumer, and those it drives out; return whether that was possible.

        length: how many more consumers may be driven out, each by the one before
        moved: the ids of those that have driven out another, and must stay
        """
        place = self._destinations.tightest(self._needs[consumer_id])
        if place is not None:
            self._settle(consumer_id, place)
            return True
        if not length:
            return False
        return any(
            self._take_from(consumer_id, other, length, moved | {consumer_id})
            for other in self._rivals(consumer_id, moved)
        )

    def _rivals(self, consumer_id, moved):
        """Yield the ids of consumers in trees that may serve this one, one for each tree and need.

        Consumers of a tree with equal needs are interchangeable.
        """
        root_ids = self._destinations.roots(self._needs[consumer_id])
        seen = set()
        # A copy, because the plan changes before the next rival is asked for.
        for other, place in list(self._plan.items()):
            if place is None or place.root_id not in root_ids or other in moved:
                continue
            if (kind := (place.root_id, self._needs[other])) not in seen:
                seen.add(kind)
                yield other

    def _take_from(self, consumer_id, other, length, moved):
        """Place a consumer in the tree of another, which goes elsewhere; return whether it worked.

        If not, the plan and the Destinations are as before.
        """
        if self.ejections >= self._most:
            return False
        self.ejections += 1
        old = self._plan[other]
        self._destinations.release(old)
        self._plan[other] = None
        place = self._destinations.tightest_at(self._needs[consumer_id], old.root_id)
        if place is not None:
            self._settle(consumer_id, place)
            if self.extend(other, length - 1, moved):
                return True
            self._destinations.release(place)
            self._plan[consumer_id] = None
        self._settle(other, old)
        return False

    def _settle(self, consumer_id, place):
        """Put a consumer into this NewPlace."""
        self._destinations.take(place)
        self._plan[consumer_id] = place
