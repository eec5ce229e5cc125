"""What tests/mutants/equivalent.toml explains is in the code, once."""

import testtools

from tests.mutants import equivalent


class Explained(testtools.TestCase):
    def test_each_change_that_is_explained_can_still_be_made(self):
        wrong = [entry[:2] for entry in equivalent.explained() if not entry.has_one_place()]
        self.assertEqual([], wrong)

    def test_an_explanation_is_of_one_place_only(self):
        path = "tests/mutants/__init__.py"
        self.assertTrue(_entry(path, "REPOSITORY =").has_one_place())
        self.assertFalse(_entry(path, "e").has_one_place())
        self.assertFalse(_entry(path, "nothing like it").has_one_place())
        self.assertFalse(_entry("no/such/module.py", "").has_one_place())

    def test_each_explanation_is_a_sentence(self):
        for entry in equivalent.explained():
            self.assertRegex(entry.why, r"^[A-Z`].{20,}\.$")

    def test_an_explanation_is_found_however_a_line_is_spaced(self):
        self.assertEqual(
            equivalent.key("module.py", "a = 1", "a = 2"),
            equivalent.key("module.py", "a = 1", "a =  2"),
        )


def _entry(path, was):
    return equivalent.Equivalent(path, was, "", "")
