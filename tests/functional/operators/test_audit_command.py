"""placement-manage audit: what it prints, and its exit status."""

import datetime
import json
import os
import time

import fixtures as base_fixtures
import sqlalchemy as sa
from oslo_utils import timeutils

from placement.cmd import manage
from placement.db import tables
from placement.objects import allocation, ledger_audit, orphans
from tests import databases
from tests.commands import Commands
from tests.functional import invariants
from tests.functional.interleaving import Meanwhile
from tests.functional.worlds import claim, provider, take

KNOWN = "20000000-0000-4000-8000-00000000000a"
ORPHAN = "20000000-0000-4000-8000-00000000000b"
MIGRATION = "20000000-0000-4000-8000-00000000000c"
HOUR = 3600


class Command(Commands):
    """A host with a child, and three consumers."""

    def setUp(self):
        super().setUp()
        self.use_database(self.url)
        self.directory = self.useFixture(base_fixtures.TempDir()).path
        with self.database.writer() as conn:
            self.host = provider(conn, "host", {"VCPU": 8, "MEMORY_MB": 1024})
            self.gpu = provider(conn, "gpu", {"VGPU": 4}, parent=self.host)
        self.claim(KNOWN, {self.host: {"VCPU": 1}})
        self.claim(ORPHAN, {self.host: {"VCPU": 2, "MEMORY_MB": 8}, self.gpu: {"VGPU": 1}})
        self.claim(MIGRATION, {self.host: {"VCPU": 1}}, consumer_type="MIGRATION")

    def claim(self, consumer_uuid, allocations, **options):
        take(self.database, claim(allocations, consumer_uuid=consumer_uuid, **options))

    def run_audit(self, *arguments):
        return self.run_command(manage, "audit", *arguments)

    def assert_mistake(self, reason, *arguments):
        exit_status, output, errors = self.run_audit(*arguments)
        self.assertEqual((2, ""), (exit_status, output))
        self.assertRegex(errors, reason)

    def break_sum(self):
        with self.database.writer() as conn:
            conn.execute(
                sa.update(tables.inventories)
                .where(tables.inventories.c.resource_provider_id == self.gpu.id)
                .values(used=3)
            )


@databases.on_each_database
class Audits(Command):
    """If a test fails, an operator's cron job does not report a broken ledger."""

    def test_a_sound_ledger_exits_with_0(self):
        exit_status, output, errors = self.run_audit()
        self.assertEqual((0, ""), (exit_status, errors))
        self.assertIn("The ledger is right.", output)
        for check in ledger_audit.CHECKS:
            self.assertIn(check.name, output)

    def test_an_error_in_the_ledger_exits_with_1_and_shows_an_example(self):
        self.break_sum()
        exit_status, output, _ = self.run_audit()
        self.assertEqual(1, exit_status)
        self.assertIn("provider gpu, resource_class VGPU, used 3, allocated 1", output)
        self.assertIn("The ledger is not right.", output)

    def test_findings_that_are_not_errors_exit_with_0(self):
        with self.database.writer() as conn:
            conn.execute(
                sa.update(tables.inventories)
                .where(tables.inventories.c.resource_provider_id == self.gpu.id)
                .values(total=1, reserved=1, capacity=0)
            )
        exit_status, output, _ = self.run_audit()
        self.assertEqual(0, exit_status)
        self.assertRegex(output, "capacity_exceeded +1 +fact\n")
        self.assertIn("The used amount exceeds the capacity, because the total", output)
        self.assertIn("The ledger is right: the findings are facts", output)

    def test_the_audit_command_prints_json_for_programs(self):
        self.break_sum()
        exit_status, output, _ = self.run_audit("--json")
        document = json.loads(output)
        self.assertEqual((1, 1, False), (exit_status, document["format"], document["is_sound"]))
        counts = {each["check"]: each["count"] for each in document["checks"]}
        self.assertEqual(1, counts.pop("used_is_sum"))
        self.assertEqual({0}, set(counts.values()))

    def test_a_repair_says_how_many_rows_it_repaired(self):
        self.break_sum()
        exit_status, output, _ = self.run_audit("--repair", "used_is_sum")
        self.assertEqual(0, exit_status)
        self.assertIn("used_is_sum: 1 repaired", output)
        self.assertIn("The ledger is right.", output)

    def test_without_names_everything_repairable_is_repaired(self):
        self.break_sum()
        exit_status, output, _ = self.run_audit("--json", "--repair")
        self.assertEqual(0, exit_status)
        repaired = json.loads(output)["repaired"]
        self.assertEqual(dict.fromkeys(ledger_audit.REPAIRABLE, 0) | {"used_is_sum": 1}, repaired)

    def test_a_repair_that_does_not_exist_is_refused(self):
        self.assert_mistake("invalid choice: 'tree_has_cycle'", "--repair", "tree_has_cycle")

    def test_a_mistyped_audit_has_another_exit_status_than_a_broken_ledger(self):
        self.assert_mistake("belongs before the command", "--config-file", "/nonexistent")
        self.use_database("nonsense")
        self.assert_mistake("is not the URL of a database")
        self.use_database(f"sqlite:///{self.directory}/empty.db")
        self.assert_mistake("run 'placement-manage db sync'")
        self.use_database(None)
        self.assert_mistake("value required for option connection")


@databases.on_each_database
class Orphans(Command):
    """If a test fails, allocations of living instances are removed."""

    def setUp(self):
        super().setUp()
        self.write_ago(2 * HOUR)

    def listed(self, *uuids, age=0):
        """Write a list of consumers, `age` seconds ago. Return its path."""
        path = os.path.join(self.directory, "consumers")
        with open(path, "w") as lines:
            lines.writelines(f"{uuid}\n" for uuid in uuids)
        written = time.time() - age
        os.utime(path, (written, written))
        return path

    def compare(self, path, *arguments):
        return self.run_audit("--consumers", path, *arguments)

    def write_ago(self, seconds):
        """Make the consumers look as if they were written this long ago."""
        moment = timeutils.utcnow() - datetime.timedelta(seconds=seconds)
        with self.database.writer() as conn:
            conn.execute(
                sa.update(tables.consumers).values(created_at=moment, updated_at=moment)
            )

    def held_by(self, uuid):
        with self.database.reader() as conn:
            return allocation.of_consumer(conn, uuid)

    def test_consumers_not_on_the_list_are_shown_with_host_and_amounts(self):
        exit_status, output, errors = self.compare(self.listed(KNOWN))
        self.assertEqual((1, ""), (exit_status, errors))
        self.assertRegex(
            output, rf"(?m)^{ORPHAN} \d{{4}}-\d\d-\d\d \d\d:\d\d host MEMORY_MB:8 VCPU:2 VGPU:1$"
        )
        self.assertIn("1 of 2 consumers of type INSTANCE are orphans.", output)
        self.assertNotIn(KNOWN, output)
        self.assertIsNotNone(self.held_by(ORPHAN))

    def test_orphans_are_printed_as_json_for_programs(self):
        exit_status, output, _ = self.compare(self.listed(KNOWN), "--json")
        document = json.loads(output)
        [orphan] = document.pop("orphans")
        self.assertEqual(1, exit_status)
        self.assertEqual(
            {"format": 1, "consumer_type": "INSTANCE", "consumers": 2, "deleted": None}, document
        )
        resources = {"MEMORY_MB": 8, "VCPU": 2, "VGPU": 1}
        hosts = [{"uuid": self.host.uuid, "name": "host", "resources": resources}]
        self.assertEqual((ORPHAN, hosts), (orphan["consumer"], orphan["hosts"]))

    def test_with_a_list_of_all_consumers_there_are_no_orphans(self):
        spelled = ORPHAN.replace("-", "").upper()
        self.assertEqual(0, self.compare(self.listed(KNOWN, "", spelled))[0])

    def test_orphans_are_listed_and_then_removed(self):
        exit_status, output, _ = self.compare(
            self.listed(KNOWN), "--delete-orphans", "--at-most", "50"
        )
        self.assertEqual(0, exit_status)
        self.assertRegex(output, rf"(?s)^{ORPHAN}.*Removed the allocations of 1 orphan\.\n$")
        self.assertIsNone(self.held_by(ORPHAN))
        self.assertIsNotNone(self.held_by(KNOWN))
        self.assertIsNotNone(self.held_by(MIGRATION))
        with self.database.reader() as conn:
            self.assertEqual([], invariants.violations(conn))

    def test_with_a_truncated_list_no_consumer_is_removed(self):
        exit_status, output, errors = self.compare(self.listed(KNOWN), "--delete-orphans")
        self.assertEqual(2, exit_status)
        self.assertIn(ORPHAN, output)
        self.assertIn("more than 5 percent: nothing was removed", errors)
        self.assertIsNotNone(self.held_by(ORPHAN))

    def test_a_refusal_to_remove_still_prints_the_orphans_as_json(self):
        exit_status, output, _ = self.compare(self.listed(KNOWN), "--delete-orphans", "--json")
        document = json.loads(output)
        self.assertEqual((2, 0), (exit_status, document["deleted"]))
        self.assertEqual(1, len(document["orphans"]))

    def test_a_file_that_is_not_a_list_of_uuids_is_refused(self):
        all_of_them = "--delete-orphans", "--at-most", "100"
        for lines, reason in (
            ((), "names no consumer: it must have one UUID per line"),
            (("", " "), "names no consumer"),
            (("ID", KNOWN), "line 1: 'ID' is not a UUID"),
            ((KNOWN, KNOWN[:20]), "line 2: "),
        ):
            self.assert_mistake(reason, "--consumers", self.listed(*lines), *all_of_them)
        self.assert_mistake("cannot be read", "--consumers", "/nonexistent", *all_of_them)
        self.assertIsNotNone(self.held_by(ORPHAN))

    def test_a_recently_written_consumer_is_not_an_orphan(self):
        self.write_ago(HOUR / 2)
        self.assertEqual(0, self.compare(self.listed(KNOWN))[0])
        self.assertEqual(1, self.compare(self.listed(KNOWN), "--older-than", "29m")[0])
        self.assertEqual(0, self.compare(self.listed(KNOWN), "--older-than", "1d")[0])

    def test_a_consumer_written_at_the_moment_of_the_list_is_not_an_orphan(self):
        self.write_ago(HOUR)
        with self.database.reader() as conn:
            found = orphans.compare(conn, "INSTANCE", frozenset(), timeutils.utcnow()).orphans
            moment = min(each.touched for each in found)
            self.assertEqual(
                [], orphans.compare(conn, "INSTANCE", frozenset(), moment).orphans
            )

    def test_a_consumer_created_after_the_list_is_not_an_orphan(self):
        self.write_ago(24 * HOUR)
        self.assertEqual(1, self.compare(self.listed(KNOWN, age=22 * HOUR))[0])
        self.assertEqual(0, self.compare(self.listed(KNOWN, age=23.5 * HOUR))[0])

    def test_a_list_from_the_future_counts_as_made_now(self):
        self.write_ago(HOUR / 2)
        self.assertEqual(0, self.compare(self.listed(KNOWN, age=-10 * HOUR))[0])

    def test_an_orphan_that_claims_during_the_removal_keeps_its_allocations(self):
        def claim():
            self.claim(ORPHAN, {self.host: {"VCPU": 3}})

        with Meanwhile(orphans, "holdings", claim, patience=None):
            exit_status, output, _ = self.compare(
                self.listed(KNOWN), "--delete-orphans", "--at-most", "50"
            )
        self.assertEqual(1, exit_status)
        self.assertIn("Removed the allocations of 0 orphans.", output)
        [kept] = self.held_by(ORPHAN).allocations
        self.assertEqual(3, kept.amount)

    def test_consumers_of_other_types_than_the_list_are_not_orphans(self):
        def types(name, *known):
            return self.compare(self.listed(*known), "--consumer-type", name)

        self.assertIn(MIGRATION, types("MIGRATION", KNOWN)[1])
        self.claim(ORPHAN.replace("b", "d"), {self.host: {"VCPU": 1}}, consumer_type=None)
        self.write_ago(2 * HOUR)
        exit_status, output, _ = types("unknown", KNOWN)
        self.assertIn("1 of 1 consumers of type unknown are orphans.", output)
        exit_status, _, errors = types("INSTNCE", KNOWN)
        self.assertEqual(2, exit_status)
        self.assertIn("no consumers of type INSTNCE", errors)

    def test_wrong_combinations_and_values_of_options_are_refused(self):
        path = self.listed(KNOWN)
        for reason, *arguments in (
            ("--delete-orphans can only be used with --consumers.", "--delete-orphans"),
            ("not allowed with", "--repair", "--consumers", path),
            ("'soon' is not a whole number of up to six digits, foll", "--older-than", "soon"),
            ("'101' is not a number from 0 to 100", "--at-most", "101"),
            ("'some' is not a number from 0 to 100", "--at-most", "some"),
        ):
            self.assert_mistake(reason, *arguments)
