"""Which drivers are supported, including ones that are not installed."""

import contextlib
import subprocess
import sys
from unittest import mock

import sqlalchemy as sa
import testtools

from placement.db import engine
from placement.db.faults import drivers

# Nothing listens on this port.
_CONNECT = """
import sys
from unittest import mock
from oslo_db import exception
from placement.db import engine
from placement.db.engine import timeouts
limits = timeouts.Timeouts(connect=1, statement=1, lock=1)
try:
    engine.connect(sys.argv[1], timeouts=limits, max_retries=1, retry_interval=0)
except exception.DBConnectionError:
    print("not connected")
"""


class Check(testtools.TestCase):
    def test_drivers_that_the_service_is_tested_with_are_accepted(self):
        for url in (
            "mysql+pymysql://host/placement",
            "mysql+mysqldb://host/placement?charset=utf8",
            "postgresql+psycopg2://host/placement",
            "postgresql+psycopg://host/placement",
            "sqlite:////var/lib/placement.db",
            "sqlite://",
        ):
            drivers.check(sa.make_url(url))

    def test_the_default_drivers_of_sqlalchemy_are_accepted(self):
        for kind in drivers.SUPPORTED:
            drivers.check(sa.make_url(f"{kind}://host/placement"))

    def test_unknown_drivers_are_refused(self):
        for name in (
            "mysql+mysqlconnector",
            "mysql+aiomysql",
            "mariadb+mariadbconnector",
            "postgresql+asyncpg",
            "postgresql+pg8000",
            "sqlite+aiosqlite",
            "oracle",
        ):
            url = sa.make_url(f"{name}://host/placement")
            error = self.assertRaises(drivers.Unsupported, drivers.check, url)
            self.assertEqual(
                f"{name} is not supported; these are: mysql+pymysql, mysql+mysqldb, "
                "postgresql+psycopg2, postgresql+psycopg, sqlite+pysqlite",
                str(error),
            )


    def test_a_driver_that_is_not_installed_is_named_beside_its_alternatives(self):
        url = sa.make_url("mysql+mysqldb://user:secret@host/placement")
        missing = ModuleNotFoundError("No module named 'MySQLdb'")
        with mock.patch.object(url.get_dialect(), "import_dbapi", side_effect=missing):
            error = self.assertRaises(drivers.NotInstalled, drivers.check_parameters, url)
        self.assertEqual(
            "its driver is not installed (No module named 'MySQLdb'): install "
            "placement-server[mysqlclient], or name another driver: mysql+pymysql",
            str(error),
        )

    def test_a_python_without_sqlite_is_the_reason_given(self):
        error = drivers.NotInstalled(sa.make_url("sqlite:///p.db"), "No module named '_sqlite3'")
        self.assertIn("(No module named '_sqlite3'): use a Python that has it", str(error))


class Parameters(testtools.TestCase):
    """If a test fails, a wrong name is ignored, or treated like an unreachable database."""

    def test_a_parameter_may_have_several_values(self):
        url = drivers.with_parameters(sa.make_url("sqlite://"), "plugin=a&plugin=b&cache=shared")
        self.assertEqual({"plugin": ("a", "b"), "cache": "shared"}, dict(url.query))

    SERVERS = (
        "mysql+pymysql://u:secret@h/d",
        "postgresql+psycopg2://u:secret@h/d",
        "postgresql+psycopg://u:secret@h/d",
    )
    RIGHT = (
        "mysql+pymysql://u:secret@h/d?connect_timeout=7&init_command=SELECT 1&ssl_ca=/ca",
        "mysql+mysqldb://u:secret@h/d?connect_timeout=7&charset=utf8",
        "postgresql+psycopg2://u:secret@h/d?connect_timeout=7&sslmode=require&options=-c x=1",
        "postgresql+psycopg2:///d?host=a:1&host=b:2&target_session_attrs=read-write",
        "postgresql+psycopg://u:secret@h/d?connect_timeout=7&application_name=placement",
        "sqlite://",
        "sqlite:////p.db?timeout=7",
        "sqlite:////p.db?uri=true&cache=shared",
    )

    @contextlib.contextmanager
    def if_installed(self, url):
        try:
            yield
        except drivers.NotInstalled:
            # Only these drivers need not be installed.
            self.assertIn(sa.make_url(url).get_driver_name(), ("mysqldb", "psycopg"))

    def check(self, url):
        drivers.check_parameters(sa.make_url(url))

    def test_parameters_that_a_driver_has_are_accepted(self):
        for url in self.RIGHT:
            with self.if_installed(url):
                self.check(url)

    def test_unknown_parameters_are_named_in_the_refusal(self):
        for url in (*self.SERVERS, "sqlite:////p.db"):
            with self.if_installed(url):
                error = self.assertRaises(
                    drivers.BadParameters, self.check, f"{url}?connect_timeou=7"
                )
                self.assertRegex(str(error), r"\bconnect_timeou\b")
                self.assertNotIn("secret", str(error))
                self.assertNotIn("\n", str(error))

    def test_a_wrong_value_is_refused_before_anything_connects(self):
        for url in (
            "mysql+pymysql://u:secret@h/d?connect_timeout=abc",
            "mysql+pymysql://u:secret@h/d?charset=nonsense",
            "mysql+mysqldb://u:secret@h/d?connect_timeout=abc",
            "postgresql+psycopg2://u:secret@h/d?connect_timeout=abc",
            "postgresql+psycopg2://u:secret@h/d?keepalives_idle=1.5",
            "postgresql+psycopg://u:secret@h/d?connect_timeout=abc",
            "postgresql+psycopg://u:secret@h/d?tcp_user_timeout=99999999999",
            "sqlite:////p.db?timeout=abc",
        ):
            with self.if_installed(url):
                error = self.assertRaises(drivers.BadParameters, self.check, url)
                self.assertIn(url.partition("?")[2].partition("=")[0], str(error))
                self.assertNotIn("secret", str(error))
                self.assertNotIn("\n", str(error))

    def test_a_wrong_value_that_fails_the_connection_is_not_retried(self):
        """If it fails, a start with a misspelt value ends after minutes, or never."""
        socket = "host=/nonexistent"
        for url in (
            f"postgresql+psycopg2://u@/d?{socket}&sslmode=nonsense",
            f"postgresql+psycopg2://u@/d?{socket}&target_session_attrs=nonsense",
            f"postgresql+psycopg2://u@/d?{socket}&ssl_min_protocol_version=nonsense",
            f"postgresql+psycopg://u@/d?{socket}&sslmode=nonsense",
        ):
            with self.if_installed(url):
                error = self.assertRaises(
                    drivers.BadParameters, engine.connect, url, max_retries=-1, retry_interval=9
                )
                self.assertIn("nonsense", str(error))
                self.assertNotIn("\n", str(error))

    def test_a_parameters_bad_value_is_recognised_in_each_drivers_error(self):
        for message in (
            'failed: FATAL:  invalid value for parameter "client_encoding": "nonsense"',
            'failed: FATAL:  unrecognized configuration parameter "nonsense"',
            "(2019, \"Can't initialize character set nonsense (path: compiled_in)\")",
        ):
            error = Exception(message)
            self.assertRaises(
                drivers.BadParameters, drivers.raise_if_parameter_is_wrong, error
            )
        other = Exception('password authentication failed for user "u"')
        drivers.raise_if_parameter_is_wrong(other)

    def test_parameters_of_a_replica_are_checked_before_it_is_used(self):
        replica = "sqlite:////p.db?connect_timeou=7"
        error = self.assertRaises(
            engine.UnusableReplica, engine.connect, "sqlite://", replica_url=replica
        )
        self.assertIsInstance(error.__cause__, drivers.BadParameters)


class FirstConnection(testtools.TestCase):
    """A process that has not used its driver yet: some drivers import a module on first use."""

    def connect(self, url):
        try:
            sa.make_url(url).get_dialect().import_dbapi()
        except ImportError:
            self.skipTest("The driver is not installed.")
        done = subprocess.run(
            [sys.executable, "-c", _CONNECT, url], capture_output=True, text=True, check=False
        )
        self.assertEqual("not connected\n", done.stdout, done.stderr)

    def test_a_first_connection_of_pymysql_fails_cleanly(self):
        self.connect("mysql+pymysql://root@127.0.0.1:1/placement")

    def test_a_first_connection_of_mysqlclient_fails_cleanly(self):
        self.connect("mysql+mysqldb://root@127.0.0.1:1/placement")

    def test_a_first_connection_of_psycopg2_fails_cleanly(self):
        self.connect("postgresql+psycopg2://postgres@127.0.0.1:1/placement")

    def test_a_first_connection_of_psycopg_3_fails_cleanly(self):
        self.connect("postgresql+psycopg://postgres@127.0.0.1:1/placement")


class Sqlstate(testtools.TestCase):
    def test_the_sqlstate_is_found_in_the_errors_of_each_driver(self):
        for name in ("pgcode", "sqlstate"):
            error = Exception()
            setattr(error, name, "55P03")
            self.assertEqual("55P03", drivers.sqlstate(error))
        self.assertIsNone(drivers.sqlstate(Exception("an error of another driver")))
