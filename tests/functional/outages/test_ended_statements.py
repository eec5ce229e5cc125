"""Statements that MariaDB ended, and may have answered as if they had found nothing."""

import contextlib
import threading
import time

import sqlalchemy as sa

from placement.db import engine, tables, taking_capacity
from placement.db.engine.timeouts import Timeouts
from placement.db.faults import outages
from placement.db.sql import complete_rows
from placement.objects import resource_provider
from tests import databases
from tests.functional import worlds

# Takes long enough to be ended, and then ends early, without an error.
SOME_TIME = "BENCHMARK(1000000, MD5('x'))"
# Takes minutes.
MINUTES = "BENCHMARK(1000000000, MD5('x'))"
CONSUMER = "6f1c2b9e-4d3a-4c58-9e07-5b8a1d2f3c40"
VCPU_ID = 0
ALWAYS = sa.literal_column("1")

_of_thread = sa.text("SELECT info FROM information_schema.processlist WHERE id = :thread")


@databases.on_each_database
class EndedStatements:
    """If a test fails, something is lost, or seems to be, when an operator ends a statement."""

    def setUp(self):
        super().setUp()
        if not databases.is_mariadb(self.database):
            self.skipTest("the other databases report an error")

    @contextlib.contextmanager
    def ended(self, conn, word):
        """Context manager: end the first statement on the connection that contains a word."""
        thread = conn.exec_driver_sql("SELECT CONNECTION_ID()").scalar()
        killer = threading.Thread(target=self._end, args=(thread, word))
        killer.start()
        try:
            yield
        finally:
            killer.join()

    def _end(self, thread, word):
        with self.database.connection(engine.TransactionKind.SINGLE) as conn:
            deadline = time.monotonic() + 30
            while word not in (conn.scalar(_of_thread, {"thread": thread}) or ""):
                self.assertTrue(time.monotonic() < deadline, "the statement was not seen")
            conn.exec_driver_sql(f"KILL QUERY {thread}")

    def test_a_deletion_that_was_ended_is_made_or_reported(self):
        insert = sa.insert(tables.traits).values(name="CUSTOM_A")
        is_a = tables.traits.c.name == "CUSTOM_A"
        with self.database.writer() as conn:
            conn.execute(insert)
        deletion = sa.delete(tables.traits).where(is_a, sa.text(f"{SOME_TIME} = 0"))
        left = 0
        try:
            with self.database.writer() as conn, self.ended(conn, "BENCHMARK"):
                self.assertEqual(1, conn.execute(deletion).rowcount)
        except outages.Outage:
            # MariaDB 11.8 and later report that the statement was ended.
            left = 1
        with self.database.reader() as conn:
            found = conn.execute(sa.select(tables.traits.c.id).where(is_a)).all()
        self.assertEqual(left, len(found))

    def test_a_row_whose_subqueries_were_not_computed_is_refused(self):
        query = sa.select(
            sa.literal_column(SOME_TIME),
            sa.exists(sa.select(ALWAYS).select_from(tables.traits)),
            complete_rows.IS_COMPLETE,
        )
        with self.database.writer() as conn:
            self.assertEqual([[0, 1]], list(complete_rows.checked(conn.execute(query))))
            with self.ended(conn, "BENCHMARK"):
                found = conn.execute(query).all()
            self.assertEqual([(0, 0, None)], found)
            self.assertRaises(outages.Outage, list, complete_rows.checked(found))

    def test_a_statement_that_takes_as_long_as_the_limit_may_have_been_ended(self):
        timeouts = Timeouts(connect=2, statement=1, lock=1)
        database = engine.connect(self.url, timeouts=timeouts)
        self.addCleanup(database.engine.dispose)
        for transaction in (database.single_statement, database.reader):
            with self.assertRaises(outages.Outage) as raised, transaction() as conn:
                conn.exec_driver_sql(f"SELECT {MINUTES}")
            self.assertEqual(outages.Reason.SLOW, raised.exception.reason)

    def test_a_statement_that_finds_nothing_is_repeated(self):
        nothing = sa.select(tables.traits.c.id).where(tables.traits.c.name == "CUSTOM_A")
        something = sa.select(tables.traits.c.id)
        for transaction, query, sent in (
            (self.database.single_statement, nothing, 2),
            (self.database.single_statement, something, 1),
            (self.database.writer, nothing, 2),
            (self.database.writer, something, 1),
            # A search has many statements that find nothing.
            (self.database.reader, nothing, 1),
        ):
            with transaction() as conn:
                before = _count_of_selects(conn)
                conn.execute(query).all()
                self.assertEqual(sent, _count_of_selects(conn) - before)


@databases.on_each_database
class WritesThatReadWhatWasEnded:
    """If a test fails, a write decides by subqueries that were not computed."""

    def setUp(self):
        super().setUp()
        if not databases.is_mariadb(self.database):
            self.skipTest("the other databases report an error")
        with self.database.writer() as conn:
            self.provider = worlds.provider(conn, "cn1", {"VCPU": 8})
        worlds.take(self.database, self._claim(1))

    def test_a_provider_is_not_deleted(self):
        self._assert_outage(resource_provider.delete, self.provider.uuid)

    def test_what_a_provider_has_is_not_replaced(self):
        for replace, wanted in (
            (worlds.set_traits, []),
            (worlds.set_aggregates, []),
            (worlds.set_inventories, {}),
        ):
            self._assert_outage(replace, self.provider, wanted)

    def test_a_consumer_takes_nothing_else(self):
        with _subqueries_ended(self.database):
            self.assertRaises(outages.Outage, worlds.take, self.database, self._claim(2))

    def test_a_claim_is_not_refused_because_of_a_usage_that_was_not_summed(self):
        with (
            _subqueries_ended(self.database),
            self.assertRaises(outages.Outage),
            self.database.writer() as conn,
        ):
            taking_capacity.rooms(conn, [(self.provider.id, VCPU_ID)])

    def _claim(self, amount):
        return worlds.claim({self.provider: {"VCPU": amount}}, consumer_uuid=CONSUMER)

    def _assert_outage(self, write, *arguments):
        with (
            _subqueries_ended(self.database),
            self.assertRaises(outages.Outage),
            self.database.writer() as conn,
        ):
            write(conn, *arguments)


@contextlib.contextmanager
def _subqueries_ended(database):
    """Context manager: statements lack the value that shows that all subqueries ran."""
    text = str(complete_rows.IS_COMPLETE.element.compile(database.engine))

    def plant(_conn, _cursor, statement, parameters, _context, _executemany):
        return statement.replace(text, "NULL"), parameters

    sa.event.listen(database.engine, "before_cursor_execute", plant, retval=True)
    try:
        yield
    finally:
        sa.event.remove(database.engine, "before_cursor_execute", plant)


def _count_of_selects(conn):
    return int(conn.exec_driver_sql("SHOW SESSION STATUS LIKE 'Com_select'").one()[1])
