"""The layers around the application, seen from outside."""

import os

import fixtures as base_fixtures
import testtools

from placement import microversion
from placement.web import docs_page, operator_page
from tests import fixtures

ORIGIN = "https://horizon.example.com"


class WithoutOptions(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application())

    def test_the_version_document_is_for_everyone(self):
        answer = self.service.ask("GET", "/", token=None)
        self.assertEqual(200, answer.status_int)
        self.assertEqual(
            {
                "id": "v1.0",
                "max_version": microversion.VERSIONS[-1],
                "min_version": "1.0",
                "status": "CURRENT",
                "links": [{"rel": "self", "href": ""}],
            },
            answer.json["versions"][0],
        )
        self.assertNotIn("Last-Modified", answer.headers)

    def test_the_version_document_has_caching_headers_since_1_15(self):
        answer = self.service.ask("GET", "/", version="1.15")
        self.assertEqual("no-cache", answer.headers["Cache-Control"])
        self.assertIn("Last-Modified", answer.headers)

    def test_the_version_document_is_also_at_the_mount_point_without_a_slash(self):
        for path in ["", "/"]:
            answer = self.service.ask("GET", path, base_url="http://host/placement")
            self.assertEqual(200, answer.status_int)

    def test_options_is_refused_like_other_unsupported_methods(self):
        answer = self.service.ask("OPTIONS", "/", headers={"Origin": ORIGIN})
        self.assertEqual(405, answer.status_int)
        self.assertNotIn("Access-Control-Allow-Origin", answer.headers)

    def test_no_page_is_served_unless_it_is_enabled(self):
        for path in docs_page.DECLARATIONS | operator_page.DECLARATIONS:
            for method in ("GET", "PUT"):
                answer = self.service.ask(method, path, token=None)
                self.assertEqual(404, answer.status_int, f"{method} {path}")
                self.assertEqual(404, answer.json["errors"][0]["status"])

    def test_the_description_names_the_mount_point(self):
        for base_url, url in (("http://host", "/"), ("http://host/placement", "/placement")):
            answer = self.service.ask("GET", "/openapi.json", token=None, base_url=base_url)
            self.assertEqual([url], [server["url"] for server in answer.json["servers"]])

    def test_health_needs_no_token(self):
        self.assertEqual(200, self.service.ask("GET", "/healthcheck", token=None).status_int)

    def test_a_process_without_a_database_is_not_healthy(self):
        os.unlink(self.service.database.engine.url.database)
        answer = self.service.ask("GET", "/healthcheck", token=None)
        self.assertEqual(503, answer.status_int)
        self.assertEqual("The database cannot be reached.", answer.text)

    def test_proxy_headers_are_not_trusted_by_default(self):
        answer = self.service.ask("GET", "/", headers={"X-Forwarded-Prefix": "/nowhere"})
        self.assertEqual(200, answer.status_int)


class CrossOrigin(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.service = self.useFixture(fixtures.Application(cors__allowed_origin=[ORIGIN]))

    def preflight(self, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.service.ask("OPTIONS", "/traits", token=None, headers=headers)

    def test_a_preflight_needs_no_token(self):
        answer = self.preflight(
            Origin=ORIGIN,
            Access_Control_Request_Method="PUT",
            Access_Control_Request_Headers="OpenStack-API-Version,X-Auth-Token",
        )
        self.assertEqual((200, b""), (answer.status_int, answer.body))
        self.assertEqual(ORIGIN, answer.headers["Access-Control-Allow-Origin"])
        self.assertEqual("PUT", answer.headers["Access-Control-Allow-Methods"])
        self.assertEqual("3600", answer.headers["Access-Control-Max-Age"])
        self.assertIn("x-openstack-request-id", answer.headers)
        self.assertNotIn("openstack-api-version", answer.headers)

    def test_a_preflight_of_another_origin_is_promised_nothing(self):
        for headers in [
            {},
            {"Origin": ORIGIN},
            {"Origin": "https://other", "Access_Control_Request_Method": "PUT"},
            {"Origin": ORIGIN, "Access_Control_Request_Method": "TRACE"},
        ]:
            answer = self.preflight(**headers)
            self.assertEqual(200, answer.status_int)
            self.assertNotIn("Access-Control-Allow-Origin", answer.headers)

    def test_an_allowed_origin_may_read_answers(self):
        answer = self.service.ask("GET", "/", headers={"Origin": ORIGIN})
        self.assertEqual(ORIGIN, answer.headers["Access-Control-Allow-Origin"])
        self.assertEqual(
            "X-Auth-Token,X-Openstack-Request-Id,X-Subject-Token,X-Service-Token,"
            "OpenStack-API-Version",
            answer.headers["Access-Control-Expose-Headers"],
        )
        self.assertEqual("openstack-api-version,Origin", answer.headers["Vary"])


class BehindAProxy(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.log = self.useFixture(base_fixtures.FakeLogger("placement.requestlog"))
        self.service = self.useFixture(
            fixtures.Application(oslo_middleware__enable_proxy_headers_parsing=True)
        )

    def test_the_client_is_the_one_that_the_proxy_names(self):
        self.service.ask("GET", "/", headers={"Forwarded": "for=192.0.2.7;proto=https"})
        self.assertIn('192.0.2.7 "GET /"', self.log.output)

    def test_the_prefix_is_the_one_that_the_proxy_names(self):
        self.service.ask("GET", "/", headers={"X-Forwarded-Prefix": "/placement"})
        self.assertIn('"GET /placement/"', self.log.output)

    def test_a_prefix_that_is_not_text_causes_no_error(self):
        for prefix in ("/\u00ff", "/\u00e3\u0083", "//elsewhere", "/\u00c3\u00bc"):
            for path in ("/operator", "/openapi.json", "/resource_classes/VCPU"):
                answer = self.service.ask(
                    "GET", path, version="latest", headers={"X-Forwarded-Prefix": prefix}
                )
                self.assertLess(answer.status_int, 500, f"{prefix!r} {path}")
            answer = self.service.ask(
                "PUT", "/traits/CUSTOM_A", version="latest", headers={"X-Forwarded-Prefix": prefix}
            )
            self.assertTrue(answer.headers["Location"].isascii(), prefix)


class WithPages(testtools.TestCase):
    """If a test fails, a cache may show outdated pages, or send people to another site."""

    OPERATIONS = (
        "/operator/capacity",
        "/operator/capacity/history",
        "/operator/audit",
        "/operator/service",
        "/operator/providers",
        "/operator/explanation?resources=VCPU:1",
        "/operator/fit?resources=VCPU:1",
    )

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(
            fixtures.Application(
                api__docs_page=True,
                operator__page=True,
                oslo_middleware__enable_proxy_headers_parsing=True,
                cors__allowed_origin=[ORIGIN],
            )
        )

    def test_caches_revalidate_every_file_of_the_pages(self):
        pages = [*docs_page.DECLARATIONS, *operator_page.DECLARATIONS, "/openapi.json"]
        for path in (*pages, *self.OPERATIONS):
            answer = self.service.ask("GET", path)
            self.assertLess(answer.status_int, 400, path)
            self.assertEqual(["no-cache"], answer.headers.getall("Cache-Control"), path)

    def test_no_answer_repeats_the_host_that_the_client_names(self):
        for path in (*docs_page.DECLARATIONS, *operator_page.DECLARATIONS, "/openapi.json"):
            for header in ("Host", "X-Forwarded-Host", "X-Forwarded-Prefix"):
                answer = self.service.ask("GET", path, headers={header: "elsewhere.example.org"})
                self.assertNotIn("elsewhere", f"{answer.headerlist}", path)
