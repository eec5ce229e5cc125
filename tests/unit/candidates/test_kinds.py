"""What each kind of constraint knows; everything that a query can ask for has a kind."""

import collections
import dataclasses
import unittest

from placement.candidates import constraints, kinds
from placement.candidates.kinds.kind import Role
from placement.candidates.query import CandidateQuery, Group, ResolvedGroup, ResolvedQuery
from placement.db.search.requirements import Amount, AnyOf, OfTree, strongest
from placement.db.subjects_of_names import Subject


def any_trait(*trait_ids):
    return AnyOf(Subject.TRAITS, frozenset(trait_ids))


def any_aggregate(*aggregate_ids):
    return AnyOf(Subject.AGGREGATES, frozenset(aggregate_ids))


WHOLE = ResolvedGroup(
    "_A",
    {1: 8},
    required=(frozenset({11}),),
    forbidden=frozenset({12}),
    member_of=(frozenset({21}), frozenset({22})),
    not_member_of=frozenset({23}),
    root_id=5,
)
UNSUFFIXED = dataclasses.replace(WHOLE, suffix="")
QUERY = ResolvedQuery(
    (WHOLE, dataclasses.replace(WHOLE, suffix="_B")),
    isolate=True,
    same_subtrees=(frozenset({"_A", "_B"}),),
    root_required=frozenset({13}),
    root_forbidden=frozenset({14}),
)


class Numbered(dict):
    """A dict that computes the value of a missing key from the key."""

    def __init__(self, made):
        self._made = made

    def __missing__(self, key):
        return self._made(key)


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

    def test_the_words_of_a_group_policy_distinguish_isolate_from_none(self):
        isolate, none = map(kinds.GROUP_POLICY.words.asked_for, ("isolate", "none"))
        self.assertIn("different", isolate)
        self.assertIn("any", none)

    def test_a_value_in_keys_is_written_like_the_same_value_in_names(self):
        names = Numbered(lambda key: f"N{key}")
        names_by_key = dict.fromkeys(Subject, names)
        texts = collections.defaultdict(list)
        for each in constraints.of_query(ResolvedQuery((WHOLE,))):
            texts[each.kind].append(each.text(names_by_key))
        expected = {
            kinds.IN_TREE: ["N5"],
            kinds.MEMBER_OF: ["N21", "N22"],
            kinds.NOT_MEMBER_OF: ["N23"],
            kinds.REQUIRED: ["N11"],
            kinds.FORBIDDEN: ["N12"],
            kinds.RESOURCES: ["N1:8"],
        }
        self.assertEqual(expected, {kind: texts[kind] for kind in expected})
        alternatives = constraints.Constraint("", kinds.REQUIRED, frozenset({3, 2}))
        self.assertEqual("in:N2,N3", alternatives.text(names_by_key))
        [subtree] = constraints.binding(QUERY)[1:]
        self.assertEqual("_A,_B", subtree.text(names_by_key))

    def test_no_two_kinds_of_constraint_have_one_name(self):
        every = [*kinds.OF_GROUP, *kinds.OF_ROOT, *kinds.BINDING, kinds.TOGETHER]
        self.assertEqual(len(every), len({kind.name for kind in every}))


class Requirements(unittest.TestCase):
    """The database uses them to narrow the hosts."""

    def test_a_group_lists_what_it_requires_and_what_it_excludes(self):
        taking = ResolvedGroup("_A", {1: 8})
        self.assertEqual([Amount(1, 8)], taking.taken)
        requiring = ResolvedGroup(
            "_A", {}, required=(frozenset({11}),), member_of=(frozenset({21}), frozenset({22}))
        )
        required = [any_aggregate(21), any_aggregate(22), any_trait(11)]
        self.assertEqual(required, requiring.required_besides)
        self.assertEqual([OfTree(5)], ResolvedGroup("_A", {1: 8}, root_id=5).required_of_each)
        excluding = ResolvedGroup(
            "_A", {}, forbidden=frozenset({12}), not_member_of=frozenset({23})
        )
        self.assertEqual([any_aggregate(23), any_trait(12)], excluding.excluded)
        unwanted = (("aggregates", frozenset({23})), ("traits", frozenset({12})))
        self.assertEqual(unwanted, excluding.unwanted)

    def test_a_root_in_a_forbidden_aggregate_is_excluded_for_the_unsuffixed_group_only(self):
        self.assertEqual([], WHOLE.excluded_of_root)
        self.assertEqual([any_aggregate(23)], UNSUFFIXED.excluded_of_root)

    def test_a_root_must_be_in_the_tree_asked_for_by_the_unsuffixed_group_only(self):
        self.assertEqual([], WHOLE.required_of_root)
        self.assertEqual([OfTree(5)], UNSUFFIXED.required_of_root)

    def test_a_root_has_requirements_of_its_own(self):
        query = ResolvedQuery(
            groups=(), root_required=frozenset({13}), root_forbidden=frozenset({14})
        )
        self.assertEqual([any_trait(13)], query.required_of_root)
        self.assertEqual([any_trait(14)], query.excluded_of_root)

    def test_traits_and_aggregates_with_the_same_keys_are_different_requirements(self):
        self.assertNotEqual(any_trait(1), any_aggregate(1))


    def test_the_largest_amount_of_a_class_includes_the_smaller_ones(self):
        found = strongest([Amount(1, 2), any_trait(1), Amount(2, 1), Amount(1, 4), Amount(1, 3)])
        self.assertEqual([Amount(1, 4), any_trait(1), Amount(2, 1)], found)


class ConfinedToATree(unittest.TestCase):
    """R5 of doc/explanation/rules.rst."""

    def assert_role(self, role, group):
        self.assertIs(role, kinds.IN_TREE.role(group))
        expected = [OfTree(group.root_id)] if role is Role.EACH else []
        self.assertEqual(expected, group.required_of_each)

    def test_the_tree_does_not_matter_to_a_group_without_amounts(self):
        self.assert_role(Role.EACH, WHOLE)
        self.assert_role(Role.IGNORED, dataclasses.replace(WHOLE, amounts={}))

    def test_an_unknown_tree_matters_even_to_a_group_without_amounts(self):
        self.assert_role(Role.EACH, dataclasses.replace(WHOLE, amounts={}, root_id=-1))

    def test_the_tree_matters_to_the_unsuffixed_group_even_without_amounts(self):
        """The group lacks amounts only while smaller ones are searched for."""
        self.assert_role(Role.EACH, dataclasses.replace(UNSUFFIXED, amounts={}))
