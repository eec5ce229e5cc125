"""Columns that may be NULL, in rows that another program or an older release has written."""

import sqlalchemy as sa

from placement.db import tables
from tests import databases, fixtures
from tests.functional.odd.test_odd_values import HOST, VARIABLES, populate, reads, versions

LEAST = {
    "/operator/providers": "?consumers=true",
    "/allocation_candidates": "?resources=VCPU:1",
    "/operator/explanation": "?resources=VCPU:99",
    "/operator/fit": "?resources=VCPU:1",
    "/usages": "?project_id=project",
}
# What other programs or people may write. A time with an offset cannot be compared with others.
ANY_MOMENTS = (
    *("", " ", "yesterday", "0000-00-00 00:00:00", "2026-13-01", "99999-01-01 00:00:00"),
    *("2026-01-02", "2026-01-02T03:04:05Z", "0001-01-01 00:00:00+01:00", "0001-01-01 00:00:00"),
    *(0, -1, 1767225600, 2461042.5, b""),
)
# A generated column, and one by which rows are found.
NOT_SET = {"inventories.headroom", "placement_aggregates.uuid"}
NULLABLE = [
    column
    for table in tables.metadata.sorted_tables
    for column in table.c
    if column.nullable and str(column) not in NOT_SET
]


@databases.on_each_database
class NullColumns:
    """If a test fails, a single row that somebody else has written breaks an answer."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(self.kind))
        populate(self.service)
        # What a version shows does not depend on the database.
        self.choices = ("1.0", "1.14", "latest") if self.kind == "sqlite" else ("latest",)

    def set_null(self, *columns):
        with self.service.database.writer() as conn:
            for column in columns:
                conn.execute(sa.update(column.table).values({column.name: None}))

    def wrong_answers(self):
        return [
            f"{version} {url}: {answer.status}"
            for path, _ in reads()
            for url in [path.format(**VARIABLES) + LEAST.get(path, "")]
            for version in versions(url, self.choices)
            for answer in [self.service.ask("GET", url, version)]
            if answer.status_int >= 500
        ]

    def test_the_tested_tables_have_nullable_columns(self):
        self.assertIn(tables.consumers.c.created_at, NULLABLE)
        self.assertIn(tables.resource_providers.c.generation, NULLABLE)

    def test_a_null_in_any_nullable_column_causes_no_error(self):
        wrong = {}
        for column in NULLABLE:
            with self.service.database.writer() as conn:
                before = conn.execute(sa.select(*_keys(column), column)).all()
            self.set_null(column)
            if answers := self.wrong_answers():
                wrong[str(column)] = answers
            self.restore(column, before)
        self.assertEqual({}, wrong)

    def restore(self, column, rows):
        with self.service.database.writer() as conn:
            for *keys, value in rows:
                is_row = [key == found for key, found in zip(_keys(column), keys, strict=True)]
                conn.execute(sa.update(column.table).where(*is_row).values({column.name: value}))

    def test_nulls_in_all_time_columns_cause_no_error(self):
        self.set_null(*(each for each in NULLABLE if each.name.endswith("_at")))
        self.assertEqual([], self.wrong_answers())
        answer = self.service.ask("GET", "/operator/providers?consumers=true")
        [provider] = answer.json["resource_providers"]
        self.assertEqual(HOST, provider["uuid"])
        [consumer] = provider["allocations"].values()
        self.assertIsNone(consumer["created_at"])

    def test_the_zero_date_of_mysql_causes_no_error(self):
        if self.kind != "mysql":
            self.skipTest("Only MySQL has a year 0.")
        moments = [each for each in NULLABLE if each.name.endswith("_at")]
        with self.service.database.writer() as conn:
            mode = conn.exec_driver_sql("SELECT @@SESSION.sql_mode").scalar()
            conn.exec_driver_sql("SET SESSION sql_mode = ''")
            for each in moments:
                zero = sa.literal("0000-00-00 00:00:00", sa.String)
                conn.execute(sa.update(each.table).values({each.name: zero}))
            conn.exec_driver_sql(f"SET SESSION sql_mode = '{mode}'")
        self.assertEqual([], self.wrong_answers())

    def test_any_text_in_a_time_column_of_sqlite_causes_no_error(self):
        if self.kind != "sqlite":
            self.skipTest("Only SQLite stores anything in any column.")
        moments = [each for each in NULLABLE if each.name.endswith("_at")]
        wrong = {}
        for value in ANY_MOMENTS:
            with self.service.database.writer() as conn:
                for each in moments:
                    conn.execute(sa.update(each.table).values({each.name: sa.literal(value)}))
            if answers := self.wrong_answers():
                wrong[value] = answers
        self.assertEqual({}, wrong)

    def test_an_unreadable_time_of_a_consumer_is_ignored(self):
        if self.kind != "sqlite":
            self.skipTest("Only SQLite stores anything in any column.")
        with self.service.database.writer() as conn:
            conn.exec_driver_sql("UPDATE consumers SET created_at = '2026-01-02T03:04:05+01:00'")
            conn.exec_driver_sql("UPDATE consumers SET updated_at = ''")
            conn.exec_driver_sql("UPDATE allocations SET created_at = '', updated_at = NULL")
        answer = self.service.ask("GET", "/operator/providers?consumers=true")
        [provider] = answer.json["resource_providers"]
        [consumer] = provider["allocations"].values()
        self.assertEqual("2026-01-02T02:04:05Z", consumer["created_at"])


def _keys(column):
    return list(column.table.primary_key)
