"""Each change in tests/mutants/equivalent.toml matches exactly one place in the code."""

import ast

import testtools

from tests.mutants import equivalent, statements

_MODULE = ast.parse(
    """\
import a

@decorated
def f(
    b=1,
):
    if a and (
        b
    ):
        return 2

class C:
    d = 3

    def g(self):
        return 4
"""
)


class Explained(testtools.TestCase):
    def test_each_explained_mutant_still_exists(self):
        wrong = [entry[:2] for entry in equivalent.explained() if not entry.has_one_place()]
        self.assertEqual([], wrong)

    def test_each_explanation_of_a_mutant_matches_one_place(self):
        path = "tests/mutants/__init__.py"
        self.assertTrue(_entry(path, "REPOSITORY =").has_one_place())
        self.assertFalse(_entry(path, "e").has_one_place())
        self.assertFalse(_entry(path, "nothing like it").has_one_place())
        self.assertFalse(_entry("no/such/module.py", "").has_one_place())

    def test_each_explanation_of_a_mutant_is_a_sentence(self):
        for entry in equivalent.explained():
            self.assertRegex(entry.why, r"^[A-Z`].{20,}\.$")

    def test_an_explanation_of_a_mutant_is_found_whatever_the_spacing(self):
        self.assertEqual(
            equivalent.key("module.py", "a = 1", "a = 2"),
            equivalent.key("module.py", "a = 1", "a =  2"),
        )


class Statements(testtools.TestCase):
    def test_a_statement_is_found_by_any_of_its_lines(self):
        self.assertEqual([1], list(statements.lines(_MODULE, 1)))
        self.assertEqual([7, 8, 9], list(statements.lines(_MODULE, 8)))
        self.assertEqual([10], list(statements.lines(_MODULE, 10)))

    def test_only_lines_outside_of_functions_run_on_import(self):
        on_import = [line for line in range(1, 17) if statements.runs_on_import(_MODULE, line)]
        self.assertEqual([1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15], on_import)


def _entry(path, was):
    return equivalent.Equivalent(path, was, "", "")
