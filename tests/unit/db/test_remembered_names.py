"""What a process remembers of names."""

import unittest
from unittest import mock

from placement.db import remembered_names
from placement.db.names_and_ids import Names


def names(**kinds):
    return Names(**{kind: {} for kind in Names._fields} | kinds)


NOTHING = {kind: set() for kind in Names._fields}


class Memory(unittest.TestCase):
    def setUp(self):
        super().setUp()
        self.memory = remembered_names.RememberedNames()

    def presume(self, **wanted):
        return self.memory.presume({}, NOTHING | wanted)

    def test_names_that_were_not_remembered_are_not_presumed(self):
        self.memory.remember(names(providers={"a": 1}, projects={"p": 2}))
        found = self.presume(providers={"a"}, projects={"p"})
        self.assertEqual(({"a": 1}, {"p": 2}), (found.providers, found.projects))
        self.assertIsNone(self.presume(projects={"p", "q"}))
        self.assertIsNone(self.presume(users={"p"}))

    def test_unknown_providers_are_left_out_of_the_presumed_names(self):
        self.memory.learn("providers", {"a": 1})
        self.assertEqual({"a": 1}, self.presume(providers={"a", "b"}).providers)

    def test_names_that_were_forgotten_are_not_presumed(self):
        self.memory.remember(names(projects={"a": 1, "b": 2}))
        self.memory.forget(self.presume(projects={"a"}))
        self.assertIsNone(self.presume(projects={"a"}))
        self.assertEqual({"b": 2}, self.presume(projects={"b"}).projects)

    def test_the_memory_of_names_is_bounded_and_keeps_the_newest(self):
        with mock.patch.object(remembered_names, "MOST_NAMES", 3):
            for number in range(5):
                self.memory.remember(names(projects={str(number): number}))
        self.assertIsNone(self.presume(projects={"1"}))
        newest = {"2", "3", "4"}
        self.assertEqual({"2": 2, "3": 3, "4": 4}, self.presume(projects=newest).projects)


class Proof(unittest.TestCase):
    """If a test fails, a claim may be stored for names that now mean something else."""

    def test_standard_classes_need_no_proof(self):
        self.assertEqual(
            [remembered_names.NOTHING_TO_PROVE],
            remembered_names.proofs_of(names(resource_classes={"VCPU": 0})),
        )

    def test_each_name_is_proved_with_its_key(self):
        [proof] = remembered_names.proofs_of(
            names(resource_classes={"VCPU": 0, "CUSTOM_A": 10000}, projects={"p": 3})
        )
        self.assertEqual((("resource_classes", 1), ("projects", 1)), proof.shape)
        self.assertEqual(["CUSTOM_A", 10000, "p", 3], list(proof.parameters.values()))

    def test_each_of_several_names_with_one_key_is_proved(self):
        [proof] = remembered_names.proofs_of(names(projects={"a": 2, "p": 1, "q": 2}))
        self.assertEqual((("projects", 4),), proof.shape)
        self.assertEqual(["p", 1, "a", 2, "q", 2, "q", 2], list(proof.parameters.values()))

    def test_different_numbers_of_names_share_a_statement(self):
        """If it fails, a worker compiles and keeps a statement for each combination of numbers."""
        shapes = {
            proof.shape
            for users in range(1, 9)
            for projects in range(1, 9)
            for proof in remembered_names.proofs_of(
                names(users=numbered(users), projects=numbered(projects))
            )
        }
        self.assertEqual(9, len(shapes))

    def test_many_names_of_one_subject_add_no_parameters_for_others(self):
        """If it fails, a claim for ninety users proves each other name ninety times, too."""
        owners = names(users=numbered(90), projects={"p": 1}, consumer_types={"t": 1})
        [proof] = remembered_names.proofs_of(owners)
        counts = dict(proof.shape)
        self.assertEqual((1, 1), (counts["projects"], counts["consumer_types"]))

    def test_more_names_than_a_statement_takes_have_several_proofs(self):
        count = remembered_names.MAX_CONDITIONS + 1
        proofs = remembered_names.proofs_of(names(users=numbered(count)))
        self.assertEqual(
            [(("users", count - 1),), (("users", 1),)], [proof.shape for proof in proofs]
        )


def numbered(count):
    return {str(key): key for key in range(count)}
