"""What bounds the translation of a query: see also the abuse table, `make abuse ABUSE='form'`."""

import testtools

from placement import constants, exception
from placement.queries import query_form

HALF = "T," * (constants.MAX_QUERY_CHARACTERS // 4)


def form(**fields):
    """Return the body of a form with a group that has these fields."""
    group = {"suffix": "", "resources": [["VCPU", "1"]], "fields": fields}
    return {"form": {"groups": [group], "fields": {}}}


class FormTest(testtools.TestCase):
    def test_a_form_whose_texts_together_are_too_long_is_refused(self):
        query_form.read(form(required=HALF))
        refused = self.assertRaises(
            exception.BadQuery, query_form.read, form(required=HALF, member_of=HALF)
        )
        self.assertIn(f"more than {constants.MAX_QUERY_CHARACTERS} characters", str(refused))

    def test_unknown_parameters_are_ignored_and_named(self):
        _, ignored = query_form.read({"query": "resources=VCPU:1&a=1&resources!=2&limit=3"})
        self.assertEqual(["a=1", "resources!=2"], ignored)
