"""What each kind of constraint knows, and that all that a query can ask for has a kind."""

import dataclasses
import unittest

from placement.candidates import constraints, kinds
from placement.candidates.query import CandidateQuery, Group, ResolvedGroup, ResolvedQuery
from placement.db.search.requirements import Amount, AnyAggregate, AnyTrait

WHOLE = ResolvedGroup(
    "_A",
    {1: 8},
    required=(frozenset({11}),),
    forbidden=frozenset({12}),
    member_of=(frozenset({21}), frozenset({22})),
    not_member_of=frozenset({23}),
    root_id=5,
)
QUERY = ResolvedQuery(
    (WHOLE, dataclasses.replace(WHOLE, suffix="_B")),
    isolate=True,
    same_subtrees=(frozenset({"_A", "_B"}),),
    root_required=frozenset({13}),
    root_forbidden=frozenset({14}),
)


def fields(made):
    return {field.name for field in dataclasses.fields(made) if field.init}


class EachKind(unittest.TestCase):
    def test_every_field_of_a_group_has_a_kind_that_resolves_it(self):
        class Anything(dict):
            def __missing__(self, name):
                return Anything()

        class Names:
            resource_classes = traits = aggregates = trees = Anything()

        resolved = set()
        for kind in kinds.OF_GROUP:
            resolved |= kind.resolved(Group("", {}), Names).keys()
        self.assertEqual(fields(ResolvedGroup) - {"suffix"}, resolved)

    def test_every_field_of_a_query_has_a_kind(self):
        of_root = {kind.name for kind in kinds.OF_ROOT}
        binding = {"isolate", "same_subtrees"}
        for query in (CandidateQuery, ResolvedQuery):
            self.assertEqual(of_root | binding | {"groups", "limit"}, fields(query))

    def test_a_query_without_a_constraint_keeps_all_others(self):
        asked = [*constraints.of_query(QUERY), *constraints.binding(QUERY)]
        kinds_asked = {constraint.kind for constraint in asked}
        self.assertEqual({*kinds.OF_GROUP, *kinds.OF_ROOT, *kinds.BINDING}, kinds_asked)
        for constraint in asked:
            relaxed = constraints.without(QUERY, constraint)
            left = [*constraints.of_query(relaxed), *constraints.binding(relaxed)]
            self.assertEqual([each for each in asked if each != constraint], left)

    def test_the_words_of_a_group_policy_say_which_one_is_asked_for(self):
        isolate, none = map(kinds.GROUP_POLICY.words.asked_for, ("isolate", "none"))
        self.assertIn("different", isolate)
        self.assertIn("any", none)

    def test_no_two_kinds_of_constraint_have_one_name(self):
        every = [*kinds.OF_GROUP, *kinds.OF_ROOT, *kinds.BINDING, kinds.TOGETHER]
        self.assertEqual(len(every), len({kind.name for kind in every}))


class Requirements(unittest.TestCase):
    """The database uses them to narrow the hosts."""

    def test_a_group_lists_what_it_requires_and_what_it_excludes(self):
        self.assertEqual([Amount(1, 8)], WHOLE.taken)
        aggregates = [AnyAggregate(frozenset({each})) for each in (21, 22)]
        self.assertEqual([*aggregates, AnyTrait(frozenset({11}))], WHOLE.required_besides)
        excluded = [AnyAggregate(frozenset({23})), AnyTrait(frozenset({12}))]
        self.assertEqual(excluded, WHOLE.excluded)
        self.assertEqual(
            (("aggregates", frozenset({23})), ("traits", frozenset({12}))), WHOLE.unwanted
        )

    def test_a_root_in_a_forbidden_aggregate_is_excluded_for_the_unsuffixed_group_only(self):
        self.assertEqual([], WHOLE.excluded_at_root)
        unsuffixed = dataclasses.replace(WHOLE, suffix="")
        self.assertEqual([AnyAggregate(frozenset({23}))], unsuffixed.excluded_at_root)

    def test_a_root_has_requirements_of_its_own(self):
        self.assertEqual([AnyTrait(frozenset({13}))], QUERY.required_of_root)
        self.assertEqual([AnyTrait(frozenset({14}))], QUERY.excluded_of_root)

    def test_traits_and_aggregates_with_the_same_keys_are_different_requirements(self):
        self.assertNotEqual(AnyTrait(frozenset({1})), AnyAggregate(frozenset({1})))


class ConfinedToATree(unittest.TestCase):
    """R5 of doc/explanation/rules.rst."""

    def test_a_group_without_amounts_is_not_confined_to_its_tree(self):
        self.assertEqual(5, WHOLE.confined_to)
        self.assertIsNone(dataclasses.replace(WHOLE, amounts={}).confined_to)
        self.assertIsNone(dataclasses.replace(WHOLE, root_id=None).confined_to)

    def test_an_unknown_tree_confines_a_group_without_amounts(self):
        unknown = dataclasses.replace(WHOLE, amounts={}, root_id=-1)
        self.assertEqual(-1, unknown.confined_to)

    def test_the_unsuffixed_group_is_confined_to_its_tree_even_without_amounts(self):
        """It has no amounts only for a moment, while smaller ones are searched for."""
        self.assertEqual(5, dataclasses.replace(WHOLE, suffix="", amounts={}).confined_to)
