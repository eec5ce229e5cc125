import sqlite3

import prometheus_client
import sqlalchemy as sa
import testtools

from placement.db.engine import connection_gauges


class InUse(testtools.TestCase):
    """If a test fails, a graph of connections drifts away from the real number."""

    def setUp(self):
        super().setUp()
        self.is_there = True
        self.engine = sa.create_engine(
            "sqlite://", creator=self.connect, poolclass=sa.QueuePool, pool_size=2
        )
        self.addCleanup(self.engine.dispose)
        self.gauge = prometheus_client.Gauge("in_use", "-", registry=None)
        connection_gauges.track_in_use(self.engine, self.gauge)

    def connect(self):
        if not self.is_there:
            raise sqlite3.OperationalError("gone")
        return sqlite3.connect(":memory:", check_same_thread=False)

    def in_use(self):
        [metric] = self.gauge.collect()
        return metric.samples[0].value

    def test_the_gauge_follows_connections_taken_and_put_back(self):
        with self.engine.connect(), self.engine.connect():
            self.assertEqual(2, self.in_use())
        self.assertEqual(0, self.in_use())

    def test_a_second_gauge_counts_the_same_connections(self):
        other = prometheus_client.Gauge("also_in_use", "-", registry=None)
        connection_gauges.track_in_use(self.engine, other)
        self.engine.connect().close()
        [metric] = other.collect()
        self.assertEqual((0, 0), (self.in_use(), metric.samples[0].value))

    def test_a_lost_connection_is_not_counted_as_in_use(self):
        with self.engine.connect() as conn:
            conn.invalidate()
            self.assertEqual(0, self.in_use())
        self.assertEqual(0, self.in_use())

    def test_a_connection_that_failed_to_open_is_not_counted_as_in_use(self):
        with self.engine.connect() as conn:
            conn.invalidate()
        self.is_there = False
        for _ in range(3):
            self.assertRaises(sa.exc.OperationalError, self.engine.connect)
        self.assertEqual(0, self.in_use())
        self.is_there = True
        with self.engine.connect():
            self.assertEqual(1, self.in_use())
