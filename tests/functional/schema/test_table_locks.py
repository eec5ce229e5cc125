"""The tables are changed while another program uses them."""

import time
import unittest
from concurrent import futures

import sqlalchemy as sa
import testtools

from placement.db.derived_sums import triggers
from placement.db.schema import migrate, release
from tests import databases
from tests.functional.schema import older_tables

PATIENCE_SECONDS = 30
READ = sa.text("SELECT COUNT(*) FROM inventories")
# How many statements wait until a table may be changed.
WAITING = sa.text(
    "SELECT COUNT(*) FROM information_schema.processlist"
    " WHERE db = DATABASE() AND state LIKE 'Waiting for table metadata lock'"
)


@unittest.skipUnless("mysql" in databases.reachable(), "MySQL does not answer")
class TableLocks(testtools.TestCase):
    """If one fails, openstack-placement stands still when an operator takes over its database."""

    kind = "mysql"

    def setUp(self):
        super().setUp()
        self.old = databases.create_for(self)
        with self.old.writer() as conn:
            older_tables.create(conn, "a082b8bb98d0")

    def test_others_read_a_table_while_columns_of_it_have_to_wait(self):
        self.check_that_others_can_read(migrate.upgrade)
        migrate.check(self.old)

    def test_others_read_a_table_while_triggers_on_it_have_to_wait(self):
        migrate.upgrade(self.old)
        with self.old.writer() as conn:
            triggers.remove(conn)
        self.check_that_others_can_read(migrate.share)

    def test_others_read_a_table_while_what_was_added_has_to_wait(self):
        migrate.upgrade(self.old)
        self.check_that_others_can_read(release.release)
        with self.old.reader() as conn:
            self.assertEqual({}, release.additions(conn))

    def test_the_session_is_as_patient_as_before(self):
        """If it fails, the recount that follows gives up where others change tables."""
        migrate.upgrade(self.old)
        with self.old.connection("write") as conn:
            waits = sa.text("SELECT @@SESSION.lock_wait_timeout, @@GLOBAL.lock_wait_timeout")
            ours, usual = conn.execute(waits).one()
        self.assertEqual(usual, ours)

    def check_that_others_can_read(self, change):
        """Check it while a transaction that has read the table lets `change` wait."""
        with futures.ThreadPoolExecutor() as pool, self.old.connection("write") as conn:
            conn.execute(READ)
            changed = pool.submit(change, self.old)
            try:
                self.wait_for_the_change()
                self.assertEqual(1, pool.submit(self.read).result(PATIENCE_SECONDS))
                self.assertFalse(changed.done())
            finally:
                conn.rollback()
            changed.result(PATIENCE_SECONDS)

    def wait_for_the_change(self):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            with self.old.reader() as conn:
                if conn.scalar(WAITING):
                    return
            time.sleep(0.05)
        self.fail("nothing waits")

    def read(self):
        with self.old.reader() as conn:
            return conn.scalar(READ)
