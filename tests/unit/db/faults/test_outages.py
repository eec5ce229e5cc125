"""What drivers report about databases that cannot serve; tests/functional has real outages."""

import contextlib
import sqlite3

import fixtures
import pymysql
import testtools
from oslo_db import exception as db_exc
from sqlalchemy import exc as sa_exc

from placement.db.faults import outages
from placement.db.faults.outages import Reason


class WhatMysqlSays(testtools.TestCase):
    def reason(self, number, message):
        error = sa_exc.OperationalError("UPDATE", {}, pymysql.err.OperationalError(number, message))
        return outages.find_reason(error, "mysql")

    def test_the_error_of_a_demoted_mysql_server_is_recognised(self):
        option = "The MariaDB server is running with the --read-only option"
        self.assertEqual(Reason.READ_ONLY, self.reason(1290, option))
        self.assertEqual(Reason.READ_ONLY, self.reason(1836, "Running in read-only mode"))

    def test_the_error_of_mysql_for_a_full_disk_is_recognised(self):
        self.assertEqual(Reason.FULL, self.reason(1114, "The table 'allocations' is full"))
        no_space = "Error writing file 'binlog' (errno: 28 \"No space left on device\")"
        self.assertEqual(Reason.FULL, self.reason(1026, no_space))
        self.assertEqual(Reason.FULL, self.reason(3, no_space))

    def test_the_error_of_a_cluster_node_that_cannot_commit_is_recognised(self):
        message = (
            "Error while appending streaming replication fragment"
            "(provider status: Not connected to Primary Component)"
        )
        self.assertEqual(Reason.UNREACHABLE, self.reason(1180, message))

    def test_the_error_of_a_statement_that_mysql_ended_is_recognised(self):
        self.assertEqual(Reason.SLOW, self.reason(3024, "maximum statement execution time"))

    def test_the_error_of_mysqlclient_without_a_greeting_is_recognised(self):
        message = "Lost connection to server at 'handshake: reading ...', system error: 110"
        self.assertEqual(Reason.SLOW, self.reason(2013, message))
        message = "Can't connect to MySQL server on '192.0.2.1' (110)"
        self.assertEqual(Reason.SLOW, self.reason(2003, message))

    def test_the_error_of_pymysql_without_a_reply_is_recognised_without_and_with_tls(self):
        for cause in ("timed out", "The read operation timed out"):
            message = f"Lost connection to MySQL server during query ({cause})"
            self.assertEqual(Reason.SLOW, self.reason(2013, message))

    def test_other_errors_of_mysql_are_not_outages(self):
        self.assertIsNone(self.reason(1064, "You have an error in your SQL syntax"))

    def test_a_wrapped_error_of_mysql_is_recognised(self):
        driver = pymysql.err.InternalError(1021, "Disk full")
        error = db_exc.DBError(sa_exc.InternalError("INSERT", {}, driver))
        self.assertEqual(Reason.FULL, outages.find_reason(error, "mysql"))


class WhatSqliteSays(testtools.TestCase):
    def test_a_file_whose_directory_is_gone_is_unreachable(self):
        directory = self.useFixture(fixtures.TempDir()).path
        driver = self.assertRaises(sqlite3.OperationalError, self.read, f"{directory}/gone/p.db")
        error = sa_exc.OperationalError("SELECT", {}, driver)
        self.assertEqual(Reason.UNREACHABLE, outages.find_reason(error, "sqlite"))

    def read(self, path):
        with contextlib.closing(sqlite3.connect(path)) as conn:
            conn.execute("SELECT 1")


class Outages(testtools.TestCase):
    def test_an_outage_is_not_translated_twice(self):
        outage = outages.Outage(Reason.SLOW, "late")
        self.assertEqual(Reason.SLOW, outages.find_reason(outage, "sqlite"))

    def test_a_lost_connection_is_left_to_oslo_db(self):
        lost = db_exc.DBConnectionError(Exception("Lost connection to MySQL server"))
        self.assertIsNone(outages.find_reason(lost, "mysql"))
        self.assertEqual(Reason.UNREACHABLE, outages.reason_of(lost))
