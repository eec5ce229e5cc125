"""Which drivers are supported, whichever of them are installed."""

import subprocess
import sys

import sqlalchemy as sa
import testtools

from placement.db.faults import drivers

# Nothing listens there.
_CONNECT = """
import sys
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
    def test_those_that_the_service_is_tested_with_are(self):
        for url in (
            "mysql+pymysql://host/placement",
            "mysql+mysqldb://host/placement?charset=utf8",
            "postgresql+psycopg2://host/placement",
            "postgresql+psycopg://host/placement",
            "sqlite:////var/lib/placement.db",
            "sqlite://",
        ):
            drivers.check(sa.make_url(url))

    def test_so_is_what_sqlalchemy_takes_for_a_url_without_one(self):
        for kind in drivers.SUPPORTED:
            drivers.check(sa.make_url(f"{kind}://host/placement"))

    def test_others_are_not(self):
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


class FirstConnection(testtools.TestCase):
    """A process that has not used its driver yet: some import a module with the first use."""

    def connect(self, url):
        try:
            sa.make_url(url).get_dialect().import_dbapi()
        except ImportError:
            self.skipTest("The driver is not installed.")
        done = subprocess.run(
            [sys.executable, "-c", _CONNECT, url], capture_output=True, text=True, check=False
        )
        self.assertEqual("not connected\n", done.stdout, done.stderr)

    def test_by_pymysql(self):
        self.connect("mysql+pymysql://root@127.0.0.1:1/placement")

    def test_by_mysqlclient(self):
        self.connect("mysql+mysqldb://root@127.0.0.1:1/placement")

    def test_by_psycopg2(self):
        self.connect("postgresql+psycopg2://postgres@127.0.0.1:1/placement")

    def test_by_psycopg_3(self):
        self.connect("postgresql+psycopg://postgres@127.0.0.1:1/placement")


class Sqlstate(testtools.TestCase):
    def test_each_driver_has_its_own_name_for_it(self):
        for name in ("pgcode", "sqlstate"):
            error = Exception()
            setattr(error, name, "55P03")
            self.assertEqual("55P03", drivers.sqlstate(error))
        self.assertIsNone(drivers.sqlstate(Exception("an error of another driver")))
