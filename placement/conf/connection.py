"""The connection to the database that the configuration names.

Source: doc/how-to/database.rst.
"""

from oslo_db import exception as db_exc

from placement.conf import opts
from placement.db import engine
from placement.db.engine import timeouts
from placement.db.faults import drivers


class CannotConnect(Exception):
    """The database does not answer; the message is a sentence without a newline or secrets."""


def connect(configuration):
    """Return the Database that the configuration names, after it has answered.

    Raises: CannotConnect.
    """
    limits = timeouts.Timeouts(**opts.timeouts(configuration))
    return _connected(configuration, limits, creates_file=True)


def connect_patiently(configuration, creates_file=False):
    """Return the Database for a command, without timeouts, because no request waits for it.

    creates_file: whether SQLite may create the file of the database
    Raises: CannotConnect.
    """
    return _connected(configuration, limits=None, creates_file=creates_file)


def _connected(configuration, limits, creates_file):
    """Return the Database after it has answered; `limits` is a Timeouts, or None for none.

    Raises: CannotConnect.
    """
    urls = configuration.placement_database
    try:
        database = engine.connect(
            urls.connection,
            timeouts=limits,
            creates_file=creates_file,
            **opts.engine_options(configuration),
        )
        # This fails unless the database answers.
        with database.reader():
            return database
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
        return "is not a URL; in user name and password, write %40 for @, %3A for :, %2F for /"
    # The parser of URLs, the driver and the server each raise exceptions of their own. Only the
    # first line of their text is about the error.
    reason = str(error).partition("\n")[0]
    return f"cannot be used: {reason}{_file(url, error)}"


def _file(url, error):
    """Return a colon and the file that an error of an SQLite database is about, or ""."""
    path = isinstance(error, db_exc.DBError) and drivers.sqlite_file(url)
    return f": {path}" if path else ""
