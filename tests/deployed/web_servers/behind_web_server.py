"""Placement behind a real web server: TLS, a prefix, browsers of other origins.

Run by `make live`. nginx, Apache and HAProxy have the configurations in etc/placement, as shipped.
Tests of those that are not installed are skipped, unless PLACEMENT_TEST_REQUIRE_ALL is set.
"""

import unittest

import requests
import testtools
from keystoneauth1 import adapter, session, token_endpoint

from placement import microversion
from tests import databases, server
from tests.deployed.web_servers import apache, haproxy, nginx, site, spellings
from tests.deployed.web_servers.door import Door, is_fault

HOST = "5f000001-0000-4000-8000-000000000001"
ORIGIN = "https://horizon.example.org"
ADMIN = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}


class BehindWebServer(testtools.TestCase):
    """Tests of a service below /placement of `site`; `url` includes this prefix."""

    @classmethod
    def deploy(cls, web_server, locations, **options):
        """Start a service, and a site whose configuration is `locations` called with its URL.

        The web server is one of the modules `apache`, `haproxy` and `nginx`.
        """
        super().setUpClass()
        if web_server.PROGRAM is None and not databases.REQUIRE_ALL:
            raise unittest.SkipTest(f"{web_server.__name__} is not installed")
        placement_url = cls.enterClassContext(server.placement(**options))
        cls.site = cls.enterClassContext(web_server.site(locations(placement_url)))
        cls.url = f"{cls.site.url}/placement"

    def setUp(self):
        super().setUp()
        self.session = requests.Session()
        self.addCleanup(self.session.close)
        # Proxies and certificates that the environment names are not for this site.
        self.session.trust_env = False
        self.session.verify = self.site.certificate

    def ask(self, method, path, headers=(), token=True, **options):
        headers = (ADMIN if token else {}) | dict(headers)
        return self.session.request(method, self.url + path, headers=headers, **options)

    def make_host(self):
        answer = self.ask("POST", "/resource_providers", json={"uuid": HOST, "name": "host"})
        self.addCleanup(self.ask, "DELETE", f"/resource_providers/{HOST}")
        return answer


class Prefix:
    """Tests that hold wherever the service gets its prefix from."""

    def test_the_version_document_is_served_with_and_without_a_slash(self):
        for path in ["", "/"]:
            answer = self.ask("GET", path)
            self.assertEqual(200, answer.status_code, path)
            self.assertEqual(microversion.VERSIONS[-1], answer.json()["versions"][0]["max_version"])

    def test_links_start_with_the_prefix_and_lead_somewhere(self):
        host = self.make_host().json()
        self.assertEqual(f"/placement/resource_providers/{HOST}", host["links"][0]["href"])
        for link in host["links"]:
            answer = self.session.get(self.site.url + link["href"], headers=ADMIN)
            self.assertEqual(200, answer.status_code, link["href"])
        [vcpu] = [
            found
            for found in self.ask("GET", "/resource_classes").json()["resource_classes"]
            if found["name"] == "VCPU"
        ]
        self.assertEqual("/placement/resource_classes/VCPU", vcpu["links"][0]["href"])

    def test_a_location_is_the_address_that_the_client_has_to_use(self):
        made = [
            (self.make_host(), f"/resource_providers/{HOST}"),
            (
                self.ask(
                    "POST",
                    f"/resource_providers/{HOST}/inventories",
                    json={"resource_class": "VCPU", "total": 8, "resource_provider_generation": 0},
                ),
                f"/resource_providers/{HOST}/inventories/VCPU",
            ),
            (self.ask("PUT", "/traits/CUSTOM_FAST"), "/traits/CUSTOM_FAST"),
            (self.ask("PUT", "/resource_classes/CUSTOM_SEAT"), "/resource_classes/CUSTOM_SEAT"),
        ]
        for answer, path in made:
            self.assertEqual(self.url + path, answer.headers["Location"])
            found = self.session.get(answer.headers["Location"], headers=ADMIN)
            self.assertTrue(found.ok, path)

    def test_clients_discover_microversions_below_the_prefix(self):
        placement = adapter.Adapter(
            session.Session(
                auth=token_endpoint.Token(self.url, "admin"),
                session=self.session,
                verify=self.site.certificate,
            ),
            service_type="placement",
        )
        endpoint = placement.get_endpoint_data()
        self.assertEqual(
            (microversion.MINIMUM, microversion.MAXIMUM),
            (endpoint.min_microversion, endpoint.max_microversion),
        )
        answer = placement.get("/resource_providers", microversion="latest")
        newest = f"placement {microversion.VERSIONS[-1]}"
        self.assertEqual(newest, answer.headers["OpenStack-API-Version"])

    def test_headers_of_clients_about_proxies_are_not_trusted(self):
        for lie in [
            {"Forwarded": "for=192.0.2.1;proto=http;host=elsewhere.example.org"},
            {
                "X-Forwarded-Host": "elsewhere.example.org",
                "X-Forwarded-Proto": "http",
                "X-Forwarded-Prefix": "/elsewhere",
            },
        ]:
            answer = self.ask("PUT", "/traits/CUSTOM_FAST", headers=lie)
            self.assertEqual(f"{self.url}/traits/CUSTOM_FAST", answer.headers["Location"])

    def test_an_error_of_the_service_reaches_the_client_unchanged(self):
        answer = self.ask("GET", "/nowhere")
        self.assertEqual(404, answer.status_code)
        self.assertEqual(404, answer.json()["errors"][0]["status"])
        self.assertEqual(404, self.session.get(f"{self.site.url}/placements").status_code)

    def test_a_query_string_reaches_the_service_unchanged(self):
        name = "Küche & Bad / 100 %;+"
        self.ask("POST", "/resource_providers", json={"uuid": HOST, "name": name})
        self.addCleanup(self.ask, "DELETE", f"/resource_providers/{HOST}")
        found = self.ask("GET", "/resource_providers", params={"name": name})
        self.assertEqual([name], [host["name"] for host in found.json()["resource_providers"]])


class WithForwardedHeaders(Prefix):
    """The shipped configurations: the web server removes the prefix, and passes it on in headers.

    `web_server` is one of the modules.
    """

    @classmethod
    def setUpClass(cls):
        cls.deploy(
            cls.web_server,
            cls.web_server.sample_locations,
            oslo_middleware__enable_proxy_headers_parsing="true",
            cors__allowed_origin=ORIGIN,
        )

    def test_a_body_of_two_mebibytes_reaches_the_service(self):
        body = '{"aggregates": [], "resource_provider_generation": 7}'
        self.make_host()
        answer = self.ask(
            "PUT",
            f"/resource_providers/{HOST}/aggregates",
            headers={"Content-Type": "application/json"},
            data=body + " " * 2**21,
        )
        self.assertGreater(int(answer.request.headers["Content-Length"]), 2**21)
        self.assertEqual("placement.concurrent_update", answer.json()["errors"][0]["code"])

    def test_a_preflight_of_a_browser_needs_no_token(self):
        answer = self.ask(
            "OPTIONS",
            "/allocation_candidates",
            token=False,
            headers={
                "Origin": ORIGIN,
                "Access-Control-Request-Method": "GET",
                "Access-Control-Request-Headers": "OpenStack-API-Version, X-Auth-Token",
            },
        )
        self.assertEqual((200, b""), (answer.status_code, answer.content))
        self.assertEqual(ORIGIN, answer.headers["Access-Control-Allow-Origin"])
        self.assertEqual("GET", answer.headers["Access-Control-Allow-Methods"])
        self.assertIn("X-Auth-Token", answer.headers["Access-Control-Allow-Headers"])
        self.assertEqual("Origin", answer.headers["Vary"])

    def test_a_page_of_another_origin_is_not_allowed(self):
        for method in ["OPTIONS", "GET"]:
            answer = self.ask(
                method,
                "/traits",
                headers={
                    "Origin": "https://elsewhere.example.org",
                    "Access-Control-Request-Method": "GET",
                },
            )
            self.assertEqual(200, answer.status_code)
            self.assertNotIn("Access-Control-Allow-Origin", answer.headers)

    def test_the_page_may_read_answers_and_refusals(self):
        for path, token, status in [
            ("/resource_providers", True, 200),
            ("/nowhere", True, 404),
            ("/resource_providers", False, 401),
        ]:
            answer = self.ask("GET", path, token=token, headers={"Origin": ORIGIN})
            self.assertEqual(status, answer.status_code)
            self.assertEqual(ORIGIN, answer.headers["Access-Control-Allow-Origin"])
            exposed = answer.headers["Access-Control-Expose-Headers"]
            self.assertIn("OpenStack-API-Version", exposed)
            self.assertIn("Origin", answer.headers["Vary"])


class BehindNginx(WithForwardedHeaders, BehindWebServer):
    web_server = nginx


class BehindApache(WithForwardedHeaders, BehindWebServer):
    web_server = apache


class BehindHaproxy(WithForwardedHeaders, BehindWebServer):
    web_server = haproxy


class WithAMountPoint(Prefix, BehindWebServer):
    """The WSGI server is configured with the prefix (SCRIPT_NAME); the headers are ignored."""

    @classmethod
    def setUpClass(cls):
        cls.deploy(
            nginx,
            _locations_of_a_mount_point,
            gunicorn_options=site.gunicorn_at_a_mount_point(),
        )

    def test_no_spelling_of_a_path_causes_a_server_error(self):
        door = Door.of_site(self.site)
        spelled = spellings.behind_web_server("/resource_providers")
        answers = door.ask_all(spelled, "X-Auth-Token: admin")
        faults = [each for each, answer in zip(spelled, answers, strict=True) if is_fault(answer)]
        self.assertEqual([], faults)

    def test_a_browser_gets_the_same_answers_as_other_clients(self):
        answer = self.ask("OPTIONS", "/traits", headers={"Origin": ORIGIN})
        self.assertEqual(405, answer.status_code)
        self.assertEqual("GET", answer.headers["Allow"])
        self.assertNotIn("Access-Control-Allow-Origin", answer.headers)


def _locations_of_a_mount_point(placement_url):
    # gunicorn itself takes the scheme from X-Forwarded-Proto.
    [locations] = site.recipes("web-server.rst", "location = /placement {")
    return site.for_service(locations, placement_url)
