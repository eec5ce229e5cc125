"""Texts of packed rows that are too long for MySQL: the rows are read in several parts."""

from unittest import mock

from placement.db.faults import outages
from placement.db.search import every_tree, holders
from tests import databases
from tests.functional.worlds import claim, provider, take

# How many hosts or consumers there are.
MANY = 10
VCPU = every_tree.Wanted(frozenset([0]), frozenset(), frozenset())


@databases.on_each_database
class LongTexts:
    """If a test fails, a large cloud gets 503 on MySQL, or a part of it is left out."""

    def assert_read_in_parts(self, read):
        """Assert that a text that is too long is read in parts, unless it cannot be split.

        read: (a connection, how many trees or consumers to read at once) -> what was read
        """
        with self.database.reader() as conn:
            one_by_one = Cutting(conn)
            whole = read(one_by_one, 1)
            self.assertEqual(MANY, len(whole))
            enough = max(one_by_one.lengths)
            for longest in (enough, 2 * enough, 3 * enough):
                self.assertEqual(whole, read(Cutting(conn, longest), 8), longest)
            error = self.assertRaises(outages.Outage, read, Cutting(conn, enough - 1), 8)
            self.assertIs(outages.Reason.CUTS, error.reason)

    def test_trees_and_what_their_providers_have_are_read_in_parts(self):
        with self.database.writer() as conn:
            for number in range(MANY):
                provider(conn, f"host-{number}", {"VCPU": 4})
        for wanted in (every_tree.NOTHING, VCPU):
            self.assert_read_in_parts(lambda conn, size, wanted=wanted: read(conn, wanted, size))

    def test_what_consumers_hold_is_read_in_parts(self):
        with self.database.writer() as conn:
            host = provider(conn, "host", {"VCPU": MANY})
        consumers = [claim({host: {"VCPU": 1}}) for _ in range(MANY)]
        for consumer in consumers:
            take(self.database, consumer)

        def read_holders(conn, size):
            with mock.patch.object(holders, "_BATCH", size):
                return list(holders.read_all(conn))

        self.assert_read_in_parts(read_holders)

    def test_everything_is_read_in_parts_that_mysql_does_not_cut(self):
        with self.database.writer() as conn:
            for number in range(MANY):
                host = provider(conn, f"host-{number}", {"VCPU": 4})
                provider(conn, f"child-{number}", {"VCPU": 4}, parent=host)
        # Other tests must not get this connection, on which texts are cut.
        self.addCleanup(self.database.disconnect)
        with self.database.reader() as conn:
            whole = read(conn, VCPU, 100)
            self.assertEqual(2 * MANY, sum(map(len, whole)))
            if self.kind != "mysql":
                return
            for length in (60, 100, 200):
                conn.exec_driver_sql(f"SET SESSION group_concat_max_len = {length}")
                self.assertEqual(whole, read(conn, VCPU, 100))


def read(conn, wanted, size):
    """Return the providers of each tree."""
    return [
        trees.providers(root_id)
        for trees in every_tree.batches(conn, wanted, size)
        for root_id in trees.members
    ]


class Cutting:
    """A connection that cuts texts, as MySQL does; `lengths` are those before it cuts them."""

    def __init__(self, conn, longest=None):
        self.lengths = set()
        self._conn = conn
        self._longest = longest

    def scalar(self, query, **options):
        return self._cut(self._conn.scalar(query, **options))

    def execute(self, query, **options):
        row = self._conn.execute(query, **options).one()
        return mock.Mock(one=lambda: list(map(self._cut, row)))

    def _cut(self, value):
        if not isinstance(value, str):
            return value
        self.lengths.add(len(value))
        return value[: self._longest]
