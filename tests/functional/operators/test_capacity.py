"""How full the cloud is: the sums of the database, and the output of the command."""

import json
import pathlib
import time
from unittest import mock

import fixtures
import sqlalchemy as sa

from placement import constants
from placement.cmd import manage
from placement.db import tables
from placement.db.reports import capacity_report as db_report
from placement.objects import capacity_report, recent_capacity, resource_provider
from placement.objects.provider_filters import ProviderFilters
from tests import databases
from tests.commands import Commands
from tests.functional.worlds import (
    claim,
    provider,
    set_aggregates,
    set_inventories,
    set_traits,
    take,
)

RACK, OTHER_RACK = (f"aaaaaaaa-0000-4000-8000-00000000000{number}" for number in (1, 2))

SMALL = ProviderFilters(name="small")
CASES = pathlib.Path(__file__).parents[2] / "repeated_rules.json"


@databases.on_each_database
class Fullness(Commands):
    """If a test fails, somebody buys hosts that are not needed, or does not buy those that are."""

    def setUp(self):
        super().setUp()
        self.use_database(self.url)
        with self.database.writer() as conn:
            small = provider(conn, "small", {"VCPU": 8, "MEMORY_MB": 1024}, reserved=2)
            large = provider(conn, "large", {"VCPU": 16}, allocation_ratio=2.0)
            gpus = provider(conn, "gpus", {"PGPU": 2}, parent=large)
            set_aggregates(conn, small, [RACK], advance_generation=True)
            set_aggregates(conn, large, [RACK, OTHER_RACK], advance_generation=True)
            set_traits(conn, gpus, ["HW_GPU_API_VULKAN"])
        take(self.database, claim({small: {"VCPU": 6}, large: {"VCPU": 4}, gpus: {"PGPU": 1}}))

    def measured(self, by, top=0):
        with self.database.reports() as conn:
            return capacity_report.measure(conn, by, top)

    def test_each_class_is_summed_over_all_providers(self):
        found = self.measured("class")
        self.assertEqual(2, found.host_count)
        self.assertEqual(
            [
                (None, "VCPU", 24, 2, 38, 10, 2, 1, 28),
                (None, "MEMORY_MB", 1024, 2, 1022, 0, 1, 0, 1022),
                (None, "PGPU", 2, 0, 2, 1, 1, 0, 1),
            ],
            found.sums,
        )

    def test_a_sum_beyond_64_bits_is_reported_as_the_largest_integer(self):
        with self.database.writer() as conn:
            for name in "abc":
                created = provider(conn, name, {"VGPU": 8}, allocation_ratio=1e20)
                set_aggregates(conn, created, [RACK], advance_generation=True)
        for by in ("class", "aggregate"):
            capacities = {each.class_name: each.capacity for each in self.measured(by).sums}
            self.assertEqual(constants.MAX_CAPACITY, capacities["VGPU"])
        _, output, _ = self.run_command(manage, "capacity", "--json")
        self.assertIn(str(constants.MAX_CAPACITY), output)

    def test_a_provider_counts_in_each_of_its_aggregates(self):
        sums = self.measured("aggregate").sums
        used = [(each.group, each.class_name, each.used) for each in sums]
        self.assertEqual(
            [
                *((RACK, "VCPU", 10), (RACK, "MEMORY_MB", 0), (RACK, "PGPU", 1)),
                *((OTHER_RACK, "VCPU", 4), (OTHER_RACK, "PGPU", 1)),
            ],
            used,
        )

    def test_a_provider_counts_once_in_an_aggregate_that_its_root_is_in_too(self):
        with self.database.writer() as conn:
            listed, *_ = resource_provider.list_matching(conn, ProviderFilters(name="gpus"))
            gpus = resource_provider.get(conn, listed.uuid)
            set_aggregates(conn, gpus, [RACK], advance_generation=True)
        gpus = [each for each in self.measured("aggregate").sums if each.class_name == "PGPU"]
        self.assertEqual(
            [(RACK, 1, 1), (OTHER_RACK, 1, 1)],
            [(each.group, each.providers, each.used) for each in gpus],
        )

    def test_a_project_and_a_type_have_what_their_consumers_use(self):
        with self.database.writer() as conn:
            large, *_ = resource_provider.list_matching(conn, ProviderFilters(name="large"))
        take(
            self.database,
            claim({large: {"VCPU": 20}}, project_id="other", consumer_type="MIGRATION"),
            claim({large: {"VCPU": 1}}),
        )
        self.assertEqual(
            [("other", "VCPU", 20, 1), ("project", "VCPU", 11, 2), ("project", "PGPU", 1, 1)],
            self.measured("project").usages,
        )
        self.assertEqual(
            [
                *(("MIGRATION", "VCPU", 20, 1), ("INSTANCE", "VCPU", 11, 2)),
                ("INSTANCE", "PGPU", 1, 1),
            ],
            self.measured("consumer_type").usages,
        )

    def test_consumers_without_a_type_are_of_the_type_unknown(self):
        with self.database.writer() as conn:
            conn.execute(sa.update(tables.consumers).values(consumer_type_id=None))
        found = self.measured("consumer_type").usages
        self.assertEqual(
            [("unknown", "VCPU", 10, 1), ("unknown", "PGPU", 1, 1)], found
        )

    def test_what_projects_use_is_shown_beside_the_capacity_of_all_providers(self):
        _, output, _ = self.run_command(manage, "capacity", "--by", "project", "--json")
        self.assertEqual(
            {"project": "project", "class": "VCPU", "used": 10, "consumers": 1, "capacity": 38},
            json.loads(output)["rows"][0],
        )
        _, output, _ = self.run_command(manage, "capacity", "--by", "project")
        self.assertRegex(output, r"  project +VCPU +10  █{5}░{15}  26 +38 +1\n")
        _, output, _ = self.run_command(manage, "capacity", "--by", "project", "-f", "value")
        self.assertIn("project None VCPU 10 38 None None None None None 1 None None\n", output)

    def test_groups_are_shown_with_the_names_that_the_operator_has_given(self):
        path = f"{self.useFixture(fixtures.TempDir()).path}/names.json"
        with open(path, "w") as file:
            json.dump({RACK: "Rack 12", "project": "Web"}, file)
        self.useFixture(fixtures.EnvironmentVariable("OS_OPERATOR__NAMES", path))
        _, output, _ = self.run_command(manage, "capacity", "--by", "aggregate")
        self.assertRegex(output, rf"  {RACK}  Rack 12  VCPU +10 ")
        self.assertRegex(output, rf"  {OTHER_RACK} {{11}}VCPU +4 ")
        _, output, _ = self.run_command(manage, "capacity", "--by", "project")
        self.assertRegex(output, r"  project  Web   VCPU +10 ")
        _, output, _ = self.run_command(manage, "capacity", "--by", "project", "-f", "value")
        self.assertIn("project Web VCPU 10 38 ", output)

    def test_a_provider_counts_for_each_of_its_traits(self):
        (only,) = self.measured("trait").sums
        self.assertEqual(("HW_GPU_API_VULKAN", "PGPU", 1), (only.group, only.class_name, only.used))

    def test_a_large_cloud_is_summed_once_a_minute(self):
        def found(by="class", top=1):
            return recent_capacity.find_or_measure(self.database, by, top)

        with mock.patch.object(recent_capacity, "MANY_HOSTS", 2):
            first, age = found()
            self.assertEqual((2, 0), (first.host_count, age))
            with self.database.writer() as conn:
                provider(conn, "third", {"VCPU": 1})
            later = time.monotonic() + 59
            with mock.patch.object(time, "monotonic", return_value=later):
                again, age = found()
                self.assertEqual(first, again)
                self.assertIn(age, (58, 59))
                self.assertEqual(3, found(by="aggregate")[0].host_count)
                self.assertEqual(3, found(top=2)[0].host_count)
            with mock.patch.object(time, "monotonic", return_value=later + 100):
                self.assertEqual((3, 0), (found()[0].host_count, found()[1]))

    def test_a_small_cloud_is_summed_for_each_request(self):
        for hosts in (2, 3):
            report, age = recent_capacity.find_or_measure(self.database, "class", 1)
            self.assertEqual((hosts, 0), (report.host_count, age))
            with self.database.writer() as conn:
                provider(conn, f"another-{hosts}", {"VCPU": 1})

    def test_inventories_of_a_deleted_class_are_not_among_the_fullest(self):
        with self.database.writer() as conn:
            conn.execute(
                sa.update(tables.inventories)
                .where(tables.inventories.c.total == 2)
                .values(resource_class_id=12345)
            )
        found = self.measured("class", top=2).fullest
        self.assertEqual(["VCPU", "VCPU"], [each.class_name for each in found])

    def test_inventories_of_a_deleted_class_count_in_no_aggregate(self):
        with self.database.writer() as conn:
            conn.execute(
                sa.update(tables.inventories)
                .where(tables.inventories.c.total == 1024)
                .values(resource_class_id=12345)
            )
        found = self.measured("aggregate").sums
        self.assertEqual({"VCPU", "PGPU"}, {each.class_name for each in found})

    def test_inventories_of_a_deleted_class_do_not_end_the_batches(self):
        """Not even a batch full of them does. The class was deleted in SQL, so they never count."""
        with self.database.writer() as conn:
            conn.execute(
                sa.update(tables.inventories)
                .where(tables.inventories.c.total == 1024)
                .values(resource_class_id=12345)
            )
        with mock.patch.object(db_report, "_BATCH", 1), self.database.reports() as conn:
            found = [each for batch in capacity_report.inventories(conn) for each in batch]
        self.assertEqual(
            [("small", "VCPU", 8), ("large", "VCPU", 16), ("gpus", "PGPU", 2)],
            [(each.provider_name, each.class_name, each.total) for each in found],
        )

    def test_the_fullest_providers_come_first(self):
        fills = self.measured("class", top=2).fullest
        self.assertEqual(
            [("small", 6, 6), ("gpus", 2, 1)], [(each.name, *each[-2:]) for each in fills]
        )

    def test_unused_inventories_are_the_least_full(self):
        with self.database.writer() as conn:
            provider(conn, "unused", {"VCPU": 1})
        *_, last = self.measured("class", top=9).fullest
        self.assertEqual(("unused", 1, 0), (last.name, *last[-2:]))

    def test_a_provider_with_use_but_no_capacity_comes_first(self):
        with self.database.writer() as conn:
            small = next(iter(resource_provider.list_matching(conn, SMALL)))
            host = resource_provider.get(conn, small.uuid)
            set_inventories(conn, host, {"VCPU": 8}, reserved=8)
        (first,) = self.measured("class", top=1).fullest
        self.assertEqual(("small", 0, 6), (first.name, *first[-2:]))
        _, output, _ = self.run_command(manage, "capacity", "--top", "1")
        self.assertRegex(output.splitlines()[-1], r"small +VCPU +6 +█{20} +over +0")

    def test_what_is_full_and_what_is_fullest_are_as_on_the_page(self):
        """The page has a test with the same cases."""
        cases = json.loads(CASES.read_text())["inventories"]
        with self.database.writer() as conn:
            for number, case in enumerate(cases):
                created = provider(conn, str(number), {"VGPU": 1})
                numbers = {"used": case["used"], "capacity": case["capacity"]}
                inventories = tables.inventories
                is_its = inventories.c.resource_provider_id == created.id
                conn.execute(sa.update(inventories).where(is_its).values(numbers))
        found = self.measured("class", top=20)
        (sums,) = [each for each in found.sums if each.class_name == "VGPU"]
        self.assertEqual(sum(case["full"] for case in cases), sums.full)
        fullest = [int(each.name) for each in found.fullest if each.class_name == "VGPU"]
        shares = [cases[number]["share"] for number in fullest]
        self.assertEqual(sorted(shares, reverse=True), shares)

    def test_an_empty_cloud_has_no_sums(self):
        fresh = self.useFixture(databases.FreshDatabase())
        with fresh.database.reports() as conn:
            self.assertEqual(("class", 0, [], [], []), capacity_report.measure(conn, "class", 10))

    def test_the_capacity_command_prints_a_table(self):
        status, output, _ = self.run_command(manage, "capacity", "--top", "1")
        self.assertEqual(0, status)
        hosts, *_, last = output.splitlines()
        self.assertEqual("Hosts: 2", hosts)
        self.assertRegex(output, r"  VCPU +10  █{5}░{15}  26 +38 +2 +28 +1\n")
        self.assertRegex(last, r"  small +VCPU +6  █{20}  100 +6$")

    def test_the_capacity_command_names_aggregates_and_traits(self):
        _, output, _ = self.run_command(manage, "capacity", "--by", "aggregate")
        self.assertIn(f"  {OTHER_RACK}  VCPU ", output)
        self.assertIn("aggregates, and in those of its root", output)

    def test_the_capacity_command_prints_json_for_programs(self):
        _, output, _ = self.run_command(manage, "capacity", "--by", "trait", "--json")
        self.assertEqual("HW_GPU_API_VULKAN", json.loads(output)["rows"][0]["trait"])
