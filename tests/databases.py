"""An empty, migrated database of each kind, used by one test after another.

PLACEMENT_TEST_MYSQL and PLACEMENT_TEST_POSTGRESQL are URLs of servers on which databases may be
created. Each URL also chooses a driver. Without the variables, the usual local servers are tried. A
server that does not answer is skipped, unless PLACEMENT_TEST_REQUIRE_ALL is set. With
PLACEMENT_TEST_SQLITE_ONLY no server is tried.
"""

import atexit
import contextlib
import functools
import logging
import os
import sys
import tempfile
import uuid

import fixtures
import sqlalchemy as sa
import testtools
from oslo_db import exception as db_exc

from placement.db import engine, resource_classes, tables
from placement.db.engine.process_caches import ProcessCaches
from placement.db.engine.transaction_kinds import kind_of
from placement.db.records import last_audit
from placement.db.schema import migrate, standard_names
from placement.tests.fixtures import new_sqlite_file

SERVERS = {
    "mysql": os.environ.get("PLACEMENT_TEST_MYSQL", "mysql+pymysql://root@127.0.0.1:3306"),
    "postgresql": os.environ.get(
        "PLACEMENT_TEST_POSTGRESQL", "postgresql+psycopg2://postgres@127.0.0.1:5432"
    ),
}
REQUIRE_ALL = bool(os.environ.get("PLACEMENT_TEST_REQUIRE_ALL"))
SQLITE_ONLY = bool(os.environ.get("PLACEMENT_TEST_SQLITE_ONLY"))

_CREATE = {
    "mysql": "CREATE DATABASE {} CHARACTER SET utf8mb3",
    "postgresql": "CREATE DATABASE {}",
}
_DROP = {
    "mysql": "DROP DATABASE {}",
    "postgresql": "DROP DATABASE {} WITH (FORCE)",
}
# Selects, for each other connection to the database, a statement that ends the connection or its
# work.
_FOR_OTHERS = {
    "mysql": "SELECT CONCAT('{} ', id) FROM information_schema.processlist"
    " WHERE db = DATABASE() AND id <> CONNECTION_ID()",
    "postgresql": "SELECT 'SELECT {}(' || pid || ')' FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()",
}
# What connecting.py sends to begin a transaction.
_OF_BEGINNINGS = (
    *("BEGIN", "SET TRANSACTION", "SET SESSION", "START TRANSACTION", "SET @placement_native"),
)
DISCONNECT = {"mysql": "KILL", "postgresql": "pg_terminate_backend"}
END_STATEMENT = {"mysql": "KILL QUERY", "postgresql": "pg_cancel_backend"}


@functools.cache
def reachable():
    """Return the kinds of database that can be tested: "sqlite", and the servers that answer."""
    servers = () if SQLITE_ONLY else SERVERS
    return ("sqlite", *(kind for kind in servers if _answers(kind)))


def _answers(kind):
    try:
        with _administrator(kind).connect():
            return True
    except sa.exc.SQLAlchemyError:
        if REQUIRE_ALL:
            raise
        return False


@functools.cache
def _administrator(kind):
    return sa.create_engine(
        SERVERS[kind], isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": 3}
    )


class FreshDatabase(fixtures.Fixture):
    """A database of one kind with the standard classes and traits, and nothing else.

    SQLite: a copy of a migrated file. On a server: one database for this process, emptied
    for each test and dropped at the end.

    url       the URL of the database
    database  a placement.db.engine.Database
    log       a fixtures.FakeLogger with the warnings since its creation, which are attached to the
              test
    """

    def __init__(self, kind="sqlite"):
        super().__init__()
        self.kind = kind

    def _setUp(self):
        self.log = self.useFixture(warnings_as_detail())
        if self.kind == "sqlite":
            self.url = new_sqlite_file(self.useFixture(fixtures.TempDir()).path)
            # The data of a test need not survive a crash of the machine.
            self.database = engine.connect(self.url, sqlite_synchronous=False)
            self.addCleanup(self.database.engine.dispose)
        else:
            self.url, self.database = _on_server(self.kind)
            _empty(self.database)


def warnings_as_detail():
    """Return a FakeLogger that leaves the test's own handlers alone."""
    return fixtures.FakeLogger(level=logging.WARNING, nuke_handlers=False)


@functools.cache
def _on_server(kind):
    """Return (url, Database) of the migrated database that this process has on a server."""
    url = create(kind)
    database = engine.connect(url)
    atexit.register(database.engine.dispose)
    migrate.upgrade(database)
    standard_names.synchronise(database)
    return url, database


def create(kind):
    """Create a database without tables, which lasts as long as this process. Return its URL."""
    name = f"placement_test_{uuid.uuid4().hex}"
    if kind == "sqlite":
        return f"sqlite:///{_directory()}/{name}.db"
    _administer(kind, _CREATE[kind].format(name))
    atexit.register(_administer, kind, _DROP[kind].format(name))
    return f"{SERVERS[kind]}/{name}"


def create_for(test):
    """Return a Database without tables, of the kind that the TestCase `test` is for."""
    test.useFixture(warnings_as_detail())
    database = engine.connect(create(test.kind))
    test.addCleanup(database.engine.dispose)
    return database


@functools.cache
def _directory():
    """Return a directory for the SQLite files that this process makes."""
    directory = tempfile.TemporaryDirectory(prefix="placement-tests-")
    atexit.register(directory.cleanup)
    return directory.name


def _administer(kind, statement):
    with _administrator(kind).connect() as conn:
        conn.execute(sa.text(statement))


def _empty(database):
    """Remove all but the standard resource classes and traits, and forget them."""
    database.caches = ProcessCaches()
    with database.writer() as conn:
        conn.execute(sa.update(tables.resource_providers).values(root_provider_id=None))
        conn.execute(sa.update(tables.resource_providers).values(parent_provider_id=None))
        for table in reversed(tables.metadata.sorted_tables):
            if table not in (tables.resource_classes, tables.traits):
                conn.execute(sa.delete(table))
        for table in (tables.changes, tables.capacity_hours, tables.capacity_sums):
            conn.execute(sa.delete(table))
        last_audit.forget(conn)
        classes, traits = tables.resource_classes, tables.traits
        conn.execute(sa.delete(classes).where(classes.c.id >= resource_classes.FIRST_CUSTOM_ID))
        conn.execute(sa.delete(traits).where(traits.c.name.like("CUSTOM\\_%", escape="\\")))


def is_mariadb(database):
    """Whether a Database is on MariaDB rather than MySQL or another system."""
    return getattr(database.engine.dialect, "is_mariadb", False)


def disconnect_others(conn, choose=list):
    """Make the server close all other connections to a database, or those that `choose` returns."""
    _end(conn, DISCONNECT, choose)


def end_statements_of_others(conn, choose=list):
    """Make the server end the statements of other connections, but not the connections."""
    _end(conn, END_STATEMENT, choose)


def _end(conn, ends, choose):
    kind = conn.dialect.name
    others = conn.exec_driver_sql(_FOR_OTHERS[kind].format(ends[kind])).scalars().all()
    for statement in choose(others):
        # The connection may have ended by now.
        with contextlib.suppress(sa.exc.DBAPIError, db_exc.DBError):
            conn.exec_driver_sql(statement)


class Statements(fixtures.Fixture):
    """Records the statements that are sent to a Database, so that a test can count them.

    Statements that only begin a transaction are left out.

    transactions  the texts of the statements of each transaction, a list of lists
    single        the texts that were sent on connections for a single statement
    seen          all texts, in one list
    """

    def __init__(self, database):
        super().__init__()
        self._engine = database.engine
        self.transactions = []
        self.single = []

    @property
    def seen(self):
        return [statement for statements in self.transactions for statement in statements]

    def _setUp(self):
        for event, listener in (("begin", self._begin), ("before_cursor_execute", self._note)):
            sa.event.listen(self._engine, event, listener)
            self.addCleanup(sa.event.remove, self._engine, event, listener)

    def _begin(self, conn):
        self.transactions.append([])
        if kind_of(conn) is engine.TransactionKind.SINGLE:
            self.single.append(self.transactions[-1])

    def _note(self, conn, cursor, statement, parameters, context, executemany):
        if not statement.startswith(_OF_BEGINNINGS):
            self.transactions[-1].append(statement)


def on_each_database(story):
    """Turn a mixin of tests into one TestCase for each reachable database, in the mixin's module.

    The tests can use `self.url`, and `self.database`, a placement.db.engine.Database that is empty
    except for the standard names.
    """
    return _on_each(reachable(), story)


def on_each_server(story):
    """Do the same as `on_each_database`, but leave out SQLite."""
    return _on_each([kind for kind in reachable() if kind != "sqlite"], story)


def _on_each(kinds, story):
    for kind in kinds:
        name = f"{story.__name__}On{kind.capitalize()}"
        case = type(name, (story, _OnDatabase), {"kind": kind, "__module__": story.__module__})
        setattr(sys.modules[story.__module__], name, case)
    return story


class _OnDatabase(testtools.TestCase):
    kind = None

    def setUp(self):
        super().setUp()
        fresh = self.useFixture(FreshDatabase(self.kind))
        self.database = fresh.database
        self.url = fresh.url
