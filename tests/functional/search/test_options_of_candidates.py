"""Which hosts a limited answer names, by the options of the operator."""

import testtools

from tests import fixtures
from tests.batches import InBatches
from tests.functional.worlds import provider


class OptionsOfCandidates(testtools.TestCase):
    """The cloud is small, and read whole."""

    def hosts(self, **options):
        """Return the sets of hosts that thirty answers name; there are twenty hosts."""
        service = self.useFixture(fixtures.Application(**options))
        with service.database.writer() as conn:
            for number in range(20):
                provider(conn, f"host{number}", {"VCPU": 1})
        answers = [
            service.ask("GET", "/allocation_candidates?resources=VCPU:1&limit=2", "latest").json
            for _ in range(30)
        ]
        return {frozenset(answer["provider_summaries"]) for answer in answers}

    def test_a_limited_answer_begins_at_a_random_host(self):
        # Thirty answers will hardly be of only four kinds.
        self.assertLess(4, len(self.hosts()))

    def test_an_operator_can_turn_off_beginning_at_a_random_host(self):
        self.assertEqual(1, len(self.hosts(placement__rotate_allocation_candidates=False)))

    def test_candidates_may_be_chosen_at_random(self):
        hosts = self.hosts(placement__randomize_allocation_candidates=True)
        self.assertLess(4, len(hosts))
        self.assertEqual({2}, set(map(len, hosts)))


class OptionsOfCandidatesInBatches(InBatches, OptionsOfCandidates):
    """The same tests in batches."""
