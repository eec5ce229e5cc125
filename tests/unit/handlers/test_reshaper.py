"""How a reshape is refused when another writer was faster.

Source: doc/explanation/rules.rst, W5.
"""

from unittest import mock

import testtools

from placement import exception
from tests import fixtures

HOST = "10000000-0000-0000-0000-000000000001"
EMPTIED = {
    "inventories": {HOST: {"resource_provider_generation": 0, "inventories": {}}},
    "allocations": {},
}


class LostRacesTest(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application())

    def ask(self, path, body):
        return self.service.ask(
            "POST",
            path,
            "latest",
            headers={"X-Roles": "admin,service"},
            json=body,
            content_type="application/json",
        )

    def refusal(self):
        answer = self.ask("/reshaper", EMPTIED)
        [error] = answer.json["errors"]
        self.assertEqual((409, "placement.concurrent_update"), (error["status"], error["code"]))
        return error["detail"].split("\n")[-1].strip()

    def test_a_provider_that_was_changed_after_it_was_read_is_an_update_conflict(self):
        self.ask("/resource_providers", {"name": "host", "uuid": HOST})
        with mock.patch(
            "placement.db.generations.advance", return_value=False
        ):
            self.assertTrue(self.refusal().startswith("update conflict: Another thread"))

    def test_a_conflict_with_a_specific_text_keeps_it(self):
        for error in (
            exception.ReshapeGenerationConflict(uuid=HOST, name="host", actual=2, given=1),
            exception.ConsumerGenerationConflict(uuid=HOST, expected=2, given=1),
            exception.AllocationsChanged(reason="an inventory was changed"),
        ):
            sentence = str(error)
            with mock.patch("placement.objects.reshape.reshape", side_effect=error):
                self.assertEqual(sentence, self.refusal())
