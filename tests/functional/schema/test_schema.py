"""Migrating and synchronising databases, even when many processes do so at once."""

import os
import sqlite3
import subprocess
import sys
import threading
from importlib import resources

import fixtures as base_fixtures
import os_traits
import sqlalchemy as sa
import testtools
from alembic import script

from placement.db import engine, tables
from placement.db.derived_sums import recount
from placement.db.schema import migrate, migration_lock, our_additions, revisions, standard_names
from placement.db.schema.errors import CannotMigrate, NotMigrated
from placement.tests.fixtures import new_sqlite_file
from tests import databases

# What a worker does when it starts, in its own process.
START = """
import sys
from placement.db import engine
from placement.db.schema import migrate, standard_names
database = engine.connect(sys.argv[1])
migrate.upgrade(database)
standard_names.synchronise(database)
"""
# What a process does when it starts and finds the right tables.
CHECK = """
import sys
from placement.db import engine
from placement.db.schema import revisions
revisions.check(engine.connect(sys.argv[1]))
print("alembic" in sys.modules)
"""


def _length(type_):
    """Return how many characters a column of text holds; None for other columns."""
    return type_.length if isinstance(type_, sa.String) else None


@databases.on_each_database
class Migrations:
    """If a test fails, some deployments cannot start, or start on tables of another service."""

    def test_eight_processes_start_on_an_empty_database_at_once(self):
        url = databases.create(self.kind)
        processes = [
            subprocess.Popen([sys.executable, "-c", START, url], stderr=subprocess.PIPE, text=True)
            for _ in range(8)
        ]
        errors = [process.communicate(timeout=120)[1] for process in processes]
        self.assertEqual([0] * 8, [process.returncode for process in processes], "\n".join(errors))
        database = engine.connect(url)
        self.addCleanup(database.engine.dispose)
        with database.reader() as conn:
            names = conn.scalars(sa.select(tables.traits.c.name)).all()
        self.assertEqual(len(set(names)), len(names))
        self.assertIn("HW_CPU_X86_AVX2", names)

    def test_one_connection_is_enough_for_every_change_of_the_tables(self):
        """If it fails, a service with max_pool_size 1 waits for itself when it starts."""
        database = engine.connect(
            databases.create(self.kind), max_pool_size=1, max_overflow=0, pool_timeout=1
        )
        self.addCleanup(database.engine.dispose)
        migrate.upgrade(database)
        migrate.share(database)
        migrate.stamp(database, "head")
        with migration_lock.held(database):
            recount.correct_all(database)
        standard_names.synchronise(database)
        our_additions.remove(database)
        self.assertIsNone(revisions.of(database))

    def test_a_process_waits_for_another_that_changes_the_tables_but_not_forever(self):
        if self.kind == "sqlite":
            self.skipTest("There, a transaction that writes keeps all others out")
        self.patch(migration_lock, "SECONDS", 1)
        with migration_lock.held(self.database):
            error = self.assertRaises(CannotMigrate, self.hold_the_lock)
        self.assertIn("for more than ", str(error))
        self.hold_the_lock()

    def hold_the_lock(self):
        with migration_lock.held(self.database):
            pass

    def test_the_migrated_tables_are_the_declared_ones(self):
        inspector = sa.inspect(self.database.engine)
        for table in (*tables.metadata.sorted_tables, *tables.our_metadata.sorted_tables):
            self.assertEqual(
                {(c.name, c.nullable, _length(c.type)) for c in table.columns},
                {
                    (column["name"], column["nullable"], _length(column["type"]))
                    for column in inspector.get_columns(table.name)
                },
                table.name,
            )
            self.assertEqual(
                {index.name for index in table.indexes},
                {
                    index["name"]
                    for index in inspector.get_indexes(table.name)
                    if not index["unique"]
                    # MariaDB makes indexes of its own for foreign keys.
                    and index["name"] not in table.columns
                },
                table.name,
            )

    def test_vcpu_has_the_id_zero(self):
        with self.database.reader() as conn:
            query = sa.select(tables.resource_classes.c.id).where(
                tables.resource_classes.c.name == "VCPU"
            )
            self.assertEqual(0, conn.scalar(query))

    def test_standard_traits_are_created_in_the_order_of_their_names(self):
        """If it fails, answers that list traits by id differ from one database to the next."""
        database = databases.create_for(self)
        migrate.upgrade(database)
        standard_names.synchronise(database)
        with database.reader() as conn:
            names = conn.scalars(sa.select(tables.traits.c.name).order_by(tables.traits.c.id)).all()
        self.assertEqual(sorted(os_traits.get_traits()), names)

    def test_db_sync_of_a_current_database_changes_nothing(self):
        count = sa.select(sa.func.count()).select_from(tables.traits)
        with self.database.reader() as conn:
            before = conn.scalar(count)
        standard_names.synchronise(self.database)
        with self.database.reader() as conn:
            self.assertEqual(before, conn.scalar(count))

    def test_db_sync_adds_vcpu_without_changing_the_session(self):
        """If it fails, later inserts on the connection store a 0 as an id."""
        if self.kind != "mysql":
            self.skipTest("only MySQL takes a 0 for the next free number")
        database = engine.connect(self.url, max_pool_size=1, max_overflow=0)
        self.addCleanup(database.engine.dispose)
        classes = tables.resource_classes
        with database.writer() as conn:
            conn.execute(sa.delete(classes).where(classes.c.name == "VCPU"))
            before = conn.exec_driver_sql("SELECT @@SESSION.sql_mode").scalar()
        standard_names.synchronise(database)
        with database.reader() as conn:
            after = conn.exec_driver_sql("SELECT @@SESSION.sql_mode").scalar()
            vcpu = conn.scalar(sa.select(classes.c.id).where(classes.c.name == "VCPU"))
        self.assertEqual((before, 0), (after, vcpu))

    def test_db_version_is_the_newest_after_db_sync(self):
        self.assertEqual(revisions.known()[-1], revisions.of(self.database))

    def test_the_tables_of_another_program_are_refused(self):
        database = databases.create_for(self)
        with database.writer() as conn:
            conn.execute(sa.text("CREATE TABLE resource_providers (id INTEGER)"))
        error = self.assertRaises(CannotMigrate, migrate.upgrade, database)
        self.assertIn("resource_providers in this database is not a table of Placement", str(error))

    def test_a_database_without_tables_has_no_version(self):
        database = databases.create_for(self)
        self.assertIsNone(revisions.of(database))
        error = self.assertRaises(NotMigrated, revisions.check, database)
        self.assertIn("placement-manage db sync", str(error))

    def test_older_tables_are_refused_and_newer_ones_are_not(self):
        # In a rolling upgrade the database is ahead of the processes, never behind.
        revisions.check(self.database)
        self.assertRaises(NotMigrated, revisions.check, self.database_at("0001"))
        revisions.check(self.database_at("9999"))

    def test_tables_of_a_later_release_stay_as_they_are(self):
        """If it fails, a container of the old release cannot start beside an upgraded one."""
        database = self.database_at("9999")
        before = sa.inspect(database.engine).get_table_names()
        logged = self.useFixture(base_fixtures.FakeLogger())
        self.assertEqual(0, migrate.upgrade(database))
        self.assertIn("at revision 9999, of a later release", logged.output)
        for change in (migrate.share, our_additions.remove):
            error = self.assertRaises(CannotMigrate, change, database)
            self.assertIn("of a later release. Use its placement-manage.", str(error))
        self.assertEqual(before, sa.inspect(database.engine).get_table_names())

    def database_at(self, revision):
        database = databases.create_for(self)
        columns = [sa.Column("version_num", sa.Text)]
        versions = sa.Table(revisions.VERSION_TABLE, sa.MetaData(), *columns)
        with database.writer() as conn:
            versions.drop(conn, checkfirst=True)
            versions.create(conn)
            conn.execute(sa.insert(versions), {"version_num": revision})
        return database


class Revisions(testtools.TestCase):
    """If a test fails, a service starts on tables that are too old, or needs more memory."""

    def test_the_known_revisions_are_those_of_the_scripts(self):
        scripts = script.ScriptDirectory(str(resources.files("placement.db") / "migrations"))
        found = [each.revision for each in scripts.walk_revisions()]
        self.assertEqual(found[::-1], revisions.known())

    def test_checking_the_revision_does_not_load_alembic(self):
        url = new_sqlite_file(self.useFixture(base_fixtures.TempDir()).path)
        command = [sys.executable, "-c", CHECK, url]
        self.assertEqual("False\n", subprocess.check_output(command, text=True))


class WriteAheadLog(testtools.TestCase):
    def test_switching_a_locked_file_to_the_write_ahead_log_is_retried(self):
        file = os.path.join(self.useFixture(base_fixtures.TempDir()).path, "placement.db")
        database = engine.connect(f"sqlite:///{file}")
        self.addCleanup(database.engine.dispose)
        database.engine.dispose()
        # SQLite itself does not wait, either, when that would be a deadlock.
        sa.event.listen(
            database.engine, "connect", lambda conn, _: conn.execute("PRAGMA busy_timeout = 0")
        )
        other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self.addCleanup(other.close)
        other.execute("BEGIN EXCLUSIVE")
        ends = threading.Timer(0.3, other.rollback)
        ends.start()
        self.addCleanup(ends.join)
        migrate.upgrade(database)
        with database.reader() as conn:
            self.assertEqual("wal", conn.exec_driver_sql("PRAGMA journal_mode").scalar())
