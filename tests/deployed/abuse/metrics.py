"""GET /metrics of a cloud of 100,000 hosts, which needs no token: an answer of 100 MB."""

import contextlib
import functools
import socket
import time
import urllib.request
from concurrent import futures

from bench.clouds import cloud, loader
from tests import server
from tests.deployed.abuse import Row, service

HOSTS = 100_000
CLIENTS = 8
SILENT_CLIENTS = 40
SCRAPE_SECONDS = 60
MEGABYTE = 10**6


@contextlib.contextmanager
def deployment():
    listen = f"127.0.0.1:{server.free_port()}"
    with service.running(metrics__enabled="true", metrics__listen=listen) as running:
        loader.load(running.database_url, cloud.Cloud(HOSTS), [])
        running.metrics = listen
        yield running


def scrape(running):
    """Scrape until an answer includes the ledger. Return its status and size.

    A scrape that takes more than five seconds returns the figures that were known before.
    """
    deadline = time.monotonic() + SCRAPE_SECONDS
    url = f"http://{running.metrics}/metrics"
    length = 0
    while length < MEGABYTE and time.monotonic() < deadline:
        with urllib.request.urlopen(url, timeout=SCRAPE_SECONDS) as answer:
            length = sum(map(len, iter(functools.partial(answer.read, 2**16), b"")))
    return f"{answer.status}: {length // MEGABYTE} MB"


def scrapes(running):
    """Let several clients scrape at once, and return what they get."""
    with futures.ThreadPoolExecutor(CLIENTS) as threads:
        return ", ".join(sorted(set(threads.map(scrape, [running] * CLIENTS))))


def unread(running):
    """Scrape while many other clients have sent a request and do not read the answer."""
    with contextlib.ExitStack() as stack:
        for _ in range(SILENT_CLIENTS):
            client = stack.enter_context(connected(running))
            client.sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
        return scrape(running)


def connected(running):
    host, _, port = running.metrics.rpartition(":")
    return socket.create_connection((host, int(port)), SCRAPE_SECONDS)


def once_it_listens(send):
    """Return a function that waits until a new worker listens as well, and then calls `send`."""

    def waiting(running):
        deadline = time.monotonic() + SCRAPE_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(ConnectionRefusedError):
                connected(running).close()
                break
            time.sleep(0.1)
        return send(running)

    return waiting


# Each of the two processes reads the ledger.
ROWS = [
    Row(title=title, send=once_it_listens(send), answer=r"200: 1\d\d MB", cpu_seconds=10,
        mebibytes=30)
    for title, send in (
        (f"metrics of {HOSTS:,} hosts", scrape),
        (f"{CLIENTS} scrapes at once", scrapes),
        (f"a scrape beside {SILENT_CLIENTS} clients that do not read", unread),
    )
]  # fmt: skip
