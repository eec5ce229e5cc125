"""The connection to the database that the configuration names.

Source: doc/how-to/database.rst.
"""

import os

from oslo_db import exception as db_exc

from placement.conf import opts
from placement.db import engine
from placement.db.engine import timeouts
from placement.db.faults import drivers

_EXAMPLE = "sqlite:////var/lib/placement/placement.db"


class CannotConnect(Exception):
    """The database does not answer; the message is a sentence without a newline or secrets."""


def connect(configuration, creates_file=None):
    """Return the Database that the configuration names, after it has answered.

    creates_file: whether SQLite may create the database's file; by default, only if sync_on_startup
    Raises: CannotConnect.
    """
    if creates_file is None:
        creates_file = configuration.placement_database.sync_on_startup
    limits = timeouts.Timeouts(**opts.timeouts(configuration))
    return _connected(configuration, limits, creates_file)


def connect_patiently(configuration, creates_file=False):
    """Return the Database for a command, without timeouts, because no request waits for it.

    creates_file: whether SQLite may create the file of the database
    Raises: CannotConnect.
    """
    database = _connected(configuration, limits=None, creates_file=creates_file)
    if database.is_in_memory:
        raise CannotConnect(
            "connection in [placement_database] names a database in memory, which ends with the "
            f"command; name a file, as in {_EXAMPLE}"
        )
    return database


def _connected(configuration, limits, creates_file):
    """Return the Database after it has answered; `limits` is a Timeouts, or None for no timeouts.

    Raises: CannotConnect.
    """
    urls = configuration.placement_database
    try:
        return engine.connect(
            urls.connection,
            timeouts=limits,
            creates_file=creates_file,
            **opts.engine_options(configuration),
        )
    except engine.UnusableReplica as error:
        fault = _fault(urls.slave_connection, error.__cause__)
        raise CannotConnect(f"slave_connection in [placement_database] {fault}") from error
    except Exception as error:
        fault = _fault(urls.connection, error)
        raise CannotConnect(f"connection in [placement_database] {fault}") from error


def _fault(url, error):
    """Return what an error says about a URL: the end of a sentence, without secrets."""
    if isinstance(error, ValueError):
        # The text of the error is not shown: it quotes what should be the port, which may be part
        # of a password that contains an @.
        return (
            "is not a URL: a port has to be a number; in user name and password, write %40 for @, "
            "%3A for :, %2F for /"
        )
    if isinstance(error, drivers.NotAUrl):
        return (
            f"is not the URL of a database, such as {_EXAMPLE} or "
            "mysql+pymysql://<user>:<password>@<host>/<name>"
        )
    # The parser of URLs, the driver and the server each raise exceptions of their own. Only the
    # first line of their text is about the error.
    reason = str(error).partition("\n")[0]
    return f"cannot be used: {reason}{_file(url, error)}"


def _file(url, error):
    """Return the end of a sentence about an error: the path, if the database is of SQLite."""
    path = isinstance(error, db_exc.DBError) and drivers.sqlite_file(url)
    if not path:
        return ""
    directory = os.path.dirname(os.path.abspath(path))
    if drivers.is_missing(path) and not os.path.isdir(directory):
        return f": there is no directory {directory}"
    return f": {path}"
