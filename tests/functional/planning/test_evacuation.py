"""Plans to empty hosts: their moves are really made.

Source: doc/how-to/planning.rst.
"""

import collections
import uuid

import hypothesis
from hypothesis import strategies as st

from placement import exception
from placement.candidates.effort import Effort
from placement.candidates.plans import evacuation
from placement.candidates.plans.evacuation_query import EvacuationQuery
from placement.db import allocations
from placement.objects.claims import writing
from placement.objects.claims.claim import ConsumerClaim
from tests import databases, dice, properties
from tests.functional.planning.worlds import ClaimedWorlds
from tests.functional.random_worlds import provider_uuid
from tests.functional.worlds import claim, provider, set_aggregates, take


def planned(database, *hosts, most_effort=None, **wishes):
    query = EvacuationQuery(frozenset(hosts), **wishes)
    with database.reports() as conn:
        return evacuation.plan(conn, query, Effort(most_effort))


@databases.on_each_database
class RandomEvacuations(ClaimedWorlds):
    @hypothesis.settings(properties.SETTINGS, max_examples=30)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_every_move_of_a_plan_is_accepted_and_a_whole_plan_empties_the_hosts(self, random):
        thrower = dice.Dice(random)
        world = thrower.providers([random.randint(1, 3) for _ in range(random.randint(2, 5))])
        self.fill(thrower, world, consumers=random.randint(1, 8))
        roots = dice.roots_of(world)
        left = random.sample(roots, random.randint(1, 2))
        found = planned(
            self.database,
            *map(provider_uuid, left),
            keep=("CUSTOM_TRAIT_*",) if thrower.one_in(4) else (),
            same_aggregate=thrower.one_in(4),
        )
        hypothesis.event(f"possible: {found.is_possible}, moves: {min(len(found.moves), 3)}")
        gone = {provider_uuid(each.id) for each in world if each.root_id in left}
        claims = [self.move(each, gone) for each in found.moves if each.to is not None]
        if claims:
            writing.replace_allocations(self.database, claims)
        after = planned(self.database, *map(provider_uuid, left))
        self.assertEqual(found.without_place, len(after.moves))
        for each in found.moves:
            self.assertEqual(each.to is None, each.nowhere is not None)

    def move(self, move, gone):
        """Return the claim of a Move, after checking that it holds the same amounts elsewhere."""
        owner = move.owner
        self.assertEqual(self.totals(self.held_by(owner)), self.totals(move.allocations))
        self.assertTrue(gone.isdisjoint(move.allocations))
        return ConsumerClaim(
            consumer_uuid=owner.uuid,
            project_id=owner.project_id,
            user_id=owner.user_id,
            consumer_type=owner.consumer_type,
            generation=owner.generation,
            allocations=move.allocations,
        )

    def held_by(self, owner):
        held = collections.defaultdict(dict)
        with self.database.reader() as conn:
            for each in allocations.of_consumer(conn, owner.uuid):
                held[each.provider_uuid][each.class_name] = each.amount
        return held

    def totals(self, held):
        found = collections.Counter()
        for amounts in held.values():
            found.update(amounts)
        return found


@databases.on_each_database
class Evacuations:
    def setUp(self):
        super().setUp()
        with self.database.writer() as conn:
            self.old = provider(conn, "old", {"VCPU": 8})
            self.new = provider(conn, "new", {"VCPU": 8})
            self.small = provider(conn, "small", {"VCPU": 2})
            self.rack = str(uuid.uuid4())
            for each in (self.old, self.small):
                set_aggregates(conn, each, [self.rack])
        self.consumers = [claim({self.old: {"VCPU": amount}}) for amount in (2, 5, 1)]
        take(self.database, *self.consumers)

    def test_the_largest_consumer_is_placed_first(self):
        found = planned(self.database, "old")
        self.assertTrue(found.is_possible)
        self.assertEqual(
            [(self.consumers[n].consumer_uuid, "new") for n in (1, 0, 2)],
            [(move.owner.uuid, move.to.name) for move in found.moves],
        )

    def test_large_gaps_are_left_for_large_consumers_if_that_is_needed(self):
        with self.database.writer() as conn:
            full = provider(conn, "full", {"PCPU": 16})
            for name, total in (("tall", 10), ("short", 6)):
                provider(conn, name, {"PCPU": total})
        take(self.database, *(claim({full: {"PCPU": amount}}) for amount in (5, 6, 5)))
        found = planned(self.database, "full")
        self.assertEqual(["short", "tall", "tall"], [move.to.name for move in found.moves])

    def test_two_small_consumers_get_a_place_rather_than_one_large_one(self):
        with self.database.writer() as conn:
            full = provider(conn, "full", {"PCPU": 10})
            provider(conn, "half", {"PCPU": 5})
        take(self.database, *(claim({full: {"PCPU": amount}}) for amount in (5, 3, 2)))
        found = planned(self.database, "full")
        self.assertEqual(
            [None, "half", "half"], [move.to and move.to.name for move in found.moves]
        )

    def test_consumers_go_to_the_emptiest_host(self):
        with self.database.writer() as conn:
            provider(conn, "empty", {"VCPU": 8})
        take(self.database, claim({self.new: {"VCPU": 1}}))
        self.assertEqual("empty", planned(self.database, "old").moves[0].to.name)

    def test_a_host_that_is_completely_reserved_takes_nothing(self):
        with self.database.writer() as conn:
            provider(conn, "reserved", {"VCPU": 8}, reserved=8)
        found = planned(self.database, "old")
        self.assertEqual({"new"}, {move.to.name for move in found.moves})

    def test_a_consumer_that_fits_nowhere_by_itself_is_listed_separately(self):
        take(self.database, claim({self.new: {"VCPU": 4}}))
        found = planned(self.database, "old")
        self.assertEqual(1, found.without_place)
        [missing] = [move for move in found.moves if move.to is None]
        self.assertEqual(self.consumers[1].consumer_uuid, missing.owner.uuid)
        self.assertEqual(
            evacuation.NoPlace(is_alone=True, host_count=2, stops={"VCPU": 2}), missing.nowhere
        )

    def test_a_consumer_that_would_fit_without_the_others_is_listed_separately(self):
        take(self.database, claim({self.new: {"VCPU": 3}}), claim({self.small: {"VCPU": 1}}))
        found = planned(self.database, "old")
        self.assertEqual(
            [evacuation.NoPlace(is_alone=False, host_count=2, stops={"VCPU": 2})],
            [move.nowhere for move in found.moves if move.to is None],
        )

    def test_the_old_aggregate_can_be_kept(self):
        found = planned(self.database, "old", same_aggregate=True)
        self.assertEqual(
            [None, "small", None], [move.to and move.to.name for move in found.moves]
        )
        everything = planned(self.database, aggregates=frozenset([self.rack]))
        self.assertEqual(["old", "small"], [host.name for host in everything.hosts])
        self.assertTrue(everything.is_possible)

    def test_hosts_and_aggregates_that_do_not_exist_are_refused(self):
        self.assertRaises(exception.NoSuchHost, planned, self.database, "none")
        unknown = frozenset([str(uuid.uuid4())])
        self.assertRaises(
            exception.NoSuchAggregate, planned, self.database, aggregates=unknown
        )

    def test_the_effort_of_a_plan_is_bounded(self):
        self.assertRaises(
            exception.PlanTooLong, planned, self.database, "old", most_effort=3
        )

    def test_reading_many_consumers_takes_effort(self):
        take(self.database, *(claim({self.small: {"VCPU": 1}}) for _ in range(2)))
        self.assertRaises(
            exception.PlanTooLong, planned, self.database, "small", most_effort=90
        )

    def test_many_patterns_of_traits_take_effort_but_repeated_ones_do_not(self):
        patterns = tuple(f"CUSTOM_{number}*" for number in range(200))
        self.assertRaises(
            exception.PlanTooLong,
            planned, self.database, "old", keep=patterns, most_effort=5000,
        )  # fmt: skip
        planned(self.database, "old", keep=200 * patterns[:1], most_effort=5000)

    def test_the_number_of_statements_does_not_depend_on_the_number_of_consumers(self):
        few = self.statements()
        take(self.database, *(claim({self.small: {"VCPU": 1}}) for _ in range(2)))
        self.assertEqual(few, self.statements())
        self.assertLessEqual(few, 16)

    def statements(self):
        statements = databases.Statements(self.database)
        with statements:
            planned(self.database, "old", "small")
        return len(statements.seen)
