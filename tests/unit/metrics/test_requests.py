"""What operators learn of the requests that a process has answered."""

import unittest

from oslo_db import exception as db_exc

from placement import cost, exception, metrics


class Counts(unittest.TestCase):
    def test_a_transaction_that_was_restarted_is_counted_by_its_cause(self):
        requests, spent = metrics.Requests(), cost.begin()
        for error in (db_exc.DBDeadlock(), db_exc.DBDeadlock(), exception.ConcurrentUpdate()):
            spent.add_retry(error)
        requests.add("/allocations/{consumer_uuid}", "PUT", "204", spent)
        self.assertEqual(
            {"DBDeadlock": 2, "ConcurrentUpdate": 1},
            {
                sample.labels["cause"]: sample.value
                for family in requests.families()
                for sample in family.samples
                if sample.name == "placement_retries_total"
            },
        )
