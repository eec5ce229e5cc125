"""Upgrading a database to the newest revision, and finding out which one it is at.

Our revisions are recorded in a table of our own, so that a database taken over from
another Placement keeps its `alembic_version` and can be handed back. Alembic is imported only to
upgrade: a process that serves, and finds its tables as they should be, needs 12 MB less without it.
"""

import contextlib
import sqlite3
from importlib import resources

import sqlalchemy as sa
from oslo_db import exception as db_exc
from oslo_log import log

from placement.db import engine
from placement.db.derived_sums import recount, triggers
from placement.db.feed import foreign_triggers
from placement.db.schema import adoption, galera, table_locks

LOG = log.getLogger(__name__)

VERSION_TABLE = "placement_schema_version"
# Seconds to wait for another process that migrates the same database.
LOCK_SECONDS = 600
_IN_USE = "Other programs have used the tables for too long: try again."
_TAKES_TOO_LONG = "Another process has been migrating this database for too long."
_SCRIPTS = resources.files("placement.db") / "migrations"
_versions = sa.table(VERSION_TABLE, sa.column("version_num"))
# Any number will do, as long as all processes use the same one.
_POSTGRESQL_LOCK = 0x706C6163


class CannotMigrate(Exception):
    """The tables of a database cannot be brought to this release."""


class NotMigrated(Exception):
    """The tables of a database are missing, or older than this release."""

    def __init__(self, revision):
        state = (
            f"is at revision {revision}" if revision else "has not been set up for placement-server"
        )
        super().__init__(
            f"The database {state}: run 'placement-manage db sync', or set sync_on_startup in "
            "[placement_database]."
        )


def _untold(step):
    """Does nothing: the default for `tell`."""


def upgrade(database, tell=_untold, has_history=True):
    """Upgrade `database` to the newest revision, and bring its derived sums up to date.

    The tables of another Placement are taken over. Processes that do so at once take turns. `tell`
    is called with a sentence before each step; `has_history` says whether the feed
    reports what others write. Returns how many inventories were wrong.
    Raises: CannotMigrate, for instance when the tables belong to something else.
    """
    if database.engine.dialect.name == "sqlite":
        engine.retry_on_conflict(_use_write_ahead_log, retries=50)(database)
    tell("Waiting for other programs that upgrade the same tables")
    with locked(database):
        tell("Upgrading the tables")
        with refusals():
            while_used(_migrate, database, tell)
        try:
            return _share(database, tell, has_history)
        except triggers.NotPermitted as error:
            LOG.warning("No other program may write to this database. %s", error)
            return recount.settle(database, tell)


def while_used(change, database, *arguments):
    """Call `change` with a connection, again and again until other programs let it through.

    It has to be a transaction that can be repeated.
    Raises: CannotMigrate, after LOCK_SECONDS.
    """

    def attempt():
        with database.connection("write") as conn, conn.begin(), table_locks.brief(conn):
            change(conn, *arguments)

    try:
        table_locks.patiently(attempt, LOCK_SECONDS)
    except table_locks.InUse as error:
        raise CannotMigrate(_IN_USE) from error


def _migrate(conn, tell):
    from alembic import command, config, util

    if _revision(conn) is None:
        adoption.adopt(conn)
    configuration = config.Config()
    configuration.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    configuration.set_main_option("path_separator", "os")
    configuration.attributes["connection"] = conn
    configuration.attributes["tell"] = tell
    try:
        command.upgrade(configuration, "head")
    except util.CommandError as error:
        raise CannotMigrate(error) from error


def share(database, tell=_untold, has_history=True):
    """Create the triggers that keep the derived sums. Return how many inventories were wrong.

    `has_history` says whether there are triggers for the feed, too.
    Raises: NotPermitted.
    """
    with locked(database):
        return _share(database, tell, has_history)


def _share(database, tell, has_history):
    tell("Creating triggers")
    while_used(triggers.install, database)
    _record_others(database, has_history)
    # This counts what was written until now; triggers count what comes later.
    return recount.settle(database, tell)


def _record_others(database, has_history):
    """Let triggers record what others write, if there is a history, and the account may do so."""

    def change(conn):
        of_feed = foreign_triggers.FOREIGN_WRITES
        if has_history:
            of_feed.install(conn)
        elif of_feed.present(conn):
            of_feed.remove(conn)

    try:
        while_used(change, database)
    except triggers.NotPermitted as error:
        LOG.warning("What other programs write is missing in the history. %s", error)


def stamp(database, name):
    """Record a revision in alembic_version, for the tools of another Placement.

    `name`: one of its revisions or the beginning of one, "head" for the newest, or "base" for
    none. The record of our own revisions stays as it is.
    Raises: CannotMigrate if there is no such revision.
    """
    with locked(database), refusals(), database.connection("write") as conn, conn.begin():
        adoption.stamp(conn, name)


def version(database):
    """Return the id of the revision that `database` is at; None for one never migrated."""
    with database.reader() as conn:
        return _revision(conn)


def check(database):
    """Check that the revision of `database` is the newest one, or one of a later release.

    Raises: NotMigrated; CannotMigrate if the tables are foreign and cannot be taken over.
    """
    with database.reader() as conn:
        revision = _revision(conn)
        if revision is None:
            with refusals():
                adoption.is_adoptable(conn)
    *older, _newest = revisions()
    if revision is None or revision in older:
        raise NotMigrated(revision)


def revisions():
    """Return the ids of all revisions, oldest first. The names of their scripts begin with them."""
    scripts = (_SCRIPTS / "versions").iterdir()
    return sorted(each.name.partition("_")[0] for each in scripts if each.name.endswith(".py"))


def _revision(conn):
    if not sa.inspect(conn).has_table(VERSION_TABLE):
        return None
    return conn.scalar(sa.select(_versions.c.version_num))


@contextlib.contextmanager
def refusals():
    """Context manager. Raises: CannotMigrate, with a reason, if the tables cannot be changed."""
    try:
        yield
    except adoption.CannotAdopt as error:
        raise CannotMigrate(error) from error
    except (db_exc.DBError, sa.exc.DBAPIError) as error:
        if not engine.is_denied(error):
            raise
        raise CannotMigrate(triggers.NOT_OWNER) from error


def _use_write_ahead_log(database):
    """Let readers of a SQLite file continue during a write. The setting is kept in the file."""
    with database.engine.connect() as conn:
        dbapi_connection = conn.connection.dbapi_connection
        try:
            dbapi_connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            # If two processes change it at once, SQLite may refuse one of them without waiting.
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise db_exc.RetryRequest(error) from error
            raise


@contextlib.contextmanager
def locked(database):
    """Context manager: hold the lock of a database, so that changes of its tables take turns.

    It is held on a connection of its own, as the pool of `database` may have only one.
    Raises: CannotMigrate, after LOCK_SECONDS.
    """
    # SQLite needs no lock: a transaction that writes keeps all others out.
    if database.kind == "sqlite":
        yield
        return
    with database.patient() as apart, apart.connection("write") as conn, _lock(conn):
        yield


@contextlib.contextmanager
def _lock(conn):
    """Hold the lock on a connection.

    It outlives the transactions inside, so that the next holder sees what was committed.
    """
    if conn.dialect.name == "postgresql":
        take = sa.func.pg_advisory_lock(_POSTGRESQL_LOCK)
        release = sa.func.pg_advisory_unlock(_POSTGRESQL_LOCK)
    else:
        # As long as MySQL allows. All databases of a server share the names of locks.
        name = sa.func.sha2(sa.func.concat(sa.func.database(), ".", VERSION_TABLE), 256)
        take = sa.func.get_lock(name, LOCK_SECONDS)
        release = sa.func.release_lock(name)
    if conn.scalar(sa.select(take)) == 0:
        raise CannotMigrate(_TAKES_TOO_LONG)
    conn.commit()
    try:
        with refusals(), galera.lock(conn, LOCK_SECONDS):
            yield
    except galera.Locked as error:
        raise CannotMigrate(_TAKES_TOO_LONG) from error
    finally:
        conn.execute(sa.select(release))
        conn.commit()
