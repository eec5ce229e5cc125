"""The metrics: what is counted, and that the dashboard and the alerts use nothing else."""

import json
import pathlib
import re
import shutil
import subprocess
from unittest import mock

import fixtures as base_fixtures
import testtools
from prometheus_client import parser

from placement.db import engine
from placement.db.reports import capacity_report
from placement.handler import ROUTE_DECLARATIONS
from placement.objects import ledger_audit
from placement.web import description, docs_page, operator_page
from tests import databases, fixtures
from tests.functional.worlds import claim, provider, take

FILES = pathlib.Path(__file__).parents[3] / "etc" / "placement"
DASHBOARD = FILES / "dashboard.json"
ALERTS = FILES / "alerts.yml"

CANDIDATES = "/allocation_candidates"
OFTEN = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


def samples(service):
    """Return {(name, labels): value} of the exposed metrics; labels are a frozenset of pairs."""
    families = parser.text_string_to_metric_families(service.scrape())
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def named(name, **labels):
    return name, frozenset(labels.items())


@databases.on_each_database
class Ledger:
    """If a test fails, a graph of how full the cloud is shows something else."""

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

    def test_leftover_instances_and_waiting_devices_are_counted(self):
        with self.service.database.writer() as conn:
            third = provider(conn, "third", {"VCPU": 4})
        take(self.service.database, claim({self.host: {"VCPU": 1}, third: {"VCPU": 1}}))
        found = samples(self.service)
        self.assertEqual(1, found[named("placement_instance_in_two_trees")])
        self.assertEqual(0, found[named("placement_device_to_clean")])

    def test_leftovers_are_counted_every_five_minutes(self):
        samples(self.service)
        with mock.patch.object(ledger_audit, "count_fact") as count:
            samples(self.service)
        count.assert_not_called()

    def test_the_gauges_are_written_as_by_the_prometheus_library(self):
        """This holds for any characters in a provider's name, and for any number of providers."""
        names = [f'a\\"\nü{number}' for number in range(7)]
        with self.service.database.writer() as conn:
            for name in names:
                provider(conn, name, {"VCPU": 1, "DISK_GB": 2**31 - 1})
        with mock.patch.object(capacity_report, "_BATCH", 3):
            text = self.service.scrape()
        found = {
            (sample.labels["hostname"], sample.labels["resourcetype"]): sample.value
            for family in parser.text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == "openstack_placement_resource_total"
        }
        expected = {('rack "7"', "VCPU"): 8, ("other", "VCPU"): 4}
        for name in names:
            expected |= {(name, "VCPU"): 1, (name, "DISK_GB"): 2**31 - 1}
        self.assertEqual(expected, found)

    def test_the_gauges_sum_each_class(self):
        found = samples(self.service)
        for name, value in (
            ("capacity", 13), ("used", 6), ("largest_free", 4), ("full", 0), ("providers", 2)
        ):
            self.assertEqual(value, found[named(f"placement_class_{name}", resourcetype="VCPU")])


class Service(testtools.TestCase):
    """If a test fails, the service is busy, slow or in trouble, and nobody sees it."""

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

    def test_odd_requests_do_not_create_ever_more_series(self):
        """Clients without a token cannot make Prometheus store arbitrary series."""
        service = self.useFixture(
            fixtures.Application(
                metrics__enabled=True, metrics__per_provider=False, operator__page=True,
                api__docs_page=True,
            )
        )
        pages = docs_page.DECLARATIONS | operator_page.DECLARATIONS | description.DECLARATIONS
        paths = [*pages, *ROUTE_DECLARATIONS]
        methods = [*OFTEN, "PROPFIND", "BREW"]
        for path in paths:
            for method in methods:
                service.ask(method, path or "/", token=None)
        sizes = []
        for numbers in (range(1, 100), range(100, 300)):
            for number in numbers:
                service.ask(f"BREW{number}", "/operator/page/app.js", token=None)
                service.ask("GET", f"/operator/page/{number}.js", token=None)
                service.ask("GET", f"/docs/{number}", token=None)
                service.ask("GET", f"/{number}", f"1.{number}")
            sizes.append(len(samples(service)))
        self.assertEqual(sizes[0], sizes[1])
        routes = {
            dict(labels)["route"]
            for name, labels in samples(service)
            if name == "placement_requests_total"
        }
        files = ("/docs/", "/operator/page/")
        self.assertEqual(
            {f"{directory}{{name}}" for directory in files},
            {route for route in routes if route.startswith(files)},
        )

    def test_a_route_has_only_the_methods_that_it_serves(self):
        for method in OFTEN:
            self.service.ask(method, "/allocation_candidates?resources=VCPU:1", "latest")
        methods = {
            dict(labels)["method"]
            for name, labels in samples(self.service)
            if name == "placement_requests_total" and ("route", "/allocation_candidates") in labels
        }
        self.assertEqual({"GET"}, methods)

    def test_refusals_are_counted_by_their_code(self):
        for _ in range(2):
            body = {"json": {"name": "twin"}, "content_type": "application/json"}
            self.service.ask("POST", "/resource_providers", "latest", **body)
        self.assertEqual(
            1, self.counted("placement_refusals_total", code="placement.duplicate_name")
        )

    def test_candidates_are_counted_with_the_time_of_each_stage(self):
        self.service.ask("GET", f"{CANDIDATES}?resources=VCPU:1", "latest")
        self.assertEqual(1, self.counted("placement_candidates_bucket", le="0.0"))
        for stage in ("connection", "sql", "search", "rendering"):
            self.assertEqual(
                1, self.counted("placement_candidates_stage_seconds_count", stage=stage)
            )

    def test_requests_return_their_connections(self):
        self.service.ask("GET", "/traits", "latest")
        for state in ("in_use", "waiting"):
            self.assertEqual(0, self.counted("placement_database_connections", state=state))

    def test_the_gauges_of_single_providers_can_be_left_out(self):
        self.assertNotIn("openstack_placement", "".join(name for name, _ in samples(self.service)))

    def test_all_other_metrics_are_served_while_the_database_is_down(self):
        gone = engine.connect("sqlite:////nonexistent/placement.db")
        self.service.serve(gone)
        self.service.ask("GET", "/traits", "latest")
        self.assertEqual(0, self.counted("placement_ledger_readable"))
        labels = {"route": "/traits", "method": "GET", "status": "503"}
        self.assertEqual(1, self.counted("placement_requests_total", **labels))

    def test_metrics_are_not_served_on_the_port_of_clients(self):
        """This holds however a web server, or a client, spells their path."""
        for path in ("/metrics", "/metrics%0A", "/metrics/", "//metrics", "/x/../metrics"):
            self.assertEqual(401, self.service.ask("GET", path, token=None).status_int, path)
            self.assertEqual(404, self.service.ask("GET", path).status_int, path)


class Shipped(testtools.TestCase):
    """The dashboard and the alerts ask only for metrics that exist."""

    def setUp(self):
        super().setUp()
        flavors = pathlib.Path(self.useFixture(base_fixtures.TempDir()).path) / "flavors"
        flavors.write_text("small VCPU:1")
        service = self.useFixture(
            fixtures.Application(metrics__enabled=True, metrics__flavors=str(flavors))
        )
        service.scrape()
        service.exporter.flavors.wait()
        self.exposed = set(re.findall(r"^# TYPE (\S+)", service.scrape(), re.MULTILINE))

    def assert_exposed(self, expression):
        asked = set(re.findall(r"\b(?:openstack_)?placement_\w+", expression))
        families = {re.sub("_(bucket|count|sum)$", "", name) for name in asked}
        self.assertEqual(set(), families - self.exposed, expression)
        self.assertTrue(families, expression)
        # Each server reports the whole ledger: three servers are not three clouds.
        if re.search("placement_(class|resource|flavor)_", expression):
            self.assertIn("max without (instance)", expression)

    def test_each_panel_of_the_dashboard_shows_metrics_that_are_exposed(self):
        panels = json.loads(DASHBOARD.read_text())["panels"]
        for panel in panels:
            for target in panel.get("targets", ()):
                self.assert_exposed(target["expr"])

    def test_each_alert_uses_metrics_that_are_exposed(self):
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
        text = service.scrape().encode()
        run = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
        self.assertEqual(b"", run.stderr + run.stdout)
