"""Taking over a database of any release of openstack-placement."""

import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement.db import tables
from placement.db.schema import adoption, data_migrations, migrate, revisions
from placement.db.schema.errors import CannotMigrate, NotMigrated
from tests import databases
from tests.functional.schema import older_tables

CHANGES_OF_TABLES = ("ALTER", "CREATE", "DROP")


def described(database):
    """Return {table: its columns, indexes and constraints}, as the database itself sees them."""
    inspector = sa.inspect(database.engine)
    return {
        table: {
            "columns": [
                (column["name"], str(column["type"]), column["nullable"], column["default"])
                for column in inspector.get_columns(table)
            ],
            "primary key": inspector.get_pk_constraint(table),
            "foreign keys": by_name(inspector.get_foreign_keys(table)),
            "unique constraints": by_name(inspector.get_unique_constraints(table)),
            "indexes": by_name(inspector.get_indexes(table)),
        }
        for table in inspector.get_table_names()
        if table != "alembic_version"
    }


def by_name(constraints):
    return sorted(constraints, key=lambda constraint: (constraint["name"] or "", str(constraint)))


@databases.on_each_database
class Adoption:
    """If a test fails, an operator cannot take over a database, or cannot give it back."""

    def setUp(self):
        super().setUp()
        self.old = databases.create_for(self)

    def create(self, revision, **options):
        with self.old.writer() as conn:
            older_tables.create(conn, revision, **options)

    def execute(self, *statements):
        with self.old.writer() as conn:
            for statement in statements:
                conn.execute(sa.text(statement))

    def stamps(self):
        with self.old.reader() as conn:
            return sorted(conn.scalars(sa.text("SELECT version_num FROM alembic_version")))

    def assert_adopted(self):
        """Check that the tables are as in a new database, and all rows are kept and counted."""
        revisions.check(self.old)
        self.assertEqual(described(self.database), described(self.old))
        self.assertEqual([adoption.NEWEST], self.stamps())
        with self.old.reader() as conn:
            inventory = conn.execute(
                sa.select(tables.inventories.c.capacity, tables.inventories.c.used)
            ).one()
            self.assertEqual((28, 7), tuple(inventory))
            consumers = conn.execute(
                sa.select(tables.consumers.c.uuid, tables.consumers.c.consumer_type_id)
            )
            self.assertEqual({("a", None), ("b", None)}, {tuple(row) for row in consumers})

    def assert_refused(self, reason):
        """Check that nothing is changed, and that the service gives the same reason in one line."""
        before = described(self.old), self.stamps()
        for attempt in (migrate.upgrade, revisions.check):
            error = self.assertRaises(CannotMigrate, attempt, self.old)
            self.assertIn(reason, str(error))
            self.assertNotIn("\n", str(error))
        self.assertEqual(before, (described(self.old), self.stamps()))

    def assert_revision_is_adopted(self, revision):
        self.create(revision)
        self.assertRaises(NotMigrated, revisions.check, self.old)
        migrate.upgrade(self.old)
        self.assert_adopted()
        migrate.upgrade(self.old)
        self.assert_adopted()

    def test_tables_of_stein_are_adopted(self):
        self.assert_revision_is_adopted("b4ed3a175331")

    def test_tables_whose_providers_have_roots_are_adopted(self):
        self.assert_revision_is_adopted("611cd6dffd7b")

    def test_tables_of_train_are_adopted(self):
        self.assert_revision_is_adopted("b5c396305c25")

    def test_tables_with_consumer_types_are_adopted(self):
        self.assert_revision_is_adopted("422ece571366")

    def test_tables_of_the_newest_revision_are_adopted(self):
        self.assert_revision_is_adopted("a082b8bb98d0")

    def test_leftovers_of_old_releases_are_repaired_first(self):
        self.create("b4ed3a175331")
        self.execute(
            "UPDATE resource_providers SET root_provider_id = NULL WHERE uuid = 'p2'",
            "DELETE FROM consumers WHERE uuid = 'b'",
        )
        self.assert_refused("placement-manage db online_data_migrations")
        with self.old.writer() as conn:
            data_migrations.set_root_provider_ids(conn, 50)
        self.assert_refused("0 resource providers have no root, and 1 consumers have no record")
        with self.old.writer() as conn:
            data_migrations.create_incomplete_consumers(conn, 50, project="project", user="user")
        migrate.upgrade(self.old)
        self.assert_adopted()

    def test_tables_that_were_never_stamped_are_recognised_by_their_shape(self):
        # A copy of what nova had in its API database.
        self.create("b4ed3a175331")
        self.execute("DROP TABLE alembic_version")
        migrate.upgrade(self.old)
        self.assert_adopted()

    def test_tables_stamped_back_to_base_are_recognised_by_their_shape(self):
        self.create("422ece571366", stamps=())
        migrate.upgrade(self.old)
        self.assert_adopted()

    def test_a_column_that_no_revision_removed_is_kept(self):
        self.create("b4ed3a175331")
        self.execute("ALTER TABLE resource_providers ADD COLUMN can_host INTEGER")
        migrate.upgrade(self.old)
        columns = sa.inspect(self.old.engine).get_columns("resource_providers")
        self.assertIn("can_host", [column["name"] for column in columns])
        revisions.check(self.old)

    def test_a_revision_of_a_later_release_is_refused(self):
        self.create("a082b8bb98d0", stamps=["cafe00000001"])
        self.assert_refused("revision cafe00000001")

    def test_two_revisions_are_refused_until_one_is_chosen(self):
        self.create("a082b8bb98d0", stamps=["422ece571366", "a082b8bb98d0"])
        self.assert_refused("more than one revision: 422ece571366, a082b8bb98d0")
        migrate.stamp(self.old, "head")
        migrate.upgrade(self.old)
        self.assert_adopted()

    def test_tables_are_refused_when_some_are_missing(self):
        self.create("a082b8bb98d0")
        self.execute("DROP TABLE resource_provider_aggregates")
        self.assert_refused("Missing: resource_provider_aggregates")

    def test_a_table_of_another_program_is_refused(self):
        self.create("a082b8bb98d0")
        self.execute("DROP TABLE users", "CREATE TABLE users (login VARCHAR(8))")
        self.assert_refused("The table users in this database is not a table of Placement")

    def test_an_adoption_that_was_interrupted_anywhere_is_completed(self):
        self.create("b4ed3a175331")
        self.assertLess(8, self.upgrade_with_interruptions())
        self.assert_adopted()

    def test_a_creation_that_was_interrupted_anywhere_is_completed(self):
        self.assertLess(12, self.upgrade_with_interruptions())
        self.assertEqual(described(self.database), described(self.old))

    def upgrade_with_interruptions(self):
        """Migrate in as many attempts as there are changes of tables, and return how many.

        MariaDB keeps what earlier attempts changed. The other databases do not, so each attempt
        may change one more thing.
        """
        allowed = 1
        for attempts in range(100):
            if self.kind != "mysql":
                allowed = attempts
            if self.upgrade_until(allowed):
                return attempts
        raise AssertionError("the changes have no end")

    def upgrade_until(self, allowed):
        """Migrate, but stop after this many changes of tables. Return whether that was all."""
        changes = []

        def interrupt(conn, cursor, statement, parameters, context, executemany):
            if statement.strip().startswith(CHANGES_OF_TABLES):
                changes.append(statement)
                if len(changes) > allowed:
                    raise RuntimeError("the process ends here")

        sa.event.listen(self.old.engine, "before_cursor_execute", interrupt)
        try:
            migrate.upgrade(self.old)
        except (RuntimeError, db_exc.DBError) as error:
            self.assertIn("the process ends here", str(error))
            return False
        finally:
            sa.event.remove(self.old.engine, "before_cursor_execute", interrupt)
        return True


@databases.on_each_database
class Stamps:
    """If a test fails, openstack-placement's commands refuse a database that it got back."""

    def assert_stamped(self, name, *expected):
        migrate.stamp(self.database, name)
        with self.database.reader() as conn:
            found = conn.scalars(sa.text("SELECT version_num FROM alembic_version")).all()
        self.assertEqual([*expected], found)

    def setUp(self):
        super().setUp()
        self.addCleanup(self.restore)

    def restore(self):
        with self.database.writer() as conn:
            conn.execute(sa.text("DELETE FROM alembic_version"))
        migrate.stamp(self.database, "head")

    def test_a_database_of_ours_has_the_newest_revision_of_the_peer(self):
        with self.database.reader() as conn:
            found = conn.scalars(sa.text("SELECT version_num FROM alembic_version")).all()
        self.assertEqual(["a082b8bb98d0"], found)

    def test_a_revision_may_be_named_as_in_the_tools_of_the_peer(self):
        self.assert_stamped("head", "a082b8bb98d0")
        self.assert_stamped("b4ed3a175331", "b4ed3a175331")
        self.assert_stamped("422", "422ece571366")
        self.assert_stamped("base")
        self.assert_stamped("head", "a082b8bb98d0")
        revisions.check(self.database)

    def test_a_stamp_that_names_no_revision_is_refused(self):
        for name in ("", "b", "A082", "0002", "a082b8bb98d0a", "%"):
            error = self.assertRaises(CannotMigrate, migrate.stamp, self.database, name)
            self.assertIn(f"no revision {name!r}", str(error))

    def test_an_unknown_revision_is_not_overwritten(self):
        self.assert_stamped("head", "a082b8bb98d0")
        with self.database.writer() as conn:
            conn.execute(sa.text("UPDATE alembic_version SET version_num = 'cafe00000001'"))
        error = self.assertRaises(CannotMigrate, migrate.stamp, self.database, "head")
        self.assertIn("cafe00000001", str(error))
