"""If a test fails, the history has gaps for no reason, or one problem fills the log."""

import fixtures
import testtools

from placement.background import capacity_sampler
from tests.unit.background.failing import FailingDatabase


class Sampling(testtools.TestCase):
    def test_a_failure_is_logged_once_and_the_sampler_checks_again(self):
        log = self.useFixture(fixtures.FakeLogger())
        database = self.useFixture(FailingDatabase(3))
        capacity_sampler.Sampler(database, None, 400).begin()
        self.assertTrue(database.wait())
        self.assertEqual("The capacity sample cannot be stored: no luck\n", log.output)

    def test_the_connections_of_each_check_are_closed(self):
        database = FailingDatabase(2)
        sampler = capacity_sampler.Sampler(database, None, 400)
        for closed in (1, 2):
            self.assertRaises(ValueError, sampler.sample)
            self.assertEqual(closed, database.disconnected)
