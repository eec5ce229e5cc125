"""Request ids and the log. Source: doc/deployment.rst, "Health and logs"."""

import logging
import uuid

import fixtures as base_fixtures
import testtools
from oslo_context import context

from tests import fixtures


class RequestLog(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(
            base_fixtures.FakeLogger("placement.requestlog", level=logging.INFO)
        )
        self.service = self.useFixture(fixtures.Application())

    def test_one_line_for_each_request(self):
        answer = self.service.ask("GET", "/nowhere?a=b", version="1.7", remote_addr="192.0.2.1")
        length = answer.headers["Content-Length"]
        self.assertEqual(
            f'192.0.2.1 "GET /nowhere?a=b" status: 404 len: {length} microversion: 1.7\n',
            self.log.output,
        )

    def test_a_request_that_ends_early_has_no_version(self):
        self.service.ask("GET", "/nowhere", token=None)
        self.assertTrue(self.log.output.startswith('- "GET /nowhere" status: 401 len: '))
        self.assertTrue(self.log.output.endswith(" microversion: -\n"))

    def test_an_answer_without_content_has_a_length(self):
        for status in (201, 204, 204):
            answer = self.service.ask("PUT", "/traits/CUSTOM_FAST", version="1.6")
            self.assertEqual(status, answer.status_int)
        lengths = [line.split(" len: ")[1] for line in self.log.output.splitlines()]
        self.assertEqual(["0 microversion: 1.6"] * 3, lengths)

    def test_a_path_cannot_forge_a_line(self):
        self.service.ask("GET", "/a%0A127.0.0.1%20%C3%A9")
        self.assertIn('"GET /a%0A127.0.0.1%20%C3%A9"', self.log.output)

    def test_every_request_has_its_own_id(self):
        ids = {
            self.service.ask("GET", "/").headers["x-openstack-request-id"] for _ in range(3)
        }
        self.assertEqual(3, len(ids))
        for request_id in ids:
            self.assertEqual(4, uuid.UUID(request_id.removeprefix("req-")).version)

    def test_an_id_that_is_sent_is_the_global_one(self):
        sent = f"req-{uuid.uuid4()}"
        for header, expected in [(sent, sent), (sent + "x", None), ("req-1", None)]:
            answer = self.service.ask(
                "GET", "/nowhere", headers={"X-Openstack-Request-Id": header}
            )
            logged = context.get_current()
            self.assertEqual(expected, logged.global_request_id)
            self.assertEqual(answer.headers["x-openstack-request-id"], logged.request_id)

    def test_a_refused_request_is_not_logged_as_the_previous_caller(self):
        self.service.ask("GET", "/nowhere", token="nova")
        self.assertEqual("nova", context.get_current().user_id)
        self.service.ask("GET", "/nowhere", token=None)
        self.assertIsNone(context.get_current().user_id)
