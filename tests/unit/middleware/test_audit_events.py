"""Audit events of requests. If a test fails, an auditor does not learn who did what."""

import json
import subprocess
import sys
import warnings

import fixtures as base_fixtures
import testtools

from placement import deploy
from placement.background import audit_events
from tests import fixtures

PROVIDER = "a0d17000-0000-4000-8000-000000000001"
CATALOG = json.dumps(
    [
        {
            "type": "placement",
            "name": "placement",
            "endpoints": [
                {
                    "id": "c0ffee00-0000-4000-8000-000000000001",
                    **{f"{each}URL": f"http://{each}/placement" for each in ("admin", "public")},
                    "internalURL": "http://internal/placement",
                }
            ],
        }
    ]
)
USER = "e0d17000-0000-4000-8000-000000000002"


class Events(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.sent = []
        self.useFixture(
            base_fixtures.MonkeyPatch(
                "placement.background.audit_events.AuditEvents.put",
                lambda events, event_type, payload: self.sent.append((event_type, payload)),
            )
        )
        # pycadf warns about ids that are not UUIDs, such as those of noauth2.
        self.enterContext(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        self.service = self.useFixture(fixtures.Application(audit__enabled=True))

    def ask(self, method, path, body=None, **headers):
        headers = {"X-Service-Catalog": CATALOG, "X-Roles": "admin"} | headers
        options = {}
        if body is not None:
            options = {"body": json.dumps(body).encode(), "content_type": "application/json"}
        return self.service.ask(method, path, "latest", token=USER, headers=headers, **options)

    def test_a_write_is_announced_before_and_reported_after_it(self):
        answer = self.ask("POST", "/resource_providers", {"name": "a", "uuid": PROVIDER})
        (begins, request), (ends, response) = self.sent
        self.assertEqual(("audit.http.request", "audit.http.response"), (begins, ends))
        self.assertEqual(request["id"], response["id"])
        self.assertEqual(("pending", "success"), (request["outcome"], response["outcome"]))
        self.assertEqual("200", response["reason"]["reasonCode"])
        self.assertEqual("create", response["action"])
        self.assertEqual("/resource_providers", response["requestPath"])
        initiator = response["initiator"]
        self.assertEqual((USER, USER), (initiator["id"], initiator["project_id"]))
        self.assertEqual(answer.headers["x-openstack-request-id"], initiator["request_id"])
        target = response["target"]
        self.assertEqual(
            ("placement", "service/placement/resource_providers"),
            (target["name"], target["typeURI"]),
        )

    def test_a_refusal_is_a_failure(self):
        self.ask("DELETE", f"/resource_providers/{PROVIDER}")
        _, (_, response) = self.sent
        self.assertEqual(
            ("delete", "failure", "404"),
            (response["action"], response["outcome"], response["reason"]["reasonCode"]),
        )

    def test_the_target_names_what_the_path_is_about(self):
        for method, path, action, kind in (
            ("PUT", f"/allocations/{PROVIDER}", "update", "allocations/consumer"),
            ("POST", "/allocations", "update", "allocations"),
            ("POST", "/reshaper", "update", "reshaper"),
            ("POST", "/operator/audit", "update", "operator/audit"),
            ("PUT", "/traits/CUSTOM_A", "update", "traits/trait"),
            (
                *("PUT", f"/resource_providers/{PROVIDER}/inventories/VCPU", "update"),
                "resource_providers/resource_provider/inventories/resource_class",
            ),
        ):
            self.sent.clear()
            self.ask(method, path, {})
            _, (_, response) = self.sent
            self.assertEqual(
                (action, f"service/placement/{kind}"),
                (response["action"], response["target"]["typeURI"]),
            )

    def test_reading_is_not_reported(self):
        for method, path in (
            ("GET", "/resource_providers"),
            ("GET", "/operator/audit"),
            ("POST", "/operator/query"),
        ):
            self.ask(method, path, {"query": ""} if method == "POST" else None)
        self.assertEqual([], self.sent)

    def test_no_whole_token_is_in_an_event(self):
        self.ask("PUT", "/traits/CUSTOM_A")
        credential = self.sent[0][1]["initiator"]["credential"]
        self.assertNotEqual(USER, credential["token"])
        self.assertIn("xxxxxxxx", credential["token"])

    def test_answers_are_the_same_as_without_audit(self):
        other = self.useFixture(fixtures.Application())
        for method, path, body in (
            ("POST", "/resource_providers", {"name": "a", "uuid": PROVIDER}),
            ("POST", "/resource_providers", {"name": "a"}),
            ("PUT", "/traits/CUSTOM_A", None),
            ("DELETE", f"/resource_providers/{PROVIDER}", None),
            ("PATCH", "/traits", None),
        ):
            audited = self.ask(method, path, body)
            self.service, service = other, self.service
            plain = self.ask(method, path, body)
            self.service = service
            changing = {"x-openstack-request-id", "last-modified", "content-length"}
            for answer in (audited, plain):
                for name in changing:
                    answer.headers.pop(name, None)
            self.assertEqual(
                (plain.status, sorted(plain.headers.items())),
                (audited.status, sorted(audited.headers.items())),
            )

    def test_a_token_without_a_catalog_is_logged_once(self):
        for name in "AB":
            self.ask("PUT", f"/traits/CUSTOM_{name}", **{"X-Service-Catalog": "[]"})
            self.service.ask("PUT", f"/traits/CUSTOM_{name}", "latest")
        self.assertEqual(1, self.service.log.output.count("service catalog is missing"))
        self.assertEqual(8, len(self.sent))


class Off(testtools.TestCase):
    def test_what_audit_events_need_is_not_loaded(self):
        script = (
            "import sys; from tests import fixtures\n"
            "with fixtures.Application() as service:\n"
            "    service.ask('PUT', '/traits/CUSTOM_A', 'latest')\n"
            "print([name for name in ('oslo_messaging', 'pycadf', 'keystonemiddleware')"
            " if name in sys.modules])\n"
        )
        run = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True
        )
        self.assertEqual("[]\n", run.stdout)


class Refused(testtools.TestCase):
    def test_a_map_that_cannot_be_read_is_a_mistake_of_the_operator(self):
        configuration = fixtures.configuration(
            audit__enabled=True, audit__audit_map_file="/nowhere"
        )
        error = self.assertRaises(
            audit_events.CannotAudit, deploy.audited, lambda *request: [], configuration
        )
        self.assertIn("/nowhere", str(error))
