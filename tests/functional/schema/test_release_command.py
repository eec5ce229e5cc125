"""placement-manage db release: what it says, and when it refuses."""

import contextlib
import io
import time
from unittest import mock

import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement.cmd import manage
from placement.db import engine, tables
from placement.db.engine import connection_marks
from placement.db.engine.timeouts import Timeouts
from placement.db.records import last_audit
from placement.db.schema import migrate, revisions
from tests import databases
from tests.commands import Commands


class _Releasing(Commands):
    def setUp(self):
        super().setUp()
        self.use_database(self.url)
        self.end_other_servers()
        migrate.upgrade(self.database)
        self.addCleanup(migrate.upgrade, self.database)

    def end_other_servers(self):
        """End connections of earlier tests, some of which may be in the pool of this database."""
        for _ in range(100):
            with contextlib.suppress(db_exc.DBConnectionError), self.database.reader() as conn:
                if not connection_marks.connections_by_host(conn):
                    return
                databases.disconnect_others(conn)
            time.sleep(0.05)

    def release(self, *arguments):
        return self.run_command(manage, "db", "release", *arguments)


@databases.on_each_database
class ReleaseCommand(_Releasing):
    """If a test fails, an operator does not know what happens to the database."""

    def test_a_release_says_what_it_removes_and_what_it_removed(self):
        last_audit.record(self.database, faults=0, facts=0)
        exit_status, output, errors = self.release()
        self.assertEqual((0, ""), (exit_status, errors))
        self.assertIn("inventories.capacity", output)
        self.assertIn("placement_schema_version", output)
        self.assertIn("placement_last_audit", output)
        columns = len(tables.our_columns())
        removed = rf"\nRemoved: .*{columns} columns, 1 index.* Another Placement may "
        self.assertRegex(output, removed)
        again = (0, "This service has added nothing to the database.\n", "")
        self.assertEqual(again, self.release())

    def test_a_person_is_asked(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        for answer, exit_status in (("\n", 1), ("no\n", 1), ("y\n", 0)):
            with mock.patch("sys.stdin", Terminal(answer)):
                self.assertEqual(exit_status, self.release()[0])
        migrate.upgrade(self.database)
        with mock.patch("sys.stdin", Terminal("")):
            self.assertEqual(0, self.release("--yes")[0])


@databases.on_each_server
class ReleaseWhileServing(_Releasing):
    """If a test fails, an operator removes what a server of this service still needs."""

    def setUp(self):
        super().setUp()
        timeouts = Timeouts(connect=5, statement=30, lock=10)
        self.server = engine.connect(self.url, timeouts=timeouts)
        self.addCleanup(self.server.engine.dispose)

    def test_a_release_is_refused_while_servers_are_connected(self):
        # If they ran one after the other, they would use the same connection.
        with self.server.reader(), self.server.reader():
            pass
        exit_status, output, errors = self.release("--yes")
        self.assertEqual((1, ""), (exit_status, output))
        self.assertRegex(errors, r"connected to the database, from \S+ \(2 connections\)\. Stop ")
        self.assertIsNotNone(revisions.of(self.database))
        self.server.engine.dispose()
        self.assertEqual(0, self.release()[0])

    def test_a_release_can_be_forced_while_servers_are_connected(self):
        with self.server.reader():
            pass
        self.assertEqual(0, self.release("--even-if-serving")[0])

    def test_a_server_works_where_its_mark_is_refused(self):
        with (
            mock.patch.dict("placement.db.engine.connection_marks._SET", {self.kind: ["nonsense"]}),
            self.server.reader() as conn,
        ):
            self.assertEqual(1, conn.scalar(sa.text("SELECT 1")))
        self.assertEqual(0, self.release()[0])

    def test_the_name_that_an_operator_gave_to_connections_stays(self):
        if self.kind != "postgresql":
            self.skipTest("Only connections to PostgreSQL have names.")
        with self.server.reader() as conn:
            name = conn.scalar(sa.text("SHOW application_name"))
        self.assertEqual("placement-server", name)
        timeouts = Timeouts(connect=5, statement=30, lock=10)
        named = engine.connect(
            f"{self.url}?application_name=blue", timeouts=timeouts
        )
        self.addCleanup(named.engine.dispose)
        with named.reader() as conn:
            name = conn.scalar(sa.text("SHOW application_name"))
        self.assertEqual("blue placement-server", name)
