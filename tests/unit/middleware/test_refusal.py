"""Why requests were refused, in the log. Source: doc/how-to/logs.rst."""

import io
import logging
import uuid
from unittest import mock

import fixtures as base_fixtures
import testtools
import webob
import webob.exc
from keystonemiddleware import auth_token

from placement import exception, policy
from placement.db.faults import outages
from placement.handlers.requests import hangup
from placement.middleware import error_statuses, requestlog
from placement.middleware.fault_wrap import ExpectedFaults, FaultWrapper
from placement.middleware.identity import IdentityContext
from tests import fixtures


class Reasons(testtools.TestCase):
    """The line of every refusal ends in its reason."""

    def setUp(self):
        super().setUp()
        self.log = self.useFixture(
            base_fixtures.FakeLogger("placement.requestlog", level=logging.DEBUG)
        )

    def last_line(self):
        return self.log.output.splitlines()[-1]

    def assert_reason(self, status, reason):
        line = self.last_line()
        self.assertIn(f" status: {status} ", line)
        self.assertEqual(reason, line.partition(" reason: ")[2], line)

    def assert_refused(self, service, status, reason, method, path, **options):
        self.assertEqual(status, service.ask(method, path, **options).status_int, reason)
        self.assert_reason(status, reason)

    def test_a_refusal_by_any_layer_has_its_reason(self):
        service = self.useFixture(fixtures.Application(api__max_request_body_size=10))
        text = {"content_type": "text/plain"}
        chunked = {"environ": {"CONTENT_LENGTH": "", "CONTENT_TYPE": "application/json"}}
        for status, reason, method, path, options in [
            (401, "No token was sent.", "GET", "/traits", {"token": None}),
            (
                406,
                "Invalid microversion: Unacceptable version header: 9.99",
                *("GET", "/traits", {"version": "9.99"}),
            ),
            (
                400,
                "Invalid microversion: invalid version string: a b; "
                "invalid literal for int() with base 10: 'a b'",
                *("GET", "/traits", {"version": "a b"}),
            ),
            (404, "The API has no such path.", "GET", "/nowhere", {}),
            (404, "The API has no such path.", "HEAD", "/nowhere", {}),
            (404, "This is not available before microversion 1.6.", "GET", "/traits", {}),
            (
                405,
                "This is not available before microversion 1.5.",
                *("DELETE", f"/resource_providers/{uuid.uuid4()}/inventories", {}),
            ),
            (
                405,
                "This path has only these methods: GET.",
                *("PATCH", "/traits", {}),
            ),
            (
                413,
                "The request body is larger than 10 bytes ([api] max_request_body_size).",
                *("POST", "/resource_providers", {"body": b"x" * 11, **text}),
            ),
            (
                413,
                "The request body is larger than 10 bytes ([api] max_request_body_size).",
                *("POST", "/resource_providers", {"body_file": io.BytesIO(b"1" * 11), **chunked}),
            ),
            (
                415,
                "The media type text/plain is not supported, use application/json",
                *("POST", "/resource_providers", {"body": b"x", **text}),
            ),
            (
                400,
                "content-length header must be an integer",
                *("GET", "/traits", {"environ": {"CONTENT_LENGTH": "ten"}}),
            ),
            (
                403,
                "Policy denies placement:resource_providers:list to a caller with the roles: none",
                *("GET", "/resource_providers", {"token": "nobody"}),
            ),
        ]:
            self.assert_refused(service, status, reason, method, path, **options)

    def test_an_undecidable_policy_is_a_reason(self):
        service = self.useFixture(fixtures.Application())
        undecidable = mock.Mock(side_effect=policy.Undecidable("a rule: ConnectionError"))
        self.useFixture(base_fixtures.FakeLogger("placement.handlers"))
        self.useFixture(
            base_fixtures.MonkeyPatch("placement.policy.Policy.authorize", undecidable)
        )
        reason = "It cannot be determined at present whether policy allows this."
        self.assert_refused(service, 503, reason, "GET", "/resource_providers")

    def test_a_process_that_is_not_healthy_has_a_reason(self):
        service = self.useFixture(fixtures.Application())
        reason = outages.Reason.UNREACHABLE
        self.useFixture(
            base_fixtures.MonkeyPatch(
                "placement.db.engine.health.Probe.reason", lambda _: reason
            )
        )
        self.assert_refused(service, 503, reason.value, "GET", "/healthcheck")

    def test_a_process_taken_out_of_service_has_a_reason(self):
        service = self.useFixture(fixtures.Application())
        unhealthy = mock.Mock(return_value=False)
        self.useFixture(
            base_fixtures.MonkeyPatch(
                "oslo_middleware.healthcheck.Healthcheck._are_results_healthy", unhealthy
            )
        )
        reason = "A backend of [healthcheck] finds this process unhealthy."
        self.assert_refused(service, 503, reason, "GET", "/healthcheck")

    def test_keystone_gives_its_own_reasons_and_never_the_token(self):
        for name, value in (("WWW_AUTHENTICATE_URI", "http://keystone"), ("AUTH_TYPE", "none")):
            self.useFixture(
                base_fixtures.EnvironmentVariable(f"OS_KEYSTONE_AUTHTOKEN__{name}", value)
            )
        self.useFixture(base_fixtures.FakeLogger("keystonemiddleware"))
        service = self.useFixture(fixtures.Application(api__auth_strategy="keystone"))
        self.assert_refused(service, 401, "No token was sent.", "GET", "/traits", token=None)
        for error, status, reason in [
            (
                auth_token.InvalidToken("no"),
                401,
                "Keystone did not accept the token, or the service token that was sent with it.",
            ),
            (
                webob.exc.HTTPServiceUnavailable(),
                503,
                "The token could not be validated because keystone cannot be used at present.",
            ),
        ]:
            with mock.patch.object(auth_token.AuthProtocol, "fetch_token", side_effect=error):
                self.assert_refused(service, status, reason, "GET", "/traits", token="a-secret")
            self.assertNotIn("a-secret", self.last_line())

    def raised(self, error):
        """Send a request to an application that raises an error."""

        def application(environ, start_response):
            raise error

        wrapped = requestlog.RequestLog(FaultWrapper(ExpectedFaults(application)))
        webob.Request.blank("/").get_response(wrapped)

    def test_an_exception_has_its_reason(self):
        self.useFixture(base_fixtures.FakeLogger("placement.middleware"))
        unreachable = outages.Outage(outages.Reason.UNREACHABLE, "[SQL: x]")
        for status, reason, error in [
            (499, hangup.ClientClosedRequest.explanation, hangup.ClientClosedRequest()),
            (503, "The database cannot be reached.", unreachable),
            (500, "Unexpected error: KeyError; the log has its traceback.", KeyError("[SQL: x]")),
        ]:
            self.raised(error)
            self.assert_reason(status, reason)

    def test_each_expected_exception_has_its_reason(self):
        self.useFixture(base_fixtures.FakeLogger("placement.middleware"))
        for kind in error_statuses.FAULTS:
            error = kind.__new__(kind)
            exception.PlacementException.__init__(error)
            error.sentence = "It says why."
            self.raised(error)
            self.assertTrue(self.last_line().endswith(" reason: It says why."), kind)

    def test_a_caller_without_a_user_has_a_reason(self):
        application = requestlog.RequestLog(IdentityContext(None))
        webob.Request.blank("/traits").get_response(application)
        self.assert_reason(401, "Authentication named no user.")

    def test_an_answer_that_is_not_a_refusal_has_no_reason(self):
        service = self.useFixture(fixtures.Application())
        self.assertEqual(200, service.ask("GET", "/").status_int)
        self.assertNotIn("reason:", self.last_line())
