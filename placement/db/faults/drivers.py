"""The database drivers that this service is tested with, and how they differ."""

import datetime
import functools
import inspect
import os
import re
import warnings
from urllib import parse

import sqlalchemy as sa
from oslo_utils import timeutils
from sqlalchemy import exc as sa_exc
from sqlalchemy.dialects import sqlite

SUPPORTED = {
    "mysql": ("pymysql", "mysqldb"),
    "postgresql": ("psycopg2", "psycopg"),
    "sqlite": ("pysqlite",),
}
# {driver: the extra of our package that installs it}.
_EXTRAS = {
    "pymysql": "mysql",
    "mysqldb": "mysqlclient",
    "psycopg2": "postgresql",
    "psycopg": "psycopg",
}


class NotAUrl(Exception):
    """A string is not the URL of any database."""


class Unsupported(Exception):
    """A URL names a database or a driver that the service is not tested with."""

    def __init__(self, name):
        super().__init__(f"{name} is not supported; these are: {', '.join(_schemes(SUPPORTED))}")


class NotInstalled(Exception):
    """The driver that a sqlalchemy.URL names, or the default driver, cannot be imported."""

    def __init__(self, url, reason):
        kind, driver = url.get_backend_name(), url.get_driver_name()
        if driver in _EXTRAS:
            others = [name for name in _schemes([kind]) if name != f"{kind}+{driver}"]
            remedy = (
                f"install placement-server[{_EXTRAS[driver]}], or name another driver: "
                f"{', '.join(others)}"
            )
        else:
            # SQLite's driver is part of Python, but some Pythons are built without it.
            remedy = "use a Python that has it"
        super().__init__(f"its driver is not installed ({reason}): {remedy}")


def _schemes(kinds):
    """Return the schemes of URLs of these `kinds` of databases, such as ["sqlite+pysqlite"]."""
    return [f"{kind}+{driver}" for kind in kinds for driver in SUPPORTED[kind]]


class BadParameters(Exception):
    """The driver parameters of a URL are malformed, or have impossible values."""

    def __init__(self, reason):
        super().__init__(f"its parameters, or connection_parameters, are wrong: {reason}")


def parsed(text):
    """Return a string as a sqlalchemy.URL. Raises: ValueError, NotAUrl."""
    try:
        url = sa.make_url(text)
    except sa_exc.ArgumentError as error:
        raise NotAUrl from error
    # Two slashes would be followed by a host, which SQLite does not have.
    if url.get_backend_name() == "sqlite" and url.host:
        raise NotAUrl
    return url


def check(url):
    """Check that the driver of a sqlalchemy.URL is supported, whether it is installed or not.

    Raises: Unsupported.
    """
    kind = url.get_backend_name()
    # If a URL names no driver, SQLAlchemy returns the default driver for its kind of database.
    if kind not in SUPPORTED or url.get_driver_name() not in SUPPORTED[kind]:
        raise Unsupported(url.drivername)


def sqlite_file(url):
    """Return the path of the SQLite file that `url`, a string, names; None for other databases."""
    url = sa.make_url(url)
    return url.database if url.get_backend_name() == "sqlite" else None


class FileMissing(Exception):
    """SQLite would create the file of a database that a program expects to exist already."""


def check_file_exists(url):
    """Check that the file of a sqlalchemy.URL for SQLite exists. Raises: FileMissing."""
    if url.get_backend_name() == "sqlite" and is_missing(url.database or ":memory:"):
        raise FileMissing(
            f"there is no file {url.database}; if the database is new, run 'placement-manage db "
            "sync'"
        )


def is_missing(path):
    """Return whether SQLite would create a new file if it were given this path."""
    # A URI ("file:...") itself says whether to create the file.
    if path.startswith((":memory:", "file:")):
        return False
    try:
        os.stat(path)
    except FileNotFoundError:
        return True
    except OSError:
        # For instance, the account lacks permission to read the directory; SQLite reports that.
        pass
    return False


def with_parameters(url, parameters):
    """Return a sqlalchemy.URL with more parameters, given as a string "name=value&name=value".

    They replace the parameters of the same names in the URL.
    Raises: BadParameters.
    """
    if not parameters:
        return url
    try:
        values = parse.parse_qs(parameters, keep_blank_values=True, strict_parsing=True)
    except ValueError as error:
        reason = "connection_parameters has to be written as name=value&name=value"
        raise BadParameters(reason) from error
    return url.update_query_dict(
        {name: value if len(value) > 1 else value[0] for name, value in values.items()}
    )


def check_parameters(url):
    """Check that the driver of a sqlalchemy.URL knows its parameters, without connecting.

    This does not check those for mysqlclient, which checks them itself when it connects.
    Raises: BadParameters, NotInstalled.
    """
    dialect_class = url.get_dialect()
    try:
        driver = dialect_class.import_dbapi()
    except ModuleNotFoundError as error:
        raise NotInstalled(url, error) from error
    dialect = dialect_class(dbapi=driver)
    with warnings.catch_warnings():
        # SQLAlchemy may warn about names that it leaves out for SQLite: they are refused below.
        warnings.simplefilter("ignore")
        try:
            _, options = dialect.create_connect_args(url)
        except ValueError as error:
            raise BadParameters(_not_converted(dialect, url) or error) from error
    # An SQLite file named by a URI has parameters of its own.
    if dialect.name == "sqlite" and not options.get("uri"):
        if unknown := sorted(set(url.query).difference(options)):
            raise BadParameters(f"SQLite has no parameter {unknown[0]}")
    elif dialect.driver in _CHECKS:
        _CHECKS[dialect.driver](driver, options)


def _not_converted(dialect, url):
    """Return the name of a parameter that SQLAlchemy cannot convert, and why; else None."""
    for name, value in url.query.items():
        try:
            dialect.create_connect_args(url.set(query={name: value}))
        except ValueError as error:
            return f"{name}: {error}"
    return None


def _check_pymysql(driver, options):
    """Check the keyword arguments for PyMySQL's connect. Raises: BadParameters."""
    charset = options.get("charset", "")
    if charset and driver.charset.charset_by_name(charset) is None:
        raise BadParameters(f"PyMySQL has no charset {charset}")
    try:
        inspect.signature(driver.connect).bind(**options)
    except TypeError as error:
        raise BadParameters(error) from error


def _check_psycopg2(driver, options):
    _check_libpq(driver, options, driver.extensions.make_dsn)


def _check_psycopg(driver, options):
    _check_libpq(driver, options, driver.conninfo.make_conninfo)


def _check_libpq(driver, options, make):
    """Check that libpq knows the options that the driver only passes on to it.

    make: (**options) -> a string for libpq; it fails if libpq does not know one of the options
    Raises: BadParameters.
    """
    # Whatever is not a parameter of connect() goes to libpq.
    of_libpq = inspect.signature(driver.connect).bind(**options).arguments.get("kwargs", {})
    try:
        make(**of_libpq)
    except driver.ProgrammingError as error:
        raise BadParameters(str(error).strip()) from error
    # libpq reads integers only when it connects. Then a wrong one looks like an unreachable server.
    for name in _INTEGERS_OF_LIBPQ.intersection(of_libpq):
        if not _INTEGER.fullmatch(str(of_libpq[name])):
            raise BadParameters(f"{name} has to be an integer, not {of_libpq[name]}")


def raise_if_parameter_is_wrong(error):
    """Check that a failure to connect is not due to a wrong value of a parameter in the URL.

    If it is, another attempt would fail, too. The drivers have no class or code for such failures.
    Raises: BadParameters.
    """
    line = str(error).partition("\n")[0]
    if _OF_A_VALUE.search(line):
        raise BadParameters(line) from error


_INTEGER = re.compile(r"\s*[-+]?[0-9]{1,9}\s*")
_INTEGERS_OF_LIBPQ = {
    "connect_timeout",
    "keepalives",
    "keepalives_count",
    "keepalives_idle",
    "keepalives_interval",
    "tcp_user_timeout",
}
# The messages of libpq, PostgreSQL and the client library of MySQL about a wrong value.
_OF_A_VALUE = re.compile(
    r'invalid "?\w+"? value: |invalid value for parameter |unrecognized configuration parameter '
    "|Can't initialize character set "
)
# This message of psycopg 3 has no SQLSTATE, and is never translated.
_SOCKET_CLOSED = "connection socket closed"
_CHECKS = {
    "pymysql": _check_pymysql,
    "psycopg2": _check_psycopg2,
    "psycopg": _check_psycopg,
}


def recognise_closed_sockets(engine):
    """Make an engine recognise an error of psycopg 3 as a lost connection.

    psycopg 3 raises it before the connection itself is marked as closed.
    """
    if engine.dialect.driver == "psycopg":
        engine.dialect.is_disconnect = functools.partial(
            _is_disconnect_of_psycopg, engine.dialect.is_disconnect
        )


def _is_disconnect_of_psycopg(is_disconnect, error, connection, cursor):
    return is_disconnect(error, connection, cursor) or str(error) == _SOCKET_CLOSED


def keep_from_preparing_statements(engine):
    """Keep psycopg 3 from preparing statements on an engine's future connections.

    Otherwise psycopg 3 would prepare each statement that it sends often, under a name in the
    server's session. A pooler, such as pgbouncer, may give the next transaction another session,
    where that name is missing or already in use.
    """
    if engine.dialect.driver == "psycopg":
        sa.event.listen(engine, "do_connect", _without_prepared_statements)


def _without_prepared_statements(_dialect, _record, _arguments, options):
    options["prepare_threshold"] = None


def read_invalid_moments_as_none(engine):
    """Make an engine read invalid dates and times as None on its future connections."""
    if engine.dialect.driver == "pymysql":
        sa.event.listen(engine, "do_connect", _read_moments_faster)
    if engine.dialect.name == "sqlite":
        # SQLAlchemy uses this type for DateTime columns.
        engine.dialect.colspecs = engine.dialect.colspecs | {sa.DateTime: _AnyMoment}


def _read_moments_faster(dialect, _record, _arguments, options):
    """Replace PyMySQL's own parser of moments, which takes longer than the rest of a row."""
    driver = dialect.loaded_dbapi
    options["conv"] = driver.converters.conversions | {driver.FIELD_TYPE.DATETIME: parsed_moment}


class _AnyMoment(sqlite.DATETIME):
    """A type that reads any string: SQLite lets any column hold any, and DATETIME may refuse it."""

    def result_processor(self, dialect, coltype):
        return parsed_moment


def parsed_moment(text):
    """Return the datetime (naive UTC) that a string stands for; None if it stands for none.

    MySQL's moment in the year 0 stands for none, and an SQLite file may contain any string.
    """
    try:
        parsed = datetime.datetime.fromisoformat(text)
        return parsed if parsed.tzinfo is None else timeutils.normalize_time(parsed)
    except (TypeError, ValueError, OverflowError):
        # TypeError: `text` is not a string. OverflowError: in UTC, the year is not from 1 to 9999.
        return None


def error_behind(error):
    """Return the driver's error behind a SQLAlchemy or oslo.db exception, or None."""
    # An Outage wraps the exception of oslo.db, which wraps that of SQLAlchemy.
    while (inner := getattr(error, "inner_exception", None)) is not None:
        error = inner
    return getattr(error, "orig", None)


def sqlstate(error):
    """Return the SQLSTATE of a psycopg2 or psycopg 3 error; None for any other error."""
    return getattr(error, "pgcode", None) or getattr(error, "sqlstate", None)
