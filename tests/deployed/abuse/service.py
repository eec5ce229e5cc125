"""A live server whose workers are known, and the clients that abuse it."""

import contextlib
import functools
import http.client
import os
import signal
import tempfile
import time
import urllib.parse

import psutil

from tests import databases, server
from tests.deployed.cloud import NEWEST, Client

WORKERS = 2
THREADS = 4
# Requests of all kinds are slower the first time.
WARMING_REQUESTS = 40
CHANGE_SECONDS = 60
ANSWER_SECONDS = 120


class Service:
    """The service at `url`, whose first process is `process`, on the database at `database_url`."""

    def __init__(self, url, process, database_url):
        self.url = url
        self.database_url = database_url
        self.client = Client(url)
        self._process = psutil.Process(process.pid)

    @property
    def workers(self):
        """The psutil.Processes that answer."""
        return self._process.children()

    def renew_workers(self):
        """Replace the workers with new ones that have served only a few requests."""
        old = set(self.workers)
        self._process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + CHANGE_SECONDS
        while len(self.workers) != WORKERS or old & set(self.workers):
            assert time.monotonic() < deadline, "The workers are not replaced."
            time.sleep(0.1)
        # A worker that is still starting answers later.
        waited_for = set(self.workers)
        while waited_for:
            assert time.monotonic() < deadline, "A worker does not answer."
            waited_for -= self._asked_workers()
        for _ in range(WARMING_REQUESTS):
            # Each request uses a new connection, so that all workers are asked.
            self.request("GET", "/resource_providers?name=none")

    def _asked_workers(self):
        """Send a small request. Return a set with the worker that answers it, if there is one."""
        with contextlib.suppress(OSError), contextlib.closing(self._connection()) as connection:
            connection.request("GET", "/")
            connection.getresponse().read()
            ours = connection.sock.getsockname()
            return {
                worker
                for worker in self.workers
                for each in worker.net_connections("tcp")
                if each.raddr == ours
            }
        return set()

    def request(self, method, path, body=None, **headers):
        """Send a request as an administrator. Return the status, or "closed" if there is none.

        Raises: OSError if there is no connection, or no answer in time.
        A `body` is bytes, sent as they are. A header is given with `_` for each `-`; None leaves
        it out.
        """
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/json",
            "X-Auth-Token": "admin",
            "OpenStack-API-Version": f"placement {NEWEST}",
        } | {name.replace("_", "-"): value for name, value in headers.items()}
        given = {name: value for name, value in headers.items() if value is not None}
        with contextlib.closing(self._connection()) as connection:
            connection.connect()
            # The service may answer, and close, while there is more to send.
            with contextlib.suppress(ConnectionError):
                connection.request(method, path, body, given)
            try:
                answer = connection.getresponse()
                answer.read()
            except ConnectionError:
                return "closed"
            return str(answer.status)

    def _connection(self):
        address = urllib.parse.urlsplit(self.url).netloc
        return http.client.HTTPConnection(address, timeout=ANSWER_SECONDS)


@contextlib.contextmanager
def running(gunicorn_options=(), database_url=None, **settings):
    """Give a Service: gunicorn, on an empty database unless there is a `database_url`.

    $ABUSE_DATABASE names the kind of an empty database, one of databases.reachable(); by default,
    it is "sqlite". `settings` are values of options by "group__option".
    """
    if database_url is None:
        database_url = databases.create(os.environ.get("ABUSE_DATABASE") or "sqlite")
    settings = {"placement_database__connection": database_url} | settings
    address = f"127.0.0.1:{server.free_port()}"
    command = [server.program("gunicorn"), "--bind", address]
    command += ["--workers", str(WORKERS), "--threads", str(THREADS), "--graceful-timeout", "5"]
    # Busy workers should be measured, not killed.
    command += ["--timeout", str(ANSWER_SECONDS)]
    with tempfile.TemporaryDirectory() as directory:
        log = os.path.join(directory, "server.log")
        with server.process(
            [*command, *gunicorn_options, server.APPLICATION],
            log,
            os.environ | server.environment(**settings),
        ) as process:
            attempt = functools.partial(server.ask, f"http://{address}/")
            server.wait_for(attempt, process, log)
            yield Service(f"http://{address}", process, database_url)
