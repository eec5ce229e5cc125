"""Upgrading a database to the newest revision, and finding out which one it is at.

Our revisions are recorded in a table of our own, so that a database taken over from
another Placement keeps its `alembic_version` and can be handed back.
"""

import contextlib
import sqlite3
from importlib import resources

import sqlalchemy as sa
from alembic import command, script, util
from alembic import config as alembic_config
from alembic.runtime import migration
from oslo_db import exception as db_exc
from oslo_log import log

from placement.db import engine
from placement.db.derived_sums import recount, triggers
from placement.db.feed import foreign_triggers
from placement.db.schema import adoption, cluster_lock

LOG = log.getLogger(__name__)

VERSION_TABLE = "placement_schema_version"
# Seconds to wait for another process that migrates the same database.
LOCK_SECONDS = 600
_TAKES_TOO_LONG = "Another process has been migrating this database for too long."
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
    is called with a sentence before each step; `has_history` says whether the feed tells what
    others write. Returns how many inventories were wrong.
    Raises: CannotMigrate, for instance when the tables belong to something else.
    """
    if database.engine.dialect.name == "sqlite":
        engine.retry_on_conflict(_use_write_ahead_log, retries=50)(database)
    tell("Waiting for other programs that upgrade the same tables")
    with locked(database):
        tell("Upgrading the tables")
        with refusals(), database.connection("write") as conn, conn.begin():
            _migrate(conn, tell)
        try:
            return _share(database, tell, has_history)
        except triggers.NotPermitted as error:
            LOG.warning("No other program may write to this database. %s", error)
            return recount.settle(database, tell)


def _migrate(conn, tell):
    if _revision(conn) is None:
        adoption.adopt(conn)
    configuration = _configuration()
    configuration.attributes["connection"] = conn
    configuration.attributes["tell"] = tell
    command.upgrade(configuration, "head")


def share(database, tell=_untold, has_history=True):
    """Create the triggers that keep the derived sums. Return how many inventories were wrong.

    `has_history` says whether there are triggers for the feed, too.
    Raises: NotPermitted.
    """
    with locked(database):
        return _share(database, tell, has_history)


def _share(database, tell, has_history):
    tell("Creating triggers")
    with database.writer() as conn:
        triggers.install(conn)
    _record_others(database, has_history)
    # This counts what was written until now; triggers count what comes later.
    return recount.settle(database, tell)


def _record_others(database, has_history):
    """Let triggers record what others write, if there is a history, and the account may do so."""
    of_feed = foreign_triggers.FOREIGN_WRITES
    try:
        with database.writer() as conn:
            if has_history:
                of_feed.install(conn)
            elif of_feed.present(conn):
                of_feed.remove(conn)
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
    scripts = script.ScriptDirectory.from_config(_configuration())
    older = {each.revision for each in scripts.walk_revisions()} - {scripts.get_current_head()}
    if revision is None or revision in older:
        raise NotMigrated(revision)


def _revision(conn):
    context = migration.MigrationContext.configure(conn, opts={"version_table": VERSION_TABLE})
    return context.get_current_revision()


@contextlib.contextmanager
def refusals():
    """Raises: CannotMigrate, with a reason for the operator, if the tables cannot be changed."""
    try:
        yield
    except (adoption.CannotAdopt, util.CommandError) as error:
        raise CannotMigrate(error) from error
    except (db_exc.DBError, sa.exc.DBAPIError) as error:
        if not engine.is_denied(error):
            raise
        raise CannotMigrate(triggers.NOT_OWNER) from error


def _configuration():
    configuration = alembic_config.Config()
    scripts = resources.files("placement.db") / "migrations"
    configuration.set_main_option("script_location", str(scripts).replace("%", "%%"))
    configuration.set_main_option("path_separator", "os")
    return configuration


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
        with refusals(), cluster_lock.lock(conn, LOCK_SECONDS):
            yield
    except cluster_lock.Locked as error:
        raise CannotMigrate(_TAKES_TOO_LONG) from error
    finally:
        conn.execute(sa.select(release))
        conn.commit()
