"""Who may do what, decided by tokens of a real keystone.

Run by `make keystone`. Source: doc/how-to/keystone.rst.
"""

import datetime
import os
import shutil
import tempfile
import time
import unittest

import requests
import testtools
from keystoneauth1 import adapter

from placement import microversion
from tests import server
from tests.deployed.servers import keystone

HOST = "60000001-0000-4000-8000-000000000001"
INSTANCE = "60000002-0000-4000-8000-000000000001"
NEWEST = {"OpenStack-API-Version": "placement latest"}

MEMCACHED = shutil.which("memcached")
# The lifetime of a token that expires during a test: long enough to be used once.
SHORT_LIFE_SECONDS = 8


class Cloud:
    """A keystone with projects and users, and the configuration of a Placement that uses it.

    Users have one role each in one project: nova is the compute service; in `research`, mel is a
    member, rita a reader, and olaf has a role that Placement has not heard of. Tests name a caller
    by the user, by "admin", or by a key of SCOPES, which stands for a user with another scope.
    """

    SCOPES = {
        "admin of the system": ("admin", {"system_scope": "all"}),
        "admin of a domain": ("admin", {"domain_id": keystone.DOMAIN}),
        "nova without a project": ("nova", {}),
    }

    def __init__(self, identity):
        self.identity = identity
        self.research = identity.add_project("research")
        service = identity.add_project("service")
        self._project_of = {"admin": "admin", "nova": "service", "placement": "service"}
        identity.add_role("observer")
        for name, project_id, role in [
            ("nova", service, "service"),
            ("placement", service, "service"),
            ("mel", self.research, "member"),
            ("rita", self.research, "reader"),
            ("olaf", self.research, "observer"),
        ]:
            identity.add_user(name, project_id, role)
        identity.give_domain_role("admin", "admin")
        self.settings = {
            "api__auth_strategy": "keystone",
            "keystone_authtoken__auth_type": "password",
            "keystone_authtoken__auth_url": identity.url,
            "keystone_authtoken__www_authenticate_uri": identity.url,
            "keystone_authtoken__interface": "public",
            "keystone_authtoken__username": "placement",
            "keystone_authtoken__user_domain_id": keystone.DOMAIN,
            "keystone_authtoken__password": identity.password,
            "keystone_authtoken__project_name": "service",
            "keystone_authtoken__project_domain_id": keystone.DOMAIN,
        }
        self._sessions = {}

    def session(self, caller):
        """The session of a caller, which keeps its token."""
        if caller not in self._sessions:
            self._sessions[caller] = self.log_in(caller)
        return self._sessions[caller]

    def log_in(self, caller, url=None):
        """A session of a caller with a token of its own, from the keystone at `url` if given."""
        username, scope = self.SCOPES.get(
            caller,
            (
                caller,
                {
                    "project_name": self._project_of.get(caller, "research"),
                    "project_domain_id": keystone.DOMAIN,
                },
            ),
        )
        return self.identity.log_in(username, url, **scope)


def setUpModule():
    KeystoneTest.cloud = Cloud(unittest.enterModuleContext(keystone.running()))


class KeystoneTest(testtools.TestCase):
    """Tests of a Placement, at `url`, that uses the keystone of `cloud`."""

    # Settings beside those that name the keystone.
    settings = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.url = cls.enterClassContext(server.placement(**cls.all_settings()))

    @classmethod
    def all_settings(cls):
        return cls.cloud.settings | cls.settings

    def setUp(self):
        super().setUp()
        self.http = requests.Session()
        self.http.trust_env = False
        self.addCleanup(self.http.close)

    def ask(self, token, method, path, headers=(), **options):
        """The answer to a request with a token, or without one."""
        headers = NEWEST | dict(headers) | ({} if token is None else {"X-Auth-Token": token})
        return self.http.request(method, self.url + path, headers=headers, **options)

    def ask_as(self, caller, method, path, **options):
        return self.ask(self.cloud.session(caller).get_token(), method, path, **options)

    def status(self, caller, method, path, **options):
        return self.ask_as(caller, method, path, **options).status_code

    def make_host(self):
        self.assertEqual(
            200,
            self.status("nova", "POST", "/resource_providers", json={"uuid": HOST, "name": "host"}),
        )
        self.addCleanup(self.ask_as, "nova", "DELETE", f"/resource_providers/{HOST}")
        self.ask_as(
            "nova",
            "PUT",
            f"/resource_providers/{HOST}/inventories",
            json={"resource_provider_generation": 0, "inventories": {"VCPU": {"total": 8}}},
        )

    def reshape(self, caller):
        """The status that a caller gets for replacing the host's inventory with the same values."""
        [host] = self.ask_as("nova", "GET", f"/resource_providers?uuid={HOST}").json()[
            "resource_providers"
        ]
        body = {
            "inventories": {
                HOST: {
                    "resource_provider_generation": host["generation"],
                    "inventories": {"VCPU": {"total": 8}},
                }
            },
            "allocations": {},
        }
        return self.status(caller, "POST", "/reshaper", json=body)


class Tokens(KeystoneTest):
    def assert_unauthorized(self, answer):
        self.assertEqual(401, answer.status_code)
        self.assertEqual(
            f'Keystone uri="{self.cloud.identity.url}"', answer.headers["WWW-Authenticate"]
        )
        error = answer.json()["error"]
        self.assertEqual((401, "Unauthorized"), (error["code"], error["title"]))
        self.assertIn("x-openstack-request-id", answer.headers)
        self.assertNotIn("OpenStack-API-Version", answer.headers)

    def short_lived_token(self):
        """Return a token of nova, and a function that waits until it has expired."""
        session = self.cloud.log_in("nova", self.hurried_url)
        token = session.get_token()
        end = session.auth.get_access(session).expires

        def outlive():
            now = datetime.datetime.now(datetime.UTC)
            time.sleep(max(0, (end - now).total_seconds()) + 1)

        return token, outlive

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.hurried_url = cls.enterClassContext(
            keystone.hurried(cls.cloud.identity, SHORT_LIFE_SECONDS)
        )

    def test_the_version_document_needs_no_token(self):
        for path in ["", "/"]:
            self.assertEqual(200, self.ask(None, "GET", path).status_code)

    def test_everything_but_the_version_document_needs_a_token(self):
        for path in ["/resource_providers", "/usages?project_id=p", "/nowhere"]:
            self.assert_unauthorized(self.ask(None, "GET", path))

    def test_a_token_that_keystone_did_not_issue_is_refused(self):
        token = self.cloud.session("nova").get_token()
        for forged in ["admin", "gAAAAABm", token[:-8] + "AAAAAAAA", "two words", b"\xe9", ""]:
            self.assert_unauthorized(self.ask(forged, "GET", "/resource_providers"))

    def test_a_revoked_token_is_refused(self):
        token = self.cloud.log_in("nova").get_token()
        self.cloud.identity.revoke(token)
        self.assert_unauthorized(self.ask(token, "GET", "/resource_providers"))

    def test_an_expired_token_is_refused_though_it_is_cached(self):
        token, outlive = self.short_lived_token()
        self.assertEqual(200, self.ask(token, "GET", "/resource_providers").status_code)
        outlive()
        self.assert_unauthorized(self.ask(token, "GET", "/resource_providers"))

    def test_a_service_token_makes_an_expired_token_acceptable(self):
        token, outlive = self.short_lived_token()
        outlive()
        service = {"X-Service-Token": self.cloud.session("nova").get_token()}
        answer = self.ask(token, "GET", "/resource_providers", headers=service)
        self.assertEqual(200, answer.status_code)

    def test_a_service_token_has_to_be_valid_and_have_the_service_role(self):
        token = self.cloud.session("admin").get_token()
        for service_token in ["forged", self.cloud.session("rita").get_token()]:
            headers = {"X-Service-Token": service_token}
            self.assert_unauthorized(
                self.ask(token, "GET", "/resource_providers", headers=headers)
            )

    def test_a_service_token_gives_a_user_no_rights(self):
        headers = {"X-Service-Token": self.cloud.session("nova").get_token()}
        self.assertEqual(403, self.status("rita", "GET", "/resource_providers", headers=headers))

    def test_keystone_is_asked_once_about_each_token(self):
        identity = self.cloud.identity
        first, second = (self.cloud.log_in("nova").get_token() for _ in range(2))
        before = identity.validations()
        for token in [first, first, first, second, first, second]:
            self.assertEqual(200, self.ask(token, "GET", "/resource_providers").status_code)
        # keystone writes its log after it has answered.
        time.sleep(1)
        self.assertEqual(before + 2, identity.validations())


class Rights(KeystoneTest):
    def test_services_and_admins_use_the_api(self):
        self.make_host()
        for caller in ["nova", "admin"]:
            for path in [
                "/resource_providers",
                f"/resource_providers/{HOST}",
                f"/resource_providers/{HOST}/inventories",
                f"/resource_providers/{HOST}/usages",
                "/allocation_candidates?resources=VCPU:1",
                f"/allocations/{INSTANCE}",
                "/usages?project_id=any",
            ]:
                self.assertEqual(200, self.status(caller, "GET", path), (caller, path))

    def test_callers_without_the_right_get_403_whatever_exists(self):
        for caller in ["mel", "rita", "olaf", *Cloud.SCOPES]:
            for method, path in [
                ("GET", "/resource_providers"),
                ("GET", f"/resource_providers/{HOST}"),
                ("GET", "/allocation_candidates?resources=nonsense"),
                ("DELETE", f"/allocations/{INSTANCE}"),
                ("PUT", "/traits/CUSTOM_FAST"),
                ("GET", "/usages?project_id=any"),
            ]:
                self.assertEqual(403, self.status(caller, method, path), (caller, path))

    def test_a_refusal_names_the_rule(self):
        answer = self.ask_as("rita", "GET", "/resource_providers")
        [error] = answer.json()["errors"]
        self.assertIn(
            "Policy does not allow placement:resource_providers:list to be performed.",
            error["detail"],
        )
        newest = f"placement {microversion.VERSIONS[-1]}"
        self.assertEqual(newest, answer.headers["OpenStack-API-Version"])

    def test_readers_see_the_usages_of_their_project(self):
        self.make_host()
        claim = {
            "allocations": {HOST: {"resources": {"VCPU": 2}}},
            "project_id": self.cloud.research,
            "user_id": "rita",
            "consumer_type": "INSTANCE",
            "consumer_generation": None,
        }
        consumer = f"/allocations/{INSTANCE}"
        self.assertEqual(204, self.status("nova", "PUT", consumer, json=claim))
        own = f"/usages?project_id={self.cloud.research}"
        # For keystone, a member is a reader, too.
        for caller in ["rita", "mel", "nova", "admin"]:
            usages = self.ask_as(caller, "GET", own).json()["usages"]
            self.assertEqual({"INSTANCE": {"VCPU": 2, "consumer_count": 1}}, usages)
        self.assertEqual(403, self.status("olaf", "GET", own))
        self.assertEqual(204, self.status("nova", "DELETE", consumer))

    def test_only_services_reshape(self):
        self.make_host()
        self.assertEqual(
            {"nova": 204, "admin": 403, "mel": 403, "rita": 403},
            {caller: self.reshape(caller) for caller in ["nova", "admin", "mel", "rita"]},
        )

    def test_identity_headers_of_a_caller_are_ignored(self):
        for caller in ["rita", "olaf"]:
            headers = {"X-Roles": "admin,service", "X-User-Id": "admin", "X-Project-Id": "any"}
            for path in ["/resource_providers", "/usages?project_id=any"]:
                self.assertEqual(403, self.status(caller, "GET", path, headers=headers))

    def test_clients_find_the_service_in_the_catalogue(self):
        self.cloud.identity.add_service("placement", self.url)
        placement = adapter.Adapter(
            self.cloud.log_in("nova"),
            service_type="placement",
            interface="public",
            region_name=keystone.REGION,
            default_microversion="latest",
        )
        self.assertEqual(self.url, placement.get_endpoint().rstrip("/"))
        self.assertEqual(microversion.MAXIMUM, placement.get_endpoint_data().max_microversion)
        self.assertEqual(200, placement.get("/resource_providers").status_code)


class OldDefaults(KeystoneTest):
    """The policy from before there was a role for services."""

    settings = {"oslo_policy__enforce_new_defaults": "false"}

    def test_admins_reshape_with_the_old_defaults(self):
        self.make_host()
        self.assertEqual(
            {"nova": 204, "admin": 204, "mel": 403},
            {caller: self.reshape(caller) for caller in ["nova", "admin", "mel"]},
        )


class WithAnApplicationCredential(KeystoneTest):
    """This Placement logs in without a password, as nova-operator configures it."""

    @classmethod
    def all_settings(cls):
        credential_id, secret = cls.cloud.identity.add_application_credential(
            cls.cloud.log_in("placement")
        )
        # A credential is for one project, and keystone refuses a request that names one.
        kept = {
            name: value
            for name, value in cls.cloud.settings.items()
            if not name.endswith(("username", "password", "_domain_id", "project_name"))
        }
        return kept | {
            "keystone_authtoken__auth_type": "v3applicationcredential",
            "keystone_authtoken__application_credential_id": credential_id,
            "keystone_authtoken__application_credential_secret": secret,
        }

    def test_tokens_are_checked(self):
        self.make_host()
        self.assertEqual(403, self.status("rita", "GET", "/resource_providers"))
        self.assertEqual(401, self.ask("forged", "GET", "/resource_providers").status_code)


class WithoutKeystone(KeystoneTest):
    """Nothing answers where the keystone should be."""

    settings = {
        "keystone_authtoken__auth_url": "http://127.0.0.1:1",
        "keystone_authtoken__http_request_max_retries": "0",
    }

    def test_without_keystone_the_answer_is_503(self):
        answer = self.ask_as("nova", "GET", "/resource_providers")
        self.assertEqual(503, answer.status_code)
        self.assertEqual("503 Service Unavailable", answer.json()["code"])
        self.assertIn("x-openstack-request-id", answer.headers)

    def test_without_keystone_the_version_document_is_served(self):
        self.assertEqual(200, self.ask(None, "GET", "/").status_code)


class WithAWrongPassword(KeystoneTest):
    """The keystone does not let this Placement ask anything."""

    settings = {"keystone_authtoken__password": "wrong"}

    def test_with_a_wrong_password_for_keystone_the_answer_is_503(self):
        self.assertEqual(503, self.status("nova", "GET", "/resource_providers"))


@unittest.skipUnless(MEMCACHED, "no memcached here")
class WithMemcached(KeystoneTest):
    """Two Placements that remember tokens in one place."""

    @classmethod
    def setUpClass(cls):
        address = f"127.0.0.1:{server.free_port()}"
        log = os.path.join(cls.enterClassContext(tempfile.TemporaryDirectory()), "memcached.log")
        command = [MEMCACHED, "-l", address, "-u", "nobody"]
        cls.enterClassContext(server.process(command, log))
        cls.settings = {"keystone_authtoken__memcached_servers": address}
        super().setUpClass()
        cls.other_url = cls.enterClassContext(
            server.placement(**cls.cloud.settings | cls.settings)
        )

    def test_keystone_is_asked_once_for_two_services(self):
        identity = self.cloud.identity
        token = self.cloud.log_in("nova").get_token()
        before = identity.validations()
        for url in [self.url, self.other_url, self.url, self.other_url]:
            answer = self.http.get(f"{url}/resource_providers", headers={"X-Auth-Token": token})
            self.assertEqual(200, answer.status_code)
        # keystone writes its log after it has answered.
        time.sleep(1)
        self.assertEqual(before + 1, identity.validations())

    def test_with_memcached_a_forged_token_is_refused(self):
        answer = self.ask("forged", "GET", "/resource_providers")
        self.assertEqual(401, answer.status_code)
