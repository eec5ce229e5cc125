"""The audit finds writes that are missing from the history, and reports no others."""

import uuid

import sqlalchemy as sa

from placement.db import tables
from placement.db.feed import author
from placement.objects import ledger_audit, resource_provider
from placement.objects.feed import positioning
from tests import databases
from tests.functional.worlds import (
    claim,
    provider,
    set_aggregates,
    set_inventories,
    set_traits,
    take,
)

SOMEBODY = author.Author("PUT /allocations/{consumer_uuid}", "req-1", "user", "project")
CONSUMER = "10000000-0000-4000-8000-000000000001"


@databases.on_each_database
class MissingChanges:
    """If a test fails, an incomplete history looks complete, or an operator gets a false alarm."""

    def setUp(self):
        super().setUp()
        self.others = sa.create_engine(self.url)
        self.addCleanup(self.others.dispose)
        with author.acting(SOMEBODY):
            self.host = self.register()
            take(self.database, claim({self.host: {"VCPU": 2}}, consumer_uuid=CONSUMER))

    def register(self, **options):
        with self.database.writer() as conn:
            return provider(conn, f"host-{uuid.uuid4()}", {"VCPU": 8}, **options)

    def found(self):
        with self.database.reader() as conn:
            findings = {each.check.name: each for each in ledger_audit.audit(conn)}
        found = findings["changes_complete"]
        return found.count, found.examples

    def assert_complete(self):
        """Check that nothing is missing, before and after the newest changes get positions."""
        self.assertEqual((0, []), self.found())
        positioning.assign_all(self.database)
        self.assertEqual((0, []), self.found())

    def write_to_host(self):
        with self.database.writer() as conn:
            host = resource_provider.get(conn, self.host.uuid)
            set_inventories(conn, host, {"VCPU": 4})

    def by_others(self, statement):
        with self.others.begin() as conn:
            conn.execute(statement)

    def test_what_this_service_writes_is_in_the_history(self):
        self.assert_complete()
        with author.acting(SOMEBODY):
            self.write_to_host()
            self.assert_complete()
            with self.database.writer() as conn:
                set_traits(conn, resource_provider.get(conn, self.host.uuid), ["COMPUTE_NODE"])
            with self.database.writer() as conn:
                set_aggregates(conn, resource_provider.get(conn, self.host.uuid), [CONSUMER])
            take(self.database, claim({self.host: {"VCPU": 3}}, consumer_uuid=CONSUMER))
            self.assert_complete()
            take(self.database, claim({}, consumer_uuid=CONSUMER))
            self.assert_complete()

    def test_a_provider_that_is_created_again_begins_again(self):
        with author.acting(SOMEBODY):
            take(self.database, claim({}, consumer_uuid=CONSUMER))
            with self.database.writer() as conn:
                resource_provider.delete(conn, self.host.uuid)
            self.assert_complete()
            with self.database.writer() as conn:
                resource_provider.create(conn, uuid=self.host.uuid, name="again")
        self.assert_complete()

    def test_what_is_older_than_the_history_is_left_out(self):
        self.register()
        take(self.database, claim({self.register(): {"VCPU": 1}}))
        self.assert_complete()

    def test_writes_of_other_programs_are_in_the_history(self):
        providers, consumers = tables.resource_providers, tables.consumers
        advance = {"generation": providers.c.generation + 1}
        self.by_others(sa.update(providers).values(advance))
        self.assert_complete()
        advance = {"generation": consumers.c.generation + 1}
        self.by_others(sa.update(consumers).values(advance))
        self.assert_complete()

    def test_a_provider_written_without_history_is_found(self):
        self.write_to_host()
        positioning.assign_all(self.database)
        generation = self.host.generation + 2
        example = {
            "provider_uuid": self.host.uuid,
            "provider": self.host.name,
            "generation": generation,
            "newest_change": generation - 1,
        }
        self.assertEqual((1, [example]), self.found())

    def test_a_provider_is_found_after_a_change_of_several_providers(self):
        with author.acting(SOMEBODY):
            other = self.register()
            take(self.database, claim({self.host: {"VCPU": 1}, other: {"VCPU": 1}}))
            self.assert_complete()
        self.write_to_host()
        count, examples = self.found()
        self.assertEqual((1, self.host.uuid), (count, examples[0]["provider_uuid"]))

    def test_a_consumer_written_without_history_is_found(self):
        positioning.assign_all(self.database)
        take(self.database, claim({self.host: {"VCPU": 3}}, consumer_uuid=CONSUMER))
        count, examples = self.found()
        # The claim has advanced the provider, too.
        self.assertEqual(2, count)
        self.assertEqual({"consumer_uuid": CONSUMER, "generation": 2}, examples[1])

    def test_a_provider_whose_newest_change_is_of_its_name_is_found(self):
        with author.acting(SOMEBODY), self.database.writer() as conn:
            created = resource_provider.create(conn, uuid=str(uuid.uuid4()), name="new")
        positioning.assign_all(self.database)
        with self.database.writer() as conn:
            set_traits(conn, resource_provider.get(conn, created.uuid), ["COMPUTE_NODE"])
        self.assertEqual(1, self.found()[0])

    def test_a_provider_whose_newest_change_has_removed_its_inventories_is_found(self):
        with author.acting(SOMEBODY), self.database.writer() as conn:
            created = provider(conn, "emptied", {"VCPU": 8})
            set_inventories(conn, created, {})
        positioning.assign_all(self.database)
        with self.database.writer() as conn:
            set_traits(conn, resource_provider.get(conn, created.uuid), ["COMPUTE_NODE"])
        self.assertEqual(1, self.found()[0])

    def test_a_consumer_that_claims_again_without_history_is_found(self):
        with author.acting(SOMEBODY):
            take(self.database, claim({}, consumer_uuid=CONSUMER))
        positioning.assign_all(self.database)
        take(self.database, claim({self.host: {"VCPU": 2}}, consumer_uuid=CONSUMER))
        _, examples = self.found()
        self.assertIn({"consumer_uuid": CONSUMER, "generation": 1}, examples)

    def test_a_provider_of_which_only_a_release_is_still_in_the_history_is_found(self):
        with author.acting(SOMEBODY):
            take(self.database, claim({}, consumer_uuid=CONSUMER))
        positioning.assign_all(self.database)
        position = tables.changes.c.position
        with self.database.writer() as conn:
            newest = conn.scalar(sa.select(sa.func.max(position)))
            conn.execute(sa.delete(tables.changes).where(position < newest))
        self.write_to_host()
        self.assertEqual(1, self.found()[0])

    def test_a_change_that_was_removed_is_found(self):
        with author.acting(SOMEBODY):
            self.write_to_host()
        positioning.assign_all(self.database)
        newest = sa.select(sa.func.max(tables.changes.c.position))
        with self.database.writer() as conn:
            position = conn.scalar(newest)
            conn.execute(sa.delete(tables.changes).where(tables.changes.c.position == position))
        self.assertEqual(1, self.found()[0])
