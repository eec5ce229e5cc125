"""Allocation writes: what fits, what is refused, and what writers do to each other."""

import concurrent.futures
import contextlib
import random
import uuid
from unittest import mock

import sqlalchemy as sa
from oslo_db import exception as db_exc

from placement import constants, exception
from placement.db import consumers as db_consumers
from placement.db import engine, names_and_ids, tables, taking_capacity
from placement.db.schema import migrate
from placement.objects import allocation, resource_provider, usage
from placement.objects.claims import writing
from placement.objects.claims.claim import UNCHECKED
from tests import databases
from tests.functional import invariants
from tests.functional.interleaving import Meanwhile
from tests.functional.worlds import claim, provider, set_inventories, take


def all_at_once(ask, count):
    """Call ask(0), ask(1) ..., up to six at the same time, and return their results."""
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        return list(pool.map(ask, range(count)))


@databases.on_each_database
class Claims:
    """If a test fails, hosts promise resources that they lack, or refuse what they have."""

    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.host = provider(conn, "host", {"VCPU": 8, "MEMORY_MB": 1024, "DISK_GB": 100})
            self.other = provider(conn, "other", {"VCPU": 8})
        self.addCleanup(self.check_invariants)

    def check_invariants(self):
        with self.database.reader() as conn:
            self.assertEqual([], invariants.violations(conn))

    def write(self, *claims):
        take(self.database, *claims)

    def is_stored(self, wanted, unless):
        """Write a claim, with retries. Return False if it was refused with the error `unless`."""
        try:
            engine.retry_on_conflict(self.write, 20)(wanted)
        except unless:
            return False
        return True

    def used(self, of_provider):
        with self.database.reader() as conn:
            return dict(usage.of_provider(conn, of_provider.uuid).rows)

    def generation(self, of_provider):
        with self.database.reader() as conn:
            return resource_provider.get(conn, of_provider.uuid).generation

    def statements_of(self, *claims):
        """Return how many statements each transaction of a write has."""
        statements = databases.Statements(self.database)
        with statements:
            self.write(*claims)
            return [len(each) for each in statements.transactions]

    def test_a_claim_takes_four_statements_and_one_more_to_look_up_its_names(self):
        flavor = {"VCPU": 1, "MEMORY_MB": 64, "DISK_GB": 5}
        self.write(claim({self.other: {"VCPU": 1}}))
        for statements in (5, 4):
            self.assertEqual([statements], self.statements_of(claim({self.host: flavor})))

    def test_new_owners_are_added_before_the_claim(self):
        # If a claim added them itself, all other claims for a new project would have to wait.
        strange = {"project_id": "new", "user_id": "new", "consumer_type": "NEW"}
        new = claim({self.host: {"VCPU": 1}}, **strange)
        self.assertEqual([1, 3, 5], self.statements_of(new))
        others = dict.fromkeys(strange, "OTHER")
        again = claim({self.other: {"VCPU": 1}}, consumer_uuid=new.consumer_uuid, **others)
        self.assertEqual([1, 3, 7], self.statements_of(again))

    def test_a_replaced_claim_takes_six_statements_and_one_more_without_a_generation(self):
        first = claim({self.host: {"VCPU": 1, "MEMORY_MB": 64}, self.other: {"VCPU": 1}})
        self.write(first)
        for given, statements in ((1, 6), (UNCHECKED, 7)):
            again = claim(
                {self.other: {"VCPU": 2}}, consumer_uuid=first.consumer_uuid, generation=given
            )
            self.assertEqual([statements], self.statements_of(again))

    def test_a_move_of_many_consumers_takes_seven_statements(self):
        olds = [claim({self.host: {"VCPU": 1}}) for _ in range(4)]
        self.write(*olds)
        moves = [claim({}, consumer_uuid=old.consumer_uuid, generation=1) for old in olds]
        moves += [claim({self.host: {"VCPU": 1}}) for _ in olds]
        self.assertEqual([7], self.statements_of(*moves))

    def test_thousands_of_consumers_are_moved_at_once(self):
        # Pairs of uuid and generation once were too many for PostgreSQL's stack.
        with self.database.writer() as conn:
            wide = provider(conn, "wide", {"DISK_GB": 10000})
        olds = [claim({wide: {"DISK_GB": 1}}) for _ in range(8000)]
        self.write(*olds)
        self.write(
            *(claim({}, consumer_uuid=old.consumer_uuid, generation=1) for old in olds)
        )
        self.assertEqual(0, self.used(wide)["DISK_GB"])

    def test_only_claims_that_fit_are_stored(self):
        self.write(claim({self.host: {"VCPU": 8, "DISK_GB": 60}}))
        self.assertRaises(
            exception.CapacityExceeded,
            self.write,
            claim({self.host: {"DISK_GB": 30, "MEMORY_MB": 1, "VCPU": 1}}),
        )
        self.assertEqual({"VCPU": 8, "MEMORY_MB": 0, "DISK_GB": 60}, self.used(self.host))

    def test_a_refusal_names_the_first_allocation_that_breaks_a_rule(self):
        self.write(claim({self.host: {"VCPU": 5}}))
        refused = {self.host: {"DISK_GB": 50, "VCPU": 4}, self.other: {"DISK_GB": 1}}
        self.assertRaises(exception.CapacityExceeded, self.write, claim(refused))
        refused = {self.other: {"DISK_GB": 1}, self.host: {"VCPU": 4}}
        error = self.assertRaises(exception.InventoryLacking, self.write, claim(refused))
        self.assertIn("'DISK_GB'", str(error))

    def test_min_unit_and_step_size_apply_to_each_amount_and_not_to_the_sum(self):
        with self.database.writer() as conn:
            host = provider(conn, "units", {"VCPU": 40}, min_unit=4, max_unit=6, step_size=2)
        self.write(claim({host: {"VCPU": 6}}), claim({host: {"VCPU": 4}}))
        for amount in (2, 5, 8):
            self.assertRaises(
                exception.UnitsViolated,
                self.write,
                claim({host: {"VCPU": 4}}),
                claim({host: {"VCPU": amount}}),
            )
        self.assertEqual({"VCPU": 10}, self.used(host))

    def test_an_enormous_amount_is_a_violation_of_units(self):
        self.assertRaises(
            exception.UnitsViolated, self.write, claim({self.host: {"VCPU": 2147483648}})
        )

    def test_an_overcommitted_host_may_keep_what_it_has(self):
        first, second = claim({self.other: {"VCPU": 6}}), claim({self.other: {"VCPU": 2}})
        self.write(first, second)
        with self.database.writer() as conn:
            current = resource_provider.get(conn, self.other.uuid)
            set_inventories(conn, current, {"VCPU": 5})

        def again(old, amount):
            amounts = {self.other: {"VCPU": amount}} if amount else {}
            return claim(amounts, consumer_uuid=old.consumer_uuid)

        self.assertRaises(exception.CapacityExceeded, self.write, claim({self.other: {"VCPU": 1}}))
        self.write(again(first, 6))
        self.assertRaises(exception.CapacityExceeded, self.write, again(first, 7))
        self.write(again(first, 5), again(second, 3))
        self.assertEqual({"VCPU": 8}, self.used(self.other))
        self.write(again(first, 0), again(second, 5))

    def test_a_consumer_whose_allocations_are_removed_is_removed(self):
        held = claim({self.host: {"VCPU": 1}})
        self.write(held)
        self.write(claim({}, consumer_uuid=held.consumer_uuid, generation=1))
        self.write(
            claim({self.host: {"VCPU": 1}}, consumer_uuid=held.consumer_uuid, generation=None)
        )
        with self.database.reader() as conn:
            found = allocation.of_consumer(conn, held.consumer_uuid)
        self.assertEqual(1, found.consumer.generation)

    def test_an_empty_claim_does_not_create_a_consumer(self):
        self.write(claim({}))

    def test_empty_claims_create_nothing_and_take_one_statement(self):
        new = {"project_id": "a project", "user_id": "a user", "consumer_type": "A_TYPE"}
        nothing = [claim({}, **new) for _ in range(300)]
        self.assertEqual([1], self.statements_of(*nothing))
        with self.database.reader() as conn:
            found = names_and_ids.resolve(
                conn,
                projects={"a project"},
                users={"a user"},
                consumer_types={"A_TYPE"},
                consumers={each.consumer_uuid for each in nothing},
            )
        self.assertEqual(set(), {name for kind in found for name in kind})

    def test_a_claim_of_unknown_names_is_refused_before_anything_is_written(self):
        nowhere, conflict = mock.Mock(uuid=str(uuid.uuid4())), exception.ConsumerGenerationConflict
        self.write(claim({self.other: {"VCPU": 1}}))
        for refused, error, queries in [
            # If all but the host is remembered, the host alone is looked up; then an UPDATE finds
            # no consumer at this generation; and only then all names are looked up, for the
            # refusal.
            (claim({self.host: {"VCPU": 1}}, generation=7), conflict, 3),
            (claim({nowhere: {"VCPU": 1}}), exception.UnknownProviderInAllocation, 2),
            (claim({self.host: {"CUSTOM_NONE": 1}}), exception.UnknownResourceClass, 1),
        ]:
            statements = databases.Statements(self.database)
            with statements:
                self.assertRaises(error, self.write, refused)
                self.assertEqual(queries, len(statements.seen), error)

    def test_a_hundred_thousand_amounts_are_enough_for_one_request(self):
        amounts = {f"CUSTOM_{number}": 1 for number in range(constants.MOST_IN_A_REQUEST)}
        statements = databases.Statements(self.database)
        with statements:
            self.assertRaises(
                exception.RequestTooLarge,
                self.write,
                claim({self.host: amounts}),
                claim({self.host: {"VCPU": 1}}),
            )
            self.assertEqual([], statements.seen)

    def test_a_claim_with_a_wrong_consumer_generation_is_refused(self):
        held = claim({self.host: {"VCPU": 1}})
        self.write(held)
        for given, expected in ((None, "1"), (0, "1"), (7, "1")):
            error = self.assertRaises(
                exception.ConsumerGenerationConflict,
                self.write,
                claim({self.host: {"VCPU": 2}}, consumer_uuid=held.consumer_uuid, generation=given),
            )
            self.assertIn(f"expected {expected} but got {given}", str(error))
        self.assertEqual(1, self.used(self.host)["VCPU"])

    def test_unknown_providers_and_classes_are_refused(self):
        nowhere = resource_provider.ResourceProvider(uuid=str(uuid.uuid4()))
        self.assertRaises(
            exception.UnknownProviderInAllocation, self.write, claim({nowhere: {"VCPU": 1}})
        )
        self.assertRaises(
            exception.UnknownResourceClass, self.write, claim({self.host: {"CUSTOM_NO": 1}})
        )

    def test_claims_but_not_deletions_advance_the_generations_of_their_providers(self):
        # G3 of doc/explanation/rules.rst.
        self.assertEqual((1, 1), (self.generation(self.host), self.generation(self.other)))
        self.write(claim({self.host: {"VCPU": 1}}), claim({self.host: {"VCPU": 1}}))
        self.assertEqual(2, self.generation(self.host))
        third = claim({self.host: {"VCPU": 1, "DISK_GB": 1}, self.other: {"VCPU": 1}})
        self.write(third)
        self.assertEqual((3, 2), (self.generation(self.host), self.generation(self.other)))
        self.write(claim({}, consumer_uuid=third.consumer_uuid))
        self.assertEqual((4, 3), (self.generation(self.host), self.generation(self.other)))
        mover = claim({self.host: {"VCPU": 1}})
        self.write(mover)
        self.write(claim({self.other: {"VCPU": 1}}, consumer_uuid=mover.consumer_uuid))
        self.assertEqual((5, 4), (self.generation(self.host), self.generation(self.other)))
        with self.database.writer() as conn:
            writing.delete_allocations(conn, mover.consumer_uuid)
        self.assertEqual((5, 4), (self.generation(self.host), self.generation(self.other)))

    def test_clients_without_types_do_not_change_a_type(self):
        held = claim({self.host: {"VCPU": 1}}, consumer_type="MIGRATION")
        self.write(held)
        self.write(
            claim({self.host: {"VCPU": 2}}, consumer_uuid=held.consumer_uuid, consumer_type=None)
        )
        with self.database.reader() as conn:
            found = allocation.of_consumer(conn, held.consumer_uuid)
        self.assertEqual("MIGRATION", found.consumer.consumer_type)

    def test_writers_at_once_never_get_more_than_the_capacity(self):
        # Twelve writers ask each of two hosts, in different orders, for one of its eight units.
        def ask(number):
            hosts = [self.host, self.other]
            if number % 2:
                hosts.reverse()
            wanted = claim(
                {host: {"VCPU": 1} for host in hosts}, project_id=f"p{number % 3}"
            )
            return self.is_stored(wanted, unless=exception.CapacityExceeded)

        self.assertEqual(8, sum(all_at_once(ask, 12)))
        self.assertEqual(8, self.used(self.host)["VCPU"])

    def test_only_one_of_several_first_claims_of_a_consumer_is_stored(self):
        same = str(uuid.uuid4())

        def ask(number):
            wanted = claim({self.host: {"VCPU": number + 1}}, consumer_uuid=same, generation=None)
            return self.is_stored(wanted, unless=exception.ConcurrentUpdate)

        self.assertEqual(1, sum(all_at_once(ask, 6)))

    def test_only_one_of_several_writers_that_saw_the_same_generation_succeeds(self):
        held = claim({self.host: {"VCPU": 1}})
        self.write(held)

        def ask(number):
            amounts = {self.host: {"VCPU": 1}} if number % 2 else {}
            wanted = claim(amounts, consumer_uuid=held.consumer_uuid, generation=1)
            return self.is_stored(wanted, unless=exception.ConsumerGenerationConflict)

        self.assertEqual(1, sum(all_at_once(ask, 6)))

    def test_many_claims_of_new_users_succeed_at_once(self):
        def ask(number):
            owner = {"project_id": "crowd", "user_id": f"user{number}", "consumer_type": "CROWD"}
            engine.retry_on_conflict(self.write, 20)(claim({self.host: {"VCPU": 1}}, **owner))

        all_at_once(ask, 6)
        self.assertEqual(6, self.used(self.host)["VCPU"])

    def test_many_claims_moves_and_releases_at_once_keep_the_ledger_correct(self):
        consumers = [str(uuid.uuid4()) for _ in range(6)]

        def live(seed):
            dice = random.Random(seed)
            for _ in range(12):
                mine = dice.choice(consumers)
                hosts = dice.sample([self.host, self.other], dice.choice((0, 1, 1, 2)))
                wanted = claim(
                    {host: {"VCPU": dice.choice((1, 2, 3))} for host in hosts},
                    consumer_uuid=mine,
                    generation=dice.choice((UNCHECKED, self.generation_of(mine))),
                )
                try:
                    if dice.random() < 0.2:
                        engine.retry_on_conflict(self.release, 30)(mine)
                    else:
                        engine.retry_on_conflict(self.write, 30)(wanted)
                except (
                    exception.CapacityExceeded,
                    exception.ConsumerGenerationConflict,
                    exception.NoAllocations,
                ):
                    pass

        all_at_once(live, 12)

    def generation_of(self, consumer_uuid):
        with self.database.reader() as conn:
            found = allocation.of_consumer(conn, consumer_uuid)
        return found.consumer.generation if found else None

    def release(self, consumer_uuid, generation=None):
        with self.database.writer() as conn:
            writing.delete_allocations(conn, consumer_uuid, generation)

    def test_all_is_given_back_though_another_program_has_deleted_an_inventory(self):
        """The first inventory is missing; the third one is in a statement of its own."""
        wanted = claim({self.host: {"VCPU": 1, "MEMORY_MB": 1, "DISK_GB": 1}})
        self.write(wanted)
        with self.database.writer() as conn:
            of_vcpus = tables.inventories.c.resource_class_id == 0
            conn.execute(sa.delete(tables.inventories).where(of_vcpus))
        with (
            mock.patch.object(taking_capacity, "MAX_CONDITIONS", 2),
            self.database.writer() as conn,
        ):
            writing.delete_allocations(conn, wanted.consumer_uuid)
        with self.database.reader() as conn:
            used = conn.scalars(sa.select(tables.inventories.c.used)).all()
        self.assertEqual([0, 0], used)

    def test_inventories_shrink_and_claims_grow_at_the_same_time(self):
        def shrink(total):
            try:
                with self.database.writer() as conn:
                    current = resource_provider.get(conn, self.other.uuid)
                    set_inventories(conn, current, {"VCPU": total})
            except (exception.ConcurrentUpdate, exception.InventoryInUse):
                pass

        def ask(_number):
            with contextlib.suppress(exception.CapacityExceeded):
                engine.retry_on_conflict(self.write, 20)(claim({self.other: {"VCPU": 1}}))

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            waiting = [pool.submit(shrink, 9 + number) for number in range(6)]
            waiting += [pool.submit(ask, number) for number in range(6)]
            for each in waiting:
                each.result()

    def test_an_unreachable_database_is_distinguished_from_other_errors(self):
        if self.kind == "sqlite":
            unreachable = "sqlite:////nonexistent/placement.db"
        else:
            unreachable = databases.SERVERS[self.kind].rsplit(":", 1)[0] + ":1/placement"
        database = engine.connect(unreachable)
        with self.assertRaisesRegex(db_exc.DBConnectionError, "."), database.reader():
            pass

    def test_a_value_that_cannot_be_stored_is_bad_data(self):
        if self.kind == "sqlite":
            self.skipTest("SQLite stores any text")
        unstorable = "\U0001f600" if self.kind == "mysql" else "nul \0 character"
        with self.assertRaisesRegex(db_exc.DBDataError, "."), self.database.writer() as conn:
            resource_provider.create(conn, uuid=str(uuid.uuid4()), name=unstorable)

    def test_a_value_that_cannot_be_compared_is_bad_data(self):
        if self.kind != "mysql":
            self.skipTest("only MySQL has characters that it cannot compare")
        url = databases.create("mysql")
        database = engine.connect(url)
        self.addCleanup(database.engine.dispose)
        name = database.engine.url.database
        with database.writer() as conn:
            conn.exec_driver_sql(f"ALTER DATABASE {name} CHARACTER SET utf8mb4")
        migrate.upgrade(database)
        with self.assertRaisesRegex(db_exc.DBDataError, "."), database.reader() as conn:
            resource_provider.get(conn, "\U0001f600")

    def test_every_connection_has_the_same_isolation_level(self):
        # Including the first connection, with which oslo.db checks that the database is reachable.
        if self.kind == "sqlite":
            self.skipTest("SQLite has one writer at a time")
        database = engine.connect(self.url)
        self.addCleanup(database.engine.dispose)
        with database.writer() as first, database.writer() as second:
            for conn in (first, second):
                query = "SHOW transaction_isolation"
                if self.kind == "mysql":
                    name = "tx_isolation" if conn.dialect.is_mariadb else "transaction_isolation"
                    query = f"SELECT @@{name}"
                level = conn.exec_driver_sql(query).scalar()
                self.assertEqual("read committed", level.lower().replace("-", " "))

    def test_releasing_an_unknown_consumer_changes_no_usage(self):
        held = claim({self.host: {"VCPU": 2}})
        self.write(held)
        self.release(held.consumer_uuid)
        self.assertRaises(exception.NoAllocations, self.release, held.consumer_uuid)
        self.assertEqual(0, self.used(self.host)["VCPU"])

    def test_releasing_a_consumer_before_its_claim_changes_no_usage(self):
        late = claim({self.host: {"VCPU": 2}})
        with Meanwhile(db_consumers, "delete_one", lambda: self.write(late)):
            self.assertRaises(exception.NoAllocations, self.release, late.consumer_uuid)
        self.assertEqual(2, self.used(self.host)["VCPU"])

    def test_a_release_is_the_same_where_a_delete_returns_no_rows(self):
        self.patch(self.database.engine.dialect, "delete_returning", False)
        held = claim({self.host: {"VCPU": 2}})
        self.write(held)
        self.assertRaises(exception.NoAllocations, self.release, held.consumer_uuid, 2)
        self.release(held.consumer_uuid, 1)
        self.assertRaises(exception.NoAllocations, self.release, held.consumer_uuid)
        self.assertEqual(0, self.used(self.host)["VCPU"])

    def test_names_that_the_database_considers_equal_do_not_conflict(self):
        for name in ("acme", "ACME", "acme "):
            self.write(claim({self.host: {"VCPU": 1}}, project_id=name, user_id=name))
        self.assertEqual(3, self.used(self.host)["VCPU"])

    def test_owners_that_the_database_considers_equal_can_be_in_one_request(self):
        self.write(
            *(
                claim({self.host: {"VCPU": 1}}, project_id=name, user_id=name)
                for name in ("acme", "ACME", "acme ")
            )
        )
        self.assertEqual(3, self.used(self.host)["VCPU"])

    def test_consumers_that_differ_in_case_are_different(self):
        # MySQL finds each of the two by the uuid of the other.
        held = claim({self.host: {"VCPU": 2}}, consumer_uuid="abcdef00-0000-4000-8000-00000000000a")
        self.write(held)
        other = held.consumer_uuid.upper()
        self.write(claim({}, consumer_uuid=other, generation=None))
        self.assertRaises(exception.NoAllocations, self.release, other)
        self.assertEqual(2, self.used(self.host)["VCPU"])
        with self.database.reader() as conn:
            self.assertIsNotNone(allocation.of_consumer(conn, held.consumer_uuid))
            self.assertIsNone(allocation.of_consumer(conn, other))

    def test_a_claim_with_an_unchecked_generation_can_be_written_again(self):
        held = claim({self.host: {"VCPU": 1}}, consumer_uuid=str(uuid.uuid4()))
        self.assertIs(UNCHECKED, held.generation)
        self.write(held)
        self.write(held)
