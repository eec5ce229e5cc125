"""The tables are changed while another program uses them."""

import time
from concurrent import futures

import sqlalchemy as sa

from placement.db.derived_sums import triggers
from placement.db.engine import TransactionKind
from placement.db.schema import migrate, our_additions, revisions
from tests import databases
from tests.functional.schema import older_tables

PATIENCE_SECONDS = 30
# Finds no row, but prevents changes of the table and of its triggers.
USE = sa.text("UPDATE inventories SET total = total WHERE id = -1")
# How many statements wait until a table may be changed.
WAITING = {
    "mysql": sa.text(
        "SELECT COUNT(*) FROM information_schema.processlist"
        " WHERE db = DATABASE() AND state LIKE 'Waiting for table metadata lock'"
    ),
    "postgresql": sa.text(
        "SELECT COUNT(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event = 'relation'"
    ),
}
# How long a statement that changes a table waits.
PATIENCE = {
    "mysql": sa.text("SELECT @@SESSION.lock_wait_timeout"),
    "postgresql": sa.text("SELECT current_setting('lock_timeout')"),
}


@databases.on_each_server
class TableLocks:
    """If a test fails, openstack-placement hangs while an operator takes over its database."""

    def setUp(self):
        super().setUp()
        self.old = databases.create_for(self)
        with self.old.writer() as conn:
            older_tables.create(conn, "a082b8bb98d0")

    def test_others_use_a_table_while_columns_of_it_have_to_wait(self):
        self.check_that_others_go_on(migrate.upgrade)
        revisions.check(self.old)

    def test_others_use_a_table_while_triggers_on_it_have_to_wait(self):
        migrate.upgrade(self.old)
        with self.old.writer() as conn:
            triggers.remove(conn)
        self.check_that_others_go_on(migrate.share)

    def test_others_use_a_table_while_our_additions_to_it_cannot_be_removed_yet(self):
        migrate.upgrade(self.old)
        self.check_that_others_go_on(our_additions.remove)
        with self.old.reader() as conn:
            self.assertEqual({}, our_additions.find(conn))

    def test_the_session_is_as_patient_as_before(self):
        """If it fails, the recount that follows gives up when others change tables."""
        before = self.patience()
        migrate.upgrade(self.old)
        self.assertEqual(before, self.patience())

    def patience(self):
        with self.old.connection(TransactionKind.WRITE) as conn:
            return conn.scalar(PATIENCE[self.kind])

    def check_that_others_go_on(self, change):
        """Check that others can use a table while `change` waits for a transaction that used it."""
        with (
            futures.ThreadPoolExecutor() as pool,
            self.old.connection(TransactionKind.WRITE) as conn,
        ):
            conn.execute(USE)
            changed = pool.submit(self.patiently, change)
            try:
                self.wait_for_the_change()
                pool.submit(self.use).result(PATIENCE_SECONDS)
                self.assertFalse(changed.done())
            finally:
                conn.rollback()
            changed.result(PATIENCE_SECONDS)

    def patiently(self, change):
        """Call `change` with sessions without time limits, as commands do."""
        with self.old.patient() as patient:
            change(patient)

    def wait_for_the_change(self):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            with self.old.reader() as conn:
                if conn.scalar(WAITING[self.kind]):
                    return
            time.sleep(0.05)
        self.fail("nothing waits")

    def use(self):
        with self.old.writer() as conn:
            conn.execute(USE)
