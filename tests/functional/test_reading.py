"""What lists and sums read of rows that a database, or an older release, sees differently."""

import uuid

import sqlalchemy as sa

from placement.db import names, tables
from placement.objects import aggregate, resource_provider, trait, usage
from tests import databases
from tests.functional.worlds import claim, provider, take


@databases.on_each_database
class Reading:
    """If one fails, an answer has what was not asked for, or counts consumers that take nothing."""

    def test_names_are_compared_as_exact_text(self):
        host_uuid = "aaaaaaaa-0000-4000-8000-000000000001"
        with self.database.writer() as conn:
            resource_provider.create(conn, uuid=host_uuid, name="host")
            trait.ensure(conn, "CUSTOM_GOLD")
        filters = resource_provider.ProviderFilters
        with self.database.reader() as conn:
            for found in (
                trait.list_matching(conn, names=["custom_gold"]),
                trait.list_matching(conn, prefix="custom_"),
                resource_provider.list_matching(conn, filters(name="HOST")),
                resource_provider.list_matching(conn, filters(uuid=host_uuid.upper())),
            ):
                self.assertEqual([], found)

    def test_aggregates_are_listed_in_the_order_in_which_they_were_first_named(self):
        early, late = "ffffffff-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000001"
        with self.database.writer() as conn:
            host, other = provider(conn, "host"), provider(conn, "other")
            aggregate.replace(conn, other, [early], advance_generation=True)
            aggregate.replace(conn, host, [late, early], advance_generation=True)
        with self.database.reader() as conn:
            self.assertEqual([early, late], aggregate.list_for(conn, host.id))
            self.assertEqual([early], aggregate.list_for(conn, other.id))

    def test_more_names_are_looked_up_than_a_statement_takes_parameters(self):
        with self.database.writer() as conn:
            trait.ensure(conn, "CUSTOM_ZINC")
        unknown = {f"CUSTOM_{number}" for number in range(40_000)}
        sent = self.useFixture(databases.Statements(self.database))
        with self.database.reader() as conn:
            found = names.resolve(
                conn, traits={"CUSTOM_ZINC", *unknown}, resource_classes={"VCPU"}
            )
            listed = trait.list_matching(conn, names={"CUSTOM_ZINC", *unknown})
        # Ten thousand at a time, and then all traits, which are fewer.
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
