"""The database server is killed and started again, or paused, while the service goes on.

The servers are the tests' own, with settings that keep what was committed.
"""

import random
import signal
import time

import fixtures
import testtools

from placement.db import engine
from tests import databases
from tests.deployed.faults import story
from tests.deployed.faults.placement_service import Service
from tests.deployed.servers import mariadb, postgresql, unprivileged


class ServerStory(story.Story):
    """A service, and a database server (`servers`) with some `settings`, which can be killed."""

    settings = ()

    def setUp(self):
        super().setUp()
        if not self.servers.IS_INSTALLED and not databases.REQUIRE_ALL:
            self.skipTest(f"{self.servers.PACKAGE} is not installed")
        where = self.enterContext(unprivileged.directory(self.servers.ACCOUNT))
        self.server = self.enterContext(self.servers.running(where, *self.settings))
        directory = self.useFixture(fixtures.TempDir()).path
        service = Service(directory, placement_database__connection=self.server.url)
        self.service = self.enterContext(service)
        self.database = engine.connect(self.server.url)
        self.addCleanup(self.database.engine.dispose)

    def around(self, fault, **options):
        return self.history(
            f"{fault}, {self.kind}", [self.service.url], [self.database], **options
        )

    def kill_again_and_again(self):
        deadline = time.monotonic() + story.SECONDS
        while time.monotonic() < deadline:
            self.server.kill()
            time.sleep(random.uniform(0, 1))
            self.server.start()
            time.sleep(random.uniform(0.5, 2))


class _ServerFaults(ServerStory):
    """If a test fails, the service acknowledges lost writes, or needs a restart to recover."""

    def test_the_database_is_killed_and_started_again(self):
        with self.around("SIGKILL of the database"):
            self.kill_again_and_again()

    def test_the_database_is_paused(self):
        with self.around("SIGSTOP of the database"):
            self.server.signal(signal.SIGSTOP)
            time.sleep(story.SECONDS)
            self.server.signal(signal.SIGCONT)


class OnMariaDB(_ServerFaults, testtools.TestCase):
    kind, servers = "mysql", mariadb


class OnPostgreSQL(_ServerFaults, testtools.TestCase):
    kind, servers = "postgresql", postgresql
