"""The service, killed again and again while clients write to it, on each database.

Run by `make kill`. KILLS says how often.
"""

import contextlib
import functools
import os
import random
import signal
import time

import fixtures

from tests import databases, server
from tests.deployed import storm

KILLS = int(os.environ.get("KILLS", 3))


@databases.on_each_database
class Kill:
    """If one fails, a crash leaves half a claim behind, or a client got a false answer."""

    def setUp(self):
        super().setUp()
        directory = self.useFixture(fixtures.TempDir()).path
        self.log = os.path.join(directory, "server.log")
        [port] = server.lasting_ports(1)
        self.address = f"127.0.0.1:{port}"
        self.books = storm.Books()
        self.storm = storm.Storm([f"http://{self.address}"], self.books)

    @contextlib.contextmanager
    def service(self):
        """Give the first process of the service, whose id is also that of their group."""
        command = [server.program("gunicorn"), "--bind", self.address, "--workers", "2"]
        settings = server.environment(placement_database__connection=self.url)
        with server.process(
            [*command, "--threads", "4", server.APPLICATION],
            self.log,
            os.environ | settings,
            start_new_session=True,
        ) as process:
            attempt = functools.partial(server.ask, f"http://{self.address}/")
            server.wait_for(attempt, process, self.log)
            yield process

    def check_books(self):
        self.assertEqual([], storm.faults(self.database, self.books))

    def test_what_was_acknowledged_is_there_and_nothing_is_half_done(self):
        with self.service():
            self.storm.register_hosts()
        doubts = 0
        for _ in range(KILLS):
            with self.service() as process:
                self.release_doubtful()
                with self.storm:
                    time.sleep(random.uniform(0.2, 1.5))
                    os.killpg(process.pid, signal.SIGKILL)
            doubts += len(self.books.doubtful)
            self.check_books()
        with self.service():
            self.release_doubtful()
        print(f"{KILLS} kills, {doubts} consumers in doubt: {self.books}")
        self.assertEqual(set(), {status for _, status in self.books.answers if status >= 500})

    def release_doubtful(self):
        """What was not answered is there or not; the service that came back knows which."""
        self.check_books()
        self.storm.release_doubtful()
        self.assertEqual([], self.books.doubtful)
        self.check_books()
