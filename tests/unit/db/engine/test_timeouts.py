"""The timeouts requested of servers and drivers, including ones that are not installed."""

import sqlalchemy as sa
import testtools

from placement.db.engine import timeouts

LIMITS = timeouts.Timeouts(connect=5, statement=30, lock=15)


class DriverOptions(testtools.TestCase):
    def query(self, url):
        return dict(timeouts.with_driver_options(sa.make_url(url), LIMITS).query)

    def test_pymysql_waits_for_a_greeting_no_longer_than_for_a_connection(self):
        pymysql = self.query("mysql+pymysql://user@host/placement")
        self.assertEqual(("5", "5"), (pymysql["connect_timeout"], pymysql["read_timeout"]))

    def test_mysqlclient_gets_no_option_that_it_does_not_have(self):
        mysqlclient = self.query("mysql+mysqldb://user@host/placement")
        self.assertEqual({"connect_timeout": "5"}, mysqlclient)

    def test_postgresql_drivers_notice_an_unreachable_machine(self):
        for driver in ("psycopg2", "psycopg"):
            query = self.query(f"postgresql+{driver}://user@host/placement")
            self.assertEqual(("5", "31000"), (query["connect_timeout"], query["tcp_user_timeout"]))

    def test_timeouts_in_the_url_are_not_overridden(self):
        query = self.query("mysql+pymysql://host/placement?connect_timeout=60&charset=utf8mb4")
        self.assertEqual(("60", "utf8mb4"), (query["connect_timeout"], query["charset"]))

    def test_an_sqlite_file_gets_no_timeouts_of_a_server(self):
        self.assertEqual({}, self.query("sqlite:///placement.db"))


class SessionStatements(testtools.TestCase):
    def test_mysql_gets_no_statement_that_only_mariadb_understands(self):
        [statement] = timeouts.session_statements("mysql", LIMITS)
        self.assertIn("/*M!100101 , SESSION max_statement_time = 30 */", statement)
        self.assertIn("/*!80000 , SESSION max_execution_time = 30000 */", statement)
