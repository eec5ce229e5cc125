"""A switch from the real openstack-placement to this service and back, and both side by side.

Run by `make peer`. STORM_SECONDS says how long clients run, and VERSIONS, which versions of answers
are compared. Without openstack-placement in its own environment (PEER_BIN), these tests are
skipped, unless PLACEMENT_TEST_REQUIRE_ALL is set.
"""

import os
import time
import unittest
import uuid
from concurrent import futures

import sqlalchemy as sa
import testtools

from placement.db import engine, tables
from placement.db.derived_sums import triggers
from tests import databases
from tests.deployed import cloud, storm
from tests.deployed.servers import peer
from tests.functional import invariants

SECONDS = float(os.environ.get("STORM_SECONDS", 10))
VERSIONS = os.environ.get("VERSIONS", "1.0 1.14 1.20 1.27 1.28 1.36 1.38 1.39").split()

MANAGE, STATUS = "placement-manage", "placement-status"
NOTHING_SAID = (0, "")
SUMS_ARE_CORRECT = "The sums are correct."

# Keeps openstack-placement from storing outdated claims, as in doc/how-to/switching.rst.
CAREFUL = {
    "mysql": "&init_command=SET+SESSION+innodb_snapshot_isolation%3DON",
    "postgresql": "?options=-c+default_transaction_isolation%3Drepeatable%5C+read",
}

# How many transactions wait for another one to end.
_WAITING = {
    "mysql": "SELECT COUNT(*) FROM information_schema.innodb_trx"
    " JOIN information_schema.processlist ON id = trx_mysql_thread_id"
    " WHERE trx_state = 'LOCK WAIT' AND db = DATABASE()",
    "postgresql": "SELECT COUNT(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND wait_event_type = 'Lock'",
}


def setUpModule():
    if peer.BIN is None and not databases.REQUIRE_ALL:
        raise unittest.SkipTest("PEER_BIN does not name the programs of openstack-placement")


class Switching:
    """Stories about one database, which openstack-placement has made."""

    kind = None

    def setUp(self):
        super().setUp()
        if self.kind not in databases.reachable():
            self.skipTest(f"{self.kind} does not answer")
        self.use_empty_database()
        self.assertEqual(0, self.peer.run(MANAGE, "db", "sync")[0])

    def use_empty_database(self):
        url = databases.create(self.kind)
        self.database = engine.connect(url)
        self.addCleanup(self.database.engine.dispose)
        # The documentation of openstack-placement asks for this character set.
        url = f"{url}?charset=utf8" if self.kind == "mysql" else url
        self.peer = peer.Installation(peer.BIN, url)
        self.careful_peer = peer.Installation(peer.BIN, url + CAREFUL[self.kind])
        self.ours = peer.Installation(peer.OUR_BIN, url)

    def adopt(self):
        self.assertEqual(NOTHING_SAID, self.ours.run(MANAGE, "db", "sync"))

    def check_books(self):
        with self.database.reader() as conn:
            self.assertEqual([], invariants.violations(conn))

    def test_services_that_take_turns_count_what_the_other_wrote(self):
        """If it fails, a machine is given to two instances, or stays empty forever."""
        self.adopt()
        self.take_turns()

    def test_services_that_take_turns_count_correctly_without_triggers(self):
        self.adopt()
        with self.database.connection(engine.TransactionKind.WRITE) as conn, conn.begin():
            triggers.remove(conn)
        self.take_turns()

    def take_turns(self):
        host, node, emptied, registered = (str(uuid.uuid4()) for _ in range(4))
        first, second, third, fourth, fifth = (str(uuid.uuid4()) for _ in range(5))
        with self.ours.serving() as url:
            client = cloud.Client(url)
            client.make("PUT", "/resource_classes/CUSTOM_BAREMETAL")
            client.register(host, {"VCPU": 8})
            client.register(node, {"CUSTOM_BAREMETAL": 1})
            client.register(emptied, {"CUSTOM_BAREMETAL": 1})
            self.assertEqual(204, client.claim(first, host, VCPU=2))
            self.assertEqual(204, client.claim(second, emptied, CUSTOM_BAREMETAL=1))
        with self.peer.serving() as url:
            client = cloud.Client(url)
            self.assertEqual(204, client.claim(third, host, VCPU=6))
            self.assertEqual(204, client.claim(fourth, node, CUSTOM_BAREMETAL=1))
            self.assertEqual(204, client.release(second))
            client.register(registered, {"VCPU": 8})
        with self.ours.serving() as url:
            client = cloud.Client(url)
            self.assertEqual(409, client.claim(fifth, host, VCPU=1))
            self.assertEqual(409, client.claim(fifth, node, CUSTOM_BAREMETAL=1))
            self.assertEqual({emptied}, client.hosts_for("CUSTOM_BAREMETAL:1"))
            self.assertEqual({registered}, client.hosts_for("VCPU:1"))
            self.assertEqual(204, client.claim(fifth, emptied, CUSTOM_BAREMETAL=1))
            self.assertEqual(204, client.claim(second, registered, VCPU=8))
        self.check_books()
        with self.peer.serving() as url:
            client = cloud.Client(url)
            self.assertEqual(set(), client.hosts_for("VCPU:1"))
            self.assertEqual(set(), client.hosts_for("CUSTOM_BAREMETAL:1"))

    def test_both_services_answer_reads_alike(self):
        """If it fails, clients can tell which of the two answered."""
        with self.peer.serving() as theirs:
            cloud.fill(cloud.Client(theirs))
            self.adopt()
            self.check_books()
            with self.ours.serving() as ours:
                clients = cloud.Client(theirs), cloud.Client(ours)
                answers = {
                    (version, question): [
                        _comparable(client.ask("GET", question, version=version))
                        for client in clients
                    ]
                    for version in VERSIONS
                    for question in cloud.QUESTIONS
                }
        found = sum(answer["status"] == 200 for answer, _ in answers.values())
        print(f"{len(answers)} questions, {found} of them answered with 200")
        self.assertGreater(found, len(answers) / 2)
        # On PostgreSQL, openstack-placement fails to sum usages by type of consumer.
        different = {
            (version, question): both
            for (version, question), both in answers.items()
            if both[0] != both[1]
            and not (question.startswith("/usages?") and both[0]["status"] == 500)
        }
        self.assertEqual({}, different)

    def test_both_services_at_once_never_exceed_the_capacity(self):
        """If it fails, services behind one load balancer promise a host twice, or lose a claim."""
        self.adopt()
        for _ in range(2):
            status, said = self.ours.run(MANAGE, "db", "share")
            self.assertEqual(0, status)
            self.assertTrue(said.startswith(SUMS_ARE_CORRECT), said)
        books = storm.Books()
        with self.ours.serving() as ours, self.careful_peer.serving() as theirs:
            clients = storm.Storm([ours, theirs], books)
            clients.register_hosts()
            with clients:
                time.sleep(SECONDS)
        for _ in range(2):
            said = self.ours.run(MANAGE, "db", "unshare")
            self.assertEqual((0, f"{SUMS_ARE_CORRECT}\n"), said)
        print(books)
        # On PostgreSQL, openstack-placement does not repeat a transaction that was ended.
        self.assertEqual([], [each for each in books.failures if each.server == ours])
        self.assertEqual([], storm.faults(self.database, books))
        self.assertEqual(0, books.stale)

    def test_the_peer_does_not_claim_what_was_taken_while_it_counted(self):
        """If it fails, openstack-placement gives away what was claimed while it was counting."""
        host = str(uuid.uuid4())
        with self.careful_peer.serving() as url:
            client = cloud.Client(url)
            client.register(host, {"VCPU": 1})
            with (
                self.database.connection(engine.TransactionKind.WRITE) as conn,
                futures.ThreadPoolExecutor() as pool,
            ):
                _take_all(conn)
                late = pool.submit(client.claim, str(uuid.uuid4()), host, VCPU=1)
                self.wait_for_its_turn()
                conn.commit()
                self.assertNotEqual(204, late.result())
                self.assertEqual(1, conn.scalar(sa.select(sa.func.sum(tables.allocations.c.used))))

    def wait_for_its_turn(self):
        """Return when a claim has counted what is used, and waits to be stored."""
        deadline = time.monotonic() + storm.TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            with self.database.reader() as conn:
                if conn.scalar(sa.text(_WAITING[self.kind])):
                    return
            time.sleep(0.1)
        self.fail("nobody waits")

    def test_a_database_can_change_services_repeatedly(self):
        """If it fails, operators who try this service cannot go back, or cannot return to it."""
        host = str(uuid.uuid4())
        with self.peer.serving() as url:
            cloud.Client(url).register(host, {"VCPU": 8})
        for _ in range(2):
            self.take_over()
            with self.ours.serving() as url:
                self.assertEqual(204, cloud.Client(url).claim(str(uuid.uuid4()), host, VCPU=2))
            self.give_back()
            with self.peer.serving() as url:
                self.assertEqual(204, cloud.Client(url).claim(str(uuid.uuid4()), host, VCPU=2))
        self.take_over()
        with self.ours.serving() as url:
            self.assertEqual(409, cloud.Client(url).claim(str(uuid.uuid4()), host, VCPU=1))

    def test_a_database_of_ours_can_be_handed_to_the_other_service(self):
        """If it fails, openstack-placement's tools do not recognize the tables."""
        self.use_empty_database()
        host, consumer = str(uuid.uuid4()), str(uuid.uuid4())
        self.adopt()
        self.assertEqual(0, self.ours.run(MANAGE, "db", "share")[0])
        self.check_that_tools_agree()
        with self.ours.serving() as url, self.peer.serving() as theirs:
            cloud.Client(url).register(host, {"VCPU": 8})
            self.assertEqual(204, cloud.Client(url).claim(consumer, host, VCPU=8))
            self.assertEqual(409, cloud.Client(theirs).claim(str(uuid.uuid4()), host, VCPU=1))
        self.give_back()
        with self.peer.serving() as url:
            self.assertEqual(204, cloud.Client(url).release(consumer))
        self.take_over()
        with self.ours.serving() as url:
            self.assertEqual({host}, cloud.Client(url).hosts_for("VCPU:8"))

    def take_over(self):
        for _ in range(2):
            self.adopt()
        self.assertEqual(0, self.ours.run(STATUS, "upgrade", "check")[0])
        self.check_books()

    def give_back(self):
        self.check_books()
        for said in ("\nRemoved: ", "has added nothing"):
            exit_status, output = self.ours.run(MANAGE, "db", "release")
            self.assertEqual(0, exit_status, output)
            self.assertIn(said, output)
        self.check_that_tools_agree()

    def check_that_tools_agree(self):
        """Check that the tools of openstack-placement find nothing to do."""
        for _ in range(2):
            self.assertEqual(0, self.peer.run(MANAGE, "db", "sync")[0])
        self.assertEqual(0, self.peer.run(STATUS, "upgrade", "check")[0])


class OnMariaDB(Switching, testtools.TestCase):
    kind = "mysql"


class OnPostgreSQL(Switching, testtools.TestCase):
    kind = "postgresql"


def _take_all(conn):
    """Claim one VCPU of each provider, as any Placement would, in a transaction that stays open."""
    allocations, providers = tables.allocations, tables.resource_providers
    newcomer = sa.select(providers.c.id, *map(sa.literal, (str(uuid.uuid4()), 0, 1)))
    columns = ["resource_provider_id", "consumer_id", "resource_class_id", "used"]
    conn.execute(sa.insert(allocations).from_select(columns, newcomer))
    conn.execute(sa.update(providers).values(generation=providers.c.generation + 1))


def _comparable(answer):
    """Return what two answers have in common.

    The order of lists may differ. Last-Modified may be the time of the answer. The text of errors
    may differ.
    """
    if answer.status_code >= 400:
        [error] = answer.json()["errors"]
        return {"status": answer.status_code, "title": error["title"], "code": error.get("code")}
    headers = {name: answer.headers.get(name) for name in _HEADERS}
    headers["Last-Modified"] = "Last-Modified" in answer.headers
    body = _in_order(answer.json()) if answer.content else None
    return {"status": answer.status_code, "headers": headers, "body": body}


_HEADERS = ["Content-Type", "OpenStack-API-Version", "Vary", "Cache-Control"]


def _in_order(value):
    if isinstance(value, dict):
        return {name: _in_order(value[name]) for name in sorted(value)}
    if isinstance(value, list):
        return sorted(map(_in_order, value), key=repr)
    return value
