"""Tests of placement/candidates/claim_size.py."""

import testtools

from placement.candidates import claim_size


class Shares(testtools.TestCase):
    def test_the_largest_share_comes_before_the_sum_of_all(self):
        self.assertEqual((0.5, 0.75), claim_size.shares({1: 5, 2: 1}, {1: 10, 2: 4}))

    def test_a_class_without_capacity_makes_a_claim_large(self):
        self.assertEqual((5, 10), claim_size.shares({1: 5, 2: 5}, {1: 0}))

    def test_a_claim_on_nothing_has_no_size(self):
        self.assertEqual((0, 0), claim_size.shares({}, {1: 10}))
