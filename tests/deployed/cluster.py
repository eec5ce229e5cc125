"""Three servers, each with its own node of a Galera cluster, behind one nginx.

Run by `make cluster`. STORM_SECONDS says how long the clients go on in each story. Without
Galera and nginx these tests are skipped, unless PLACEMENT_TEST_REQUIRE_ALL is set.
"""

import contextlib
import datetime
import itertools
import os
import threading
import time
import unittest
import uuid
from concurrent import futures
from unittest import mock

import requests
import sqlalchemy as sa
import testtools
from oslo_db import exception as db_exc
from oslo_utils import fixture as utils_fixture

from placement import exception
from placement.db import engine, tables
from placement.db.derived_sums import misread_triggers, triggers
from placement.db.feed import author, foreign_triggers, positions
from placement.db.records import capacity_samples
from placement.db.schema import revisions
from placement.objects import inventory, ledger_audit, resource_class, resource_provider
from placement.objects.capacity_history import sampling
from placement.objects.feed import reading as feed
from tests import databases, server
from tests.deployed import storm
from tests.deployed.servers import galera, peer
from tests.deployed.web_servers import nginx
from tests.functional.worlds import provider

SECONDS = float(os.environ.get("STORM_SECONDS", 10))
MANAGE = "placement-manage"
# The methods that nginx may send to a second server.
REPEATABLE = ("GET", "PUT", "DELETE")


def setUpModule():
    if not (galera.IS_INSTALLED and nginx.PROGRAM) and not databases.REQUIRE_ALL:
        raise unittest.SkipTest("mariadb-server, galera-4, rsync and nginx are not all installed")


def newest_position(database):
    """Return the position of the newest change, however many there are before it."""
    feed.try_to_assign_positions(database)
    with database.reader() as conn:
        return positions.state(conn).newest


def rename_often(database, uuids):
    """Rename providers in turn through one node. Return the names they got."""
    names = []

    def rename(conn):
        renamed = resource_provider.get(conn, each)
        resource_provider.update(conn, renamed, name=name)

    with author.acting(author.Author("PUT /resource_providers/{uuid}", "req-1", "user")):
        for number in range(20):
            each, name = uuids[number % 2], f"renamed-{uuid.uuid4()}"
            # After too many conflicts, the provider does not get the name.
            with contextlib.suppress(db_exc.RetryRequest, db_exc.DBDeadlock, exception.Conflict):
                database.in_transaction(rename)
                names.append(name)
    return names


class Cluster(testtools.TestCase):
    """If a test fails, a cloud with several writers loses claims, or promises more than it has."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.nodes = cls.enterClassContext(galera.running())
        cls.urls = [
            cls.enterClassContext(
                server.placement(
                    placement_database__connection=node.url,
                    # doc/how-to/database.rst advises this: with 10 attempts, a claim may lose each
                    # time.
                    placement__allocation_conflict_retry_count="30",
                )
            )
            for node in cls.nodes
        ]
        cls.site = cls.enterClassContext(
            nginx.site(nginx.sample_locations("http://placement"), nginx.upstream(cls.urls))
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
        """Return the status that each server gives to a request that needs the database."""
        path = f"/resource_providers/{self.books.hosts[0]}"
        return [
            requests.get(url + path, headers=storm.HEADERS).status_code for url in self.urls
        ]

    def check_books(self):
        """Check that each node has what was acknowledged to clients, and that all nodes agree."""
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

    def test_an_hour_that_three_nodes_sample_at_once_has_one_sample(self):
        with self.connect(self.nodes[0]).writer() as conn:
            provider(conn, f"sampled-{uuid.uuid4()}", {"VCPU": 8})
        nodes = [self.connect(node) for node in self.nodes]
        # This hour is in the past, so no server samples it during the test.
        moment = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
        all_have_sums = threading.Barrier(len(nodes))
        add_up = sampling._sample

        def slowly(*arguments):
            found = add_up(*arguments)
            all_have_sums.wait(60)
            return found

        with (
            mock.patch.object(sampling, "_sample", slowly),
            futures.ThreadPoolExecutor(len(nodes)) as threads,
        ):
            stored = threads.map(lambda node: sampling.sample_if_due(node, 400, moment), nodes)
            self.assertEqual([False, False, True], sorted(stored))
        hours = sa.select(tables.capacity_hours.c.hour)
        of_hour = hours.where(tables.capacity_hours.c.hour == capacity_samples.hour_of(moment))
        for node in nodes:
            with node.reader() as conn:
                self.assertEqual(1, len(conn.execute(of_hour).all()))

    def test_a_reader_that_goes_from_node_to_node_misses_no_change(self):
        """The writers conflict, so each change begins where the one before it ended."""
        nodes = [self.connect(node) for node in self.nodes]
        with nodes[0].writer() as conn:
            uuids = [provider(conn, f"followed-{uuid.uuid4()}", {}).uuid for _ in range(2)]
        position = newest_position(nodes[0])
        poll = engine.retry_on_conflict(feed.page_after, 20)
        with futures.ThreadPoolExecutor(2 * len(nodes)) as threads:
            writers = [threads.submit(rename_often, node, uuids) for node in nodes * 2]
            seen = []
            for node in itertools.cycle(nodes):
                is_over = all(writer.done() for writer in writers)
                changes, position = poll(node, position)
                seen += [change for change in changes if change.uuid in uuids]
                if is_over and node is nodes[-1]:
                    break
        made = sorted(name for writer in writers for name in writer.result())
        self.assertGreater(len(made), 30)
        self.assertEqual(made, sorted(change.after["name"] for change in seen))
        for each in uuids:
            states = [(change.before, change.after) for change in seen if change.uuid == each]
            for (_, after), (before, _) in itertools.pairwise(states):
                self.assertEqual(after, before)

    def test_the_cluster_serves_while_a_node_is_down_and_after_it_is_back(self):
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

    def test_no_node_leaves_the_cluster_while_tables_with_triggers_are_closed(self):
        """Close them all the time, as is done after a node has read only part of a trigger."""
        self.storm.register_hosts()
        nodes = itertools.cycle([self.connect(node) for node in self.nodes])
        end = time.monotonic() + SECONDS
        with self.storm:
            while time.monotonic() < end:
                with next(nodes).connection(engine.TransactionKind.WRITE) as conn:
                    misread_triggers.close_tables(conn)
        self.assertEqual([200, 200, 200], self.statuses())
        self.check_books()
        self.assertEqual([], self.books.failures)

    def test_all_nodes_report_what_another_program_writes_through_one_of_them(self):
        database = self.connect(self.nodes[0])
        with database.writer() as conn:
            host = provider(conn, f"host-{uuid.uuid4()}", {})
        position = newest_position(database)
        name = f"renamed-{uuid.uuid4()}"
        for number, node in enumerate(self.nodes):
            other = sa.create_engine(node.url)
            self.addCleanup(other.dispose)
            with other.begin() as conn:
                renaming = sa.update(tables.resource_providers).values(name=f"{name}-{number}")
                conn.execute(renaming.where(tables.resource_providers.c.uuid == host.uuid))
        for url in self.urls:
            found = requests.get(
                f"{url}/operator/changes?after={position}", headers=storm.HEADERS
            )
            reported = [each for each in found.json()["changes"] if each["uuid"] == host.uuid]
            self.assertEqual(
                [("database", f"{name}-{number}") for number in range(3)],
                [(each["by"], each["after"]["name"]) for each in reported],
            )

    def test_two_moves_on_two_nodes_do_not_make_a_loop(self):
        """One node moves x below y1; another moves y below x1 before it learns of the first move::

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
        # All nodes have to finish this before they see what the others commit next.
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

    def test_a_class_deleted_while_its_inventory_is_created_can_be_repaired(self):
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
        self.assertEqual({check: 1}, ledger_audit.repair(elsewhere, [check], None))
        self.assertEqual({check: 0}, ledger_audit.repair(database, [check], None))

    def test_all_nodes_may_create_the_tables_at_once(self):
        """If it fails, only one of three machines that are set up at once starts its server."""
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
                revisions.check(database)
                with database.reader() as conn:
                    self.assertTrue(triggers.are_present(conn))
                    self.assertTrue(foreign_triggers.FOREIGN_WRITES.are_present(conn))

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
