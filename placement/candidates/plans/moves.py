"""Consumers and trees -> a place for each consumer, all at the same time; a heuristic; pure.

The largest consumers are placed first. The first attempt fills the trees that were emptiest; if it
fails, the next takes the tightest places, so that large gaps remain. Then the consumers left
without a place go first, for a few rounds; finally, they drive out others that find a place
elsewhere. A plan that is found is valid, but if none is found, there may still be one.
Source: doc/how-to/planning.rst.
"""

# After this many rounds, consumers without a place drive out others. There are fewer rounds, but at
# least one, if the rounds would place more consumers than the second number.
ROUNDS = 6
_MOST_PLACED = 2000
# How many consumers may be driven out in vain for one that has no place, and in a whole plan.
_MOST_EJECTIONS = 300
_MOST_EJECTIONS_IN_ALL = 3000
# How long a chain of consumers may be that drive each other out.
_LONGEST_CHAIN = 3


def find(needs, places):
    """Return {key: its NewPlace, or None} for {key: Need}, the largest needs first.

    The Places keep what the answer takes, until their next `leave`.
    Raises: SpentError.
    """
    order = sorted(needs, key=lambda key: (places.size(needs[key]), key), reverse=True)
    # A consumer that has no place even alone is in nobody's way.
    best = _best([key for key in order if places.exists(needs[key])], needs, places)
    return {key: best.get(key) for key in order}


def _best(order, needs, places):
    best = None
    for found in _attempts(order, needs, places):
        if best is None or _missing(found) < _missing(best):
            best = found
        if not _missing(best):
            return best
    _arrange(best, places)
    _drive_out(best, needs, places)
    return best


def _missing(found):
    return sum(place is None for place in found.values())


def _attempts(order, needs, places):
    yield _place_all(order, needs, places, places.first)
    tried = set()
    rounds = max(1, min(ROUNDS, _MOST_PLACED // max(1, len(order))))
    while len(tried) < rounds and tuple(order) not in tried:
        tried.add(tuple(order))
        found = _place_all(order, needs, places, places.tightest)
        yield found
        order = sorted(order, key=lambda key: found[key] is not None)


def _place_all(order, needs, places, choose):
    places.clear()
    found = {}
    failed = set()
    for key in order:
        # Room only shrinks, so what failed once fails again.
        found[key] = place = None if needs[key] in failed else choose(needs[key])
        if place is None:
            failed.add(needs[key])
        else:
            places.take(place)
    return found


def _arrange(found, places):
    """Bring the Places into the state of an answer."""
    places.clear()
    for place in filter(None, found.values()):
        places.take(place)


def _drive_out(found, needs, places):
    """Give a place to consumers without one, by moving others, as far as that is possible."""
    failed = set()
    left = _MOST_EJECTIONS_IN_ALL
    for key in [key for key, place in found.items() if place is None]:
        if needs[key] in failed:
            continue
        chain = _Chain(found, needs, places, min(left, _MOST_EJECTIONS))
        if not chain.extend(key, _LONGEST_CHAIN, frozenset()):
            failed.add(needs[key])
        left -= chain.ejections


class _Chain:
    """Consumers that drive each other out until the last one finds a place.

    found is changed only by a chain that succeeds.
    """

    def __init__(self, found, needs, places, most):
        """`most`: how many may be driven out in vain. `ejections` counts those that were."""
        self.ejections = 0
        self._found = found
        self._needs = needs
        self._places = places
        self._most = most

    def extend(self, key, length, moved):
        """Place a consumer, and those it drives out; return whether that was possible.

        moved: those that have driven out another, and must stay
        """
        place = self._places.tightest(self._needs[key])
        if place is not None:
            self._settle(key, place)
            return True
        if not length:
            return False
        return any(
            self._take_from(key, other, length, moved | {key})
            for other in self._rivals(key, moved)
        )

    def _rivals(self, key, moved):
        """Yield consumers in trees that may serve another, one for each tree and need."""
        root_ids = self._places.roots(self._needs[key])
        seen = set()
        for other, place in list(self._found.items()):
            if place is None or place.root_id not in root_ids or other in moved:
                continue
            if (kind := (place.root_id, self._needs[other])) not in seen:
                seen.add(kind)
                yield other

    def _take_from(self, key, other, length, moved):
        """Place a consumer in the tree of another, which goes elsewhere."""
        if self.ejections >= self._most:
            return False
        self.ejections += 1
        old = self._found[other]
        self._places.give_back(old)
        self._found[other] = None
        place = self._places.at(self._needs[key], old.root_id)
        if place is not None:
            self._settle(key, place)
            if self.extend(other, length - 1, moved):
                return True
            self._places.give_back(place)
            self._found[key] = None
        self._settle(other, old)
        return False

    def _settle(self, key, place):
        self._places.take(place)
        self._found[key] = place
