"""Claims by names that a process remembers, after others have changed what they stand for."""

import dataclasses
import uuid

import fixtures
import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement import exception
from placement.candidates import query, search
from placement.db import consumers as db_consumers
from placement.db import engine, generations, names_and_ids, remembered_names, tables
from placement.db import resource_classes as db_classes
from placement.db.engine.process_caches import ProcessCaches
from placement.objects import allocation, inventory, resource_class, resource_provider, usage
from placement.objects.claims import writing
from tests import databases
from tests.functional import invariants
from tests.functional.interleaving import Meanwhile
from tests.functional.worlds import claim, provider, set_inventories, take


def claim_by_uuid(allocations):
    """Return a ConsumerClaim of a new consumer for {provider_uuid: {class_name: amount}}."""
    return dataclasses.replace(claim({}), allocations=allocations)


providers, classes = tables.resource_providers, tables.resource_classes


@databases.on_each_database
class Presumption:
    """If a test fails, a claim is stored for another provider, class or owner.

    `self.others` is the same database, as another process sees it.
    """

    def setUp(self):
        super().setUp()
        self.others = engine.connect(self.url)
        self.addCleanup(self.others.engine.dispose)
        self.addCleanup(self.check_invariants)
        with self.others.writer() as conn:
            resource_class.create(conn, "CUSTOM_A")
            self.host = provider(conn, "host", {"VCPU": 8, "CUSTOM_A": 8})
        self.held = claim({self.host: {"VCPU": 1, "CUSTOM_A": 1}})
        take(self.database, self.held)
        # All of these names are remembered.
        statements = databases.Statements(self.database)
        with statements:
            self.empty_again(claim({self.host: {"VCPU": 1, "CUSTOM_A": 1}}))
            self.assertEqual([4, 5], [len(each) for each in statements.transactions])

    def check_invariants(self):
        with self.others.reader() as conn:
            self.assertEqual([], invariants.violations(conn))

    def empty_again(self, made):
        take(self.database, made)
        take(self.database, claim({}, consumer_uuid=made.consumer_uuid, generation=1))

    def by_others(self, work):
        """Let another process do `work`, with a connection."""
        with self.others.writer() as conn:
            return work(conn)

    def used(self, of_provider):
        with self.others.reader() as conn:
            return dict(usage.of_provider(conn, of_provider.uuid).rows)

    def assert_unknown_class(self, allocations):
        """A new consumer cannot take these allocations, because a class does not exist."""
        self.assertRaises(
            exception.UnknownResourceClass, take, self.database, claim(allocations)
        )

    def release_all(self):
        self.by_others(lambda conn: writing.delete_allocations(conn, self.held.consumer_uuid))

    def delete_host(self, conn):
        inventory.delete_all(conn, resource_provider.get(conn, self.host.uuid))
        resource_provider.delete(conn, self.host.uuid)

    def delete_class(self, conn):
        host = resource_provider.get(conn, self.host.uuid)
        set_inventories(conn, host, {"VCPU": 8})
        resource_class.delete(conn, "CUSTOM_A")

    def replace_class(self, conn):
        """Remove CUSTOM_A, and let the host have an inventory of CUSTOM_B, with the same id."""
        ids = sa.select(classes.c.id).where(classes.c.name.in_(["CUSTOM_A", "CUSTOM_B"]))
        before = conn.scalars(ids).all()
        self.delete_class(conn)
        resource_class.create(conn, "CUSTOM_B")
        host = resource_provider.get(conn, self.host.uuid)
        set_inventories(conn, host, {"VCPU": 8, "CUSTOM_B": 8})
        self.assertEqual(before, conn.scalars(ids).all())

    def test_a_remembered_provider_that_was_deleted_is_unknown(self):
        self.release_all()
        self.by_others(self.delete_host)
        for _ in range(2):
            self.assertRaises(
                exception.UnknownProviderInAllocation,
                take,
                self.database,
                claim({self.host: {"VCPU": 1}}),
            )

    def test_a_new_provider_is_looked_up_alone_and_once(self):
        other = self.by_others(lambda conn: provider(conn, "other", {"VCPU": 8}))
        counts = []
        for _ in range(2):
            statements = databases.Statements(self.database)
            with statements:
                take(self.database, claim({self.host: {"VCPU": 1}, other: {"VCPU": 1}}))
                counts.append([len(each) for each in statements.transactions])
        self.assertEqual([[5], [4]], counts)
        self.assertEqual(2, self.used(other)["VCPU"])

    def test_the_providers_of_candidates_are_remembered(self):
        other = self.by_others(lambda conn: provider(conn, "other", {"CUSTOM_A": 8}))
        wanted = query.CandidateQuery(groups=(query.Group("", {"CUSTOM_A": 8}),))
        self.assertEqual(
            1, len(search.find(self.database, wanted, search.Strategy()).candidates)
        )
        statements = databases.Statements(self.database)
        with statements:
            take(self.database, claim({other: {"CUSTOM_A": 8}}))
            self.assertEqual([4], [len(each) for each in statements.transactions])

    def test_a_provider_that_never_existed_is_unknown(self):
        stranger = claim({self.host: {"VCPU": 1}})
        stranger.allocations[str(uuid.uuid4())] = {"VCPU": 1}
        self.assertRaises(
            exception.UnknownProviderInAllocation, take, self.database, stranger
        )
        self.assertEqual(1, self.used(self.host)["VCPU"])

    def test_providers_whose_uuids_differ_in_case_are_distinguished(self):
        # MySQL finds each of the two by the uuid of the other.
        lower = "abcdef00-0000-4000-8000-00000000000b"
        self.by_others(lambda conn: resource_provider.create(conn, uuid=lower, name="other"))
        wanted = dataclasses.replace(claim({}), allocations={lower.upper(): {"VCPU": 1}})
        self.assertRaises(exception.UnknownProviderInAllocation, take, self.database, wanted)

    def test_a_provider_deleted_after_its_lookup_is_unknown(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite has one writer at a time")
        other = self.by_others(lambda conn: provider(conn, "other"))

        def delete():
            self.by_others(lambda conn: resource_provider.delete(conn, other.uuid))

        with Meanwhile(names_and_ids, "resolve", delete, patience=None):
            self.assertRaises(
                exception.UnknownProviderInAllocation,
                take,
                self.database,
                claim({other: {"VCPU": 1}}),
            )

    def test_a_recreated_provider_can_be_claimed(self):
        self.release_all()

        def make_anew(conn):
            # With this provider, the next id is not that of the deleted host.
            provider(conn, "other")
            self.delete_host(conn)
            resource_provider.create(conn, uuid=self.host.uuid, name="anew")
            anew = resource_provider.get(conn, self.host.uuid)
            set_inventories(conn, anew, {"VCPU": 2})
            return anew

        anew = self.by_others(make_anew)
        self.assertNotEqual(self.host.id, anew.id)
        take(self.database, claim({self.host: {"VCPU": 2}}))
        self.assertEqual({"VCPU": 2}, self.used(anew))

    def test_an_id_that_a_restore_gave_to_another_provider_is_not_claimed(self):
        self.release_all()
        other = self.by_others(lambda conn: provider(conn, "other", {"VCPU": 8}))
        uuids = self.host.uuid, other.uuid

        def exchange(conn):
            for key, new in (
                (self.host.id, str(uuid.uuid4())),
                (other.id, uuids[0]),
                (self.host.id, uuids[1]),
            ):
                conn.execute(sa.update(providers).where(providers.c.id == key).values(uuid=new))

        self.by_others(exchange)
        take(self.database, claim({self.host: {"VCPU": 3}}))
        self.assertEqual(3, self.used(self.host)["VCPU"])
        self.assertEqual(0, self.used(other)["VCPU"])

    def test_a_reused_id_does_not_merge_two_providers(self):
        # The service remembers the uuid of a deleted provider, whose id now belongs to another one.
        self.release_all()
        gone = self.host.uuid

        def give_its_id_to_another(conn):
            another = sa.update(providers).where(providers.c.id == self.host.id)
            conn.execute(another.values(uuid=str(uuid.uuid4())))
            return conn.scalar(sa.select(providers.c.uuid).where(providers.c.id == self.host.id))

        live = self.by_others(give_its_id_to_another)
        take(self.database, claim_by_uuid({live: {"VCPU": 1}}))
        for wanted in (
            [claim_by_uuid({gone: {"VCPU": 1}, live: {"VCPU": 1}})],
            [claim_by_uuid({live: {"VCPU": 1}, gone: {"VCPU": 1}})],
            [claim_by_uuid({gone: {"VCPU": 1}}), claim_by_uuid({live: {"VCPU": 1}})],
            [claim_by_uuid({gone: {"CUSTOM_A": 1}}), claim_by_uuid({live: {"VCPU": 1}})],
        ):
            # Both uuids are remembered with one id, even if the previous attempt has corrected
            # that.
            self.database.caches.names.learn("providers", {gone: self.host.id, live: self.host.id})
            self.assertRaises(
                exception.UnknownProviderInAllocation, take, self.database, *wanted
            )
        with self.others.reader() as conn:
            self.assertEqual({"VCPU": 1, "CUSTOM_A": 0}, dict(usage.of_provider(conn, live).rows))

    def test_a_provider_recreated_in_another_case_is_another_provider(self):
        # After a restore, the other provider may even have the same id.
        self.release_all()
        known = "abcdef00-0000-4000-8000-00000000000c"

        def set_uuid(text):
            self.by_others(
                lambda conn: conn.execute(
                    sa.update(providers).where(providers.c.id == self.host.id).values(uuid=text)
                )
            )

        set_uuid(known)
        take(self.database, claim_by_uuid({known: {"VCPU": 1}}))
        set_uuid(known.upper())
        wanted = claim_by_uuid({known: {"VCPU": 1}})
        self.assertRaises(exception.UnknownProviderInAllocation, take, self.database, wanted)

    def test_the_id_of_a_deleted_provider_is_never_reused(self):
        # An SQLite file that an earlier release made may reuse ids; the tests above cover that.
        self.release_all()
        self.by_others(self.delete_host)
        self.assertLess(self.host.id, self.by_others(lambda conn: provider(conn, "next")).id)

    def test_sqlite_never_reuses_an_id_that_it_chose(self):
        if self.kind != "sqlite":
            self.skipTest("only SQLite gives ids of deleted rows again")
        every_table = tables.metadata.sorted_tables
        with_ids = {table.name for table in every_table if "id" in table.primary_key.columns}
        query = "SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'"
        with self.database.reader() as conn:
            self.assertEqual(set(), with_ids.difference(conn.exec_driver_sql(query).scalars()))

    def test_a_remembered_class_that_was_deleted_is_unknown(self):
        self.release_all()
        self.by_others(self.delete_class)
        self.assert_unknown_class({self.host: {"CUSTOM_A": 1}})

    def test_a_class_id_that_was_reused_is_not_claimed(self):
        self.release_all()
        self.by_others(self.replace_class)
        self.assert_unknown_class({self.host: {"VCPU": 1, "CUSTOM_A": 1}})
        self.assertEqual({"VCPU": 0, "CUSTOM_B": 0}, self.used(self.host))

    def test_a_claim_with_a_stale_name_is_refused_for_the_right_reason(self):
        self.release_all()
        self.by_others(self.replace_class)
        self.assert_unknown_class({self.host: {"VCPU": 100, "CUSTOM_A": 1}})

    def test_a_class_id_reused_after_it_was_presumed_is_not_claimed(self):
        self.release_all()
        self.replace_class_after(writing, "presumed_names")

    def test_a_class_id_reused_after_the_claim_began_to_write_is_not_claimed(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite has one writer at a time")
        self.release_all()
        self.replace_class_after(db_consumers, "insert")

    def test_a_class_id_reused_after_the_lookup_for_a_claim_is_not_claimed(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite has one writer at a time")
        self.release_all()
        self.database.caches = ProcessCaches()
        self.replace_class_after(names_and_ids, "resolve")

    def test_a_class_id_reused_between_lookup_and_change_is_not_changed(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite has one writer at a time")
        self.release_all()
        for change in (
            lambda conn: resource_class.delete(conn, "CUSTOM_A"),
            lambda conn: resource_class.rename(conn, "CUSTOM_A", "CUSTOM_C"),
        ):
            with Meanwhile(
                db_classes, "find", lambda: self.by_others(self.replace_class), patience=None
            ):
                self.assertRaises(
                    exception.ResourceClassNotFound, self.database.in_transaction, change
                )
            self.by_others(self.restore_class)

    def restore_class(self, conn):
        host = resource_provider.get(conn, self.host.uuid)
        set_inventories(conn, host, {"VCPU": 8})
        resource_class.delete(conn, "CUSTOM_B")
        resource_class.create(conn, "CUSTOM_A")
        host = resource_provider.get(conn, self.host.uuid)
        set_inventories(conn, host, {"VCPU": 8, "CUSTOM_A": 8})

    def replace_class_after(self, module, function):
        def replace():
            self.by_others(self.replace_class)

        retried = engine.retry_on_conflict(take, 2)
        with Meanwhile(module, function, replace, patience=None):
            self.assertRaises(
                exception.UnknownResourceClass,
                retried,
                self.database,
                claim({self.host: {"CUSTOM_A": 1}}),
            )
        self.assertEqual({"VCPU": 0, "CUSTOM_B": 0}, self.used(self.host))

    def test_the_classes_of_a_locked_provider_cannot_change(self):
        self.release_all()
        refusals = exception.InventoryInUse, exception.ConcurrentUpdate

        def replace():
            self.assertRaises(refusals, self.by_others, self.replace_class)

        # The replacement waits for the claim, and then finds that the class is in use.
        with Meanwhile(generations, "advance_all", replace):
            take(self.database, claim({self.host: {"CUSTOM_A": 1}}))
        self.assertEqual({"VCPU": 0, "CUSTOM_A": 1}, self.used(self.host))

    def test_owners_whose_ids_belong_to_others_after_a_restore_are_looked_up(self):
        def restore(conn):
            for table, column in (
                (tables.projects, "external_id"),
                (tables.users, "external_id"),
                (tables.consumer_types, "name"),
            ):
                conn.execute(sa.update(table).values({column: f"other {table.name}"}))

        self.by_others(restore)
        made = claim({self.host: {"VCPU": 1}})
        take(self.database, made)
        with self.others.reader() as conn:
            consumer = allocation.of_consumer(conn, made.consumer_uuid).consumer
        self.assertEqual(
            ("project", "user", "INSTANCE"),
            (consumer.project_id, consumer.user_id, consumer.consumer_type),
        )

    def test_a_type_id_that_changed_in_a_restore_is_looked_up(self):
        self.release_all()

        def restore(conn):
            conn.execute(sa.update(tables.consumer_types).values(id=tables.consumer_types.c.id + 7))

        self.by_others(restore)
        take(self.database, claim({self.host: {"VCPU": 1}}))
        self.assertEqual(1, self.used(self.host)["VCPU"])

    def test_no_claim_is_stored_for_an_owner_that_was_lost_after_it_was_added(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite has one writer at a time")

        def lose_and_resolve(conn, **wanted):
            newcomer = tables.projects.c.external_id == "newcomer"
            lose = sa.update(tables.projects).where(newcomer).values(external_id="other")
            lost.append(self.by_others(lambda others: others.execute(lose).rowcount))
            return resolve(conn, **wanted)

        lost, resolve = [], names_and_ids.resolve
        self.useFixture(fixtures.MockPatchObject(names_and_ids, "resolve", lose_and_resolve))
        made = claim({self.host: {"VCPU": 1}}, project_id="newcomer")
        # How many rows were lost: before the owner was added, and after.
        self.assertRaises(db_exc.RetryRequest, take, self.database, made)
        self.assertEqual([0, 1], lost)

    def test_owners_that_the_database_considers_the_same_can_claim_together(self):
        # MySQL does not distinguish upper and lower case.
        owners = ["alike", "ALIKE"]
        for _ in range(2):
            made = [claim({self.host: {"VCPU": 1}}, project_id=owner) for owner in owners]
            take(self.database, *made)
        self.assertEqual(5, self.used(self.host)["VCPU"])

    def test_an_owner_that_was_never_stored_is_not_remembered(self):
        stranger = claim({self.host: {"VCPU": 100}}, project_id="stranger")
        self.assertRaises(exception.CapacityExceeded, take, self.database, stranger)

        def undo(conn):
            strangers = tables.projects.c.external_id == "stranger"
            conn.execute(sa.delete(tables.projects).where(strangers))

        self.by_others(undo)
        made = claim({self.host: {"VCPU": 1}}, project_id="stranger")
        take(self.database, made)
        with self.others.reader() as conn:
            consumer = allocation.of_consumer(conn, made.consumer_uuid).consumer
        self.assertEqual("stranger", consumer.project_id)

    def test_wrong_generations_of_consumers_are_conflicts(self):
        for wrong in (None, 0, 2, 2**31, 2**70):
            for amounts in ({self.host: {"VCPU": 1}}, {}):
                wanted = claim(amounts, consumer_uuid=self.held.consumer_uuid, generation=wrong)
                error = self.assertRaises(
                    exception.ConsumerGenerationConflict, take, self.database, wanted
                )
                self.assertIn("expected 1 but got", str(error))

    def test_a_deleted_consumer_is_a_conflict(self):
        self.release_all()
        wanted = claim(
            {self.host: {"VCPU": 1}}, consumer_uuid=self.held.consumer_uuid, generation=1
        )
        self.assertRaises(exception.ConsumerGenerationConflict, take, self.database, wanted)

    def test_consumers_whose_uuids_differ_in_case_are_distinguished(self):
        # MySQL finds each of the two by the uuid of the other.
        lower = "abcdef00-0000-4000-8000-00000000000a"
        take(self.database, claim({self.host: {"VCPU": 1}}, consumer_uuid=lower))
        for amounts in ({self.host: {"VCPU": 2}}, {}):
            wanted = claim(amounts, consumer_uuid=lower.upper(), generation=1)
            self.assertRaises(exception.ConsumerGenerationConflict, take, self.database, wanted)
        self.assertEqual(2, self.used(self.host)["VCPU"])

    def test_a_refusal_for_capacity_does_not_repeat_the_lookup(self):
        statements = databases.Statements(self.database)
        with statements:
            self.assertRaises(
                exception.CapacityExceeded, take, self.database, claim({self.host: {"VCPU": 9}})
            )
            # On MySQL, one statement checks whether the session has lost its settings.
            expected = 7 if self.kind == "mysql" else 6
            self.assertEqual([expected], [len(each) for each in statements.transactions])

    def test_a_wrongly_remembered_name_is_looked_up_once(self):
        self.release_all()

        def move(conn):
            project = tables.projects.c.external_id == "project"
            # The id is not a constant: MySQL continues its ids from test to test, and may have
            # reached it.
            another = tables.projects.c.id + 1000
            conn.execute(sa.update(tables.projects).where(project).values(id=another))

        self.by_others(move)
        counts = []
        for _ in range(2):
            statements = databases.Statements(self.database)
            with statements:
                take(self.database, claim({self.host: {"VCPU": 1}}))
                counts.append([len(each) for each in statements.transactions])
        # On MySQL, one statement checks whether the session has lost its settings.
        first = 5 if self.kind == "mysql" else 4
        self.assertEqual([[first, 5], [4]], counts)

    def test_more_names_than_a_statement_can_prove_are_looked_up(self):
        with self.others.writer() as conn:
            hosts = [
                provider(conn, f"host{number}", {"VCPU": 8})
                for number in range(remembered_names.MAX_CONDITIONS)
            ]
        for _ in range(2):
            take(self.database, claim({host: {"VCPU": 1} for host in hosts}))
        self.assertEqual([2] * len(hosts), [self.used(host)["VCPU"] for host in hosts])

    def test_a_claim_may_be_for_many_users_and_a_class_of_the_operator(self):
        amounts = {"VCPU": 1, "CUSTOM_A": 1}
        with self.others.writer() as conn:
            large = provider(conn, "large", dict.fromkeys(amounts, 300))
        for count in (100, 90):
            # Users are added for the first claim, and remembered for the second.
            users = [f"user-{number % 90}" for number in range(count)]
            take(self.database, *(claim({large: amounts}, user_id=user) for user in users))
        self.assertEqual(dict.fromkeys(amounts, 190), self.used(large))
