"""Histories of a simulated service that is correct, or faulty in one way."""

import random

import testtools

from tests.deployed.history import checker, clients, simulation
from tests.deployed.history.calls import Call
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
    Wrong.MISSED_PROVIDER: Kind.UNEXPECTED,
    Wrong.FAILURE: Kind.UNEXPECTED,
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
    def test_the_checker_finds_no_error_in_a_correct_service(self):
        found = verdict()
        self.assertEqual(([], []), (found.faults, found.notes))
        outcomes = found.history.outcomes
        for often in (("PUT", 204), ("PUT", 200), ("PUT", 409), ("POST", 204), ("DELETE", 404)):
            self.assertGreater(outcomes[often], 20, often)

    def test_the_checker_finds_no_error_if_answers_are_only_lost(self):
        found = verdict(loses_answers=True)
        self.assertEqual(([], []), (found.faults, found.notes))
        self.assertGreater(found.history.outcomes["PUT", None], 5)


class WrongService(testtools.TestCase):
    def test_the_checker_finds_each_planted_error(self):
        for wrong, kind in FOUND.items():
            self.assertIn(kind, verdict(wrong).kinds, wrong)

    def test_every_kind_of_error_is_planted(self):
        self.assertEqual(set(Wrong), set(FOUND))

    def test_a_report_counts_each_kind_and_shows_calls(self):
        found = verdict(Wrong.REPEATED_GENERATION, seconds=4)
        times = sum(fault.kind is Kind.TWICE for fault in found.faults)
        self.assertIn(f"Fault: {Kind.TWICE} ({times})\n", str(found))
        self.assertIn(": 204\n", str(found))


class WriteThatChangesNothing(testtools.TestCase):
    def verdict(self, servers):
        """Return the Verdict about two writes of traits, the second answered from the old state."""
        created = {"uuid": "p", "name": "p"}
        requests = [
            ("POST", "/resource_providers", created, {"generation": 0}),
            ("PUT", "/resource_providers/p/traits", *self._traits(["A"], 0, 1)),
            ("PUT", "/resource_providers/p/traits", *self._traits([], 0, 0)),
        ]
        return checker.check(
            Call(1, server, moment, moment + 0.5, method, path, body, 200, answer)
            for moment, (server, (method, path, body, answer)) in enumerate(
                zip(servers, requests, strict=True)
            )
        )

    def _traits(self, traits, expected, answered):
        shown = {"traits": traits, "resource_provider_generation": answered}
        return {"traits": traits, "resource_provider_generation": expected}, shown

    def test_another_server_may_answer_from_an_old_state(self):
        found = self.verdict(["a", "a", "b"])
        self.assertEqual([], found.faults)
        self.assertEqual([Kind.STALE], [note.kind for note in found.notes])

    def test_the_server_that_wrote_may_not_answer_from_an_old_state(self):
        self.assertEqual({Kind.OWN_WRITE, Kind.NO_ORDER}, self.verdict(["a", "a", "a"]).kinds)
        self.assertIn(Kind.OWN_WRITE, self.verdict(["a", "b", "b"]).kinds)
