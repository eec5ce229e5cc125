"""A frozen database: what clients and load balancers get, and when."""

import contextlib
import os
import time
from concurrent import futures

import sqlalchemy as sa

from tests import databases, proxy
from tests.deployed.abuse import Row, service

CLIENTS = 16
# A request waits for a pooled connection to answer, and then for a new one (connect_timeout is 5).
# If it had to wait for a free thread, it also waits while another request tries to connect.
CLIENT_SECONDS = 5 + 5 + 5 + 1
PROBE_SECONDS = 2.5
THAWED_SECONDS = 3

PORTS = {"mysql": 3306, "postgresql": 5432}
# SQLite has no server to freeze.
KINDS = [
    kind
    for kind in databases.reachable()
    if kind in PORTS and os.environ.get("ABUSE_DATABASE", kind) in (kind, "", "sqlite")
]


@contextlib.contextmanager
def deployment():
    url = sa.make_url(databases.create(KINDS[0]))
    with proxy.Proxy((url.host, url.port or PORTS[KINDS[0]])) as way:
        reached = url.set(host="127.0.0.1", port=way.port).render_as_string(False)
        with service.running(database_url=reached) as running:
            running.way = way
            yield running


def timed(running, *request):
    """Return the status of a request, and how many seconds it took."""
    began = time.monotonic()
    return running.request(*request), time.monotonic() - began


def freeze(running):
    """Read, write and probe while the database is frozen, and read again after it thaws."""
    read, write = ("GET", "/resource_providers"), ("PUT", "/traits/CUSTOM_FROZEN")
    probe = ("GET", "/healthcheck")
    with futures.ThreadPoolExecutor(CLIENTS) as threads:
        # Connections are in the pools of all threads.
        list(threads.map(lambda _: timed(running, *read), range(CLIENTS)))
        assert timed(running, *probe)[0] == "200"
        running.way.freeze()
        try:
            healthy, probe_seconds = timed(running, *probe)
            asked = [
                threads.submit(timed, running, *(write if number % 2 else read))
                for number in range(CLIENTS)
            ]
            answers = [each.result() for each in asked]
        finally:
            running.way.thaw()
        thawed = [threads.submit(timed, running, *read) for _ in range(CLIENTS)]
        thawed = [each.result() for each in thawed]
    statuses = {status for status, _ in answers}
    slowest = max(seconds for _, seconds in answers)
    assert healthy == "503" and probe_seconds < PROBE_SECONDS, (healthy, probe_seconds)
    assert slowest < CLIENT_SECONDS, slowest
    assert {status for status, _ in thawed} == {"200"}, thawed
    assert max(seconds for _, seconds in thawed) < THAWED_SECONDS, thawed
    return "/".join(sorted(statuses))


ROWS = [
    Row(
        title=f"a frozen database ({kind}): {CLIENTS} clients and a probe",
        send=freeze,
        answer="503",
    )
    for kind in KINDS[:1]
]
