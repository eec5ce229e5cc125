"""Request ids and the log. Source: doc/how-to/logs.rst."""

import logging
import re
import threading
import time
import uuid

import fixtures as base_fixtures
import sqlalchemy as sa
import testtools
import webob
from oslo_context import context

from placement import cost
from placement.middleware import requestlog
from tests import fixtures

# This follows the fields that parsers of older lines know.
SPENT = re.compile(r" time: (\d+\.\d{6}) statements: (\d+)(?: reason: .+)?$")


def fields(line):
    """Return (what parsers of older lines know, seconds, statements)."""
    match = SPENT.search(line)
    return line[: match.start()], float(match[1]), int(match[2])


class RequestLog(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(
            base_fixtures.FakeLogger("placement.requestlog", level=logging.INFO)
        )
        self.service = self.useFixture(fixtures.Application())

    def test_each_request_has_one_line_in_the_log(self):
        answer = self.service.ask("GET", "/nowhere?a=b", version="1.7", remote_addr="192.0.2.1")
        length = answer.headers["Content-Length"]
        [line] = self.log.output.splitlines()
        known, seconds, statements = fields(line)
        self.assertEqual(
            f'192.0.2.1 "GET /nowhere?a=b" status: 404 len: {length} microversion: 1.7', known
        )
        self.assertTrue(0 < seconds < 60)
        self.assertEqual(0, statements)

    def test_a_health_check_is_logged_at_debug(self):
        self.service.ask("GET", "/healthcheck", token=None)
        self.assertEqual("", self.log.output)
        log = self.useFixture(
            base_fixtures.FakeLogger("placement.requestlog", level=logging.DEBUG)
        )
        self.service.ask("GET", "/healthcheck", token=None)
        self.assertIn('"GET /healthcheck" status: 200', log.output)

    def test_a_request_that_ends_early_has_no_version(self):
        self.service.ask("GET", "/nowhere", token=None)
        self.assertTrue(self.log.output.startswith('- "GET /nowhere" status: 401 len: '))
        self.assertIn(" microversion: - time: ", self.log.output)

    def test_an_answer_without_content_has_a_length(self):
        for status in (201, 204, 204):
            answer = self.service.ask("PUT", "/traits/CUSTOM_FAST", version="1.6")
            self.assertEqual(status, answer.status_int)
        lengths = [
            fields(line)[0].split(" len: ")[1] for line in self.log.output.splitlines()
        ]
        self.assertEqual(["0 microversion: 1.6"] * 3, lengths)

    def test_a_path_cannot_forge_a_line(self):
        self.service.ask("GET", "/a%0A127.0.0.1%20%C3%A9")
        self.assertIn('"GET /a%0A127.0.0.1%20%C3%A9"', self.log.output)

    def test_a_refused_request_has_its_reason_at_the_end_of_the_line(self):
        path = "/allocation_candidates?resources=VCPU:1&required=HW_MISSING"
        self.service.ask("GET", path, version="latest")
        self.assertRegex(
            self.log.output, r" statements: \d+ reason: No such trait\(s\): HW_MISSING\.\n$"
        )

    def test_the_reason_for_an_unknown_parameter_says_what_would_have_been_right(self):
        for query, reason in (
            ("in_tree=x", "The query has no parameter 'in_tree' before microversion 1.14."),
            ("nam=x", "The query has no parameter 'nam'. Did you mean 'name'?"),
        ):
            self.service.ask("GET", f"/resource_providers?{query}", version="1.13")
            self.assertTrue(self.log.output.endswith(f" reason: {reason}\n"), self.log.output)

    def test_the_reason_for_a_bad_value_says_where_it_is(self):
        query = "/allocation_candidates?resources=VCPU:1&limit=0"
        self.service.ask("GET", query, version="latest")
        json = {"content_type": "application/json", "json": {"name": "host", "uuid": 1}}
        self.service.ask("POST", "/resource_providers", version="1.20", **json)
        self.service.ask("PUT", "/resource_classes/FOO", version="1.20")
        self.assertEqual(
            [
                "Invalid query string parameters: limit: '0' does not match '^[1-9][0-9]*$'",
                "JSON does not validate: uuid: 1 is not of type 'string'",
                "JSON does not validate: name: 'FOO' does not match '^CUSTOM_[A-Z0-9_]+$'",
            ],
            [line.split(" reason: ")[1] for line in self.log.output.splitlines()],
        )

    def test_the_reason_for_a_lack_of_capacity_has_the_numbers(self):
        """If it fails, who has set a small ratio looks for an amount that is reserved."""
        host = "eeeeeeee-0000-4000-8000-000000000001"
        path = f"/resource_providers/{host}/inventories"

        def post(path, **body):
            given = {"content_type": "application/json", "json": body}
            self.service.ask("POST", path, version="1.25", **given)

        post("/resource_providers", name="host", uuid=host)
        post(path, resource_class="VCPU", total=10, allocation_ratio=0.05)
        self.assertIn(
            ": The capacity of VCPU is too small: (total 10 - reserved 0) * allocation_ratio 0.05, "
            "truncated, is 0.\n",
            self.log.output,
        )

    def test_a_reason_cannot_forge_a_line_and_is_cut(self):
        text = "\n\x1b\u2028" + 300 * "x"
        self.service.ask(
            "POST",
            "/resource_providers",
            version="1.20",
            content_type="application/json",
            json={"name": text},
        )
        line = self.log.output.removesuffix("\n")
        self.assertTrue(line.isprintable(), line)
        self.assertRegex(line, " reason: .{300} [.]{3}$")

    def test_every_request_has_its_own_id(self):
        ids = {
            self.service.ask("GET", "/").headers["x-openstack-request-id"] for _ in range(3)
        }
        self.assertEqual(3, len(ids))
        for request_id in ids:
            self.assertEqual(4, uuid.UUID(request_id.removeprefix("req-")).version)

    def test_a_request_id_that_is_sent_is_logged_as_the_global_one(self):
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


class SlowRequests(testtools.TestCase):
    def ask(self, slow_seconds):
        log = self.useFixture(base_fixtures.FakeLogger("placement", level=logging.WARNING))
        service = self.useFixture(
            fixtures.Application(api__slow_request_seconds=slow_seconds)
        )
        # This listener runs after the measurement of a statement has begun.
        sa.event.listen(
            service.database.engine, "before_cursor_execute", lambda *_: time.sleep(0.01)
        )
        service.ask("GET", "/allocation_candidates?resources=VCPU:1", version="latest")
        return log.output

    def test_a_slow_request_logs_its_stages_as_a_warning(self):
        line = self.ask(slow_seconds=0.000001)
        match = re.fullmatch(
            r'Slow request: - "GET /allocation_candidates\?resources=VCPU:1" took (\S+) s: '
            r"waiting for a connection (\S+), SQL (\S+) \(statements: 1\), search (\S+), "
            r"rendering (\S+), all else (\S+)\n",
            line,
        )
        total, *stages = map(float, match.groups())
        self.assertAlmostEqual(total, sum(stages), delta=0.005)
        # The wait for the database does not belong to the search.
        _, sql, search, _, _ = stages
        self.assertTrue(sql >= 0.01)
        self.assertTrue(search <= total - sql)

    def test_a_fast_request_logs_no_stages(self):
        self.assertEqual("", self.ask(slow_seconds=60))
        self.assertEqual("", self.ask(slow_seconds=0))


class StreamedAnswers(testtools.TestCase):
    """The line of an answer includes what is counted while it is sent."""

    def setUp(self):
        super().setUp()
        self.log = self.useFixture(
            base_fixtures.FakeLogger("placement.requestlog", level=logging.INFO)
        )
        self.closed = []
        self.application = requestlog.RequestLog(self.stream)

    def stream(self, environ, start_response):
        start_response("200 OK", [])
        try:
            for _ in range(int(environ["QUERY_STRING"])):
                cost.current().statements += 1
                yield b"row"
        finally:
            self.closed.append(environ["QUERY_STRING"])

    def counted(self):
        return [fields(line)[2] for line in self.log.output.splitlines()]

    def test_a_streamed_answer_is_logged_at_its_end(self):
        answer = webob.Request.blank("/?3").get_response(self.application)
        self.assertEqual(b"rowrowrow", answer.body)
        self.assertEqual([3], self.counted())

    def test_a_streamed_answer_is_logged_when_the_client_hangs_up(self):
        answer = self.application(webob.Request.blank("/?3").environ, lambda *_: None)
        next(iter(answer))
        self.assertEqual([], self.counted())
        answer.close()
        self.assertEqual([1], self.counted())
        self.assertEqual(["3"], self.closed)

    def test_each_thread_measures_its_own_streamed_answer(self):
        barrier = threading.Barrier(2)

        def read(rows):
            answer = self.application(webob.Request.blank(f"/?{rows}").environ, lambda *_: None)
            for _ in answer:
                barrier.wait(timeout=10)
            answer.close()

        readers = [threading.Thread(target=read, args=[4]) for _ in range(2)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        self.assertEqual([4, 4], self.counted())
