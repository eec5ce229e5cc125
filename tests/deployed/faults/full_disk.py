"""The database's disk is full for a while. It is a small disk in memory, which only root can mount.

If the server ends because the disk is full, it is started again when there is space.
"""

import contextlib
import os
import subprocess
import time
import uuid

import fixtures
import requests
import testtools

from placement.db import engine
from tests import databases
from tests.deployed.faults import story
from tests.deployed.faults.placement_service import Service
from tests.deployed.history import traffic
from tests.deployed.servers import mariadb, postgresql, unprivileged

# The log of InnoDB has its smallest size.
_SMALL_MARIADB = f"{mariadb.DURABLE}innodb_log_file_size = 4M\n"
_MOST_SECONDS_TO_NOTICE = 60
_BLOCK = bytes(4096)


class _DiskFaults(story.Story):
    """If a test fails, a full disk leads to false answers, or the database does not recover."""

    def setUp(self):
        super().setUp()
        # The service's own files are not on the disk that becomes full.
        directory = self.useFixture(fixtures.TempDir()).path
        self.disk = self.enterContext(_disk(self.size, self.account))
        self.database_url = self.serve_database()
        service = Service(directory, placement_database__connection=self.database_url)
        self.service = self.enterContext(service)
        self.database = engine.connect(self.database_url)
        self.addCleanup(self.database.engine.dispose)

    def test_the_disk_is_full(self):
        fault = f"a full disk, {self.kind}"
        with self.history(fault, [self.service.url], [self.database]):
            filler = os.path.join(self.disk, "filler")
            _fill(filler)
            self.wait_until_refused()
            time.sleep(story.SECONDS)
            os.remove(filler)
            self.ensure_running()

    def wait_until_refused(self):
        """Store more, until the service answers that it cannot."""
        deadline = time.monotonic() + _MOST_SECONDS_TO_NOTICE
        while self.store() != 503:
            self.assertLess(time.monotonic(), deadline, "the disk is not full")

    def store(self):
        url = f"{self.service.url}/traits/CUSTOM_{uuid.uuid4().hex.upper()}"
        return requests.put(url, headers=traffic.HEADERS).status_code

    def ensure_running(self):
        """Start the server if it is down, as an administrator would when there is space again."""


class OnSQLite(_DiskFaults, testtools.TestCase):
    kind, size, account = "sqlite", "8m", "root"

    def serve_database(self):
        return f"sqlite:///{self.disk}/placement.db"


class _OnServer(_DiskFaults):
    def setUp(self):
        if not self.servers.IS_INSTALLED and not databases.REQUIRE_ALL:
            self.skipTest(f"{self.servers.PACKAGE} is not installed")
        super().setUp()

    def serve_database(self):
        self.server = self.enterContext(self.servers.running(self.disk, *self.options))
        return self.server.url

    def ensure_running(self):
        if self.server.has_ended():
            self.server.start()


class OnMariaDB(_OnServer, testtools.TestCase):
    kind, size, account = "mysql", "300m", mariadb.ACCOUNT
    servers, options = mariadb, [_SMALL_MARIADB]


class OnPostgreSQL(_OnServer, testtools.TestCase):
    kind, size, account = "postgresql", "200m", postgresql.ACCOUNT
    servers, options = postgresql, []


@contextlib.contextmanager
def _disk(size, account):
    """Yield a directory that belongs to the account and holds no more than `size`.

    Raises: SkipTest.
    """
    with unprivileged.directory(account) as path:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", path]
        mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            raise testtools.TestCase.skipException(
                f"no file system can be mounted here: {mounted.stderr.strip()}"
            )
        try:
            unprivileged.hand_over(path, account)
            yield path
        finally:
            subprocess.run(["umount", "--lazy", path], check=True)


def _fill(path):
    """Write to a file until nothing more fits."""
    with contextlib.suppress(OSError), open(path, "wb", buffering=0) as file:
        while True:
            file.write(_BLOCK)
