"""GET /metrics: what is counted, and that dashboard and alerts ask for nothing else."""

import json
import pathlib
import re
import shutil
import subprocess

import testtools
from prometheus_client import parser

from placement import deploy, openapi
from placement.db import engine
from placement.middleware import metrics
from tests import databases, fixtures
from tests.functional.worlds import claim, provider, take

FILES = pathlib.Path(__file__).parents[2] / "etc" / "placement"
DASHBOARD = FILES / "dashboard.json"
ALERTS = FILES / "alerts.yml"

CANDIDATES = "/allocation_candidates"


def samples(service):
    """Return {(name, labels): value} of what is exposed, labels as a frozenset of pairs."""
    answer = service.ask("GET", metrics.PATH, token=None)
    families = parser.text_string_to_metric_families(answer.text)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def named(name, **labels):
    return name, frozenset(labels.items())


@databases.on_each_database
class Ledger:
    """If one fails, a graph of how full the cloud is shows something else."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(
            fixtures.Application(self.kind, metrics__enabled=True, metrics__ledger_interval=0)
        )
        with self.service.database.writer() as conn:
            self.host = provider(conn, 'rack "7"', {"VCPU": 8}, reserved=2, allocation_ratio=1.5)
            provider(conn, "other", {"VCPU": 4})
        take(self.service.database, claim({self.host: {"VCPU": 6}}))

    def test_each_provider_has_the_gauges_of_openstack_exporter(self):
        found = samples(self.service)
        for name, value in (("total", 8), ("reserved", 2), ("allocation_ratio", 1.5), ("usage", 6)):
            key = named(
                f"openstack_placement_resource_{name}", hostname='rack "7"', resourcetype="VCPU"
            )
            self.assertEqual(value, found[key])

    def test_the_description_of_the_api_has_a_piece_of_it(self):
        described = openapi.document()["paths"][metrics.PATH]["get"]["responses"]["200"]
        answer = self.service.ask("GET", metrics.PATH, token=None)
        self.assertIn(described["content"][answer.content_type]["example"], answer.text)

    def test_each_class_is_summed_up(self):
        found = samples(self.service)
        for name, value in (
            ("capacity", 13), ("used", 6), ("largest_free", 4), ("full", 0), ("providers", 2)
        ):
            self.assertEqual(value, found[named(f"placement_class_{name}", resourcetype="VCPU")])


class Service(testtools.TestCase):
    """If one fails, the service is busy, slow or in trouble without anybody seeing it."""

    def setUp(self):
        super().setUp()
        self.service = self.useFixture(
            fixtures.Application(metrics__enabled=True, metrics__per_provider=False)
        )

    def counted(self, name, **labels):
        return samples(self.service).get(named(name, **labels))

    def test_requests_are_counted_by_their_route(self):
        for path in ("/traits/HW_CPU_X86_AVX", "/traits/HW_CPU_X86_VMX", "/traits/CUSTOM_NONE"):
            self.service.ask("GET", path, "latest")
        labels = {"route": "/traits/{name}", "method": "GET"}
        self.assertEqual(2, self.counted("placement_requests_total", status="204", **labels))
        self.assertEqual(1, self.counted("placement_requests_total", status="404", **labels))
        self.assertEqual(3, self.counted("placement_request_seconds_count", **labels))

    def test_a_client_cannot_invent_labels(self):
        self.service.ask("BREW", "/coffee", "latest")
        self.service.ask("GET", "/coffee", token=None)
        labels = {"route": "none"}
        self.assertEqual(
            1, self.counted("placement_requests_total", method="other", status="404", **labels)
        )
        self.assertEqual(
            1, self.counted("placement_requests_total", method="GET", status="401", **labels)
        )

    def test_refusals_are_counted_by_their_code(self):
        for _ in range(2):
            body = {"json": {"name": "twin"}, "content_type": "application/json"}
            self.service.ask("POST", "/resource_providers", "latest", **body)
        self.assertEqual(
            1, self.counted("placement_refusals_total", code="placement.duplicate_name")
        )

    def test_candidates_are_counted_with_where_their_time_went(self):
        self.service.ask("GET", f"{CANDIDATES}?resources=VCPU:1", "latest")
        self.assertEqual(1, self.counted("placement_candidates_bucket", le="0.0"))
        for stage in ("connection", "sql", "search", "rendering"):
            self.assertEqual(
                1, self.counted("placement_candidates_stage_seconds_count", stage=stage)
            )

    def test_connections_are_given_back(self):
        self.service.ask("GET", "/traits", "latest")
        for state in ("in_use", "waiting"):
            self.assertEqual(0, self.counted("placement_database_connections", state=state))

    def test_providers_may_be_left_out(self):
        self.assertNotIn("openstack_placement", "".join(name for name, _ in samples(self.service)))

    def test_a_database_that_is_gone_takes_nothing_else_with_it(self):
        gone = engine.connect("sqlite:////nonexistent/placement.db", max_retries=0)
        self.service.application = deploy.compose(self.service.configuration, gone)
        self.service.ask("GET", "/traits", "latest")
        self.assertEqual(0, self.counted("placement_ledger_readable"))
        labels = {"route": "/traits", "method": "GET", "status": "503"}
        self.assertEqual(1, self.counted("placement_requests_total", **labels))

    def test_it_is_off_unless_asked_for(self):
        service = self.useFixture(fixtures.Application())
        self.assertEqual(401, service.ask("GET", metrics.PATH, token=None).status_int)
        self.assertEqual(404, service.ask("GET", metrics.PATH).status_int)


class Shipped(testtools.TestCase):
    """The dashboard and the alerts ask for what there is."""

    def setUp(self):
        super().setUp()
        service = self.useFixture(fixtures.Application(metrics__enabled=True))
        text = service.ask("GET", metrics.PATH, token=None).text
        self.exposed = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))

    def assert_exposed(self, expression):
        asked = set(re.findall(r"\b(?:openstack_)?placement_\w+", expression))
        families = {re.sub("_(bucket|count|sum)$", "", name) for name in asked}
        self.assertEqual(set(), families - self.exposed, expression)
        self.assertTrue(families, expression)
        # Each server tells of the whole ledger: three servers are not three clouds.
        if re.search("placement_(class|resource)_", expression):
            self.assertIn("max without (instance)", expression)

    def test_each_panel_of_the_dashboard(self):
        panels = json.loads(DASHBOARD.read_text())["panels"]
        for panel in panels:
            for target in panel.get("targets", ()):
                self.assert_exposed(target["expr"])

    def test_each_alert(self):
        rules = ALERTS.read_text().split("- alert: ")[1:]
        for rule in rules:
            self.assert_exposed(rule.partition("expr:")[2].partition("labels:")[0])

    @testtools.skipUnless(
        shutil.which("promtool") or databases.REQUIRE_ALL, "there is no promtool"
    )
    def test_prometheus_accepts_the_alerts_and_the_exposition(self):
        subprocess.run(["promtool", "check", "rules", ALERTS], check=True, capture_output=True)
        service = self.useFixture(fixtures.Application(metrics__enabled=True))
        service.ask("GET", f"{CANDIDATES}?resources=VCPU:1", "latest")
        text = service.ask("GET", metrics.PATH, token=None).body
        run = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
        self.assertEqual(b"", run.stderr + run.stdout)
