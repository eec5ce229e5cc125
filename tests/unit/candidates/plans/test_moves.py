"""Places for consumers that leave a tree, compared with trying everything."""

import itertools
import random
import unittest
from unittest import mock

from placement.candidates.effort import Effort, SpentError
from placement.candidates.plans import moves, needs
from placement.candidates.plans.destinations import Destinations
from placement.db.provider_room import HeldOnProvider
from tests import dice
from tests.trees import World
from tests.unit.candidates.plans import moving

WORLDS = 200
DISABLED = 99


def needs_of(cloud, forest, left_ids):
    return {
        number: needs.need_of(held, forest, left_ids, needs.Wishes())
        for number, held in enumerate(cloud.held)
        if any(forest.providers[each.provider_id].root_id in left_ids for each in held)
    }


def used(forest):
    return {
        (provider.id, class_id): room.used
        for provider in forest.providers.values()
        for class_id, room in provider.rooms.items()
    }


class Moves(unittest.TestCase):
    def test_nearly_every_plan_that_exists_is_found_and_none_that_does_not(self):
        for is_nested in (False, True):
            thrower = random.Random(f"moves {is_nested}")
            existing = found = 0
            while existing < WORLDS:
                exists, is_found = self.compare(thrower, is_nested)
                existing += exists
                found += is_found
            self.assertGreaterEqual(found, 0.99 * existing)

    def compare(self, thrower, is_nested):
        """Plan to empty the first host of a random world. Return (a plan exists, one is found)."""
        cloud = moving.RandomCloud(thrower, is_nested)
        forest = dice.forest(cloud.providers, dice.roots_of(cloud.providers))
        left_ids = frozenset([1])
        wanted = needs_of(cloud, forest, left_ids)
        before = used(forest)
        destinations = Destinations(forest, DISABLED, Effort())
        destinations.begin_plan(left_ids)
        found = moves.find(wanted, destinations)
        self.assertEqual(wanted.keys(), found.keys())
        self.check(forest, wanted, found, left_ids, before)
        destinations.clear()
        self.assertEqual(before, used(forest))
        is_found = None not in found.values()
        try:
            exists = moving.can_all_move(forest, wanted.values(), left_ids)
        except moving.UnknownError:
            return False, False
        self.assertLessEqual(is_found, exists)
        return exists, is_found

    def check(self, forest, wanted, found, left_ids, before):
        """Check what is used after the moves: each place must be valid."""
        expected = dict(before)
        for key, place in found.items():
            if place is None:
                continue
            self.assertNotIn(place.root_id, left_ids)
            total = {}
            for part in wanted[key].parts:
                for class_id, amount in part.amounts:
                    total[class_id] = total.get(class_id, 0) + amount
            for (provider_id, class_id), amount in place.amounts.items():
                provider = forest.providers[provider_id]
                self.assertEqual(place.root_id, provider.root_id)
                expected[provider_id, class_id] += amount
                self.assertLessEqual(
                    expected[provider_id, class_id], provider.rooms[class_id].capacity
                )
                total[class_id] -= amount
            self.assertEqual({0}, set(total.values()))
        self.assertEqual(expected, used(forest))

    def test_a_search_that_takes_too_long_is_ended(self):
        cloud = moving.RandomCloud(random.Random(1), is_nested=True)
        forest = dice.forest(cloud.providers, dice.roots_of(cloud.providers))
        left_ids = frozenset([1])
        destinations = Destinations(forest, DISABLED, Effort(most=5))
        destinations.begin_plan(left_ids)
        wanted = needs_of(cloud, forest, left_ids)
        self.assertRaises(SpentError, moves.find, wanted, destinations)


class SeveralPlans(unittest.TestCase):
    def test_the_next_plan_may_use_every_tree_again(self):
        world = World("small {VCPU 4}\nlarge {VCPU 8}\n")
        names = {each.id: each.uuid for each in world.providers}
        destinations = Destinations(world.forest(), DISABLED, Effort())
        four_cpus = needs.Part(
            amounts=((world.class_ids["VCPU"], 4),),
            trait_ids=frozenset(),
            aggregate_ids=frozenset(),
        )
        need = needs.Need(
            parts=(four_cpus,),
            kept=(),
            reached=frozenset(),
            root_ids=None,
            of_roots=(),
            may_share=False,
        )

        def plan():
            chosen = []
            # There is room for three. A fault that takes nothing would find places for ever.
            while len(chosen) < 9 and (place := destinations.first(need)) is not None:
                destinations.take(place)
                chosen.append(names[place.root_id])
            return chosen

        first = plan()
        self.assertEqual(["small", "large", "large"], first)
        destinations.clear()
        self.assertEqual(first, plan())
        destinations.begin_plan(frozenset())
        self.assertEqual(first, plan())


class RoomForAllButOne:
    """Destinations with too little room: the last of some consumers never finds a place."""

    def __init__(self, consumers):
        self._consumers = consumers
        self._placed = 0

    def clear(self):
        self._placed = 0

    def take(self, place):
        self._placed += 1

    def first(self, need):
        return "a place" if self._placed < self._consumers - 1 else None

    tightest = first


class Rounds(unittest.TestCase):
    def test_the_attempts_are_limited_and_end_when_the_order_repeats_itself(self):
        """If it fails, a plan that many consumers do not fit into takes longer, or gives up early.

        Whoever has no place goes first in the next round, so the orders of n consumers repeat
        themselves after n rounds.
        """
        for consumers, rounds in (
            *((0, 1), (2, 2), (5, 5), (6, 6), (7, moves.ROUNDS)),
            *((333, 6), (334, 5), (667, 2), (1000, 2), (1001, 1), (2001, 1)),
        ):
            order = list(range(consumers))
            found = moves._attempts(order, order, RoomForAllButOne(consumers))
            plans = list(itertools.islice(found, 2 * moves.ROUNDS))
            # The first attempt is none of the rounds.
            self.assertEqual(1 + rounds, len(plans), consumers)


class DrivingOut(unittest.TestCase):
    """If a test fails, a consumer gets no place that others could give up, or it takes too long."""

    def placed(self, *chains, twins=()):
        """Return which consumers find a place, a boolean for each of the chains.

        A chain is a number of consumers, each on a host of its own. Only the next host could serve
        them as well; the one after the last is free. One more consumer needs the first host, and so
        does its twin in the chains with these numbers.
        """
        world = World("".join(f"host{n} {{VCPU 1}}\n" for n in range(sum(chains) + len(chains))))
        one_cpu = needs.Part(((world.class_ids["VCPU"], 1),), frozenset(), frozenset())
        forest = world.forest()
        destinations = Destinations(forest, DISABLED, Effort())
        root_ids = iter(forest.root_ids)
        wanted, plan = {}, {}
        for chain, length in enumerate(chains):
            hosts = list(itertools.islice(root_ids, length + 1))
            for number in range(length + 1):
                either = frozenset(hosts[max(0, number - 1) : number + 1])
                need = needs.Need((one_cpu,), (), frozenset(), either, (), may_share=False)
                place = destinations.tightest_at(need, hosts[number - 1]) if number else None
                if place is not None:
                    destinations.take(place)
                wanted[chain, number], plan[chain, number] = need, place
                if number == 0 and chain in twins:
                    wanted[chain, "twin"], plan[chain, "twin"] = need, None
        before = dict(plan)
        moves._drive_out(plan, wanted, destinations)
        found = [plan[chain, 0] is not None for chain in range(len(chains))]
        for key, place in plan.items():
            self.assertEqual(found[key[0]], place != before[key], key)
        return found

    def test_as_many_move_for_another_as_a_chain_may_have_and_no_more(self):
        longest = moves._LONGEST_CHAIN
        for length in range(longest + 2):
            self.assertEqual([length <= longest], self.placed(length), length)

    def test_the_consumers_driven_out_for_one_are_limited(self):
        for most in (1, 2, 3):
            with mock.patch.object(moves, "_MOST_EJECTIONS", most):
                self.assertEqual([most >= 2], self.placed(2), most)

    def test_a_consumer_like_one_without_a_place_drives_out_nobody(self):
        """If it fails, a thousand equal consumers that fit nowhere use up what others could."""
        with mock.patch.object(moves, "_MOST_EJECTIONS_IN_ALL", 5):
            self.assertEqual([False, True], self.placed(4, 2, twins=[0]))

    def test_the_consumers_driven_out_in_all_are_limited(self):
        """The first chain is too long, and drives three consumers out in vain."""
        for most in (4, 5, 6):
            with mock.patch.object(moves, "_MOST_EJECTIONS_IN_ALL", most):
                self.assertEqual([False, most >= 5], self.placed(4, 2), most)


class WhatIsKept(unittest.TestCase):
    def test_what_a_consumer_keeps_and_takes_from_a_provider_fits_its_units_together(self):
        """If it fails, a move is planned that the service refuses."""
        for most, fits in ((5, True), (4, False)):
            world = World(f"host {{VCPU 9 used 3 max_unit {most}}}\n")
            vcpu = world.class_ids["VCPU"]
            two_more = needs.Part(
                amounts=((vcpu, 2),), trait_ids=frozenset(), aggregate_ids=frozenset()
            )
            forest = world.forest()
            [host] = forest.providers.values()
            need = needs.Need(
                parts=(two_more,),
                kept=(HeldOnProvider(host.id, ((vcpu, 3),)),),
                reached=frozenset(),
                root_ids=None,
                of_roots=(),
                may_share=False,
            )
            place = Destinations(forest, DISABLED, Effort()).first(need)
            self.assertEqual(fits, place is not None, most)
