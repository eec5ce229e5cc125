"""Inventories: what a database can hold, and what other writers change meanwhile."""

import contextlib
from unittest import mock

import sqlalchemy as sa

from placement import exception
from placement.constants import MAX_INTEGER
from placement.db import replacement, tables
from placement.db import resource_classes as db_classes
from placement.db.derived_sums import triggers
from placement.objects import inventory, resource_class, usage
from tests import databases
from tests.functional import invariants
from tests.functional.interleaving import Meanwhile
from tests.functional.worlds import claim, provider, set_inventories, take


@databases.on_each_database
class Inventories:
    """If a test fails, a provider has a class that does not exist, or a capacity that is wrong."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            resource_class.create(conn, "CUSTOM_GOLD")
            self.host = provider(conn, "host", {"VCPU": 8})

    def remove_class(self):
        with self.database.writer() as conn, contextlib.suppress(exception.ResourceClassInUse):
            resource_class.delete(conn, "CUSTOM_GOLD")

    def totals_of(self, of_provider):
        with self.database.reader() as conn:
            found = inventory.of_provider(conn, of_provider.uuid)
        return {each.resource_class: each.total for each in found.rows}

    def classes_of_host(self):
        return list(self.totals_of(self.host))

    def test_a_class_that_is_removed_after_it_was_looked_up_is_unknown(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite has one writer at a time")
        find = replacement.find

        def and_then_remove(*arguments):
            found = find(*arguments)
            self.remove_class()
            return found

        with (
            mock.patch.object(replacement, "find", and_then_remove),
            self.database.writer() as conn,
        ):
            self.assertRaises(
                exception.UnknownResourceClass,
                set_inventories,
                conn,
                self.host,
                {"VCPU": 8, "CUSTOM_GOLD": 1},
            )
        self.assertEqual(["VCPU"], self.classes_of_host())

    def test_a_class_is_not_removed_while_its_inventory_is_written(self):
        delete = Meanwhile(db_classes, "prevent_deletion", self.remove_class)
        with delete, self.database.writer() as conn:
            set_inventories(conn, self.host, {"VCPU": 8, "CUSTOM_GOLD": 1})
        self.assertEqual(["VCPU", "CUSTOM_GOLD"], self.classes_of_host())

    def test_a_capacity_beyond_all_columns_can_be_stored_and_claimed(self):
        enormous = {"allocation_ratio": 3.4e38, "max_unit": MAX_INTEGER}
        with self.database.writer() as conn:
            set_inventories(conn, self.host, {"VCPU": MAX_INTEGER}, **enormous)
        take(self.database, claim({self.host: {"VCPU": MAX_INTEGER}}))
        with self.database.reader() as conn:
            self.assertEqual(
                [("VCPU", MAX_INTEGER)], usage.of_provider(conn, self.host.uuid).rows
            )
            self.assertEqual([], invariants.violations(conn))

    def test_replacing_inventories_leaves_those_of_other_providers(self):
        totals = {"VCPU": 8, "MEMORY_MB": 64, "DISK_GB": 32}
        with self.database.writer() as conn:
            other = provider(conn, "other", totals)
            set_inventories(conn, self.host, totals)
            set_inventories(conn, self.host, totals | {"VCPU": 4})
            inventory.delete(conn, self.host, "DISK_GB")
        self.assertEqual({"VCPU": 4, "MEMORY_MB": 64}, self.totals_of(self.host))
        self.assertEqual(totals, self.totals_of(other))
        with self.database.writer() as conn:
            inventory.delete_all(conn, self.host)
        self.assertEqual(({}, totals), (self.totals_of(self.host), self.totals_of(other)))

    def test_the_capacity_is_computed_from_the_ratio_that_is_shown(self):
        """MySQL keeps fewer digits of a ratio than it was sent."""
        with self.database.writer() as conn:
            # Otherwise, triggers would correct what we write.
            triggers.remove(conn)
        self.addCleanup(self.install_triggers)
        with self.database.writer() as conn:
            set_inventories(conn, self.host, {"VCPU": 10**6}, allocation_ratio=1.2345678)
        with self.database.reader() as conn:
            [shown] = inventory.of_provider(conn, self.host.uuid).rows
            capacity = conn.scalar(sa.select(tables.inventories.c.capacity))
        self.assertEqual(int(10**6 * shown.allocation_ratio), capacity)

    def install_triggers(self):
        with self.database.writer() as conn:
            triggers.install(conn)
