"""Positions of changes are given after the commit, so a reader of the feed misses none.

Source: doc/explanation/changes.rst.
"""

import datetime
from unittest import mock

from oslo_utils import timeutils

from placement import exception
from placement.background import feed_tidier
from placement.db.chunks import chunks
from placement.db.feed import author, positions, pruning, recording
from placement.db.feed.recording import ChangeKind, RecordedChange
from placement.objects.feed import positioning, tidying
from placement.objects.feed import reading as feed
from tests import databases
from tests.functional.interleaving import Meanwhile

DAY = datetime.timedelta(days=1)
SOMEBODY = author.Author("PUT /traits/{name}", "req-1", "user", "project")


class _Writers:
    """Writers of changes, whose transactions end when the test says so."""

    def begin(self, *names):
        """Return an open transaction that has recorded changes of traits with these names."""
        writer = self.database.writer()
        conn = writer.__enter__()
        self.record(conn, names)
        return writer

    def record(self, conn, names):
        with author.acting(SOMEBODY):
            for name in names:
                state = {"name": name}
                recording.add(conn, RecordedChange(ChangeKind.TRAIT, None, name, None, state))
            recording.store(conn)
        recording.begin(conn)

    def commit(self, writer):
        writer.__exit__(None, None, None)

    def write(self, *names):
        self.commit(self.begin(*names))

    def read(self, after=None):
        """Poll, and return (names, next)."""
        changes, position = feed.page_after(self.database, after)
        return [change.name for change in changes], position

    def state(self):
        with self.database.reader() as conn:
            return positions.state(conn)


@databases.on_each_database
class Positions(_Writers):
    """If a test fails, a reader misses a change, or sees one twice."""

    def test_a_reader_sees_each_change_once_in_the_order_of_ids(self):
        self.write("a", "b")
        self.write("c")
        seen, position = self.read()
        self.assertEqual(["a", "b", "c"], seen)
        self.assertEqual(([], position), self.read(position))
        self.write("d")
        self.assertEqual(["d"], self.read(position)[0])

    def test_what_is_rolled_back_is_never_reported(self):
        error = RuntimeError()
        self.assertFalse(self.begin("a").__exit__(RuntimeError, error, None))
        self.write("b")
        self.assertEqual(["b"], self.read()[0])

    def test_what_is_not_committed_is_neither_reported_nor_waited_for(self):
        _, position = self.read()
        writer = self.begin("a")
        self.assertEqual(([], position), self.read(position))
        self.commit(writer)
        self.assertEqual(["a"], self.read(position)[0])

    def test_many_changes_get_positions_in_several_transactions(self):
        self.patch(positions, "BATCH", 3)
        names = [f"{number:02}" for number in range(10)]
        for chunk in chunks(names, 4):
            self.write(*chunk)
        statements = databases.Statements(self.database)
        with statements:
            self.assertEqual(names, self.read()[0])
        self.assertEqual(4, sum("UPDATE placement_feed" in each for each in statements.seen))

    def test_changes_that_a_crash_has_undone_since_they_were_seen_have_no_position(self):
        """If it fails, such a list is answered with 500; it has to be read again instead."""
        self.write("a")
        with self.database.reader() as conn:
            [last] = positions.unpositioned(conn)
        undone = positions.Seen([last + 1], {}, [])
        self.assertIsNone(positioning.assign_to_seen(self.database, self.state().newest, undone))


@databases.on_each_database
class Restored(_Writers):
    """If a test fails, a copy of the cloud keeps what a restored database no longer has."""

    def test_positions_from_before_and_after_the_backup_are_no_longer_kept(self):
        self.write("a", "b")
        _, backed_up = self.read()
        self.database.in_transaction(positions.renumber)
        for position in (self.state().dropped - 1, backed_up, backed_up + 1000):
            self.assertRaises(exception.ChangesExpired, self.read, position)

    def test_the_history_stays_and_goes_on(self):
        self.write("a", "b")
        self.read()
        self.write("without a position yet")
        self.database.in_transaction(positions.renumber)
        seen, position = self.read()
        self.assertEqual(["a", "b", "without a position yet"], seen)
        self.write("c")
        self.assertEqual(["c"], self.read(position)[0])


@databases.on_each_database
class Pruning(_Writers):
    """If a test fails, changes are deleted too early, or are kept forever."""

    def write_at(self, moment, *names):
        with mock.patch.object(timeutils, "utcnow", return_value=moment):
            self.write(*names)

    def test_changes_are_kept_for_some_days(self):
        now = timeutils.utcnow()
        self.write_at(now - 3 * DAY, "a", "b")
        self.write_at(now - DAY, "c")
        everything, last = self.read()
        self.assertEqual(["a", "b", "c"], everything)
        self.assertEqual(2, tidying.tidy(self.database, 2))
        self.assertEqual(0, tidying.tidy(self.database, 2))
        self.assertEqual((["c"], last), self.read())
        state = self.state()
        self.assertEqual((["c"], last), self.read(state.dropped))
        self.assertRaises(exception.ChangesExpired, self.read, state.dropped - 1)

    def test_a_tidier_keeps_changes_for_its_days(self):
        now = timeutils.utcnow()
        self.write_at(now - 3 * DAY, "a")
        self.write_at(now - DAY, "b")
        for days, kept in ((4, ["a", "b"]), (2, ["b"])):
            feed_tidier.Tidier(self.database, days).tidy()
            self.assertEqual(kept, self.read()[0])

    def test_many_old_changes_go_in_several_transactions(self):
        self.patch(pruning, "BATCH", 2)
        self.write_at(timeutils.utcnow() - 3 * DAY, *"abcde")
        statements = databases.Statements(self.database)
        with statements:
            self.assertEqual(5, tidying.tidy(self.database, 2))
        self.assertEqual(3, sum("DELETE" in each for each in statements.seen))
        self.assertEqual([], self.read()[0])

    def test_changes_that_nobody_reads_get_positions_all_the_same(self):
        self.write("a")
        self.assertTrue(self.state().has_unpositioned)
        tidying.tidy(self.database, 2)
        self.assertFalse(self.state().has_unpositioned)


@databases.on_each_server
class Interleavings(_Writers):
    """If a test fails, a reader misses a change that was committed late."""

    def test_the_transaction_that_began_first_and_commits_last_is_reported_last(self):
        first = self.begin("first")
        second = self.begin("second")
        self.commit(second)
        # This does not wait for the first transaction, whose id is smaller.
        seen, position = self.read()
        self.assertEqual(["second"], seen)
        self.assertEqual(([], position), self.read(position))
        self.commit(first)
        seen, last = self.read(position)
        self.assertEqual(["first"], seen)
        self.assertGreater(last, position)

    def test_two_readers_that_give_positions_at_once_give_each_change_only_one(self):
        """The second one waits, and then sees what the first has done."""
        self.write("a", "b")
        answers = []

        def other():
            self.write("c")
            answers.append(self.read())

        with Meanwhile(positions, "unpositioned", other):
            first, position = self.read()
        self.assertEqual(["a", "b"], first[:2])
        seen, last = self.read()
        self.assertEqual(["a", "b", "c"], seen)
        self.assertEqual([(seen, last)], answers)
        self.assertEqual(seen[len(first) :], self.read(position)[0])

    def test_a_state_has_exactly_the_changes_up_to_its_position(self):
        """A reader's state lacks later commits, whose changes get later positions."""
        late = self.begin("late")
        self.write("seen")
        with self.database.reader() as conn:
            shown = feed.position_of(self.database, conn)
            self.commit(late)
            self.assertEqual(["late"], self.read(shown)[0])
            self.assertEqual(["seen", "late"], self.read()[0])

    def test_a_state_has_no_position_if_other_changes_got_theirs_in_between(self):
        late = self.begin("late")
        self.write("seen")
        with self.database.reader() as conn:
            state = positions.state(conn)
            seen = positioning.see(conn)
            self.commit(late)
            # Both changes get their positions now. The late one gets the smaller position, because
            # its id is smaller.
            self.assertEqual(["late", "seen"], self.read()[0])
            self.assertIsNone(positioning.assign_to_seen(self.database, state.newest, seen))

    def test_a_state_keeps_its_position_if_later_changes_follow_it(self):
        self.write("seen")
        with self.database.reader() as conn:
            state = positions.state(conn)
            seen = positioning.see(conn)
            self.write("later")
            self.assertEqual(["seen", "later"], self.read()[0])
            shown = positioning.assign_to_seen(self.database, state.newest, seen)
        self.assertEqual(["later"], self.read(shown)[0])
