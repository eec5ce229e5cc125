"""Upgrading a database to the newest revision, and creating the triggers of shared tables.

Alembic is imported only to upgrade: a process that serves, and finds its tables as they should be,
needs 12 MB less without it.
"""

import sqlite3

from oslo_db import exception as db_exc
from oslo_log import log

from placement.db import engine
from placement.db.derived_sums import recount, triggers
from placement.db.feed import foreign_triggers
from placement.db.schema import adoption, errors, migration_lock, revisions, table_locks

LOG = log.getLogger(__name__)

_IN_USE = (
    f"Other programs have used the tables for {migration_lock.SECONDS} seconds without a pause: "
    "end their long transactions, or try again when they have less to do."
)


def _untold(step):
    """The default for `tell`, which does nothing."""


def upgrade(database, tell=_untold, has_history=True):
    """Upgrade `database` to the newest revision, and bring its derived sums up to date.

    The tables of another Placement are taken over; those of a later release stay as they are.
    Processes that upgrade at the same time take turns. Return how many inventories were wrong.
    tell: called with a sentence before each step
    has_history: whether triggers store in the feed what others write
    Raises: CannotMigrate, for instance when the tables belong to something else.
    """
    if database.engine.dialect.name == "sqlite":
        # SQLite may refuse this at once while another process does the same: hence many retries.
        engine.retry_on_conflict(_use_write_ahead_log, retries=50)(database)
    tell("Waiting for other programs that upgrade the same tables")
    with migration_lock.held(database):
        if revision := revisions.later(database):
            LOG.warning(
                "The tables are at revision %s, of a later release: they stay as they are.",
                revision,
            )
            return 0
        tell("Upgrading the tables")
        with errors.translated():
            retry_while_in_use(_migrate, database, tell)
        try:
            return _create_triggers(database, tell, has_history)
        except triggers.NotPermitted as error:
            LOG.warning("No other program may write to this database. %s", error)
            return recount.correct_all(database, tell)


def retry_while_in_use(change, database, *arguments):
    """Change tables that other programs use: try again until they let the change through.

    change: called with a connection and the other `arguments`, in a transaction; called again if
        the transaction is undone
    Raises: CannotMigrate, after migration_lock.SECONDS.
    """

    def attempt():
        with (
            database.connection(engine.TransactionKind.WRITE) as conn,
            conn.begin(),
            table_locks.giving_up_soon(conn),
        ):
            change(conn, *arguments)

    try:
        table_locks.retry_on_lock_timeout(attempt, migration_lock.SECONDS)
    except table_locks.InUse as error:
        raise errors.CannotMigrate(_IN_USE) from error


def _migrate(conn, tell):
    """Take over the tables of another Placement, if any, and execute the missing revisions.

    Raises: CannotAdopt, CannotMigrate.
    """
    # Alembic is imported here because a process that only serves does not need it.
    from alembic import command, config, util

    if revisions.find(conn) is None:
        adoption.adopt(conn)
    configuration = config.Config()
    # To Alembic, a % would begin the name of another option.
    configuration.set_main_option("script_location", str(revisions.SCRIPTS).replace("%", "%%"))
    configuration.set_main_option("path_separator", "os")
    configuration.attributes["connection"] = conn
    configuration.attributes["tell"] = tell
    try:
        command.upgrade(configuration, "head")
    except util.CommandError as error:
        raise errors.CannotMigrate(error) from error


def share(database, tell=_untold, has_history=True):
    """Create the triggers that keep the derived sums right. Return how many inventories were wrong.

    has_history: whether to create triggers for the feed, too
    Raises: NotPermitted; CannotMigrate for the tables of a later release.
    """
    with migration_lock.held(database):
        refuse_later(database)
        return _create_triggers(database, tell, has_history)


def refuse_later(database):
    """Raises: CannotMigrate for tables of a later release, whose triggers may differ."""
    if revision := revisions.later(database):
        raise errors.CannotMigrate(
            f"The tables are at revision {revision}, of a later release. Use its placement-manage."
        )


def _create_triggers(database, tell, has_history):
    """Do what share() does, while the caller holds the migration lock."""
    tell("Creating triggers")
    retry_while_in_use(triggers.install, database)
    _record_others(database, has_history)
    # This counts what others have written until now. The triggers count what they write later.
    return recount.correct_all(database, tell)


def _record_others(database, has_history):
    """Let triggers record what others write, if there is a history.

    If the account may not create them, only log a warning.
    """

    def change(conn):
        of_feed = foreign_triggers.FOREIGN_WRITES
        if has_history:
            of_feed.install(conn)
        elif of_feed.present(conn):
            of_feed.remove(conn)

    try:
        retry_while_in_use(change, database)
    except triggers.NotPermitted as error:
        LOG.warning("What other programs write is missing from the history. %s", error)


def stamp(database, name):
    """Record a revision in alembic_version, for the tools of another Placement.

    The record of our own revisions stays as it is.
    name: a revision or the beginning of one, "head" for the newest, "base" for none
    Raises: CannotMigrate if there is no such revision.
    """
    with (
        migration_lock.held(database),
        errors.translated(),
        database.connection(engine.TransactionKind.WRITE) as conn,
        conn.begin(),
    ):
        adoption.stamp(conn, name)


def _use_write_ahead_log(database):
    """Let readers of an SQLite file continue during a write. The setting is kept in the file.

    Raises: RetryRequest.
    """
    with database.engine.connect() as conn:
        dbapi_connection = conn.connection.dbapi_connection
        try:
            dbapi_connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            # If two processes change this at once, SQLite may refuse one of them without waiting.
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise db_exc.RetryRequest(error) from error
            raise
