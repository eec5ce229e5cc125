"""What a search costs, and the bound of it."""

# A close look at a state takes about as long as trying this many.
COST_OF_A_LOOK = 50

# In a deep tree, most of the time goes into what is above the options of a same_subtree. A
# power of two, so that sums are exact.
COST_OF_AN_ANCESTOR = 1 / 32

# `watch` is called each time that this much more has been spent.
WATCHED_EVERY = 2000


class SpentError(Exception):
    """A search has reached the bound of its cost."""


class Effort:
    """Counts what is done for one request: not by a clock, so that answers are repeatable.

    states      placements of one slot that were tried
    looks       states that were looked at closely
    ancestors   providers that were looked at because they are above (or are) an option
    candidates  ways to serve all slots that were found
    most        the bound of what all of them cost together; None for no bound
    watch       called from time to time; what it raises ends the search
    """

    def __init__(self, most=None, watch=None):
        self.states = 0
        self.looks = 0
        self.ancestors = 0
        self.candidates = 0
        self.most = most
        self._watch = watch
        self._spent = 0
        self._watched = 0

    def add_state(self):
        """Raises: SpentError."""
        self.states += 1
        self._spend(1)

    def add_look(self):
        """Raises: SpentError."""
        self.looks += 1
        self._spend(COST_OF_A_LOOK)

    def add_ancestors(self, count):
        """Raises: SpentError."""
        self.ancestors += count
        self._spend(count * COST_OF_AN_ANCESTOR)

    def add_candidate(self):
        """Raises: SpentError."""
        self.candidates += 1
        self._spend(1)

    def _spend(self, cost):
        self._spent += cost
        if self.most is not None and self._spent > self.most:
            raise SpentError
        if self._watch is not None and self._spent - self._watched >= WATCHED_EVERY:
            self._watched = self._spent
            self._watch()
