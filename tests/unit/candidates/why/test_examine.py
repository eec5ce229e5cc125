"""Why there are no candidates. If a count is wrong, operators look in the wrong place."""

import dataclasses
import random
import unittest

import hypothesis
from hypothesis import strategies as st

from placement.candidates import constraints, kinds
from placement.candidates.effort import Effort
from tests import dice, properties, reference
from tests.trees import World
from tests.unit.candidates.why import explaining


class TestCase(unittest.TestCase):
    def explained(self, world, query, **options):
        self.world = World(world)
        explanation = explaining.explanation(self.world.query(query), **options)
        explanation.examine(self.world.forest())
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

    def test_constraints_left_in_a_group_without_resources_still_count(self):
        found = self.explained(FLAT, "resources=VCPU:9&required=!GOLD")
        self.assertEqual([("forbidden", 3, 0, 2), ("resources", 5, 2, 0)], self.counts(found)[:2])

    def test_the_closest_provider_gives_the_reason_why_an_amount_does_not_fit(self):
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

    def test_either_constraint_of_a_granular_group_may_be_given_up(self):
        found = self.explained(NESTED, "resources1=VCPU:8&required1=TA")
        self.assertEqual([("required1", 0, 1, 1), ("resources1", 1, 1, 0)], self.counts(found))

    def test_group_policy_and_same_subtree_are_counted_after_the_groups(self):
        query = "resources_V=VCPU:4&required_V=TA&resources_G=VGPU:1&required_G=FAST"
        found = self.explained(NESTED, query + "&same_subtree=_V,_G&group_policy=none")
        self.assertEqual(("same_subtree", 1, 1, 0), self.counts(found)[-1])
        query = "&".join(f"resources{n}=VCPU:1" for n in (1, 2, 3))
        found = self.explained(NESTED, query + "&group_policy=isolate")
        self.assertEqual(("group_policy", 1, 1, 0), self.counts(found)[-1])

    def test_a_same_subtree_of_one_group_is_not_a_constraint(self):
        found = self.explained(NESTED, "resources_V=VCPU:9&same_subtree=_V")
        self.assertEqual([("resources_V", 1, 1, 0)], self.counts(found))

    def test_no_search_is_repeated_for_a_host_that_lacks_two_things(self):
        checks = []
        for query in ("required=GOLD&member_of=x", "required=GOLD"):
            effort = Effort()
            self.explained("h {VCPU 4}", f"resources=VCPU:4&{query}", effort=effort)
            checks.append(effort.checks)
        self.assertLess(*checks)

    def test_an_unmet_group_without_resources_may_be_given_up_with_its_same_subtree(self):
        query = "resources_V=VCPU:4&required_B=FAST,TA&same_subtree=_V,_B&group_policy=none"
        only = {name: only for name, _, only, _ in self.counts(self.explained(NESTED, query))}
        self.assertEqual(1, only["same_subtree"])

    def test_constraints_that_only_the_search_refuses_are_reported_together(self):
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

    def test_a_host_that_meets_each_constraint_is_closer_than_one_that_lacks_a_little(self):
        world = """
h1 {VCPU 3} <GOLD>
h2 {VCPU 4}
  g2 <GOLD>
h3 {VCPU 4}
"""
        found = self.explained(world, "resources=VCPU:4&required=GOLD")
        self.assertEqual(["h2", "h1", "h3"], self.closest(found))

    def test_a_trait_on_a_provider_that_can_serve_nothing_is_a_cause(self):
        """Otherwise, operators cannot know what to do about it."""
        query = "resources=VCPU:4,DISK_GB:4&required=GOLD"
        for child, cause in [
            ("<GOLD>", "child"),
            ("{VGPU 1} <GOLD>", "child"),
            ("{VCPU 3} <GOLD>", "child"),
            # The child could serve the request, but is not in the aggregate, which is another
            # cause.
            ("{VCPU 4} <GOLD>", None),
        ]:
            world = f"h {{VCPU 4, DISK_GB 4}}\n  a {{VCPU 4, DISK_GB 4}} [x]\n  child {child}\n"
            aggregate = "&member_of=x" if cause is None else ""
            found = self.explained(world, query + aggregate)
            self.assertEqual(0, found.passing)
            (unmet,) = found.closest[0].unmet
            self.assertEqual(kinds.TOGETHER, unmet.constraint.kind)
            self.assertEqual(cause, unmet.provider_id and self.names([unmet.provider_id])[0])
            self.assertEqual(cause is None, unmet.traits_on_full_provider is None)

    def test_the_provider_that_came_closest_is_named(self):
        found = self.explained(NESTED, "resources1=VCPU:9&required1=TB")
        (unmet,) = found.closest[0].unmet
        self.assertEqual(("capacity", 8, 4), (unmet.why, unmet.free, unmet.provider_id))


    def test_an_unmet_same_subtree_names_the_providers_of_its_groups(self):
        query = "resources_V=VCPU:4&required_V=TA&resources_G=VGPU:1&required_G=FAST"
        found = self.explained(NESTED, query + "&same_subtree=_V,_G&group_policy=none")
        (unmet,) = found.closest[0].unmet
        serving = {suffix: self.names(ids) for suffix, ids in unmet.serving.items()}
        self.assertEqual({"_V": ["a"], "_G": ["bg"]}, serving)

    def test_an_unmet_amount_names_the_unit_that_it_breaks(self):
        found = self.explained("h {VCPU 9 max_unit 2}\n", "resources=VCPU:4")
        (unmet,) = found.closest[0].unmet
        self.assertEqual(("max_unit", 2, 9), (unmet.why, unmet.unit, unmet.free))


class BestProviders(TestCase):
    """Of a host's many providers, the one that could serve the most of the request is shown."""

    TWO_HOSTS = """
a
  a0 {VCPU 1}
  a1 {VCPU 7}
b {VCPU 4}
"""

    def shown(self, world, query):
        """Return (provider, why, free, unit) for what each of the closest hosts does not meet."""
        found = self.explained(world, query)
        return [
            (*self.names([unmet.provider_id]), unmet.why, unmet.free, unmet.unit)
            for close in found.closest
            for unmet in close.unmet
        ]

    def test_the_best_provider_has_the_most_free(self):
        for query in ("resources=VCPU:8", "resources_A=VCPU:8"):
            self.assertEqual(
                [("a1", "capacity", 7, None), ("b", "capacity", 4, None)],
                self.shown(self.TWO_HOSTS, query),
            )
            found = self.explained(self.TWO_HOSTS, query)
            [count], [relaxation] = found.counts, found.relaxations
            self.assertEqual((7, {"capacity": 7}), (count.fail.most_free, count.fail.limits))
            self.assertEqual((7, 1), (relaxation.instead.value[1], relaxation.hosts))
            self.assertEqual(["a"], self.names([relaxation.example]))

    def test_the_best_provider_is_the_one_that_can_give_most_within_its_units(self):
        world = "h\n  small {VCPU 5}\n  bound {VCPU 99 max_unit 4}\n  coarse {VCPU 7 step_size 7}\n"
        for amount, expected in (
            (6, ("small", "capacity", 5, None)),
            (9, ("coarse", "step_size", 7, 7)),
            (14, ("coarse", "capacity", 7, None)),
        ):
            for group in ("", "_A"):
                self.assertEqual([expected], self.shown(world, f"resources{group}=VCPU:{amount}"))

    def test_the_reason_and_then_the_limit_decide_between_equal_providers(self):
        """If it fails, a full host is reported as having none of the class."""
        world = """
h
  none
  small {VCPU 9 used 9}
"""
        many = """
h
  a {VCPU 99 min_unit 50}
  b {VCPU 99 min_unit 20}
  c {VCPU 99 min_unit 30}
"""
        for group in ("", "_A"):
            self.assertEqual(
                [("small", "capacity", 0, None)], self.shown(world, f"resources{group}=VCPU:8")
            )
            self.assertEqual(
                [("b", "min_unit", 99, 20)], self.shown(many, f"resources{group}=VCPU:8")
            )

    def test_a_full_provider_is_as_close_as_one_without_the_trait_and_the_first_is_reported(self):
        full, without_trait = "  full {VCPU 8 used 8} <GOLD>\n", "  plain {VCPU 8}\n"
        query = "resources_A=VCPU:4&required_A=GOLD"
        for nodes, name in (
            (full + without_trait, "resources"),
            (without_trait + full, "required"),
        ):
            (closest,) = self.explained("h\n" + nodes, query).closest
            self.assertEqual([name], [each.constraint.name for each in closest.unmet])

    def test_each_class_of_the_unsuffixed_group_has_its_own_best_provider(self):
        world = """
h [x]
  a {VCPU 1, MEMORY_MB 7}
  b {VCPU 7, MEMORY_MB 1}
disk {DISK_GB 5} <SHARE> [x]
pool {DISK_GB 6} <SHARE> [x]
"""
        found = self.shown(world, "resources=VCPU:8,MEMORY_MB:8,DISK_GB:8")
        self.assertIn(("b", "capacity", 7, None), found)
        self.assertIn(("a", "capacity", 7, None), found)
        self.assertIn(("pool", "capacity", 6, None), found)


class FirstRefusals(TestCase):
    """The sentence about a step counts the hosts that are excluded there, not all that fail."""

    def test_reasons_count_only_hosts_that_meet_the_earlier_constraints(self):
        found = self.explained(FLAT, "resources=VCPU:9&required=GOLD&member_of=x")
        first = found.counts[-1].first
        self.assertEqual((1, {"capacity": 1}, 4), (first.hosts, first.reasons, first.most_free))


class Relaxations(TestCase):
    def relaxations(self, world, query):
        return [
            (each.constraint.name, each.instead and each.instead.value[1], each.hosts)
            for each in self.explained(world, query).relaxations
        ]

    def test_a_relaxation_names_a_host_that_it_would_help(self):
        given_up, less = self.explained(FLAT, "resources=VCPU:8&required=GOLD").relaxations
        self.assertEqual(["h3", "h1"], self.names([given_up.example, less.example]))

    def test_the_largest_amount_that_would_fit_is_named(self):
        self.assertEqual([("resources", 8, 1)], self.relaxations(FLAT, "resources=VCPU:9"))
        self.assertEqual(
            [("resources", 4, 1)], self.relaxations(FLAT, "resources=VCPU:9&required=GOLD")
        )

    def test_relaxed_amounts_allow_for_the_other_groups(self):
        self.assertEqual(
            [("resources", 2, 1), ("resources", 1, 1)],
            self.relaxations("h {DISK_GB 5}\n", "resources=DISK_GB:4&resources_A=DISK_GB:3"),
        )
        world = "h {DISK_GB 10}\nj {DISK_GB 12 step_size 3}\n"
        query = "resources=DISK_GB:7&resources_A=DISK_GB:3&resources_B=DISK_GB:3&group_policy=none"
        self.assertEqual([("resources", 6, 1)], self.relaxations(world, query))

    def test_the_largest_amount_is_found_even_if_other_groups_may_take_any(self):
        """If it fails, large requests of many groups have no answer."""
        others = [1 << power for power in range(12)]
        query = "&".join(f"resources{n}=DISK_GB:{amount}" for n, amount in enumerate(others))
        world = f"h {{DISK_GB {sum(others) + 1000}}}\n"
        self.assertIn(
            ("resources", 1000, 1),
            self.relaxations(world, f"resources=DISK_GB:2000&{query}&group_policy=none"),
        )

    def test_the_largest_amount_is_found_among_many_unsuitable_providers(self):
        world = "h\n" + "".join(f"  c{n} {{VCPU {n}}}\n" for n in range(20, 10, -1))
        world += "  last {VCPU 5} <GOLD>\n"
        self.assertEqual(
            [("resources", 5, 1)], self.relaxations(world, "resources=VCPU:30&required=GOLD")
        )

    def test_proposed_amounts_obey_the_unit_rules(self):
        world = "h {VCPU 9 step_size 4 max_unit 6 min_unit 2}\n"
        self.assertEqual([("resources", 4, 1)], self.relaxations(world, "resources=VCPU:9"))

    def test_the_relaxation_that_helps_most_hosts_comes_first(self):
        world = """
            h1 {VCPU 4} <GOLD>
            h2 {VCPU 3} [y]
            h3 {VCPU 8} [y]
            h4 {VCPU 2} <GOLD> [x]
            h5 {VCPU 2} <GOLD>
        """
        world = "\n".join(line.strip() for line in world.splitlines())
        query = "resources=VCPU:2&required=GOLD&member_of=y"
        self.assertEqual(
            [("member_of", None, 3), ("required", None, 2)], self.relaxations(world, query)
        )
        # Any constraint may be the one that helps the most hosts when it is given up.
        world += "\nh6 {VCPU 2} [y]\nh7 {VCPU 2} [y]"
        self.assertEqual(
            [("required", None, 4), ("member_of", None, 3)], self.relaxations(world, query)
        )


class AgainstReference(unittest.TestCase):
    """Proposed changes are compared with the results of the changed query, by trying everything."""

    @hypothesis.settings(properties.SETTINGS, max_examples=400)
    # Less of a class may help when giving it up does not, because its provider has the traits.
    @hypothesis.example(random.Random(736240133211124))
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_giving_up_a_constraint_brings_the_reported_number_of_hosts(self, random):
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

        explanation = explaining.explanation(query, one_per_tree)
        explanation.examine(forest)
        passing = hosts(query)
        self.assertEqual(len(passing), explanation.passing)
        counts = explanation.counts
        lefts = [explanation.hosts, *(each.left for each in counts)]
        self.assertEqual(sorted(lefts, reverse=True), lefts)
        self.assertEqual(len(passing), lefts[-1])
        for count in counts:
            if count.constraint.kind is kinds.TOGETHER:
                continue
            relaxed = constraints.without(query, count.constraint)
            # A class is never given up, so no group becomes empty that way.
            if len(relaxed.groups) == len(query.groups) or count.constraint.name != "resources":
                self.assertEqual(len(hosts(relaxed) - passing), count.only, count.constraint)
        for relaxation in explanation.relaxations:
            if relaxation.instead is not None:
                asked = constraints.replaced(query, relaxation.constraint, relaxation.instead)
                self.assertEqual(relaxation.hosts, len(hosts(asked) - passing))

    @hypothesis.settings(properties.SETTINGS, max_examples=300)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_the_largest_smaller_amount_that_helps_is_proposed(self, random):
        """Each smaller amount is tried by itself, with the other groups unchanged."""
        thrower = dice.Dice(random)
        providers = thrower.providers([random.randint(1, 4) for _ in range(random.randint(1, 3))])
        query = _of_many(thrower, thrower.query(providers, random.randint(0, 3)))
        hypothesis.assume(dice.combinations(providers, query) <= dice.MOST_COMBINATIONS // 20)
        one_per_tree = thrower.one_in(4)
        roots = dice.roots_of(providers)
        forest = dice.forest(providers, roots)
        explanation = explaining.explanation(query, one_per_tree)
        explanation.examine(forest)
        proposed = {each.constraint: each for each in explanation.relaxations}

        def helped(asked):
            return {
                root_id
                for root_id in roots
                if reference.candidates(forest, asked, one_per_tree, root_id)
                and not reference.candidates(forest, query, one_per_tree, root_id)
            }

        for constraint in constraints.of_query(query):
            if constraint.name != "resources":
                continue
            class_id, asked = constraint.value
            by_amount = {}
            for amount in range(1, asked):
                other = constraint._replace(value=(class_id, amount))
                by_amount[amount] = helped(constraints.replaced(query, constraint, other))
            best = max((amount for amount, hosts in by_amount.items() if hosts), default=None)
            if best is None:
                self.assertNotIn(constraint, proposed)
                continue
            relaxation = proposed[constraint]
            self.assertEqual((class_id, best), relaxation.instead.value)
            self.assertEqual(len(by_amount[best]), relaxation.hosts)
            self.assertIn(relaxation.example, by_amount[best])



class BestProvidersAgainstReference(unittest.TestCase):
    """What is reported for hosts, compared with trying every smaller amount on every provider."""

    def explain(self, random):
        """Return what each of some random hosts does not meet of a random query."""
        thrower = dice.Dice(random)
        providers = thrower.providers([random.randint(1, 5) for _ in range(random.randint(1, 4))])
        self.query = _of_many(thrower, thrower.query(providers, random.randint(0, 2)))
        self.roots = dice.roots_of(providers)
        self.forest = dice.forest(providers, self.roots)
        self.explanation = explaining.explanation(self.query, closest=len(self.roots))
        self.explanation.examine(self.forest)
        self.shown = {
            (close.root_id, unmet.constraint): unmet
            for close in self.explanation.closest
            for unmet in close.unmet
        }

    @hypothesis.settings(properties.SETTINGS, max_examples=400)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_the_shown_provider_can_give_the_most_of_an_amount(self, random):
        self.explain(random)
        for count in self.explanation.counts:
            if count.constraint.name != "resources":
                continue
            shortages = []
            for root_id in self.roots:
                unmet = self.shown.get((root_id, count.constraint))
                shortage = self.shortage(root_id, count.constraint, unmet)
                said = unmet and (unmet.fitting, unmet.why, unmet.limit or 0, unmet.free)
                self.assertEqual(shortage, said)
                if shortage is not None:
                    shortages.append(shortage)
            most_free = max((each.free for each in shortages), default=0)
            self.assertEqual(
                (len(shortages), most_free, reference.limits(shortages)),
                (count.fail.hosts, count.fail.most_free, count.fail.limits),
            )

    def shortage(self, root_id, constraint, unmet):
        """Return what a host lacks; for a granular group, what the shown provider lacks."""
        if constraint.group == "":
            return reference.least_shortage(self.forest, root_id, *constraint.value)
        if unmet is None:
            return None
        provider = self.forest.providers[unmet.provider_id]
        return reference.shortage(self.forest, provider, *constraint.value)

    @hypothesis.settings(properties.SETTINGS, max_examples=400)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_the_shown_provider_meets_the_most_of_a_granular_group(self, random):
        self.explain(random)
        for close in self.explanation.closest:
            for group in self.query.groups:
                if group.is_granular:
                    missed = [each for each in close.unmet if each.constraint.group == group.suffix]
                    least = min(
                        reference.distance(self.forest, provider, group)
                        for provider in reference.near(self.forest, close.root_id)
                    )
                    self.assertEqual(least[0], len(missed))
                    self.assertAlmostEqual(least[1], sum(each.shortage for each in missed))

    @hypothesis.settings(properties.SETTINGS, max_examples=400)
    @hypothesis.given(st.randoms(use_true_random=True))
    def test_no_proposed_amount_exceeds_what_is_reported_to_fit(self, random):
        self.explain(random)
        for relaxation in self.explanation.relaxations:
            unmet = self.shown.get((relaxation.example, relaxation.constraint))
            if relaxation.constraint.name == "resources" and unmet is not None:
                self.assertLessEqual(relaxation.instead.value[1], unmet.fitting)


def _of_many(thrower, query):
    """Return a query that asks for amounts of which only some fit."""
    groups = [
        dataclasses.replace(
            group,
            amounts={each: thrower.random.choice([1, 2, 3, 4, 6, 9]) for each in group.amounts},
        )
        for group in query.groups
    ]
    return dataclasses.replace(query, groups=tuple(groups))
