"""The derived sums, when other programs write to the database: with triggers, and without."""

import concurrent.futures
import contextlib
import functools
import math
import os
import subprocess
import sys
import time
import uuid
from unittest import mock

import fixtures
import hypothesis
import sqlalchemy as sa
import webob
from hypothesis import strategies as st
from oslo_db import exception as db_exc

from placement import deploy, exception
from placement.db import engine, generations, tables
from placement.db.derived_sums import recount, triggers
from placement.db.faults import outages
from placement.db.schema import adoption, foreign_writes, migrate, our_additions, revisions
from placement.db.schema.errors import CannotMigrate
from placement.objects import inventory, resource_provider, usage
from tests import databases, properties
from tests.fixtures import configuration
from tests.functional.worlds import claim, provider, set_inventories, take

# What a pooler's session may have lost before its next transaction begins.
RESET = {
    "sqlite": "SELECT 1",
    "mysql": "SET @placement_native = NULL",
    "postgresql": "DISCARD ALL",
}


def ask(application, path):
    """Return the answer to an administrator's GET."""
    headers = {"X-Auth-Token": "admin", "Accept": "application/json"}
    return webob.Request.blank(path, headers=headers).get_response(application)


class OthersWrite:
    """A host that this service created, and a connection like that of another Placement."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.host = provider(conn, "host", {"VCPU": 8, "MEMORY_MB": 1024})
        self.others = sa.create_engine(self.url)
        self.addCleanup(self.others.dispose)

    def by_others(self, statement, **parameters):
        with self.others.begin() as conn:
            conn.execute(sa.text(statement), parameters)

    def others_claim(self, amount, consumer="x", class_id=0, generations=0):
        self.by_others(
            "INSERT INTO allocations (resource_provider_id, resource_class_id, consumer_id, used)"
            " VALUES (:host, :class_id, :consumer, :amount)",
            host=self.host.id,
            class_id=class_id,
            consumer=consumer,
            amount=amount,
        )
        self.others_advance(generations)

    def others_advance(self, generations):
        if generations:
            self.by_others(
                "UPDATE resource_providers SET generation = generation + :n WHERE id = :host",
                n=generations,
                host=self.host.id,
            )

    def others_make_inventory(self, class_id, total, reserved=0, ratio=1.0):
        self.by_others(
            "INSERT INTO inventories (resource_provider_id, resource_class_id, total, reserved,"
            " min_unit, max_unit, step_size, allocation_ratio)"
            " VALUES (:host, :class_id, :total, :reserved, 1, 100, 1, :ratio)",
            host=self.host.id,
            class_id=class_id,
            total=total,
            reserved=reserved,
            ratio=ratio,
        )

    def read_host(self, conn):
        return resource_provider.get(conn, self.host.uuid)

    def claim(self, amount, **options):
        made = claim({self.host: {"VCPU": amount}}, **options)
        # Like a request, this has a second attempt, for which a session that lacks our settings
        # gets them.
        engine.retry_on_conflict(take, retries=1)(self.database, made)
        return made

    def used(self):
        with self.database.reader() as conn:
            return dict(usage.of_provider(conn, self.host.uuid).rows)["VCPU"]

    def capacity(self, class_id):
        return self.value_of(tables.inventories.c.capacity, class_id)

    def headroom(self, class_id):
        return self.value_of(tables.inventories.c.headroom, class_id)

    def value_of(self, column, class_id):
        with self.database.reader() as conn:
            return conn.scalar(
                sa.select(column).where(
                    tables.inventories.c.resource_provider_id == self.host.id,
                    tables.inventories.c.resource_class_id == class_id,
                )
            )

    def assert_right(self):
        with self.database.reader() as conn:
            self.assertEqual([], recount.find_wrong(conn))


@databases.on_each_database
class Triggers(OthersWrite):
    """If a test fails, a shared host is promised twice, or never filled."""

    def test_claims_and_releases_of_others_are_counted(self):
        self.others_claim(3)
        self.others_claim(2, consumer="y")
        self.assertEqual(5, self.used())
        self.assertRaises(exception.CapacityExceeded, self.claim, 4)
        self.claim(3)
        self.by_others("UPDATE allocations SET used = 1 WHERE consumer_id = 'x'")
        self.assertEqual(6, self.used())
        self.by_others("DELETE FROM allocations WHERE consumer_id IN ('x', 'y')")
        self.assertEqual(3, self.used())
        self.assert_right()

    def test_the_headroom_follows_writes_of_others(self):
        self.others_make_inventory(2, total=50)
        self.assertEqual(50, self.headroom(2))
        self.others_claim(3, class_id=2)
        self.assertEqual(47, self.headroom(2))
        self.others_claim(48, consumer="y", class_id=2)
        for change, headroom in (
            ("reserved = 10", 0),
            ("total = 1000", 100),
            ("allocation_ratio = 1e30", 100),
            ("max_unit = 2147483647", 2147483647),
            ("allocation_ratio = -1e30", 0),
        ):
            self.by_others(f"UPDATE inventories SET {change} WHERE resource_class_id = 2")  # noqa: S608
            self.assertEqual(headroom, self.headroom(2), change)

    def test_a_moved_allocation_is_counted_on_its_new_provider(self):
        with self.database.writer() as conn:
            other = provider(conn, "other", {"VCPU": 8})
        self.others_claim(3)
        self.by_others("UPDATE allocations SET resource_provider_id = :id", id=other.id)
        self.assertEqual(0, self.used())
        self.assert_right()

    def test_inventories_that_others_wrote_can_be_claimed(self):
        self.others_make_inventory(class_id=2, total=100, reserved=10, ratio=1.5)
        self.assertEqual(135, self.capacity(2))
        self.by_others("UPDATE inventories SET reserved = 20 WHERE resource_class_id = 2")
        self.assertEqual(120, self.capacity(2))
        take(self.database, claim({self.host: {"DISK_GB": 100}}))
        self.assert_right()

    def test_a_new_inventory_counts_older_allocations(self):
        self.others_claim(7, class_id=2)
        self.others_make_inventory(class_id=2, total=10)
        self.others_claim(5, class_id=3)
        with self.database.writer() as conn:
            host = self.read_host(conn)
            set_inventories(
                conn, host, {"VCPU": 8, "MEMORY_MB": 1024, "DISK_GB": 10, "PCI_DEVICE": 5}
            )
        self.assert_right()

    def test_our_own_requests_are_counted_once(self):
        made = self.claim(3)
        again = self.claim(2, consumer_uuid=made.consumer_uuid, generation=1)
        self.assertEqual(2, self.used())
        take(self.database, claim({}, consumer_uuid=again.consumer_uuid, generation=2))
        self.assertEqual(0, self.used())
        self.assert_right()

    def test_triggers_are_found_in_a_session_whose_state_was_reset(self):
        def reset(dbapi_connection, *_):
            # DISCARD ALL has to be outside of any transaction.
            dbapi_connection.rollback()
            if self.kind == "postgresql":
                dbapi_connection.autocommit = True
            cursor = dbapi_connection.cursor()
            cursor.execute(RESET[self.kind])
            cursor.close()
            if self.kind == "postgresql":
                dbapi_connection.autocommit = False

        # Other tests must not get the sessions that were reset.
        self.addCleanup(self.database.engine.dispose)
        sa.event.listen(self.database.engine, "checkout", reset)
        self.addCleanup(sa.event.remove, self.database.engine, "checkout", reset)
        self.test_our_own_requests_are_counted_once()

    def test_the_mark_of_our_own_writes_ends_with_the_transaction(self):
        # Otherwise the next client of a pooler would bypass the triggers.
        if self.kind != "postgresql":
            self.skipTest("MySQL keeps it with the session, SQLite needs nothing to remember.")
        self.claim(1)
        with self.database.writer() as conn:
            query = "SELECT current_setting('placement.native', true)"
            self.assertNotEqual("on", conn.exec_driver_sql(query).scalar())

    def test_claims_of_ours_need_no_more_statements_after_those_of_others(self):
        self.claim(1)
        self.others_claim(1, generations=1)
        statements = databases.Statements(self.database)
        with statements:
            self.claim(1)
            self.assertEqual([4], [len(each) for each in statements.transactions])

    @properties.SETTINGS
    @hypothesis.given(
        total=st.integers(1, 2**31 - 1),
        reserved=st.integers(0, 2**31 - 1),
        ratio=st.one_of(
            st.sampled_from([0.7, 0.29, 1.1, 16.0, 1.3333333333, 3.40282e38]),
            st.floats(0.001, 1000),
            st.floats(1e-30, 3e38),
        ),
    )
    def test_triggers_compute_the_same_capacity_as_python(self, total, reserved, ratio):
        self.by_others("DELETE FROM inventories WHERE resource_class_id > 1")
        self.others_make_inventory(2, total, reserved, ratio)
        written = inventory.Inventory.from_request(
            "PCI_DEVICE", {"total": total, "reserved": reserved, "allocation_ratio": ratio}
        )
        with self.database.writer() as conn:
            values = written.columns(conn) | {"resource_provider_id": self.host.id}
            conn.execute(sa.insert(tables.inventories), values | {"resource_class_id": 3})
        self.assert_right()
        with self.database.reader() as conn:
            rows = conn.execute(
                sa.select(tables.inventories).where(tables.inventories.c.resource_class_id > 1)
            ).all()
        bound = 2**63 - 1
        for row in rows:
            exact = math.trunc((row.total - row.reserved) * row.allocation_ratio)
            self.assertEqual(max(-bound, min(exact, bound)), row.capacity)

    def test_no_usage_is_lost_when_the_peer_and_we_write_at_once(self):
        def others(number):
            consumer = str(number)
            with contextlib.suppress(sa.exc.DBAPIError):  # a deadlock, or a file that is locked
                self.others_claim(1, consumer=consumer)
                if number % 2:
                    self.by_others("DELETE FROM allocations WHERE consumer_id = :c", c=consumer)

        def ours(number):
            made = engine.retry_on_conflict(self.claim, 20)(1, consumer_uuid=str(uuid.uuid4()))
            if number % 2:
                empty = claim({}, consumer_uuid=made.consumer_uuid, generation=1)
                engine.retry_on_conflict(take, 20)(self.database, empty)

        with self.database.writer() as conn:
            set_inventories(conn, self.read_host(conn), {"VCPU": 1000})
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            futures = [
                pool.submit(write, number) for number in range(60) for write in (ours, others)
            ]
            for future in futures:
                future.result()
        self.assertGreaterEqual(self.used(), 30)
        self.assert_right()

    def test_installing_the_triggers_again_counts_earlier_writes(self):
        self.addCleanup(migrate.share, self.database)
        with self.database.writer() as conn:
            triggers.remove(conn)
            self.assertFalse(triggers.are_present(conn))
        self.others_claim(3)
        self.assertEqual(0, self.used())
        self.assertEqual(1, migrate.share(self.database))
        self.assertEqual(3, self.used())
        self.assertEqual(0, migrate.share(self.database))

    def test_triggers_are_found_while_another_database_is_being_dropped(self):
        if self.kind != "mysql":
            self.skipTest("Only MySQL lists the tables of all databases in one place.")
        with contextlib.ExitStack() as stack:
            neighbour = sa.create_engine(databases.create(self.kind))
            stack.callback(neighbour.dispose)
            with neighbour.begin() as conn:
                conn.execute(sa.text("CREATE TABLE a (id INT)"))
                conn.execute(sa.text("CREATE TABLE b (id INT)"))
            pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(2))
            reader = stack.enter_context(neighbour.connect())
            reader.execute(sa.text("SELECT * FROM b"))
            # This locks table a, and waits for the reader of table b.
            dropped = pool.submit(self.drop_tables, neighbour)
            self.wait_for_the_lock(neighbour.url.database)
            self.assertTrue(pool.submit(self.are_present).result(timeout=5))
            self.assertFalse(dropped.done())

    def drop_tables(self, neighbour):
        with neighbour.begin() as conn:
            conn.execute(sa.text("DROP TABLE a, b"))

    def wait_for_the_lock(self, database_name):
        waiting = sa.text(
            "SELECT 1 FROM information_schema.processlist"
            " WHERE db = :name AND state = 'Waiting for table metadata lock'"
        )
        for _ in range(100):
            with self.others.connect() as conn:
                if conn.scalar(waiting, {"name": database_name}):
                    return
            time.sleep(0.1)
        self.fail("Nothing waits for the lock.")

    def are_present(self):
        with self.database.reader() as conn:
            return triggers.are_present(conn)


@databases.on_each_database
class WithoutTriggers(OthersWrite):
    """If a test fails, an account that may not create triggers leads to wrong answers."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            triggers.remove(conn)
        self.addCleanup(migrate.share, self.database)

    def test_a_claim_notices_what_others_have_claimed(self):
        self.others_claim(6, generations=1)
        self.assertRaises(exception.CapacityExceeded, self.claim, 3)
        self.claim(2)
        self.assertEqual(8, self.used())
        self.assert_right()

    def test_a_claim_is_refused_only_after_counting_what_others_released(self):
        self.others_claim(6, generations=1)
        self.claim(2)
        self.by_others("DELETE FROM allocations WHERE consumer_id = 'x'")
        self.claim(6)
        self.assert_right()

    def test_a_claim_finds_room_on_an_inventory_of_others(self):
        self.others_make_inventory(class_id=2, total=100)
        self.others_advance(1)
        take(self.database, claim({self.host: {"DISK_GB": 100}}))
        self.assert_right()

    def test_counting_foreign_writes_does_not_validate_a_stale_generation(self):
        """Foreign writes are counted, but a client that has not read them has to read again."""
        with self.database.reader() as conn:
            read = self.read_host(conn)
        self.others_claim(6, generations=1)
        with self.database.writer() as conn:
            advance = functools.partial(generations.advance, conn, read.id, read.uuid)
            self.assertFalse(advance(read.generation))
        with self.database.writer() as conn:
            self.assertEqual(read.generation + 1, self.read_host(conn).generation)

    def test_counting_foreign_writes_does_not_refuse_a_current_generation(self):
        self.others_claim(6, generations=1)
        with self.database.writer() as conn:
            read = self.read_host(conn)
            self.assertTrue(
                generations.advance(conn, read.id, read.uuid, read.generation)
            )
        with self.database.reader() as conn:
            self.assertEqual(read.generation + 1, self.read_host(conn).generation)

    def test_an_inventory_that_the_peer_has_allocated_from_is_not_removed(self):
        self.others_claim(6, generations=1)
        with self.database.writer() as conn:
            host = self.read_host(conn)
            self.assertRaises(exception.InventoryInUse, inventory.delete_all, conn, host)

    def test_only_the_first_claim_after_a_foreign_write_takes_four_more_statements(self):
        self.claim(1)
        self.others_claim(1, generations=1)
        statements = databases.Statements(self.database)
        with statements:
            self.claim(1)
            self.claim(1)
            self.assertEqual([9, 4], [len(each) for each in statements.transactions])

    def test_an_answer_counts_what_others_have_claimed(self):
        watched = foreign_writes.ForeignWrites(self.database)
        watched.begin()
        application = deploy.compose(configuration(), self.database, foreign_writes=watched)
        self.others_claim(3, generations=1)
        now = foreign_writes.time.monotonic() + foreign_writes.GENERATION_SECONDS
        with fixtures.MonkeyPatch("placement.db.schema.foreign_writes.time.monotonic", lambda: now):
            usages = ask(application, f"/resource_providers/{self.host.uuid}/usages")
        self.assertEqual(3, usages.json["usages"]["VCPU"])

    def test_a_database_that_cannot_be_recounted_is_unavailable(self):
        class Lost:
            def check(self):
                raise db_exc.DBConnectionError()

        application = deploy.compose(configuration(), self.database, foreign_writes=Lost())
        self.assertEqual(503, ask(application, "/resource_providers").status_int)
        self.assertEqual(200, ask(application, "/").status_int)

    def test_a_service_recounts_foreign_writes_when_it_starts(self):
        self.others_claim(3)
        logged = self.useFixture(fixtures.FakeLogger())
        foreign_writes.ForeignWrites(self.database).begin()
        self.assertEqual(3, self.used())
        self.assertIn("Inventories recounted: 1.", logged.output)
        self.assert_right()

    def test_writes_of_others_are_seen_within_a_second(self):
        watched = foreign_writes.ForeignWrites(self.database)
        watched.begin()
        self.others_claim(3, generations=1)
        watched.check()
        self.assertEqual(0, self.used())
        self.after(watched, foreign_writes.GENERATION_SECONDS)
        self.assertEqual(3, self.used())

    def test_deletes_of_others_are_seen_within_a_minute(self):
        self.others_claim(3)
        watched = foreign_writes.ForeignWrites(self.database)
        watched.begin()
        self.by_others("DELETE FROM allocations")
        self.after(watched, foreign_writes.GENERATION_SECONDS)
        self.assertEqual(3, self.used())
        self.after(watched, foreign_writes.SUM_SECONDS)
        self.assertEqual(0, self.used())

    def test_a_lost_connection_does_not_count_as_a_check_for_foreign_writes(self):
        self.others_claim(3)
        watched = foreign_writes.ForeignWrites(self.database)
        watched.begin()
        self.by_others("DELETE FROM allocations")
        correct_all = mock.Mock(side_effect=[outages.Lost("gone"), 0])
        with mock.patch.object(foreign_writes.recount, "correct_all", correct_all):
            self.after(watched, foreign_writes.SUM_SECONDS)
        self.assertEqual(2, correct_all.call_count)
        down = mock.Mock(side_effect=db_exc.DBConnectionError())
        with mock.patch.object(foreign_writes.recount, "correct_all", down):
            later = functools.partial(self.after, watched, 2 * foreign_writes.SUM_SECONDS)
            self.assertRaises(db_exc.DBConnectionError, later)
        # The service checks again at once, not a minute later.
        self.after(watched, 2 * foreign_writes.SUM_SECONDS)
        self.assertEqual(0, self.used())

    def after(self, watched, seconds):
        """Check for foreign writes after some time has passed."""
        now = foreign_writes.time.monotonic() + seconds
        with fixtures.MonkeyPatch("placement.db.schema.foreign_writes.time.monotonic", lambda: now):
            watched.check()

    def test_no_check_for_foreign_writes_is_made_if_there_are_triggers(self):
        migrate.share(self.database)
        watched = foreign_writes.ForeignWrites(self.database)
        watched.begin()
        statements = databases.Statements(self.database)
        with statements:
            self.after(watched, foreign_writes.SUM_SECONDS)
            self.assertEqual([], statements.seen)


@databases.on_each_database
class Releasing(OthersWrite):
    """If a test fails, operators cannot go back to the other Placement, or return from it."""

    def setUp(self):
        super().setUp()
        self.addCleanup(self.take_back)

    def take_back(self):
        migrate.upgrade(self.database)
        self.by_others("DELETE FROM alembic_version")
        migrate.stamp(self.database, "head")

    def test_a_database_can_be_released_and_taken_over_again(self):
        for amount in (1, 2, 3):
            self.claim(amount)
            our_additions.remove(self.database)
            our_additions.remove(self.database)
            self.assertIsNone(revisions.of(self.database))
            inspector = sa.inspect(self.others)
            for table in ("inventories", "resource_providers"):
                ours = {"capacity", "used", "headroom", "counted_generation"}
                names = {column["name"] for column in inspector.get_columns(table)}
                self.assertEqual(set(), names & ours)
            self.others_claim(amount, consumer=str(amount))
            migrate.upgrade(self.database)
            self.assert_right()
            self.by_others("DELETE FROM allocations")
            self.assertEqual(0, self.used())

    def test_a_server_still_running_after_a_release_is_out_of_service(self):
        application = deploy.compose(configuration(), self.database)
        paths = ["/healthcheck", f"/resource_providers/{self.host.uuid}/usages"]
        self.assertEqual([200, 200], [ask(application, path).status_int for path in paths])
        our_additions.remove(self.database)
        self.assertEqual([503, 503], [ask(application, path).status_int for path in paths])
        self.assertRaises(outages.Outage, self.claim, 1)
        migrate.upgrade(self.database)
        self.assertEqual([200, 200], [ask(application, path).status_int for path in paths])
        self.claim(1)

    def test_a_refused_release_keeps_the_triggers(self):
        with self.database.writer() as conn:
            adoption.stamp(conn, "head")
        self.by_others("UPDATE alembic_version SET version_num = 'cafe00000001'")
        self.assertRaises(CannotMigrate, our_additions.remove, self.database)
        with self.database.reader() as conn:
            self.assertTrue(triggers.are_present(conn))

    def test_an_interrupted_release_can_be_undone(self):
        self.claim(1)
        our_additions.remove(self.database)
        migrate.upgrade(self.database)
        with self.database.writer() as conn:
            triggers.remove(conn)
            conn.exec_driver_sql(f"DROP TABLE {revisions.VERSION_TABLE}")
            tables.headroom_index.drop(conn)
            for name in ("headroom", "capacity"):
                conn.exec_driver_sql(f"ALTER TABLE inventories DROP COLUMN {name}")
        migrate.upgrade(self.database)
        self.assertEqual(1, self.used())
        self.assert_right()


# An account that may do all that a running service does, but not create triggers.
ACCOUNT = {
    "mysql": (
        "CREATE USER {name}@'%%' IDENTIFIED BY 'secret'",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON {database}.* TO {name}@'%%'",
    ),
    "postgresql": (
        "CREATE ROLE {name} LOGIN PASSWORD 'secret'",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {name}",
        "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {name}",
    ),
}
DROP_ACCOUNT = {
    "mysql": ("DROP USER {name}@'%%'",),
    "postgresql": ("DROP OWNED BY {name}", "DROP ROLE {name}"),
}
REVOKE_SELECT = {
    "mysql": ("REVOKE SELECT ON {database}.* FROM {name}@'%%'",),
    "postgresql": ("REVOKE SELECT ON ALL TABLES IN SCHEMA public FROM {name}",),
}
MAY_NOT_READ = {
    "mysql": r": SELECT command denied to user .*\. An administrator can grant the privilege; with",
    "postgresql": r": permission denied for table \w+\. Let this service use the account that",
}
RELEASE_REMEDY = {"mysql": "GRANT TRIGGER", "postgresql": "use the account that owns the tables"}
REMEDY = {"mysql": "@'%'", "postgresql": "GRANT TRIGGER ON allocations, inventories"}


@databases.on_each_database
class Rights(OthersWrite):
    """If a test fails, a service whose account has few rights does not work, or answers wrongly."""

    def setUp(self):
        super().setUp()
        if self.kind == "sqlite":
            self.skipTest("SQLite has no accounts.")
        with self.database.writer() as conn:
            triggers.remove(conn)
        self.addCleanup(migrate.share, self.database)
        name = f"books_{uuid.uuid4().hex[:16]}"
        url = sa.make_url(self.url)
        self.administer(ACCOUNT, name, url)
        self.addCleanup(self.administer, DROP_ACCOUNT, name, url)
        restricted = url.set(username=name, password="secret")
        self.restricted = engine.connect(restricted.render_as_string(hide_password=False))
        self.addCleanup(self.restricted.engine.dispose)

    def share_after_the_remedy(self):
        """Do what the refusal says, as an administrator, and share. Return the refusal's text."""
        error = self.assertRaises(triggers.NotPermitted, migrate.share, self.restricted)
        remedy = str(error).partition("can allow it: ")[2]
        for statement in remedy.split("; "):
            self.by_others(statement)
        # What MySQL grants on a database applies to new connections.
        self.restricted.engine.dispose()
        migrate.share(self.restricted)
        with self.database.reader() as conn:
            self.assertTrue(triggers.are_present(conn))
        return remedy

    def remove_triggers(self):
        with self.database.writer() as conn:
            triggers.remove(conn)

    def administer(self, statements, name, url):
        for statement in statements[self.kind]:
            self.by_others(statement.replace("%%", "%").format(name=name, database=url.database))

    def test_db_share_without_the_privilege_says_what_to_grant(self):
        error = self.assertRaises(triggers.NotPermitted, migrate.share, self.restricted)
        self.assertIn(REMEDY[self.kind], str(error))
        self.assertNotIn("secret", str(error))

    def test_the_grant_that_db_share_asks_for_is_enough(self):
        self.addCleanup(self.remove_triggers)
        self.share_after_the_remedy()
        self.others_claim(3)
        self.assertEqual(3, self.used())

    def test_a_server_with_a_binary_log_has_to_trust_the_account(self):
        """MySQL 8 reports error 1227 if its log is on, which is the default; others report 1419."""
        if self.kind != "mysql":
            self.skipTest("Only MySQL requires this.")
        driver = self.database.engine.dialect.loaded_dbapi
        execute = driver.cursors.Cursor.execute
        for code, reason in (
            (1227, "Access denied; you need (at least one of) the SUPER privilege(s)"),
            (1419, "You do not have the SUPER privilege and binary logging is enabled"),
        ):

            def refuse_triggers(cursor, query, args=None, error=(code, reason)):
                if query.startswith("CREATE TRIGGER"):
                    raise driver.OperationalError(*error)
                return execute(cursor, query, args)

            with fixtures.MockPatchObject(driver.cursors.Cursor, "execute", refuse_triggers):
                error = self.assertRaises(triggers.NotPermitted, migrate.share, self.database)
            self.assertIn("SET GLOBAL log_bin_trust_function_creators = 1", str(error))

    def test_sharing_with_functions_of_another_account_says_what_to_alter(self):
        if self.kind != "postgresql":
            self.skipTest("On MySQL the privilege is enough for the triggers of others, too.")
        migrate.share(self.database)
        self.by_others("ALTER TABLE allocations DISABLE TRIGGER placement_count_allocations")
        self.addCleanup(self.remove_triggers)
        self.assertIn("ALTER FUNCTION placement_count_allocations()", self.share_after_the_remedy())

    def test_an_account_that_may_not_change_tables_cannot_release_them(self):
        migrate.share(self.database)
        error = self.assertRaises(triggers.NotPermitted, our_additions.remove, self.restricted)
        self.assertIn(RELEASE_REMEDY[self.kind], str(error))
        with self.database.reader() as conn:
            self.assertTrue(triggers.are_present(conn))

    def test_an_account_that_may_not_read_is_told_so_by_commands_and_at_the_start(self):
        """If it fails, an operator gets a traceback, or advice for another database."""
        self.administer(REVOKE_SELECT, self.restricted.engine.url.username, sa.make_url(self.url))
        url = self.restricted.engine.url.render_as_string(hide_password=False)
        environment = os.environ | {
            "OS_PLACEMENT_DATABASE__CONNECTION": url,
            "OS_API__AUTH_STRATEGY": "noauth2",
        }
        for status, beginning, arguments in (
            (1, "placement-manage: ", ["-m", "placement.cmd.manage", "db", "version"]),
            (2, "placement-manage: ", ["-m", "placement.cmd.manage", "status"]),
            (3, "The service does not start: ", ["-c", "from placement.wsgi import api"]),
        ):
            ended = subprocess.run(
                [sys.executable, *arguments],
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            said = ended.stdout + ended.stderr
            self.assertEqual(status, ended.returncode, said)
            self.assertRegex(said, f"{beginning}An account lacks a privilege in")
            self.assertRegex(said, MAY_NOT_READ[self.kind])
            self.assertNotIn("Traceback", said)

    def test_a_privilege_lost_while_serving_is_503_and_the_log_says_how_to_grant_it_again(self):
        """If it fails, an operator is asked to report a bug, and reads a traceback."""
        application = deploy.compose(configuration(), self.restricted, "noauth2")
        self.assertEqual(200, ask(application, "/resource_providers").status_int)
        self.administer(REVOKE_SELECT, self.restricted.engine.url.username, sa.make_url(self.url))
        # What MySQL revokes on a database applies to new connections.
        self.restricted.engine.dispose()
        logged = self.useFixture(fixtures.FakeLogger())
        answer = ask(application, "/resource_providers")
        self.assertEqual(503, answer.status_int)
        self.assertIn("An account lacks a privilege in the database.", answer.text)
        self.assertRegex(logged.output, MAY_NOT_READ[self.kind])
        self.assertNotIn("Unexpected error", logged.output)

    def test_migrating_without_the_privilege_succeeds_with_correct_sums(self):
        self.others_claim(3)
        logged = self.useFixture(fixtures.FakeLogger())
        migrate.upgrade(self.restricted)
        self.assertIn(REMEDY[self.kind], logged.output)
        self.assert_right()

    def test_sums_are_correct_with_triggers_that_an_administrator_created(self):
        migrate.share(self.database)
        self.database, owner = self.restricted, self.database
        self.claim(3)
        self.assertEqual(3, self.used())
        self.database = owner
        self.others_claim(2)
        self.assertEqual(5, self.used())
        self.assert_right()
