"""The facts of the audit about nova: what it left behind, and what is waiting for it.

Nothing that nova does every day counts as either of these.
"""

import datetime

import os_traits
import sqlalchemy as sa

from placement.db import tables
from placement.db.reports import nova_facts
from placement.objects import inventory
from tests import databases
from tests.functional.worlds import (
    claim,
    provider,
    set_aggregates,
    set_inventories,
    set_traits,
    take,
)

ONE_TIME_USE = "HW_PCI_ONE_TIME_USE"
RACK = "aaaaaaaa-0000-4000-8000-000000000001"
INSTANCE = "bbbbbbbb-0000-4000-8000-000000000001"
MIGRATION = "cccccccc-0000-4000-8000-000000000001"
SERVER = {"VCPU": 2, "MEMORY_MB": 512}


@databases.on_each_database
class LeftOver:
    """If a test fails, operators look for faults that do not exist, or never see real ones."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.old = provider(conn, "old", {"VCPU": 8, "MEMORY_MB": 4096})
            self.new = provider(conn, "new", {"VCPU": 8, "MEMORY_MB": 4096})
            self.numa = provider(conn, "new-numa", {"VCPU": 8}, parent=self.new)
            self.card = provider(conn, "new-card", {"PGPU": 1}, parent=self.numa)
            self.nic = provider(conn, "old-nic", {"NET_BW_EGR_KILOBIT_PER_SEC": 9}, parent=self.old)
            self.disk = provider(conn, "disk", {"DISK_GB": 100})
            for each in (self.old, self.new, self.disk):
                set_aggregates(conn, each, [RACK])
            set_traits(conn, self.disk, ["MISC_SHARES_VIA_AGGREGATE"])

    def found(self, look=nova_facts.instance_in_two_trees):
        with self.database.reports() as conn:
            return look(conn)

    def hold(self, *allocations, uuid=INSTANCE, consumer_type="INSTANCE"):
        held = {}
        for each in allocations:
            held |= each
        take(self.database, claim(held, consumer_uuid=uuid, consumer_type=consumer_type))

    def assert_nothing_is_left_over(self):
        self.assertEqual((0, []), self.found())

    def test_a_migration_and_its_instance_have_a_host_each(self):
        self.hold({self.new: SERVER, self.disk: {"DISK_GB": 9}})
        self.hold(
            {self.old: SERVER, self.disk: {"DISK_GB": 9}},
            uuid=MIGRATION,
            consumer_type="MIGRATION",
        )
        self.assert_nothing_is_left_over()

    def test_a_migration_that_is_reverted_goes_back(self):
        self.hold({self.old: SERVER}, uuid=MIGRATION, consumer_type="MIGRATION")
        self.hold({self.new: SERVER})
        take(
            self.database,
            claim({self.old: SERVER}, consumer_uuid=INSTANCE),
            claim({}, consumer_uuid=MIGRATION, consumer_type="MIGRATION"),
        )
        self.assert_nothing_is_left_over()

    def test_a_resize_on_the_same_host_has_both_sizes_there(self):
        self.hold({self.old: SERVER}, uuid=MIGRATION, consumer_type="MIGRATION")
        self.hold({self.old: {"VCPU": 4, "MEMORY_MB": 1024}})
        self.assert_nothing_is_left_over()

    def test_a_shared_disk_is_not_another_host(self):
        self.hold({self.old: SERVER, self.disk: {"DISK_GB": 9}})
        self.assert_nothing_is_left_over()

    def test_several_shared_disks_are_not_other_hosts(self):
        with self.database.writer() as conn:
            disk = provider(conn, "fast disk", {"DISK_GB": 100})
            set_aggregates(conn, disk, [RACK])
            set_traits(conn, disk, ["MISC_SHARES_VIA_AGGREGATE", "STORAGE_DISK_SSD"])
        self.hold({self.disk: {"DISK_GB": 9}, disk: {"DISK_GB": 9}, self.old: SERVER})
        self.assert_nothing_is_left_over()

    def test_numa_nodes_cards_and_ports_belong_to_one_host(self):
        self.hold(
            {self.new: {"MEMORY_MB": 512}, self.numa: {"VCPU": 2}, self.card: {"PGPU": 1}},
        )
        self.hold(
            {self.old: SERVER, self.nic: {"NET_BW_EGR_KILOBIT_PER_SEC": 3}},
            uuid="bbbbbbbb-0000-4000-8000-000000000002",
        )
        self.assert_nothing_is_left_over()

    def test_a_consumer_of_another_type_may_use_several_hosts(self):
        for number, consumer_type in enumerate(("MIGRATION", "LEASE", None)):
            self.hold(
                {self.old: {"VCPU": 1}, self.new: {"VCPU": 1}},
                uuid=f"dddddddd-0000-4000-8000-00000000000{number}",
                consumer_type=consumer_type,
            )
        self.assert_nothing_is_left_over()

    def test_an_evacuated_instance_has_two_hosts_until_the_old_one_is_back(self):
        self.hold({self.old: SERVER, self.card: {"PGPU": 1}, self.disk: {"DISK_GB": 9}})
        count, [example] = self.found()
        written = example.pop("last_written")
        self.assertEqual(1, count)
        self.assertEqual(
            {"consumer_uuid": INSTANCE, "host": "old", "other_host": "new"}, example
        )
        age = datetime.datetime.now(datetime.UTC) - datetime.datetime.fromisoformat(written)
        self.assertLess(abs(age), datetime.timedelta(minutes=10))
        take(self.database, claim({self.card: {"PGPU": 1}}, consumer_uuid=INSTANCE))
        self.assert_nothing_is_left_over()

    def test_an_instance_with_one_host_is_not_taken_for_one_with_two(self):
        whole = "bbbbbbbb-0000-4000-8000-000000000002"
        self.hold({self.old: {"VCPU": 1}, self.new: {"VCPU": 1}})
        self.hold({self.old: {"VCPU": 1}}, uuid=whole)
        found = self.found()
        self.assertEqual(1, found.count)
        self.assertEqual([INSTANCE], [each["consumer_uuid"] for each in found.examples])

    def test_consumers_that_were_written_longest_ago_come_first(self):
        later = "bbbbbbbb-0000-4000-8000-000000000000"
        for uuid in (INSTANCE, later):
            self.hold({self.old: {"VCPU": 1}, self.new: {"VCPU": 1}}, uuid=uuid)
        with self.database.writer() as conn:
            conn.execute(
                sa.update(tables.consumers)
                .where(tables.consumers.c.uuid == INSTANCE)
                .values(updated_at=datetime.datetime(2020, 1, 1))
            )
        found = self.found()
        self.assertEqual(2, found.count)
        self.assertEqual([INSTANCE, later], [each["consumer_uuid"] for each in found.examples])
        self.assertEqual("2020-01-01T00:00:00Z", found.examples[0]["last_written"])


@databases.on_each_database
class Devices:
    """If a test fails, a device stays unused forever, or its next user gets the data on it."""

    def setUp(self):
        super().setUp()
        if ONE_TIME_USE not in os_traits.get_traits():
            self.skipTest(f"os-traits does not have {ONE_TIME_USE}.")
        with self.database.writer() as conn:
            host = provider(conn, "host", {"VCPU": 8})
            self.card = provider(conn, "nvme", {"PGPU": 1}, parent=host)
            self.other = provider(conn, "gpu", {"PGPU": 1}, parent=host)
            set_traits(conn, self.card, [ONE_TIME_USE])

    def reserve(self, card):
        with self.database.writer() as conn:
            card.generation = inventory.read_for_replacement(conn, card.uuid, []).generation
            set_inventories(conn, card, {"PGPU": 1}, reserved=1)

    def found(self):
        with self.database.reports() as conn:
            return nova_facts.device_to_clean(conn)

    def test_a_device_is_to_be_cleaned_when_its_user_is_gone(self):
        self.assertEqual(0, self.found().count)
        take(self.database, claim({self.card: {"PGPU": 1}}, consumer_uuid=INSTANCE))
        self.reserve(self.card)
        self.assertEqual(0, self.found().count)
        take(self.database, claim({}, consumer_uuid=INSTANCE))
        example = {
            "provider_uuid": self.card.uuid,
            "provider": "nvme",
            "resource_class": "PGPU",
            "total": 1,
        }
        self.assertEqual((1, [example]), self.found())

    def test_a_reserved_device_for_many_uses_is_not_to_be_cleaned(self):
        self.reserve(self.other)
        self.assertEqual(0, self.found().count)

