"""The limits on the size of a reshape."""

import testtools

from placement import exception
from placement.objects import reshape


class Sizes(testtools.TestCase):
    def test_a_hundred_thousand_inventories_are_enough_for_one_request(self):
        whole_set = reshape.GivenInventories(
            generation=0, values_by_class=dict.fromkeys(map(str, range(1000)), {"total": 1})
        )
        inventories = dict.fromkeys(range(100), whole_set)
        reshape.check_size(inventories)
        inventories["one more"] = reshape.GivenInventories(
            generation=0, values_by_class={"VCPU": {"total": 1}}
        )
        refused = self.assertRaises(
            exception.RequestTooLarge, reshape.check_size, inventories
        )
        self.assertEqual(
            "One request may have at most 100000 inventories, and this one has 100001.",
            str(refused),
        )
