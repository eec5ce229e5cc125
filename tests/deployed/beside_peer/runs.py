"""Runs steps until enough of them have run, or until one shows a difference."""

import functools
import random
import sys

import hypothesis
from hypothesis import stateful

from tests.deployed.beside_peer import clearing, refusals, tour
from tests.deployed.beside_peer.comparison import Difference
from tests.deployed.beside_peer.machine import Machine
from tests.deployed.beside_peer.shortest import shortest
from tests.deployed.beside_peer.tally import ERAS

_RULES_OF_A_RUN = 100
# There are more steps than rules, because rules also send requests to learn generations.
_STEPS_OF_A_RUN = 170
_RUNS_AT_ONCE = 10


def reach(comparison):
    """Take the steps that random requests seldom reach, at the newest version of each era."""
    for era in ERAS:
        tour.take(Machine(comparison), era)
    steps = refusals.steps(ERAS)
    for step in steps:
        comparison.ask([step])
    clearing.clear(comparison, steps)


def search(comparison, tally, steps, seed=None):
    """Take at least `steps` random steps.

    Raises: Difference, with the fewest steps that show it.
    """
    seed = random.randrange(2**32) if seed is None else seed
    enough = tally.steps + steps
    while (missing := enough - tally.steps) > 0:
        runs = min(_RUNS_AT_ONCE, 1 + missing // _STEPS_OF_A_RUN)
        make = hypothesis.seed(seed)(functools.partial(Machine, comparison))
        try:
            stateful.run_state_machine_as_test(make, settings=_settings(runs))
        except Difference as found:
            raise shortest(found, comparison) from None
        sys.stdout.write(f"{tally.steps} steps (seed {seed})\n")
        sys.stdout.flush()
        seed += 1


def _settings(runs):
    return hypothesis.settings(
        max_examples=runs,
        stateful_step_count=_RULES_OF_A_RUN,
        deadline=None,
        database=None,
        print_blob=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        # hypothesis need not reduce what it finds: `shortest` does.
        phases=[hypothesis.Phase.generate],
    )
