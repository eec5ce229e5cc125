"""Mistakes of an operator are reported in one line; a traceback is for unexpected errors.

Source: doc/reference/placement-manage.rst.
"""

import contextlib
import errno
import logging
import os
import sys

from oslo_config import cfg
from oslo_db import exception as db_exc

from placement import conf, distribution, exception
from placement.conf import connection
from placement.db.faults import denials, outages
from placement.db.schema import adoption, revisions
from placement.db.schema.errors import CannotMigrate, NotMigrated

# The status that a shell reports when a program ends because nothing reads its output.
BROKEN_PIPE = 141
# The exit status for a mistake by the caller of a command that may answer with 1.
MISTAKEN = 2
# The errno values that mean no room for output. Database errors have other numbers.
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Mistake(Exception):
    """What keeps a command from working; the message is a sentence without a newline or secrets."""


@contextlib.contextmanager
def reported_by(program, exit_status):
    """Context manager: after a mistake inside, print one line and end the program.

    A wrong configuration or installation is such a mistake, and so is an account that lacks a
    database privilege that the command needs. The same happens if there is no room for the output,
    or if the database can no longer serve: the caller decides whether to run the program again. If
    nothing reads the output any more, for instance because `head` has seen enough, the program ends
    without a message.
    Raises: SystemExit.
    """
    try:
        with denials.translated():
            yield
        sys.stdout.flush()
    except (
        Mistake,
        cfg.Error,
        conf.BadLogging,
        connection.CannotConnect,
        denials.PrivilegeMissing,
        distribution.BothInstalled,
    ) as mistake:
        print(f"{program}: {conf.sentence(mistake)}", file=sys.stderr)
        raise SystemExit(exit_status) from mistake
    except db_exc.DBDataError as error:
        # Only the first line is about the error.
        details = str(error).partition("\n")[0]
        print(f"{program}: The database cannot represent a value: {details}", file=sys.stderr)
        raise SystemExit(exit_status) from error
    except db_exc.DBConnectionError as error:
        # Only the first line is about the error.
        details = str(error).partition("\n")[0]
        print(f"{program}: {outages.reason_of(error).value} {details}", file=sys.stderr)
        raise SystemExit(exit_status) from error
    except BrokenPipeError as error:
        _discard_output()
        raise SystemExit(BROKEN_PIPE) from error
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        _discard_output()
        print(f"{program}: The output cannot be written: {error.strerror}.", file=sys.stderr)
        raise SystemExit(exit_status) from error


def _discard_output():
    """Drop what is left in the buffer, or Python would try to write it when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def of_query():
    """Context manager: raise Mistake for an error in a query that is parsed inside."""
    try:
        yield
    except exception.UnknownParameter as error:
        raise Mistake(
            f"{error.for_the_request_log()} Amounts are written as VCPU:4, and parameters as in "
            "'resources=VCPU:4'."
        ) from error
    except exception.InvalidValue as error:
        # The log's sentence is the shorter one, if there are two.
        sentence = error.for_the_request_log() or str(error)
        raise Mistake(" ".join(sentence.split())) from error


@contextlib.contextmanager
def of_file(path):
    """Context manager: raise Mistake for a text file that cannot be opened or read inside."""
    try:
        yield
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise Mistake(f"{path} is not UTF-8.") from error


@contextlib.contextmanager
def warnings_printed_by(program):
    """Context manager: print the warnings and errors that are logged inside, each once.

    Each is a line on standard error.
    """
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter(f"{program}: %(message)s"))
    handler.addFilter(_FirstOfItsKind())
    root = logging.getLogger()
    # The handler of oslo.log does not name the program.
    replaced, root.handlers = root.handlers, [handler]
    try:
        yield
    finally:
        root.handlers = replaced


class _FirstOfItsKind(logging.Filter):
    """Lets only the first line of each kind pass: every attempt to connect logs the same line.

    Lines of oslo.db about errors are dropped, because oslo.db also raises these errors.
    """

    def __init__(self):
        super().__init__()
        self._seen = set()

    def filter(self, record):
        is_new = record.msg not in self._seen and record.name != outages.LOGGER_OF_ERRORS
        self._seen.add(record.msg)
        return is_new


def connect_to_tables(configuration):
    """Return the Database that the configuration names; its tables may be those of any release.

    Raises: Mistake, CannotConnect.
    """
    database = connection.connect_patiently(configuration)
    try:
        with database.reader() as conn:
            if adoption.has_tables(conn):
                return database
    except adoption.CannotAdopt as error:
        raise Mistake(error) from error
    name = database.engine.url.database
    raise Mistake(
        f"The database {name} has no tables of Placement: run 'placement-manage db sync'."
    )


def connect_to_migrated(configuration):
    """Return the Database that the configuration names; its tables are those of this release.

    Raises: Mistake, CannotConnect.
    """
    database = connection.connect_patiently(configuration)
    try:
        revisions.check(database)
    except (NotMigrated, CannotMigrate) as error:
        raise Mistake(error) from error
    return database
