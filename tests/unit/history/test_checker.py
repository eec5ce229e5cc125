"""Histories of a simulated service that is correct, or faulty in one way."""

import random

import testtools

from tests.deployed.history import checker, clients, simulation
from tests.deployed.history.faults import Kind
from tests.deployed.history.simulation import Wrong

SECONDS = 10
CLIENTS = 8

FOUND = {
    Wrong.LOST_UPDATE: Kind.NO_ORDER,
    Wrong.DIRTY_READ: Kind.REFUSED,
    Wrong.TORN_CLAIM: Kind.TORN,
    Wrong.VANISHED_WRITE: Kind.OWN_WRITE,
    Wrong.REPEATED_GENERATION: Kind.TWICE,
    Wrong.OVERCOMMITMENT: Kind.CAPACITY,
    Wrong.LOST_PROVIDER_UPDATE: Kind.TWICE,
    Wrong.STALE_READ: Kind.OWN_WRITE,
}


def verdict(wrong=None, seconds=SECONDS, **options):
    """Return the Verdict about a simulated service."""
    dice = random.Random(1)
    world = clients.World(dice)
    simulated = simulation.Simulation(dice, wrong)
    simulated.run([world.creation()])
    talks = [clients.Client(world, dice).requests() for _ in range(CLIENTS)]
    simulated.run(talks, seconds, **options)
    return checker.check(simulated.calls)


class RightService(testtools.TestCase):
    def test_a_correct_service_has_no_fault(self):
        found = verdict()
        self.assertEqual(([], []), (found.faults, found.notes))
        outcomes = found.history.outcomes
        for often in (("PUT", 204), ("PUT", 200), ("PUT", 409), ("POST", 204), ("DELETE", 404)):
            self.assertGreater(outcomes[often], 20, often)

    def test_a_correct_service_whose_answers_are_lost_has_no_fault(self):
        found = verdict(loses_answers=True)
        self.assertEqual(([], []), (found.faults, found.notes))
        self.assertGreater(found.history.outcomes["PUT", None], 5)


class WrongService(testtools.TestCase):
    def test_each_planted_fault_is_found(self):
        for wrong, kind in FOUND.items():
            self.assertIn(kind, verdict(wrong).kinds, wrong)

    def test_each_way_to_be_wrong_is_planted(self):
        self.assertEqual(set(Wrong), set(FOUND))

    def test_a_report_counts_each_kind_and_shows_calls(self):
        found = verdict(Wrong.REPEATED_GENERATION, seconds=4)
        times = sum(fault.kind is Kind.TWICE for fault in found.faults)
        self.assertIn(f"Fault: {Kind.TWICE} ({times})\n", str(found))
        self.assertIn(": 204\n", str(found))
