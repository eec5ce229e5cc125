"""Who a request comes from. Source: doc/how-to/keystone.rst."""

import sys
from unittest import mock

import fixtures as base_fixtures
import testtools
from keystoneauth1 import exceptions

from placement.environ import CONTEXT, REQUEST_ID
from placement.middleware import auth
from placement.middleware.identity import IdentityContext
from tests import fixtures


def identity(**environ):
    """The RequestContext that NoAuth and IdentityContext make for a request, or a status."""
    seen = []

    def application(inner_environ, start_response):
        seen.append(inner_environ[CONTEXT])
        return []

    def start_response(status, headers, exc_info=None):
        seen.append(status)

    request = {
        "PATH_INFO": "/traits",
        "REQUEST_METHOD": "GET",
        "wsgi.url_scheme": "http",
        REQUEST_ID: "req-1",
    }
    auth.NoAuth(IdentityContext(application))(request | environ, start_response)
    return seen[0]


class BelievedTokens(testtools.TestCase):
    def test_a_noauth_token_names_a_user_and_a_project(self):
        for token, user, project in [
            ("admin", "admin", "admin"),
            ("u:p", "u", "p"),
            ("u:", "u", "u"),
            ("u:p:r", "u", "p:r"),
            ("", "", ""),
        ]:
            caller = identity(HTTP_X_AUTH_TOKEN=token)
            self.assertEqual((user, project), (caller.user_id, caller.project_id), token)

    def test_only_the_user_admin_has_a_role_without_a_header(self):
        self.assertEqual(["admin"], identity(HTTP_X_AUTH_TOKEN="admin").roles)
        self.assertEqual(["admin"], identity(HTTP_X_AUTH_TOKEN="admin:p").roles)
        self.assertEqual([], identity(HTTP_X_AUTH_TOKEN="u").roles)

    def test_roles_in_a_header_replace_that_of_the_name(self):
        caller = identity(HTTP_X_AUTH_TOKEN="admin", HTTP_X_ROLES="reader, member")
        self.assertEqual(["reader", "member"], caller.roles)

    def test_the_token_gives_the_user_and_the_header_the_project(self):
        caller = identity(
            HTTP_X_AUTH_TOKEN="u:p", HTTP_X_USER_ID="other", HTTP_X_PROJECT_ID="other"
        )
        self.assertEqual(("u", "other"), (caller.user_id, caller.project_id))

    def test_system_scope_has_no_project(self):
        caller = identity(HTTP_X_AUTH_TOKEN="u:p", HTTP_OPENSTACK_SYSTEM_SCOPE="all")
        self.assertEqual(("all", None), (caller.system_scope, caller.project_id))

    def test_without_a_token_only_the_version_document_is_served(self):
        self.assertEqual("401 Unauthorized", identity())
        self.assertEqual("401 Unauthorized", identity(PATH_INFO=""))
        self.assertIsNone(identity(PATH_INFO="/").user_id)


class Refusal(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application())

    def test_a_401_has_a_request_id_and_no_version(self):
        answer = self.service.ask("GET", "/nowhere", version="latest", token=None)
        self.assertEqual("401 Unauthorized", answer.status)
        self.assertEqual("401 Unauthorized", answer.json["code"])
        self.assertIn("x-openstack-request-id", answer.headers)
        self.assertNotIn("openstack-api-version", answer.headers)

    def test_an_empty_token_is_a_user_without_rights(self):
        answer = self.service.ask("GET", "/nowhere", token="")
        self.assertEqual(404, answer.status_int)


class Keystone(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(
            base_fixtures.EnvironmentVariable(
                "OS_KEYSTONE_AUTHTOKEN__WWW_AUTHENTICATE_URI", "http://keystone"
            )
        )
        # The account that it logs in with does not matter as long as no token is sent.
        self.useFixture(
            base_fixtures.EnvironmentVariable("OS_KEYSTONE_AUTHTOKEN__AUTH_TYPE", "none")
        )
        self.service = self.useFixture(
            fixtures.Application(api__auth_strategy="keystone")
        )

    def test_the_version_document_and_the_description_need_no_token(self):
        for path in ["/", "", "/openapi.json"]:
            self.assertEqual(200, self.service.ask("GET", path, token=None).status_int)

    def test_without_a_token_everything_else_is_refused(self):
        answer = self.service.ask("GET", "/traits", token=None)
        self.assertEqual(401, answer.status_int)
        self.assertEqual('Keystone uri="http://keystone"', answer.headers["WWW-Authenticate"])
        self.assertEqual(401, answer.json["error"]["code"])

    def test_clients_are_told_when_to_try_again_if_keystone_does_not_answer(self):
        # A login of this type does not know where keystone is.
        answer = self.service.ask("GET", "/traits", token="a-token")
        self.assertEqual((503, "5"), (answer.status_int, answer.headers["Retry-After"]))

    def test_a_keystone_that_cannot_be_used_is_an_outage_with_a_line_in_the_log(self):
        """If it fails, the WSGI server answers, and the request is missing from the request log.

        keystonemiddleware does not catch this error, which occurs, for instance, if keystone's
        catalog lacks keystone.
        """
        logged = self.useFixture(base_fixtures.FakeLogger())
        self.useFixture(
            base_fixtures.MonkeyPatch(
                "keystonemiddleware.auth_token._identity.IdentityServer.verify_token",
                mock.Mock(side_effect=exceptions.EndpointNotFound("no internal endpoint")),
            )
        )
        answer = self.service.ask("GET", "/traits", token="a-secret")
        self.assertEqual((503, "5"), (answer.status_int, answer.headers["Retry-After"]))
        self.assertRegex(logged.output, "(?m)^Keystone cannot be used: no internal endpoint$")
        self.assertRegex(logged.output, '"GET /traits" status: 503 .* reason: The token could not')
        self.assertNotIn("a-secret", logged.output)

    def test_a_service_without_credentials_for_keystone_does_not_start(self):
        self.useFixture(base_fixtures.EnvironmentVariable("OS_KEYSTONE_AUTHTOKEN__AUTH_TYPE"))
        error = self.assertRaises(auth.NotReady, auth.Keystone, None, fixtures.configuration())
        self.assertIn("auth_type in [keystone_authtoken] is missing", str(error))
        self.assertIn("noauth2", str(error))

    def test_a_service_with_incomplete_credentials_for_keystone_does_not_start(self):
        for name, value in (("AUTH_TYPE", "password"), ("PASSWORD", "secret")):
            self.useFixture(
                base_fixtures.EnvironmentVariable(f"OS_KEYSTONE_AUTHTOKEN__{name}", value)
            )
        error = self.assertRaises(auth.NotReady, auth.Keystone, None, fixtures.configuration())
        self.assertRegex(str(error), r"^\[keystone_authtoken\] .* not given: auth_url$")

    def refused_with_memcached(self, without, **options):
        """Return the error of a service that is configured for memcached, and lacks a module."""
        for name, value in ({"memcached_servers": "127.0.0.1:1"} | options).items():
            self.useFixture(
                base_fixtures.EnvironmentVariable(f"OS_KEYSTONE_AUTHTOKEN__{name.upper()}", value)
            )
        self.useFixture(base_fixtures.MonkeyPatch("sys.modules", sys.modules | {without: None}))
        error = self.assertRaises(auth.NotReady, auth.Keystone, None, fixtures.configuration())
        return str(error)

    def test_without_a_client_for_memcached_the_error_says_how_to_get_one(self):
        error = self.refused_with_memcached(without="memcache")
        self.assertIn("memcached_servers in [keystone_authtoken]", error)
        self.assertIn("'placement-server[memcached]', or python-memcached", error)

    def test_with_a_password_for_memcached_the_error_names_another_client(self):
        error = self.refused_with_memcached(
            without="bmemcached",
            memcache_sasl_enabled="true",
            memcache_username="placement",
            memcache_password="secret",
        )
        self.assertIn("pip install python-binary-memcached", error)
        self.assertNotIn("secret", error)

    def test_identity_headers_without_a_token_are_refused(self):
        headers = {"X-User-Id": "admin", "X-Roles": "admin", "X-Identity-Status": "Confirmed"}
        answer = self.service.ask("GET", "/traits", token=None, headers=headers)
        self.assertEqual(401, answer.status_int)
