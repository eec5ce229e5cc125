"""Statements are ended, and connections lost, while the service and the database go on."""

import functools
import random
import time

import fixtures
import sqlalchemy as sa

from tests import databases
from tests.deployed.faults import story
from tests.deployed.faults.placement_service import Service
from tests.proxy import Proxy

# A cut comes after at most this many messages on all connections, counting both sides.
_MOST_MESSAGES = 200


@databases.on_each_server
class StatementFaults(story.Story):
    """If a test fails, an interrupted write is stored in part, or twice, or never."""

    def serve(self, url):
        directory = self.useFixture(fixtures.TempDir()).path
        return self.enterContext(Service(directory, placement_database__connection=url))

    def around(self, fault, service):
        return self.history(f"{fault}, {self.kind}", [service.url], [self.database])

    def test_statements_are_ended_by_an_administrator(self):
        with self.around(databases.END_STATEMENT[self.kind], self.serve(self.url)):
            self.again_and_again(databases.end_statements_of_others, 0.02)

    def test_connections_are_ended_by_an_administrator(self):
        with self.around(databases.DISCONNECT[self.kind], self.serve(self.url)):
            self.again_and_again(databases.disconnect_others, 0.5)

    def again_and_again(self, end, most_seconds):
        """Call `end` for about half of the connections, with pauses of random length."""
        deadline = time.monotonic() + story.SECONDS
        while time.monotonic() < deadline:
            self.database.in_transaction(functools.partial(end, choose=_half))
            time.sleep(random.uniform(0, most_seconds))

    def test_connections_are_cut_at_random_messages(self):
        url = sa.make_url(self.url)
        with Proxy((url.host, url.port)) as proxy:
            through = url.set(host="127.0.0.1", port=proxy.port)
            service = self.serve(through.render_as_string(hide_password=False))
            with self.around("connections cut", service):
                deadline = time.monotonic() + story.SECONDS
                while time.monotonic() < deadline:
                    proxy.cut_after(random.randint(1, _MOST_MESSAGES))
                    time.sleep(random.uniform(0, 0.5))


def _half(connections):
    return random.sample(connections, (len(connections) + 1) // 2)
