"""Checks that our own operators do what their examples show: `make mutants` begins with this."""

import unittest

from cosmic_ray.mutating import mutate_code

from tests.mutants import operators


class Operators(unittest.TestCase):
    def test_each_operator_turns_its_example_into_the_expected_code(self):
        for operator in operators.OURS:
            for example in operator.examples():
                with self.subTest(operator.__name__, example=example.pre_mutation_code):
                    self.assertEqual(
                        example.post_mutation_code,
                        mutate_code(example.pre_mutation_code, operator(), example.occurrence),
                    )
