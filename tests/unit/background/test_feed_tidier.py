"""If a test fails, old changes are kept forever, or one problem fills the log."""

import fixtures
import testtools

from placement.background import feed_tidier
from tests.unit.background.failing import FailingDatabase


class Tidying(testtools.TestCase):
    def test_a_failure_is_logged_once_and_the_tidier_tries_again(self):
        log = self.useFixture(fixtures.FakeLogger())
        database = self.useFixture(FailingDatabase(3))
        feed_tidier.Tidier(database, 30).begin()
        self.assertTrue(database.wait())
        self.assertEqual("Old changes cannot be removed: no luck\n", log.output)

    def test_the_connections_of_each_turn_are_closed(self):
        database = FailingDatabase(2)
        tidier = feed_tidier.Tidier(database, 30)
        for closed in (1, 2):
            self.assertRaises(ValueError, tidier.tidy)
            self.assertEqual(closed, database.disconnected)
