"""Why are there no candidates? If a count is wrong, operators look in the wrong place."""

import random
import unittest

import hypothesis
from hypothesis import strategies as st

from placement.candidates import constraints
from placement.candidates.explanation import Explanation
from tests import dice, properties, reference
from tests.trees import World


class TestCase(unittest.TestCase):
    def explained(self, world, query, **options):
        self.world = World(world)
        explanation = Explanation(self.world.query(query), **options)
        explanation.look_at(self.world.forest())
        return explanation

    def counts(self, explanation):
        """Return (group and name, fail, only, left) of each constraint."""
        return [
            (f"{each.constraint.name}{each.constraint.group or ''}", *self.numbers(each))
            for each in explanation.counts
        ]

    def names(self, root_ids):
        names = {each.id: each.uuid for each in self.world.providers}
        return [names[each] for each in root_ids]

    def numbers(self, count):
        return count.fail.hosts, count.only, count.left


FLAT = """
h1 {VCPU 4} <GOLD> [x]
h2 {VCPU 3} <GOLD>
h3 {VCPU 8}
h4 {VCPU 2} [x]
h5 {MEMORY_MB 8} <GOLD>
"""

NESTED = """
h
  a {VCPU 4} <TA>
    ag {VGPU 2}
  b {VCPU 8} <TB>
    bg {VGPU 2} <FAST>
"""


class Counts(TestCase):
    def test_each_constraint_is_counted_alone_and_after_the_others(self):
        found = self.explained(FLAT, "resources=VCPU:4&required=GOLD&member_of=!x")
        self.assertEqual(
            [("not_member_of", 2, 1, 3), ("required", 2, 1, 2), ("resources", 3, 2, 0)],
            self.counts(found),
        )
        self.assertEqual((5, 0, 0), (found.hosts, found.passing, found.candidates))

    def test_what_is_left_of_a_group_without_resources_still_counts(self):
        found = self.explained(FLAT, "resources=VCPU:9&required=!GOLD")
        self.assertEqual([("forbidden", 3, 0, 2), ("resources", 5, 2, 0)], self.counts(found)[:2])

    def test_why_an_amount_does_not_fit_is_said_by_the_provider_that_comes_closest(self):
        found = self.explained(FLAT, "resources=VCPU:9")
        (count,) = found.counts
        self.assertEqual({"capacity": 4, "no_inventory": 1}, count.fail.reasons)
        self.assertEqual(8, count.fail.most_free)
        world = "h {VCPU 9 max_unit 2}\n  a {VCPU 9 used 7 step_size 2}\n"
        for amount, reason in ((4, "capacity"), (3, "step_size")):
            (count,) = self.explained(world, f"resources=VCPU:{amount}").counts
            self.assertEqual({reason: 1}, count.fail.reasons)

    def test_a_granular_group_is_judged_by_the_provider_that_meets_most_of_it(self):
        found = self.explained(NESTED, "resources1=VCPU:8,MEMORY_MB:1&required1=TA")
        self.assertEqual(
            [("required1", 0, 0, 1), ("resources1", 1, 0, 0), ("resources1", 1, 0, 0)],
            self.counts(found),
        )

    def test_either_part_of_a_granular_group_may_be_given_up(self):
        found = self.explained(NESTED, "resources1=VCPU:8&required1=TA")
        self.assertEqual([("required1", 0, 1, 1), ("resources1", 1, 1, 0)], self.counts(found))

    def test_what_binds_groups_is_counted_after_them(self):
        query = "resources_V=VCPU:4&required_V=TA&resources_G=VGPU:1&required_G=FAST"
        found = self.explained(NESTED, query + "&same_subtree=_V,_G&group_policy=none")
        self.assertEqual(("same_subtree", 1, 1, 0), self.counts(found)[-1])
        query = "&".join(f"resources{n}=VCPU:1" for n in (1, 2, 3))
        found = self.explained(NESTED, query + "&group_policy=isolate")
        self.assertEqual(("group_policy", 1, 1, 0), self.counts(found)[-1])

    def test_what_only_the_search_refuses_is_said_to_fail_together(self):
        query = "resources1=VCPU:8&resources2=VCPU:8&group_policy=none"
        found = self.explained(NESTED, query)
        self.assertEqual(("together", 1, 0, 0), self.counts(found)[-1])
        self.assertEqual([1, 1], [each.only for each in found.counts[:2]])

    def test_candidates_are_counted_up_to_a_thousand(self):
        self.assertEqual(2, self.explained(FLAT, "resources=VCPU:4").candidates)
        world = "h\n" + "".join(f"  d{n} {{VGPU 1}}\n" for n in range(11))
        query = "resources1=VGPU:1&resources2=VGPU:1&resources3=VGPU:1&group_policy=none"
        self.assertEqual(11 * 10 * 9, self.explained(world, query).candidates)
        self.assertEqual(1000, self.explained(world + "  d {VGPU 1}\n", query).candidates)


class Closest(TestCase):
    def closest(self, explanation):
        return self.names([close.root_id for close in explanation.closest])

    def test_fewest_unmet_constraints_come_first_and_then_the_smallest_shortage(self):
        found = self.explained(FLAT, "resources=VCPU:9&required=GOLD")
        self.assertEqual(["h1", "h2", "h5", "h3", "h4"], self.closest(found))
        found = self.explained(FLAT, "resources=VCPU:9&required=GOLD", closest=2)
        self.assertEqual(["h1", "h2"], self.closest(found))
        self.assertEqual([], self.explained(FLAT, "resources=VCPU:9", closest=0).closest)

    def test_the_provider_that_came_closest_is_named(self):
        found = self.explained(NESTED, "resources1=VCPU:9&required1=TB")
        (unmet,) = found.closest[0].unmet
        self.assertEqual(("capacity", 8, 4), (unmet.why, unmet.free, unmet.provider_id))


    def test_who_would_serve_the_groups_is_said_of_what_binds_them(self):
        query = "resources_V=VCPU:4&required_V=TA&resources_G=VGPU:1&required_G=FAST"
        found = self.explained(NESTED, query + "&same_subtree=_V,_G&group_policy=none")
        (unmet,) = found.closest[0].unmet
        serving = {suffix: self.names(ids) for suffix, ids in unmet.serving.items()}
        self.assertEqual({"_V": ["a"], "_G": ["bg"]}, serving)

    def test_the_unit_in_the_way_is_said(self):
        found = self.explained("h {VCPU 9 max_unit 2}\n", "resources=VCPU:4")
        (unmet,) = found.closest[0].unmet
        self.assertEqual(("max_unit", 2, 9), (unmet.why, unmet.unit, unmet.free))


class FirstRefusals(TestCase):
    """What is said of a step is about the hosts that fall there, not about all that fail."""

    def test_the_reasons_are_theirs(self):
        found = self.explained(FLAT, "resources=VCPU:9&required=GOLD&member_of=x")
        first = found.counts[-1].first
        self.assertEqual((1, {"capacity": 1}, 4), (first.hosts, first.reasons, first.most_free))


class Relaxations(TestCase):
    def relaxations(self, world, query):
        return [
            (each.constraint.name, each.instead and each.instead.value[1], each.hosts)
            for each in self.explained(world, query).relaxations
        ]

    def test_a_host_that_it_would_help_is_named(self):
        given_up, less = self.explained(FLAT, "resources=VCPU:8&required=GOLD").relaxations
        self.assertEqual(["h3", "h1"], self.names([given_up.example, less.example]))

    def test_the_largest_amount_that_would_do_is_named(self):
        self.assertEqual([("resources", 8, 1)], self.relaxations(FLAT, "resources=VCPU:9"))
        self.assertEqual(
            [("resources", 4, 1)], self.relaxations(FLAT, "resources=VCPU:9&required=GOLD")
        )

    def test_amounts_obey_the_unit_rules(self):
        world = "h {VCPU 9 step_size 4 max_unit 6 min_unit 2}\n"
        self.assertEqual([("resources", 4, 1)], self.relaxations(world, "resources=VCPU:9"))

    def test_most_hosts_come_first(self):
        world = """
            h1 {VCPU 4} <GOLD>
            h2 {VCPU 3} [y]
            h3 {VCPU 8} [y]
            h4 {VCPU 2} <GOLD> [x]
            h5 {VCPU 2} <GOLD>
        """
        world = "\n".join(line.strip() for line in world.splitlines())
        self.assertEqual(
            [("member_of", None, 3), ("required", None, 2)],
            self.relaxations(world, "resources=VCPU:2&required=GOLD&member_of=y"),
        )


class AgainstReference(unittest.TestCase):
    """What would help is compared with asking the relaxed query, by trying everything."""

    @hypothesis.settings(properties.SETTINGS, max_examples=400)
    # Less of a class helps a host that the class, given up, does not: its provider has the traits.
    @hypothesis.example(random.Random(736240133211124))
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_giving_up_a_constraint_brings_as_many_hosts_as_it_says(self, random):
        thrower = dice.Dice(random)
        sizes = [random.randint(1, 4) for _ in range(random.randint(1, 4))]
        providers = thrower.providers(sizes)
        query = thrower.query(providers, random.randint(0, 3))
        hypothesis.assume(dice.combinations(providers, query) <= dice.MOST_COMBINATIONS)
        one_per_tree = thrower.one_in(4)
        roots = dice.roots_of(providers)
        forest = dice.forest(providers, roots)

        def hosts(asked):
            return {
                root_id
                for root_id in roots
                if reference.candidates(forest, asked, one_per_tree, root_id)
            }

        explanation = Explanation(query, one_per_tree)
        explanation.look_at(forest)
        passing = hosts(query)
        self.assertEqual(len(passing), explanation.passing)
        counts = explanation.counts
        lefts = [explanation.hosts, *(each.left for each in counts)]
        self.assertEqual(sorted(lefts, reverse=True), lefts)
        self.assertEqual(len(passing), lefts[-1])
        for count in counts:
            if count.constraint.name == constraints.TOGETHER:
                continue
            relaxed = constraints.without(query, count.constraint)
            if len(relaxed.groups) == len(query.groups):
                self.assertEqual(len(hosts(relaxed) - passing), count.only, count.constraint)
        for relaxation in explanation.relaxations:
            if relaxation.instead is not None:
                asked = constraints.instead(query, relaxation.constraint, relaxation.instead)
                self.assertEqual(relaxation.hosts, len(hosts(asked) - passing))
