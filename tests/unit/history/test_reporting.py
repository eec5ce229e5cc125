"""Reports about the writes of a storm that are correct, or wrong in one way."""

import testtools

from tests.deployed.feed import reporting
from tests.deployed.feed.writes import Answer, Outcome, Request, effect

HOST = "10000000-0000-0000-0000-000000000001"


def write(traits, status, request_id):
    """Return the Outcome of a write of the traits of the host."""
    request = Request("PUT", "/path", None, (effect("traits", HOST, traits),))
    return Outcome(request, Answer("server", status, request_id))


def change(position, request_id, before, after):
    return {
        "position": position,
        "request_id": request_id,
        "kind": "traits",
        "uuid": HOST,
        "name": "host",
        "before": before,
        "after": after,
    }


OUTCOMES = [
    write(["A"], 200, "req-1"),
    write(["B"], 409, "req-2"),
    write(["C"], None, None),
    write(["D"], None, None),
    write(["E"], 200, "req-5"),
]
FIRST, LOST, LAST = (
    change(1, "req-1", [], ["A"]),
    change(3, "req-3", ["A"], ["C"]),
    change(7, "req-5", ["C"], ["E"]),
)


class Telling(testtools.TestCase):
    """If a test fails, a storm passes although its feed is wrong."""

    def assert_faults(self, changes, *parts):
        """Check that there is one fault for each of `parts`, whose sentence contains that part."""
        faults = reporting.judge(OUTCOMES, changes).faults
        self.assertEqual(len(parts), len(faults), faults)
        for part, fault in zip(parts, faults, strict=True):
            self.assertIn(part, fault)

    def test_a_write_without_an_answer_may_be_reported_or_not(self):
        verdict = reporting.judge(OUTCOMES, [FIRST, LOST, LAST])
        self.assertEqual(reporting.Verdict([], reported=1, unreported=1), verdict)

    def test_an_acknowledged_write_that_is_not_reported_is_found(self):
        self.assert_faults([FIRST, LOST], "acknowledged, but not reported once")

    def test_an_acknowledged_write_that_is_reported_twice_is_found(self):
        again = LAST | {"position": 8, "before": ["E"]}
        self.assert_faults([FIRST, LOST, LAST, again], "acknowledged, but not reported once")

    def test_an_acknowledged_write_that_is_reported_as_another_is_found(self):
        self.assert_faults(
            [FIRST, LOST, LAST | {"after": ["F"]}], "acknowledged, but not reported once"
        )

    def test_a_refused_write_that_is_reported_is_found(self):
        refused = change(8, "req-2", ["E"], ["B"])
        self.assert_faults([FIRST, LOST, LAST, refused], "reported, but refused with 409")

    def test_a_write_without_an_answer_that_is_reported_twice_is_found(self):
        again = change(8, "req-4", ["E"], ["C"])
        self.assert_faults([FIRST, LOST, LAST, again], "reported, but nobody wrote it")

    def test_a_stored_write_that_is_not_reported_is_found(self):
        self.assert_faults([FIRST, LAST], "something is missing before")

    def test_a_wrong_order_is_found(self):
        self.assert_faults([FIRST, LOST | {"position": 9}, LAST], "not in the order of positions")

    def test_a_write_to_another_placement_has_to_be_reported_though_not_as_its_own(self):
        outcomes = [write(["A"], 200, "req-9"), write(["B"], 200, "req-10")]
        server = outcomes[0].answer.server
        of_database = change(1, None, [], ["B"])
        self.assertEqual([], reporting.judge(outcomes, [of_database], server).faults)
        [fault, _] = reporting.judge(outcomes, [], server).faults
        self.assertIn("not reported", fault)

    def test_a_class_that_another_placement_only_claims_to_have_need_not_be_reported(self):
        """openstack-placement answers 204 for a class that it did not store.

        See doc/reference/differences.rst.
        """
        path = "/resource_classes/A"
        created = Request("PUT", path, None, (effect("resource_class", "A", "A"),))
        deleted = Request("DELETE", path, None, (effect("resource_class", "A", None),))
        for request, status, count in ((created, 201, 1), (created, 204, 0), (deleted, 204, 1)):
            outcomes = [Outcome(request, Answer("server", status, "req-1"))]
            self.assertEqual(count, len(reporting.judge(outcomes, [], "server").faults))
