"""The connections of a process: none is lost permanently, whatever happens to the server."""

import contextlib
import itertools
import threading
import time
from concurrent import futures
from unittest import mock

import fixtures as base_fixtures
import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement import deploy
from placement.conf import connection
from placement.db import engine, tables
from placement.db.engine import trusted_connections
from placement.db.faults.outages import Reason
from tests import databases, fixtures
from tests.functional.outages.serving import FOREVER, OverANetwork

# More messages than any request costs.
MANY = 1000


@databases.on_each_database
class Pool(OverANetwork):
    def trust_connections(self):
        """Let a connection that has worked count as just used, however busy the machine is."""
        forever = base_fixtures.MockPatchObject(trusted_connections, "TRUST_SECONDS", FOREVER)
        self.useFixture(forever)

    def test_connections_lost_between_requests_fail_no_request(self):
        self.serve()
        for rested, request, status in [
            (0, self.read, 200),
            (0, self.write, 201),
            (trusted_connections.TRUST_SECONDS, self.read, 200),
            (trusted_connections.TRUST_SECONDS, self.write, 201),
        ]:
            with futures.ThreadPoolExecutor(4) as threads:
                list(threads.map(lambda _: self.read(), range(4)))
            self.disconnect_others()
            time.sleep(rested)
            self.assertEqual(status, request().status_int)

    def test_a_connection_lost_at_any_message_leaves_its_place_in_the_pool_free(self):
        """If it fails, the service has fewer connections after each restart of the database."""
        self.trust_connections()
        way, url = self.go_through_a_proxy()
        self.serve(
            url,
            placement_database__max_pool_size=1,
            placement_database__max_overflow=0,
            placement_database__pool_timeout=1,
        )
        for request, statuses in [
            (self.read_one_statement, {200}),
            (self.read, {200}),
            (self.read_report, {200}),
            # Nobody knows the outcome of a commit without an answer.
            (self.write, {201, 503}),
        ]:
            for messages in itertools.count(1):
                self.read()
                way.cut_after(messages)
                self.assertIn(request().status_int, statuses, (request, messages))
                self.assertEqual(0, self.served.engine.pool.checkedout(), (request, messages))
                if way.left is not None:
                    break
            way.left = None
            self.assertGreater(messages, 2)

    def test_a_first_connection_lost_at_any_message_is_an_outage(self):
        """If it fails, the answer is 500, because SQLAlchemy cannot invalidate this connection."""
        way, url = self.go_through_a_proxy()
        for messages in itertools.count(1):
            database = self.connect(url)
            way.cut_after(messages)
            with contextlib.suppress(db_exc.DBConnectionError), database.reader() as conn:
                conn.execute(sa.select(1))
            self.assertEqual(0, database.engine.pool.checkedout(), messages)
            if way.left is not None:
                break
        self.assertGreater(messages, 5)

    def test_a_start_survives_connections_lost_at_any_message(self):
        """If it fails, a restart of the database ends the processes that start meanwhile."""
        # Let each connection that is not new be pinged.
        self.useFixture(base_fixtures.MockPatchObject(trusted_connections, "TRUST_SECONDS", 1e-9))
        self.useFixture(base_fixtures.FakeLogger())
        way, url = self.go_through_a_proxy()
        options = {"connection": url, "max_retries": -1, "retry_interval": 0}
        configuration = fixtures.configuration(
            **{f"placement_database__{name}": value for name, value in options.items()}
        )
        for messages in itertools.count(1, 2):
            # The next connections are lost, too, while they are set up.
            way.cut_after(messages, 3, 3)
            database = connection.connect(configuration)
            deploy.start(configuration, database)
            if way.left is not None:
                break
        self.assertGreater(messages, 20)

    def test_a_replica_lost_at_any_message_fails_no_report(self):
        self.trust_connections()
        way, url = self.go_through_a_proxy()
        self.serve(placement_database__slave_connection=url)
        for messages in itertools.count(1):
            self.assertEqual(200, self.read_report().status_int)
            way.cut_after(messages)
            self.assertEqual(200, self.read_report().status_int, messages)
            if way.left is not None:
                break
        self.assertGreater(messages, 2)

    def test_a_connection_that_the_driver_has_closed_is_replaced(self):
        self.serve()
        for request in (self.read_one_statement, self.read, self.write):
            for _ in range(2):
                self.assertLess(request().status_int, 300)
                with self.served.connection(engine.TransactionKind.READ) as conn:
                    driver = conn.connection.dbapi_connection
                # The connection is lost while it is idle in the pool.
                driver.close()
        self.assertEqual(0, self.served.engine.pool.checkedout())

    def test_a_socket_that_the_driver_has_closed_is_a_lost_connection(self):
        """psycopg 3 reports this before its connection does. If it fails, the answer is 500."""
        self.trust_connections()
        self.serve()
        if self.served.engine.dialect.driver != "psycopg":
            self.skipTest("The driver is not psycopg.")
        self.read()
        error = self.served.engine.dialect.loaded_dbapi.OperationalError
        closed = itertools.chain([error("connection socket closed")], itertools.repeat(None))
        attempt = mock.Mock(side_effect=closed)
        sa.event.listen(self.served.engine, "do_execute", lambda *_: attempt())
        self.assertEqual(200, self.read().status_int)
        self.assertEqual(0, self.served.engine.pool.checkedout())

    def test_the_driver_has_prepared_nothing_however_often_it_was_asked(self):
        """If it fails, clients of a service behind a pooler get 500.

        psycopg 3 would name prepared statements that only another session has.
        """
        self.serve()
        if self.served.engine.dialect.name != "postgresql":
            self.skipTest("No driver for this database prepares by itself.")
        enough_to_be_prepared = 7
        with self.served.connection(engine.TransactionKind.READ) as conn:
            for _ in range(enough_to_be_prepared):
                conn.execute(sa.select(tables.traits.c.id)).all()
            prepared = conn.exec_driver_sql("SELECT name FROM pg_prepared_statements").all()
        self.assertEqual([], prepared)

    def test_on_postgresql_a_single_statement_costs_no_begin_and_no_rollback(self):
        self.serve()
        if self.served.engine.dialect.name != "postgresql":
            self.skipTest("The drivers for this database send no BEGIN by themselves.")

        def moments_of_transactions(connection):
            with connection as conn:
                return {conn.scalar(sa.select(sa.func.transaction_timestamp())) for _ in range(2)}

        self.assertEqual(1, len(moments_of_transactions(self.served.reader())))
        self.assertEqual(2, len(moments_of_transactions(self.served.single_statement())))

    def test_one_statement_is_one_message(self):
        self.trust_connections()
        way, url = self.go_through_a_proxy()
        self.serve(url)
        self.read_one_statement()
        way.cut_after(MANY)
        self.assertEqual(200, self.read_one_statement().status_int)
        # With MySQL, a ROLLBACK costs less than switching to autocommit.
        pairs = {"mysql": 2, "postgresql": 1}[self.kind]
        self.assertEqual(pairs * 2, MANY - way.left)

    def use_all_connections(self, **overrides):
        """Serve with two connections, and return both."""
        self.serve(
            placement_database__max_pool_size=1, placement_database__max_overflow=1, **overrides
        )
        kind = engine.TransactionKind.READ
        return [self.enterContext(self.served.connection(kind)) for _ in range(2)]

    def test_a_pool_that_refused_a_request_is_unhealthy_until_a_connection_is_put_back(self):
        """If it fails, a load balancer goes on sending requests to a server that serves none."""
        one, _other = self.use_all_connections(placement_database__pool_timeout=0)
        self.assertEqual(200, self.ask(path="/healthcheck").status_int)
        self.check_outage(Reason.BUSY, self.read, self.read)
        self.check_health(Reason.BUSY)
        self.check_health(Reason.BUSY)
        one.close()
        self.assertEqual(200, self.ask(path="/healthcheck").status_int)
        self.enterContext(self.served.connection(engine.TransactionKind.READ))
        # The connection is in use again, but nobody has had to wait for it.
        self.assertEqual(200, self.ask(path="/healthcheck").status_int)

    def test_a_wait_for_a_connection_is_not_an_outage(self):
        """If it fails, a short burst takes a server out of service."""
        one, _other = self.use_all_connections(placement_database__pool_timeout=FOREVER)
        began = threading.Event()

        @contextlib.contextmanager
        def track_inprogress():
            began.set()
            yield

        waiting = mock.Mock(track_inprogress=track_inprogress)
        self.served.count_connections(mock.Mock(), waiting)
        with futures.ThreadPoolExecutor(1) as threads:
            answer = threads.submit(self.read)
            began.wait(FOREVER)
            self.assertEqual(200, self.ask(path="/healthcheck").status_int)
            one.close()
            self.assertEqual(200, answer.result().status_int)

    def test_failed_attempts_to_connect_do_not_leave_the_pool_exhausted(self):
        way, url = self.go_through_a_proxy()
        self.serve(
            url,
            placement_database__max_pool_size=1,
            placement_database__max_overflow=0,
            placement_database__pool_timeout=0,
        )
        way.freeze()
        with futures.ThreadPoolExecutor(1) as threads:
            connecting = threads.submit(self.read)
            while not self.served.engine.pool.checkedout():
                time.sleep(0.01)
            self.assertEqual(503, self.read().status_int)
            self.assertTrue(self.served.is_exhausted)
            self.assertEqual(503, connecting.result().status_int)
        way.thaw()
        self.assertFalse(self.served.is_exhausted)

    def test_a_lost_connection_is_replaced_only_if_it_was_lost_before_the_commit(self):
        database, errors = self.connect(), []

        def go_on(statement):
            with database.writer() as conn:
                conn.exec_driver_sql("SELECT 1")
                self.disconnect_others()
                if statement:
                    conn.exec_driver_sql(statement)

        for statement in ("SELECT 2", None):
            # The connection worked a moment ago.
            with database.reader() as conn:
                conn.exec_driver_sql("SELECT 1")
            errors.append(self.assertRaises(db_exc.DBConnectionError, go_on, statement))
        self.assertEqual([True, False], [engine.can_be_repeated(error) for error in errors])

    def test_an_error_on_a_connection_that_works_is_not_a_lost_connection(self):
        self.trust_connections()
        self.serve()
        self.read()

        def add_a_taken_name():
            with self.served.writer() as conn:
                conn.execute(sa.insert(tables.traits), {"name": "HW_CPU_X86_VMX"})

        self.assertRaises(db_exc.DBDuplicateEntry, add_a_taken_name)

    def test_a_new_connection_that_is_lost_is_not_replaced(self):
        # What was sent may have crashed the server.
        def go_on():
            with self.connect().writer() as conn:
                self.disconnect_others()
                conn.exec_driver_sql("SELECT 1")

        error = self.assertRaises(db_exc.DBConnectionError, go_on)
        self.assertFalse(engine.can_be_repeated(error))

    def test_a_transaction_sends_only_its_own_messages(self):
        if self.kind != "mysql":
            self.skipTest("only MySQL counts the messages of a connection")
        database, counts = self.connect(), []
        status = "SHOW SESSION STATUS WHERE variable_name IN ('Com_admin_commands', 'Questions')"
        for _ in range(2):
            with database.writer() as conn:
                counts.append({name: int(count) for name, count in conn.exec_driver_sql(status)})
        # Between the two counts are two messages: the first query, which does not count itself, and
        # the commit.
        self.assertEqual(counts[0]["Questions"] + 2, counts[1]["Questions"])
        self.assertEqual(counts[0]["Com_admin_commands"], counts[1]["Com_admin_commands"])
