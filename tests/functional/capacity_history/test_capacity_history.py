"""How full the cloud was, according to the samples."""

import datetime
import json
import os

import fixtures as base_fixtures
import sqlalchemy as sa
from oslo_utils import fixture as utils_fixture

from placement import exception
from placement.cmd import manage
from placement.db import tables
from placement.db.records import capacity_samples
from placement.db.records.capacity_samples import ClassSums, HourSample
from placement.objects.capacity_history import past_capacity
from placement.objects.capacity_history.trend import NoTrend
from tests import databases, fixtures
from tests.commands import Commands

NOW = datetime.datetime(2026, 11, 24, 13, 20, 5, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)
DAY_HOURS = 24


@databases.on_each_database
class History:
    """If a test fails, an operator is shown a cloud that never was."""

    def store(self, *ages, used=lambda age: age, class_name="VCPU", capacity=1000):
        """Store a sample of one class for each of these ages in hours."""
        with self.database.writer() as conn:
            for age in ages:
                sums = [ClassSums(class_name, capacity, used(age), 7, 1, 3)]
                capacity_samples.store(conn, HourSample(NOW - age * HOUR, 9, sums))

    def read(self, hours, step=1, **options):
        with self.database.reports() as conn:
            return past_capacity.read(conn, hours, step, NOW, **options)

    def ages(self, hours, step=1):
        """Return the usages of the only class, which `store` sets to the samples' ages."""
        (only,) = self.read(hours, step).classes
        return [point.used for point in only.points]

    def test_each_sample_is_as_it_was_stored(self):
        self.store(0)
        (only,) = self.read(1).classes
        self.assertEqual(
            [("VCPU", NOW.replace(microsecond=0), 9, 1000, 0, 7, 1, 3)], only.points
        )
        self.assertIs(NoTrend.TOO_FEW_DAYS, only.trend)

    def test_the_hours_asked_for_are_shown_oldest_first(self):
        self.store(5, 0, 3, 1)
        self.assertEqual([3, 1, 0], self.ages(4))
        self.assertEqual([5, 3, 1, 0], self.ages(99999 * 168))

    def test_the_last_sample_of_each_step_is_shown(self):
        """At 13:20, the steps of six hours began 1, 7, 13 and 19 hours ago."""
        self.store(0, 1, 2, 7, 8, 13, 19)
        self.assertEqual([19, 8, 2, 0], self.ages(24, step=6))

    def test_classes_come_in_the_order_of_the_capacity_report_and_deleted_ones_last(self):
        sums = [ClassSums(name, 8, 1) for name in ("CUSTOM_GONE", "DISK_GB", "MEMORY_MB", "VCPU")]
        with self.database.writer() as conn:
            capacity_samples.store(conn, HourSample(NOW, None, sums))
        found = [each.class_name for each in self.read(1).classes]
        self.assertEqual(["VCPU", "MEMORY_MB", "DISK_GB", "CUSTOM_GONE"], found)

    def test_without_samples_there_is_no_history(self):
        self.assertEqual([], self.read(24).classes)

    def test_from_a_week_on_there_is_a_trend(self):
        """The usage grows by one an hour: 24 a day, and 1,000 are full in 41.7 days."""
        self.store(*range(6 * DAY_HOURS), used=lambda age: 200 - age)
        self.assertIs(NoTrend.TOO_FEW_DAYS, self.read(1).classes[0].trend)
        self.store(6 * DAY_HOURS, used=lambda age: 200 - age)
        # The oldest day has only its last hour, so it looks a little fuller than it was.
        found = self.read(1).classes[0].trend
        self.assertEqual((7, 24.0), (found.days, found.per_day))
        self.assertEqual(33, found.full_in)

    def test_the_trend_covers_the_last_four_weeks_however_much_is_shown(self):
        self.store(*range(0, 60 * DAY_HOURS, 6), used=lambda age: max(0, 28 * 24 - age))
        short, long = (self.read(hours).classes[0].trend for hours in (1, 60 * DAY_HOURS))
        self.assertEqual(short, long)
        self.assertEqual((28, 24.0), (short.days, short.per_day))

    def test_a_class_that_nobody_offers_any_more_has_no_trend(self):
        self.store(*range(1, 8 * DAY_HOURS))
        with self.database.writer() as conn:
            capacity_samples.store(conn, HourSample(NOW, 9, []))
        self.assertIs(NoTrend.NO_CAPACITY, self.read(24).classes[0].trend)

    def test_sums_of_petabytes_do_not_overflow(self):
        self.store(*range(8 * DAY_HOURS), used=lambda age: 10**16, capacity=2**63 - 1)
        found = self.read(1).classes[0].trend
        self.assertEqual((0, None), (found.per_day, found.full_in))

    def test_more_samples_than_one_answer_may_have_are_refused(self):
        self.store(0, 1, 2)
        error = self.assertRaises(exception.HistoryTooLong, self.read, 24, most=2)
        self.assertIn("more than 2 samples", str(error))
        self.assertEqual(3, len(self.ages(24)))

    def test_a_history_takes_three_statements(self):
        self.store(*range(8 * DAY_HOURS))
        statements = self.useFixture(databases.Statements(self.database))
        self.read(24)
        self.assertEqual(3, len(statements.seen))


@databases.on_each_database
class HistoryCommand(Commands):
    """If a test fails, the recorded past is lost when a database or a tool is replaced."""

    def setUp(self):
        super().setUp()
        self.use_database(self.url)
        self.file = os.path.join(self.useFixture(base_fixtures.TempDir()).path, "samples.csv")
        # The commands use the clock of the machine.
        self.now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)

    def capacity(self, *arguments):
        return self.run_command(manage, "capacity", *arguments)

    def store(self, ages):
        with self.database.writer() as conn:
            for age in ages:
                sums = [ClassSums("VCPU", 800, 400 - age, 7, 1, 3), ClassSums("VGPU", 0, 0)]
                capacity_samples.store(conn, HourSample(self.now - age * HOUR, 9, sums))

    def import_again(self, lines, *options):
        with open(self.file, "w") as file:
            file.write(lines)
        return self.capacity("--import", self.file, *options)

    def test_what_was_printed_as_csv_can_be_imported_into_another_database(self):
        self.store(range(200))
        _, printed, _ = self.capacity("--since", "200h", "-f", "csv")
        with self.database.writer() as conn:
            for table in (tables.capacity_hours, tables.capacity_sums):
                conn.execute(sa.delete(table))
        said = "Hours stored: 200. Left out: 0 that have a sample already, 0 that are older than"
        status, output, _ = self.import_again(printed)
        self.assertEqual((0, f"{said} 400 days.\n"), (status, output))
        self.assertEqual(printed, self.capacity("--since", "200h", "-f", "csv")[1])

    def test_hours_that_have_a_sample_keep_it_unless_they_are_to_be_replaced(self):
        self.store([3])
        lines = "At,Class,Used,Capacity\n" + "".join(
            f"{(self.now - age * HOUR).isoformat()},VCPU,5,9\n" for age in (5, 4, 3, 2, 401 * 24)
        )
        _, output, _ = self.import_again(lines)
        self.assertRegex(output, "stored: 3. Left out: 1 that have a sample already, 1 that are")
        _, output, _ = self.import_again(lines)
        self.assertRegex(output, "stored: 0. Left out: 4 that have a sample already, 1 that are")
        _, output, _ = self.import_again(lines, "--replace")
        self.assertRegex(output, "stored: 4. Left out: 0 that")
        _, output, _ = self.capacity("--since", "6h", "-f", "value", "-c", "used", "-c", "class")
        self.assertEqual("VCPU 5\n" * 4, output)

    def test_a_file_with_a_mistake_is_not_imported_at_all(self):
        line = f"{self.now.isoformat()},VCPU,5,9\n"
        status, _, errors = self.import_again(f"At,Class,Used,Capacity\n{line}never,VCPU,5,9\n")
        self.assertEqual(2, status)
        self.assertIn(", line 3: 'never' is not a date such as 2026-", errors)
        _, output, _ = self.capacity("--since", "1d")
        self.assertEqual("No samples were stored in this period.\n", output)

    def test_a_file_that_cannot_be_read_is_a_mistake(self):
        status, _, errors = self.capacity("--import", "/nowhere/samples.csv")
        self.assertEqual(2, status)
        self.assertIn("/nowhere/samples.csv cannot be read", errors)

    def test_a_person_sees_a_sparkline_and_a_forecast(self):
        self.store(range(0, 200))
        status, output, _ = self.capacity("--since", "200h")
        self.assertEqual(0, status)
        header, vcpu, vgpu = output.splitlines()
        self.assertRegex(header, r"Class +Used, last 200h +Least % +Most % +Now % +Forecast")
        self.assertRegex(vcpu, r"VCPU +▅[▅▆▇]+█+ +25 +50 +50 +Full in about 17 days at this pace")
        self.assertRegex(vgpu, r"VGPU +▁+ +0 +0 +0 +There is no capacity\.")

    def test_json_is_the_answer_of_the_service(self):
        self.store([0])
        found = json.loads(self.capacity("--since", "2d", "--json")[1])
        self.assertEqual(["VCPU", "VGPU"], [row["class"] for row in found["rows"]])

    def test_a_mistake_in_an_option_is_reported(self):
        for options, said in (
            (("--since", "yesterday"), "'yesterday' is not a time such as 48h, 30d or 8w"),
            (("--since", "30d", "--by", "trait"), "--since cannot be used with --by trait: "),
            (("--since", "60d", "--step", "0h"), "'0h' is not a time"),
            (("--step", "1d"), "--step can only be used with --since."),
            (("--since", "30d", "--replace"), "--replace can only be used with --import."),
            (("--import", "samples.csv", "--by", "trait"), "other option that --import takes"),
            (("--import", "samples.csv", "-f", "csv"), "other option that --import takes"),
            (("--import", "samples.csv", "--top", "3"), "other option that --import takes"),
            (("--since", "30d", "--top", "3"), "--top cannot be used with --since."),
            (("--top", "3", "-f", "csv"), "--top cannot be used with -f, -c or --sort-column."),
        ):
            status, _, errors = self.capacity(*options)
            self.assertEqual(2, status)
            self.assertIn(said, errors)


@databases.on_each_database
class HistoryOverHttp:
    """If a test fails, the page or a program cannot show the history."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind))

    def test_the_answer_has_samples_a_trend_and_a_sentence(self):
        self.useFixture(utils_fixture.TimeFixture(NOW.replace(tzinfo=None)))
        with self.service.database.writer() as conn:
            for age in range(8 * DAY_HOURS):
                sums = [ClassSums("VCPU", 1000, 300 - age)]
                capacity_samples.store(conn, HourSample(NOW - age * HOUR, None, sums))
        answer = self.service.ask("GET", "/operator/capacity/history?since=2d").json
        (row,) = answer["rows"]
        self.assertEqual(48, len(row["samples"]))
        self.assertEqual(
            {
                "at": "2026-11-24T13:20:05Z",
                **{"hosts": None, "capacity": 1000, "used": 300},
                **{"largest_free": None, "full": None, "providers": None},
            },
            row["samples"][-1],
        )
        self.assertEqual("Full in about 29 days at this pace.", row["summary"])
        self.assertEqual(29, row["trend"]["full_in_days"])

    def test_a_table_that_was_truncated_by_hand_causes_no_error(self):
        with self.service.database.writer() as conn:
            capacity_samples.store(
                conn, HourSample(NOW, None, [ClassSums("VCPU", 1000, 1)])
            )
            conn.execute(sa.delete(tables.capacity_hours))
        answer = self.service.ask("GET", "/operator/capacity/history?since=999w")
        self.assertEqual((200, []), (answer.status_int, answer.json["rows"]))
