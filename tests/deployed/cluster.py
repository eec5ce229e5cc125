"""Three servers, each with its own node of a Galera cluster, behind one nginx.

Run by `make cluster`. STORM_SECONDS says how long the clients go on in each story. Without
Galera and nginx these tests are skipped, unless PLACEMENT_TEST_REQUIRE_ALL is set.
"""

import contextlib
import os
import time
import unittest
import uuid
from concurrent import futures

import requests
import sqlalchemy as sa
import testtools
from oslo_db import exception as db_exc
from oslo_utils import fixture as utils_fixture

from placement.db import engine, tables
from placement.db.derived_sums import triggers
from placement.db.schema import migrate
from placement.objects import audit, inventory, resource_class, resource_provider
from tests import databases, server
from tests.deployed import galera, peer, storm
from tests.deployed.web_servers import nginx
from tests.functional.worlds import provider

SECONDS = float(os.environ.get("STORM_SECONDS", 10))
MANAGE = "placement-manage"
# What nginx may send to a second server.
REPEATABLE = ("GET", "PUT", "DELETE")


def setUpModule():
    if not (galera.IS_INSTALLED and nginx.PROGRAM) and not databases.REQUIRE_ALL:
        raise unittest.SkipTest("mariadb-server, galera-4, rsync and nginx are not all installed")


class Cluster(testtools.TestCase):
    """If one fails, a cloud with several writers loses claims, or promises what it lacks."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.nodes = cls.enterClassContext(galera.running())
        cls.urls = [
            cls.enterClassContext(server.placement(placement_database__connection=node.url))
            for node in cls.nodes
        ]
        cls.site = cls.enterClassContext(
            nginx.site(
                nginx.sample_locations("http://placement"), nginx.upstream("placement", cls.urls)
            )
        )

    def setUp(self):
        super().setUp()
        self.books = storm.Books()
        self.storm = storm.Storm([f"{self.site.url}/placement"], self.books, self.site.certificate)

    def connect(self, node):
        database = engine.connect(node.url)
        self.addCleanup(database.engine.dispose)
        return database

    def statuses(self):
        """Return what each server answers when it is asked for something from the database."""
        path = f"/resource_providers/{self.books.hosts[0]}"
        return [
            requests.get(url + path, headers=storm.HEADERS).status_code for url in self.urls
        ]

    def check_books(self):
        """Check that each node has what the clients know of, and that all nodes have the same."""
        print(self.books)
        contents = []
        for node in self.nodes:
            database = self.connect(node)
            self.assertEqual([], storm.faults(database, self.books))
            with database.reader() as conn:
                contents.append(
                    {
                        table.name: set(map(tuple, conn.execute(sa.select(table))))
                        for table in tables.metadata.sorted_tables
                    }
                )
        self.assertTrue(contents[0]["allocations"])
        self.assertEqual(contents[0], contents[1])
        self.assertEqual(contents[0], contents[2])

    def test_any_server_serves_any_client(self):
        self.storm.register_hosts()
        with self.storm:
            time.sleep(SECONDS)
        self.check_books()
        self.assertEqual([], self.books.failures)
        self.assertEqual([], self.books.doubtful)
        self.assertEqual(0, self.books.stale)

    def test_a_node_dies_and_comes_back(self):
        self.storm.register_hosts()
        with self.storm:
            time.sleep(SECONDS / 3)
            self.nodes[1].kill()
            self.addCleanup(self.nodes[1].ensure_running)
            self.assertEqual([200, 503, 200], self.statuses())
            time.sleep(SECONDS / 3)
            self.assertEqual([200, 503, 200], self.statuses())
            self.nodes[1].ensure_running()
            time.sleep(SECONDS / 3)
            self.assertEqual([200, 200, 200], self.statuses())
        self.check_books()
        self.assertEqual([], self.books.failures_of(*REPEATABLE))

    def test_two_nodes_do_not_make_a_loop(self):
        """x moves below y1 on one node, y below x1 on another, which hears of it too late::

            root
            ├─ x ── x1
            └─ y ── y1
        """
        database, elsewhere, busy = map(self.connect, self.nodes)
        tree = self.plant(database)

        def move(conn, name, parent):
            moved = resource_provider.get(conn, tree[name].uuid)
            resource_provider.update(conn, moved, name=moved.name, parent_uuid=tree[parent].uuid)

        # x1 and y1, which only move along, have already moved in this second, so moving again
        # changes nothing in their rows.
        self.useFixture(utils_fixture.TimeFixture())
        for name, other in (("x", "y"), ("y", "x")):
            with database.writer() as conn:
                move(conn, name, other)
                move(conn, name, "root")
        writers = [contextlib.ExitStack(), contextlib.ExitStack()]
        move(writers[0].enter_context(database.writer()), "x", "y1")
        move(writers[1].enter_context(elsewhere.writer()), "y", "x1")
        # All nodes have this to do before they see what the others commit next.
        with busy.writer() as conn:
            conn.exec_driver_sql("UPDATE bulk SET number = 1")
        with futures.ThreadPoolExecutor() as threads:
            ends = [threads.submit(writer.close) for writer in writers]
        errors = [end.exception() for end in ends]
        self.assertEqual([db_exc.DBDeadlock], [type(error) for error in errors if error])
        with database.reader() as conn:
            parents = [
                resource_provider.get(conn, tree[name].uuid).parent_provider_uuid
                for name in ("x", "y")
            ]
        self.assertEqual(1, parents.count(tree["root"].uuid))

    def test_a_class_that_goes_as_an_inventory_of_it_comes_leaves_what_can_be_repaired(self):
        database, elsewhere = map(self.connect, self.nodes[:2])
        with database.writer() as conn:
            host = provider(conn, f"host-{uuid.uuid4()}", {"VCPU": 8})
            resource_class.create(conn, "CUSTOM_GONE")
        late = inventory.Inventory.from_request("CUSTOM_GONE", {"total": 1})
        # Neither node has what the other commits, and they change no row in common.
        with database.writer() as deleting, elsewhere.writer() as adding:
            resource_class.delete(deleting, "CUSTOM_GONE")
            inventory.add(adding, resource_provider.get(adding, host.uuid), late)
        found = requests.get(
            f"{self.urls[2]}/allocation_candidates?resources=VCPU:1", headers=storm.HEADERS
        )
        self.assertEqual(200, found.status_code)
        summary = found.json()["provider_summaries"][host.uuid]
        self.assertEqual(["VCPU"], list(summary["resources"]))
        check = "inventory_without_class"
        self.assertEqual({check: 1}, audit.repair(elsewhere, [check], None))
        self.assertEqual({check: 0}, audit.repair(database, [check], None))

    def test_all_nodes_may_make_the_tables_at_once(self):
        """Otherwise, of three machines that are set up at once, the server starts on only one."""
        for attempt in range(3):
            name = f"placement_{attempt}"
            with self.connect(self.nodes[0]).engine.begin() as conn:
                conn.exec_driver_sql(f"CREATE DATABASE {name} CHARACTER SET utf8mb3")
            urls = [
                sa.make_url(node.url).set(database=name).render_as_string(hide_password=False)
                for node in self.nodes
            ]
            with futures.ThreadPoolExecutor() as threads:
                ends = [
                    threads.submit(peer.Installation(peer.OUR_BIN, url).run, MANAGE, "db", "sync")
                    for url in urls
                ]
            self.assertEqual([(0, "")] * 3, [end.result() for end in ends])
            for url in urls:
                database = engine.connect(url)
                self.addCleanup(database.engine.dispose)
                migrate.check(database)
                with database.reader() as conn:
                    self.assertTrue(triggers.are_present(conn))

    def plant(self, database):
        """Return the providers of a tree by name, and make a table that takes time to change."""
        with database.writer() as conn:
            conn.exec_driver_sql("CREATE TABLE bulk (id INT PRIMARY KEY, number INT)")
            conn.exec_driver_sql("INSERT INTO bulk SELECT seq, 0 FROM seq_1_to_100000")
        tree = {}
        above = {"root": None, "x": "root", "x1": "x", "y": "root", "y1": "y"}
        with database.writer() as conn:
            for name, parent in above.items():
                tree[name] = provider(conn, f"{name}-{uuid.uuid4()}", parent=tree.get(parent))
        return tree
