"""The databases on which tests could not run."""

import unittest

import sqlalchemy as sa

from tests import databases


class ReachableServers(unittest.TestCase):
    """For each database server that is missing, one test is skipped and says so."""

    def _check(self, kind):
        if kind not in databases.reachable():
            url = sa.make_url(databases.SERVERS[kind])
            self.skipTest(f"no {kind} server at {url.render_as_string(hide_password=True)}")

    def test_mysql_is_reachable_where_all_databases_are_required(self):
        self._check("mysql")

    def test_postgresql_is_reachable_where_all_databases_are_required(self):
        self._check("postgresql")
