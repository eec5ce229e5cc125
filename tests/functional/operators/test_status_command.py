"""placement-manage status: what it shows, and its exit status."""

import datetime
import json
from unittest import mock

import sqlalchemy as sa
import testtools

from placement.cmd import display, manage
from placement.db import engine
from placement.db.derived_sums import triggers
from placement.db.engine.timeouts import Timeouts
from placement.db.records import last_audit
from placement.db.schema import migrate, our_additions
from tests import databases, fixtures
from tests.commands import Commands
from tests.functional.worlds import claim, provider, take


@databases.on_each_database
class StatusCommand(Commands):
    """If a test fails, an operator overlooks a problem, or looks for one that does not exist."""

    def setUp(self):
        super().setUp()
        self.use_database(self.url)
        with self.database.writer() as conn:
            self.host = provider(conn, "host", {"VCPU": 8})
        take(self.database, claim({self.host: {"VCPU": 6}}))
        # A database that is reused may lack the triggers, which this creates.
        migrate.upgrade(self.database)
        with self.database.connection(engine.TransactionKind.WRITE) as conn, conn.begin():
            last_audit.forget(conn)

    def status(self):
        exit_status, output, errors = self.run_command(manage, "status")
        self.assertEqual("", errors)
        return exit_status, output

    def spoil(self):
        with self.database.writer() as conn:
            conn.execute(sa.text("UPDATE inventories SET used = 5"))

    def test_one_screen_shows_that_all_is_well(self):
        exit_status, output = self.status()
        self.assertEqual(0, exit_status)
        self.assertLess(output.count("\n"), 24)
        self.assertNotIn("secret", output)
        for line in (
            r"Revision    \d{4}",
            r"Sharing     possible: ",
            r"Hosts       1",
            r"Ledger      the sums of all inventories are right",
            r"Last audit  none recorded; run 'placement-manage audit'",
            r"host      VCPU      6  .*  75         8",
        ):
            self.assertRegex(output, rf"\n  {line}")

    def test_the_ledger_is_green_on_a_terminal_and_red_if_a_sum_is_wrong(self):
        with mock.patch.object(display, "coloured", lambda text, colour: f"{colour}: {text}"):
            self.assertIn("green: the sums of all inventories are right", self.status()[1])
            self.spoil()
            self.assertIn("red: inventories with a wrong sum", self.status()[1])

    def test_an_audit_is_recorded_with_what_it_found(self):
        self.run_command(manage, "audit")
        self.spoil()
        self.run_command(manage, "audit")
        exit_status, output = self.status()
        self.assertEqual(1, exit_status)
        self.assertRegex(
            output, r"Last audit  \d{4}-\d\d-\d\d \d\d:\d\d UTC, just now: 1 faults, 0 facts\n"
        )
        self.assertIn("inventories with a wrong sum: 1; run 'placement-manage db sync'", output)
        document = json.loads(self.run_command(manage, "status", "--json")[1])
        self.assertEqual((1, 1), (document["wrong_inventories"], document["last_audit"]["faults"]))
        finished = datetime.datetime.fromisoformat(document["last_audit"]["finished_at"])
        age = datetime.datetime.now(datetime.UTC) - finished
        self.assertLess(abs(age.total_seconds()), 600)

    def test_triggers_that_are_missing_are_reported(self):
        with self.database.connection(engine.TransactionKind.WRITE) as conn, conn.begin():
            triggers.remove(conn)
        self.addCleanup(migrate.upgrade, self.database)
        self.assertIn("not possible: run 'placement-manage db share'", self.status()[1])

    def test_servers_that_are_connected_are_counted_by_host(self):
        timeouts = Timeouts(connect=5, statement=30, lock=10)
        server = engine.connect(self.url, timeouts=timeouts)
        self.addCleanup(server.engine.dispose)
        with server.reader():
            pass
        shown = r"unknown: SQLite " if self.kind == "sqlite" else r"\S+ \(1 connection\)"
        self.assertRegex(self.status()[1], rf"Servers     {shown}")

    def test_tables_that_are_not_migrated_need_an_action(self):
        our_additions.remove(self.database)
        self.addCleanup(migrate.upgrade, self.database)
        exit_status, output = self.status()
        self.assertEqual(1, exit_status)
        self.assertRegex(output, r"Revision  none\n  To do +The database \S+ has not been set")


class Service(testtools.TestCase):
    """GET /operator/service shows the last audit, too."""

    def test_the_last_audit_that_was_recorded_is_shown(self):
        service = self.useFixture(fixtures.Application())
        shown = service.ask("GET", "/operator/service", version="latest")
        self.assertIsNone(shown.json["last_audit"])
        last_audit.record(service.database, 1, 2)
        found = service.ask("GET", "/operator/service", version="latest").json["last_audit"]
        self.assertRegex(found.pop("finished_at"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual({"faults": 1, "facts": 2}, found)
