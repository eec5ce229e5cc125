"""Both services get the same requests."""

import concurrent.futures
from typing import NamedTuple

from tests.deployed.beside_peer import known
from tests.deployed.beside_peer.answers import Answer, Step


class Exchange(NamedTuple):
    """A Step, both Answers, and the kind of database that the other service uses."""

    step: Step
    ours: Answer
    theirs: Answer
    database: str


class Difference(AssertionError):
    """An Exchange that no known difference explains.

    The last of `steps` is the Step of this Exchange.
    """

    def __init__(self, steps, exchange):
        lines = "\n".join(each.curl() for each in steps)
        super().__init__(f"{lines}\n  ours:   {exchange.ours}\n  theirs: {exchange.theirs}")
        self.steps = list(steps)
        self._exchange = exchange

    def is_like(self, other):
        """Return whether another Difference is about the same request, with the same statuses."""
        return self._kind == other._kind

    @property
    def _kind(self):
        step, ours, theirs, _ = self._exchange
        return step.method, step.route, ours.status, theirs.status


class Comparison:
    """Two clouds with the same contents, as long as both services answer alike.

    `database` is the kind of the peer's database.
    """

    def __init__(self, ours, theirs, database, tally):
        self._ours, self._theirs = ours, theirs
        self._threads = concurrent.futures.ThreadPoolExecutor(1)
        self._database = database
        self._tally = tally

    def send(self, step):
        """Return the Answers of both, without comparing them."""
        theirs = self._threads.submit(self._theirs.answer, step)
        return self._ours.answer(step), theirs.result()

    def ask(self, steps):
        """Send the last of some steps to both, and return our Answer if they agree.

        Raises: Difference.
        """
        exchange = self._exchange(steps[-1])
        self._tally.add(exchange.step, exchange.ours)
        differences = known.explanations(exchange)
        if differences is None:
            raise Difference(steps, exchange)
        for each in differences:
            self._tally.add_difference(each)
        return exchange.ours

    def difference(self, steps):
        """Return the Difference that the last of some steps shows, if the others show none."""
        for place, step in enumerate(steps, 1):
            exchange = self._exchange(step)
            if known.explanations(exchange) is None:
                return Difference(steps, exchange) if place == len(steps) else None
        return None

    def _exchange(self, step):
        return Exchange(step, *self.send(step), self._database)
