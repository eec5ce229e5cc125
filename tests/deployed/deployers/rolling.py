"""A rolling switch from openstack-placement to ours, and back, while clients claim.

Two machines are behind HAProxy. The service on each of them is replaced, one after the other.
"""

import contextlib
import csv
import functools
import io
import os
import pathlib
import re
import socket
import tempfile
import time
from typing import NamedTuple

import sqlalchemy as sa

from placement.db import engine
from tests import databases, server
from tests.deployed import storm
from tests.deployed.deployers import host
from tests.deployed.servers import peer
from tests.deployed.web_servers import haproxy, site

SECONDS = float(os.environ.get("STORM_SECONDS", 10))
# If a claim loses to another one, or began before a table was changed, openstack-placement answers
# 500, with the driver's message.
_OF_PEER = re.compile(r"pymysql\S*\) \((1020|1213|1412), ")


class Switch:
    """A rolling switch with one project, whose TestCase says how hosts are made and how they serve.

    new_host(bin_directory)  returns a Host with the programs of either service
    prepare(host)            runs the project's commands for the tables
    serving(host)            a context manager: the host serves at the port in host.values
    database_url             the database of all hosts
    prefix                   the path of the service
    """

    prefix = ""

    def setUp(self):
        super().setUp()
        if peer.BIN is None and not databases.REQUIRE_ALL:
            self.skipTest("PEER_BIN does not name the programs of openstack-placement")
        host.require(haproxy.PROGRAM or "haproxy", "HAProxy")

    def balancing(self):
        return balancing(prefix=self.prefix)

    def test_the_hosts_are_replaced_while_clients_claim(self):
        """If it fails, an upgrade loses claims, or gives away a host twice."""
        theirs = [_careful(self.new_host(peer.BIN)) for _ in range(2)]
        ours = [self.new_host(host.OUR_BIN) for _ in range(2)]
        books = storm.Books()
        balancer = self.enterContext(self.balancing())
        with contextlib.ExitStack() as stack:
            nodes = [stack.enter_context(Node(self.serving, port)) for port in balancer.ports]
            self.replace(nodes, theirs)
            balancer.wait_until_all_are_up()
            clients = storm.Storm([balancer.url + self.prefix], books)
            clients.register_hosts()
            with clients:
                time.sleep(SECONDS)
                for hosts in (ours, theirs):
                    self.replace(nodes, hosts, balancer.wait_until_all_are_up)
                    time.sleep(SECONDS)
        print(books)
        self.check(books, ours[0])

    def replace(self, nodes, hosts, wait=lambda: None):
        """Prepare the tables, and replace what runs on each node with a new host.

        `wait` is called after each of them.
        """
        self.prepare(hosts[0])
        for node, made in zip(nodes, hosts, strict=True):
            node.run(made)
            wait()

    def check(self, books, made):
        database = engine.connect(self.database_url)
        self.addCleanup(database.engine.dispose)
        self.assertEqual([], storm.faults(database, books))
        self.assertEqual(0, books.stale)
        # The router of uWSGI still accepts requests when it is asked to end, and drops them.
        self.assertEqual(
            [],
            [
                each
                for each in books.failures
                if each.status not in (502, storm.NO_ANSWER) and not _OF_PEER.search(each.said)
            ],
        )
        status, said = made.run("placement-status", "upgrade", "check")
        self.assertEqual(0, status, said)


class Node:
    """A machine that runs one host after the other at the same port. A context manager."""

    def __init__(self, serving, port):
        self._serving = serving
        self._port = port
        self._running = contextlib.ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self._running.close()

    def run(self, made):
        """Stop the host that runs, and start another one."""
        self._running.close()
        made.values["port"] = self._port
        self._running.enter_context(self._serving(made))


class Balancer(NamedTuple):
    """A running HAProxy: its URL, the ports of two nodes, and its socket for statistics."""

    url: str
    ports: list[int]
    statistics: pathlib.Path

    def wait_until_all_are_up(self):
        """Raises: TimeoutError."""
        deadline = time.monotonic() + server.START_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                if self._states() == {"UP"}:
                    return
            time.sleep(0.1)
        raise TimeoutError("HAProxy does not find all nodes")

    def _states(self):
        """Return what HAProxy thinks of the servers. Raises: OSError."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.statistics))
            connection.sendall(b"show stat\n")
            text = b"".join(iter(functools.partial(connection.recv, 2**16), b"")).decode()
        rows = csv.DictReader(io.StringIO(text.removeprefix("# ")))
        return {row["status"] for row in rows if row["svname"] not in ("FRONTEND", "BACKEND")}


def _careful(made):
    """Keep openstack-placement from storing outdated claims, as in doc/how-to/switching.rst."""
    url = sa.make_url(made.values["connection"]).update_query_dict(
        {"init_command": "SET SESSION innodb_snapshot_isolation=ON"}
    )
    connection = url.render_as_string(hide_password=False)
    made.add_snippet("careful.conf", f"[placement_database]\nconnection = {connection}\n")
    return made


@contextlib.contextmanager
def balancing(configuration="rolling/haproxy.cfg", **values):
    """Run HAProxy with a file below host.HERE; yield its Balancer, and stop it at the end."""
    port, *ports = server.free_ports(3)
    with tempfile.TemporaryDirectory() as directory:
        made = host.Host(directory, port=port, first=ports[0], second=ports[1], **values)
        command = [haproxy.PROGRAM, "-db", "-f", str(made.write(configuration))]
        log = made.directory / "log" / "haproxy.log"
        with server.process(command, log) as process:
            server.wait_for(functools.partial(site.connect, port), process, log)
            yield Balancer(f"http://127.0.0.1:{port}", ports, made.directory / "statistics")
