"""The migration lock of a Galera cluster, for what a cluster does only now and then."""

from unittest import mock

import testtools
from oslo_db import exception as db_exc

from placement.db.schema import galera


class Lock(testtools.TestCase):
    def test_a_rollback_that_another_node_has_made_unnecessary_is_not_an_error(self):
        """If it fails, one of several machines that are set up at once ends with a traceback."""
        conn = mock.Mock(**{"dialect.name": "mysql"})
        status = mock.Mock(**{"first.return_value.Value": "node-1"})
        taken_by_another = [None, db_exc.DBDuplicateEntry()]
        taken_by_us, released = [None, None], [None]
        conn.execute.side_effect = [status, *taken_by_another, *taken_by_us, *released]
        conn.rollback.side_effect = [db_exc.DBDeadlock(), None]
        with mock.patch.object(galera, "time") as clock:
            clock.monotonic.return_value = 0
            with galera.lock(conn, seconds=5):
                self.assertEqual(5, conn.execute.call_count)
        self.assertEqual(6, conn.execute.call_count)
