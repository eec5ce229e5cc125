"""How lists and sums read rows that a database, or an older release, sees differently."""

import uuid

import sqlalchemy as sa

from placement import exception
from placement.db import names_and_ids, tables
from placement.db import resource_providers as db_providers
from placement.db.feed import reading as changes
from placement.db.search import hosts
from placement.objects import (
    aggregate,
    allocation,
    inventory,
    resource_provider,
    trait,
    usage,
)
from placement.objects.provider_filters import ProviderFilters
from tests import databases
from tests.functional import cutting
from tests.functional.worlds import claim, provider, set_aggregates, set_traits, take

READS_OF_A_PROVIDER = (
    resource_provider.show,
    inventory.of_provider,
    usage.of_provider,
    aggregate.of_provider,
    trait.of_provider,
    allocation.on_provider,
)


@databases.on_each_database
class Reading:
    """If a test fails, an answer has too much in it, or counts consumers that take nothing."""

    def test_names_are_compared_as_exact_text(self):
        host_uuid = "aaaaaaaa-0000-4000-8000-000000000001"
        with self.database.writer() as conn:
            resource_provider.create(conn, uuid=host_uuid, name="host")
            trait.ensure(conn, "CUSTOM_GOLD")
        with self.database.reader() as conn:
            for found in (
                trait.list_matching(conn, names=["custom_gold"]),
                trait.list_matching(conn, prefix="custom_"),
                resource_provider.list_matching(conn, ProviderFilters(name="HOST")),
                resource_provider.list_matching(conn, ProviderFilters(uuid=host_uuid.upper())),
                resource_provider.list_matching(conn, ProviderFilters(in_tree=host_uuid.upper())),
            ):
                self.assertEqual([], found)

    def test_a_person_means_a_uuid_in_any_case_and_a_name_as_it_is_written(self):
        uuid, named_like_it = (f"aaaaaaaa-0000-4000-8000-00000000000{last}" for last in "12")
        with self.database.writer() as conn:
            resource_provider.create(conn, uuid=uuid, name="host")
            resource_provider.create(conn, uuid=named_like_it, name=uuid.upper())
        with self.database.reader() as conn:
            for text, expected in ((uuid.upper(), uuid), ("host", uuid), ("HOST", None)):
                (host_id,) = hosts.find_ids(conn, [text]).values() or (None,)
                host = hosts.host_of_provider(conn, text)
                self.assertEqual(host_id, host and host.id, text)
                self.assertEqual(expected, host and host.uuid, text)
                self.assertEqual(expected, changes.find_provider(conn, text), text)

    def test_a_provider_is_listed_as_it_is_stored_whatever_its_name(self):
        providers = tables.resource_providers
        with self.database.writer() as conn:
            root = provider(conn, "root, of a tree")
            for name in (",", "a,,b,", "h\N{LATIN SMALL LETTER O WITH DIAERESIS}st\n", "gone"):
                provider(conn, name, {"VCPU": 1}, parent=root)
            empty = provider(conn, "renamed")
            resource_provider.update(conn, empty, name="")
            # Only another program can leave this behind.
            nothing = {"name": None, "generation": None, "created_at": None, "updated_at": None}
            conn.execute(
                sa.update(providers).where(providers.c.name == "gone").values(**nothing)
            )
        with self.database.reader() as conn:
            listed = resource_provider.list_matching(conn, ProviderFilters())
            stored = db_providers.find_all(conn, [row.uuid for row in listed])
            self.assertEqual(6, len(stored))
            for row in listed:
                each = stored[row.uuid]
                touched = each.updated_at or each.created_at
                expected = {name: getattr(each, name) for name in row._fields if name != "touched"}
                self.assertEqual(expected | {"touched": touched}, row._asdict())
                self.assertEqual(row, resource_provider.show(conn, row.uuid))
        self.assertEqual({None, "", ","}, {None, "", ","} & {row.name for row in listed})

    def test_reads_about_a_provider_compare_its_uuid_exactly(self):
        host_uuid = "aaaaaaaa-0000-4000-8000-000000000001"
        with self.database.writer() as conn:
            resource_provider.create(conn, uuid=host_uuid, name="host")
        with self.database.reader() as conn:
            for read in READS_OF_A_PROVIDER:
                # An empty answer is not an error.
                read(conn, host_uuid)
                self.assertRaises(
                    exception.ResourceProviderNotFound, read, conn, host_uuid.upper()
                )

    def test_reads_about_a_provider_read_no_rows_of_others(self):
        if self.kind != "sqlite":
            self.skipTest("SQLite plans alike for few rows and for many")
        with self.database.writer() as conn:
            host = provider(conn, "host", {"VCPU": 8})
        sent = self.useFixture(databases.Statements(self.database))
        with self.database.reader() as conn:
            for read in READS_OF_A_PROVIDER:
                read(conn, host.uuid)
                statement = sent.seen[-1]
                values = (host.uuid,) * statement.count("?")
                plan = conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
                self.assertNotIn("SCAN", " ".join(step.detail for step in plan))

    def test_traits_are_listed_in_the_order_in_which_they_were_added(self):
        names = ["CUSTOM_ZINC", *(f"CUSTOM_{number}" for number in range(12)), "CUSTOM_ALUMINIUM"]
        with self.database.writer() as conn:
            host = provider(conn, "host")
            for name in names:
                trait.ensure(conn, name)
            set_traits(conn, host, sorted(names))
        with self.database.reader() as conn:
            found = trait.of_provider(conn, host.uuid)
            latest = max(row.touched for row in trait.list_matching(conn, names=names))
        self.assertEqual((names, latest), (found.names, found.touched))

    def test_truncated_traits_are_noticed(self):
        if self.kind != "mysql":
            self.skipTest("No other database cuts texts")
        with self.database.writer() as conn:
            host = provider(conn, "host")
            set_traits(conn, host, ["HW_CPU_X86_AVX", "HW_CPU_X86_VMX"])
        self.addCleanup(self.database.disconnect)
        with self.database.reader() as conn:
            cutting.assert_noticed(
                self, conn, lambda conn: trait.of_provider(conn, host.uuid).names, range(10, 48)
            )
            for kept in ([], ["HW_CPU_X86_AVX"]):
                cutting.assert_noticed(
                    self,
                    conn,
                    lambda conn, kept=kept: trait.read_for_replacement(conn, host.uuid, kept).held,
                    range(10, 48),
                )

    def test_aggregates_are_listed_in_the_order_in_which_they_were_first_named(self):
        early, late = "ffffffff-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000001"
        with self.database.writer() as conn:
            host, other = provider(conn, "host"), provider(conn, "other")
            set_aggregates(conn, other, [early], advance_generation=True)
            set_aggregates(conn, host, [late, early], advance_generation=True)
        with self.database.reader() as conn:
            self.assertEqual([early, late], aggregate.of_provider(conn, host.uuid).rows)
            self.assertEqual([early], aggregate.of_provider(conn, other.uuid).rows)

    def test_more_names_than_a_statement_may_have_parameters_are_looked_up(self):
        with self.database.writer() as conn:
            trait.ensure(conn, "CUSTOM_ZINC")
        unknown = {f"CUSTOM_{number}" for number in range(40_000)}
        sent = self.useFixture(databases.Statements(self.database))
        with self.database.reader() as conn:
            found = names_and_ids.resolve(
                conn, traits={"CUSTOM_ZINC", *unknown}, resource_classes={"VCPU"}
            )
            listed = trait.list_matching(conn, names={"CUSTOM_ZINC", *unknown})
        # Five queries of ten thousand names each, and one for all traits, which are fewer.
        self.assertEqual(5 + 1, len(sent.seen))
        self.assertEqual({"CUSTOM_ZINC"}, found.traits.keys())
        self.assertEqual({"VCPU": 0}, found.resource_classes)
        self.assertEqual(["CUSTOM_ZINC"], [row.name for row in listed])

    def test_a_consumer_without_allocations_is_not_counted(self):
        with self.database.writer() as conn:
            host = provider(conn, "host", {"VCPU": 8})
        take(self.database, claim({host: {"VCPU": 2}}))
        consumers = tables.consumers
        with self.database.writer() as conn:
            # Releases before Stein kept such rows.
            owner = conn.execute(sa.select(consumers.c.project_id, consumers.c.user_id)).one()
            conn.execute(
                sa.insert(consumers).values(uuid=str(uuid.uuid4()), **owner._asdict())
            )
        with self.database.reader() as conn:
            self.assertEqual(
                {"INSTANCE": {"VCPU": 2, "consumer_count": 1}},
                usage.of_project_by_type(conn, "project"),
            )
