"""A proxy in front of MySQL or MariaDB gives a transaction a session that is not as we left it."""

import sqlalchemy as sa

from placement.db.engine.retries import retry_on_conflict
from placement.db.faults import outages
from tests import databases
from tests.functional.worlds import claim, provider, take

# What a session has lost, though the service has set it on its connection.
LOSSES = (
    "SET @placement_native = NULL",
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
)


@databases.on_each_database
class SharedSessions:
    def setUp(self):
        super().setUp()
        if self.kind != "mysql":
            self.skipTest("No transaction depends on the session before it.")
        # Other tests use the connections of this process, and would lose what these sessions lose.
        self.database = self.database.sibling()
        self.addCleanup(self.database.engine.dispose)
        with self.database.writer() as conn:
            self.host = provider(conn, "host", {"VCPU": 8})

    def lose_before_each_transaction(self, statement):
        def lose(dbapi_connection, *_):
            cursor = dbapi_connection.cursor()
            cursor.execute(statement)
            cursor.close()

        sa.event.listen(self.database.engine, "checkout", lose)
        self.addCleanup(sa.event.remove, self.database.engine, "checkout", lose)

    def claim(self):
        retry_on_conflict(lambda: take(self.database, claim({self.host: {"VCPU": 1}})), 1)()

    def test_a_claim_in_a_session_that_lost_its_settings_is_not_stored(self):
        for statement in LOSSES:
            database = self.database.sibling()
            self.addCleanup(database.engine.dispose)
            with database.writer() as conn:
                conn.exec_driver_sql(statement)
            made = claim({self.host: {"VCPU": 1}})
            self.assertRaises(outages.SessionChanged, take, database, made)
            # The connection is the same; from now on, its transactions set up their sessions.
            take(database, made)

    def test_claims_succeed_though_each_transaction_has_a_session_without_settings(self):
        for statement in LOSSES:
            self.lose_before_each_transaction(statement)
            self.claim()
            self.claim()
