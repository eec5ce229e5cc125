"""What a search costs, and the bound on that cost."""

# A close look at a state takes about as long as trying this many states.
COST_OF_A_LOOK = 50

# In a deep tree, finding the ancestors of a same_subtree's options takes most of the time. The cost
# is a power of two, so that sums are exact.
COST_OF_AN_ANCESTOR = 1 / 32

# Checking whether a provider has one requested thing is cheap, but it is done for every provider
# and every requested thing. This cost is a power of two, too.
COST_OF_A_CHECK = 1 / 4

# Finding out why a provider or a host falls short takes longer than a check.
COST_OF_A_REASON = 1

# An object that is kept until the request is answered also takes memory.
COST_OF_AN_OBJECT = 6

# This is the cost of a statement with a small result.
COST_OF_A_STATEMENT = 500

# This is the cost of reading a provider. It is not bounded: see allow_for.
COST_OF_A_PROVIDER = 20

# A request that reads a whole cloud may spend more for each provider above this number.
MANY_PROVIDERS = 50_000

# `check_abort` is called each time this much more effort has been spent.
CHECKED_EVERY = 2000


class SpentError(Exception):
    """A search has reached the bound on its cost."""


class Effort:
    """A count of the work done for one request. No clock is used, so that answers are repeatable.

    states       placements of one slot that were tried
    looks        states that were looked at closely
    ancestors    providers that were looked at because they are options, or above an option
    checks       comparisons of a provider, or a group, with something that is asked for
    candidates   ways that were found to serve all slots
    most         the bound on the total cost; None for no bound
    check_abort  called from time to time; an exception that it raises ends the search
    """

    def __init__(self, most=None, check_abort=None):
        """`most`: the bound on the total cost; None for no bound."""
        self.states = 0
        self.looks = 0
        self.ancestors = 0
        self.checks = 0
        self.candidates = 0
        self.most = most
        self._most_at_first = most
        self._check_abort = check_abort
        # The total cost now, and what it was at the last call of `check_abort`.
        self._spent = 0
        self._checked = 0
        # How many providers `allow_for` has been called for.
        self._providers = 0

    @property
    def spent(self):
        """The effort spent so far, including that of reading providers."""
        return self._spent + self._providers * COST_OF_A_PROVIDER

    def check_abort_now(self):
        """Call `check_abort` now, after work that is not counted."""
        if self._check_abort is not None:
            self._check_abort()

    def allow_for(self, providers):
        """Raise the bound, if necessary, for this many more providers."""
        self._providers += providers
        if self.most is not None and self._providers > MANY_PROVIDERS:
            self.most = self._most_at_first * self._providers / MANY_PROVIDERS

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

    def add_checks(self, count):
        """Count checks of the search. Raises: SpentError."""
        self.checks += count
        self._spend(count * COST_OF_A_CHECK)

    def add_reasons(self, count):
        """Raises: SpentError."""
        self.checks += count
        self._spend(count * COST_OF_A_REASON)

    def add_objects(self, count):
        """Raises: SpentError."""
        self._spend(count * COST_OF_AN_OBJECT)

    def add_statements(self, count):
        """Raises: SpentError."""
        self._spend(count * COST_OF_A_STATEMENT)

    def add_candidate(self):
        """Raises: SpentError."""
        self.candidates += 1
        self._spend(1)

    def _spend(self, cost):
        """Add to the total cost, and call `check_abort` from time to time. Raises: SpentError."""
        self._spent += cost
        if self.most is not None and self._spent > self.most:
            raise SpentError
        if self._check_abort is not None and self._spent - self._checked >= CHECKED_EVERY:
            self._checked = self._spent
            self._check_abort()
