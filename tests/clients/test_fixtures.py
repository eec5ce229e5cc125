"""The fixtures on which other projects build their functional tests, used as those projects do."""

import contextlib
import io
import json
import logging
import os
import re
import subprocess
import sys
import textwrap
import warnings

import fixtures as base_fixtures
import requests
import testtools
import webob
from keystoneauth1 import adapter, session
from openstackclient import shell
from openstackclient.common import clientmanager
from osc_placement import plugin
from oslo_config import cfg
from oslo_config import fixture as config_fixture
from oslo_policy import opts as oslo_policy

from placement import conf, direct
from placement.tests.fixtures import Database
from placement.tests.functional.fixtures.capture import Logging, NullHandler, WarningsFixture
from placement.tests.functional.fixtures.placement import PlacementFixture
from tests import databases

HOST = "f1c70000-0001-4000-8000-000000000001"
# A process usually runs only one command, so it would keep the client of its first command.
clientmanager.ClientManager.placement = property(plugin.make_client)

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def ask(placement, method, path, token=None, roles=None, **options):
    """Send a request to a fixture's endpoint, by default with its token; return the answer."""
    headers = {
        "X-Auth-Token": placement.token if token is None else token,
        "OpenStack-API-Version": "placement latest",
        "X-Roles": roles,
    }
    return requests.request(method, f"{placement.endpoint}{path}", headers=headers, **options)


def names_of_hosts(placement):
    listed = ask(placement, "GET", "/resource_providers").json()["resource_providers"]
    return [provider["name"] for provider in listed]


class ReportClient:
    """A project's client, which finds Placement in keystone's catalogue."""

    def get(self, url):
        raise AssertionError("There is no keystone in this test.")

    def put(self, url, body):
        raise AssertionError("There is no keystone in this test.")

    def host_is_known(self):
        return self.get(f"/resource_providers/{HOST}").status_code == 200


class FixtureOfProject(PlacementFixture):
    """Used as in nova: a client of the project sends requests to the endpoint, with the token."""

    def setUp(self):
        super().setUp()
        self._client = adapter.Adapter(session.Session(auth=None), raise_exc=False)
        for name in ("get", "put"):
            patch = base_fixtures.MonkeyPatch(
                f"{__name__}.ReportClient.{name}", getattr(self, f"_{name}")
            )
            self.useFixture(patch)

    def _request(self):
        return {"endpoint_override": self.endpoint, "headers": {"X-Auth-Token": self.token}}

    def _get(self, client, url):
        return self._client.get(url, **self._request())

    def _put(self, client, url, body):
        return self._client.put(url, json=body, **self._request())


class InProjects(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(Logging())

    def configuration(self):
        """The Config fixture of a project that keeps Placement's options apart from its own."""
        fixture = self.useFixture(config_fixture.Config(cfg.ConfigOpts()))
        conf.register_opts(fixture.conf)
        return fixture

    def test_requests_of_a_client_reach_the_service_of_the_fixture(self):
        placement = self.useFixture(FixtureOfProject())
        client = ReportClient()
        self.assertFalse(client.host_is_known())
        ask(placement, "POST", "/resource_providers", json={"uuid": HOST, "name": "host"})
        self.assertTrue(client.host_is_known())
        body = {
            "resource_provider_generation": 0,
            "inventories": {"VCPU": {"total": 8, "max_unit": 8}},
        }
        answer = client.put(f"/resource_providers/{HOST}/inventories", body)
        self.assertEqual(1, answer.json()["resource_provider_generation"])

    def test_a_subclass_configures_the_service(self):
        class OneCandidate(PlacementFixture):
            def _configure_placement(self, conf_fixture):
                super()._configure_placement(conf_fixture)
                conf_fixture.config(max_allocation_candidates=1, group="placement")

        for fixture, expected in ((PlacementFixture(), 2), (OneCandidate(), 1)):
            with fixture as placement:
                for name in ("host-1", "host-2"):
                    made = ask(placement, "POST", "/resource_providers", json={"name": name}).json()
                    ask(
                        placement,
                        "PUT",
                        f"/resource_providers/{made['uuid']}/inventories",
                        json={
                            "resource_provider_generation": 0,
                            "inventories": {"VCPU": {"total": 8}},
                        },
                    )
                found = ask(placement, "GET", "/allocation_candidates?resources=VCPU:1").json()
                self.assertEqual(expected, len(found["allocation_requests"]))

    def test_the_fixture_uses_a_database_of_the_project_unchanged(self):
        configuration = self.configuration()
        self.useFixture(Database(configuration, set_config=True))
        for expected in ([], ["host"]):
            with PlacementFixture(
                conf_fixture=configuration, db=False, register_opts=False
            ) as placement:
                self.assertIs(configuration, placement.conf_fixture)
                self.assertEqual(expected, names_of_hosts(placement))
                ask(placement, "POST", "/resource_providers", json={"uuid": HOST, "name": "host"})
        with direct.PlacementDirect(configuration.conf) as client:
            self.assertEqual(200, client.get(f"/resource_providers/{HOST}").status_code)

    def test_the_fixtures_database_needs_no_options_of_the_project(self):
        """If it fails, projects have to register our options before they can use the fixture."""
        configuration = self.useFixture(config_fixture.Config(cfg.ConfigOpts()))
        configuration.conf([], default_config_files=[], default_config_dirs=[])
        self.useFixture(Database(configuration, set_config=True))
        with PlacementFixture(conf_fixture=configuration, db=False) as placement:
            self.assertEqual([], names_of_hosts(placement))

    def test_a_subclass_names_the_database_as_nova_does(self):
        """If it fails, nova's functional tests end in setUp, or share what they should not."""
        in_memory = "sqlite://"
        file = f"sqlite:///{self.useFixture(base_fixtures.TempDir()).path}/nova.db"
        others = [databases.create(kind) for kind in databases.reachable()[1:]]

        class WithDatabase(FixtureOfProject):
            def _configure_placement(self, conf_fixture):
                super()._configure_placement(conf_fixture)
                if self.db:
                    conf_fixture.config(connection=url, group="placement_database")

        for url in (in_memory, file, *others):
            with WithDatabase() as placement:
                self.assertIs(True, placement.db)
                ask(placement, "POST", "/resource_providers", json={"name": "host"})
                self.assertEqual(["host"], names_of_hosts(placement))
                named = placement.conf_fixture.conf.placement_database.connection
                self.assertEqual(url, named)

    def test_the_rights_before_wallaby_apply_until_the_fixture_ends(self):
        """They apply to nova's rules, too: a process has only one set of oslo.policy options."""

        def default_of_project():
            of_project = cfg.ConfigOpts()
            oslo_policy.set_defaults(of_project)
            return of_project.oslo_policy.enforce_new_defaults

        class Strict(PlacementFixture):
            def _configure_placement(self, conf_fixture):
                super()._configure_placement(conf_fixture)
                conf_fixture.config(enforce_new_defaults=True, group="oslo_policy")

        reshape = {
            "inventories": {HOST: {"resource_provider_generation": 0, "inventories": {}}},
            "allocations": {},
        }
        for fixture, expected in ((PlacementFixture(), 204), (Strict(), 403)):
            with fixture as placement:
                ask(placement, "POST", "/resource_providers", json={"uuid": HOST, "name": "host"})
                answer = ask(
                    placement,
                    "POST",
                    "/reshaper",
                    json=reshape,
                    token="an administrator",
                    roles="admin",
                )
                self.assertEqual(expected, answer.status_code)
                self.assertIs(False, default_of_project())
        self.assertIs(True, default_of_project())

    def test_a_configuration_can_be_used_by_one_fixture_after_another(self):
        shared = cfg.ConfigOpts()
        shared([], default_config_files=[], default_config_dirs=[])
        for _ in range(3):
            with (
                config_fixture.Config(shared) as configuration,
                PlacementFixture(conf_fixture=configuration) as placement,
            ):
                self.assertEqual([], names_of_hosts(placement))
                ask(placement, "POST", "/resource_providers", json={"name": "host"})
            self.assertIsNone(shared.placement_database.connection)

    def test_two_fixtures_at_once_do_not_see_each_others_providers(self):
        here, there = (self.useFixture(PlacementFixture()) for _ in range(2))
        ask(here, "POST", "/resource_providers", json={"name": "host"})
        self.assertEqual((["host"], []), (names_of_hosts(here), names_of_hosts(there)))

    def test_only_the_token_of_the_fixture_has_rights(self):
        placement = self.useFixture(PlacementFixture(token="secret"))
        empty = {"inventories": {HOST: {"resource_provider_generation": 0, "inventories": {}}}}
        reshape = {"json": {**empty, "allocations": {}}}
        ask(placement, "POST", "/resource_providers", json={"uuid": HOST, "name": "host"})
        self.assertEqual(204, ask(placement, "POST", "/reshaper", **reshape).status_code)
        self.assertEqual(403, ask(placement, "GET", "/traits", token="other").status_code)

    def test_without_interception_the_fixture_still_has_its_application(self):
        placement = self.useFixture(PlacementFixture(use_intercept=False))
        self.assertEqual((False, True), (placement.use_intercept, placement.register_opts))
        self.assertIsNone(placement.endpoint)
        request = webob.Request.blank("/traits", headers={"X-Auth-Token": placement.token})
        request.headers["OpenStack-API-Version"] = "placement latest"
        self.assertEqual(200, request.get_response(placement.application).status_int)

    def test_a_process_can_use_the_fixture_in_two_temporary_directories(self):
        story = """
            import fixtures, requests
            from placement.tests.functional.fixtures.placement import PlacementFixture
            for _ in range(2):
                with fixtures.NestedTempfile(), PlacementFixture() as placement:
                    print(requests.get(placement.endpoint).status_code)
        """
        # In another process: the fixture prepares some things only once per process.
        output = subprocess.check_output([sys.executable, "-c", textwrap.dedent(story)], text=True)
        self.assertEqual("200\n200\n", output)

    def test_a_fixture_restores_environment_options_files_and_log(self):
        directory = self.useFixture(base_fixtures.TempDir()).path

        def state():
            return (
                dict(os.environ),
                dict(cfg.CONF.items()),
                os.listdir(directory),
                logging.root.handlers[:],
            )

        before = state()
        with base_fixtures.MonkeyPatch("tempfile.tempdir", directory), FixtureOfProject() as gone:
            self.assertEqual(1, len(os.listdir(directory)))
        self.assertEqual(before, state())
        self.assertRaises(requests.ConnectionError, ask, gone, "GET", "/")
        self.assertRaises(AssertionError, ReportClient().host_is_known)


class OpenStackCommand(testtools.TestCase):
    """Used as in osc-placement: the `openstack` command, in this process, calls the endpoint."""

    def setUp(self):
        super().setUp()
        self.useFixture(base_fixtures.EnvironmentVariable("OS_CLIENT_CONFIG_FILE", os.devnull))
        self.addCleanup(logging.root.setLevel, logging.root.level)
        # The command adds handlers, which would also write what later tests log.
        self.useFixture(base_fixtures.MonkeyPatch("logging.root.handlers", []))
        self.useFixture(Logging())
        self.placement = self.useFixture(PlacementFixture())

    def openstack(self, command):
        """Run a command and return what it shows, parsed."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = shell.OpenStackShell().run(
                ["--os-endpoint", self.placement.endpoint, "--os-token", self.placement.token]
                + ["--os-auth-type", "admin_token", "--os-placement-api-version", "1.39"]
                + [*command.split(), "-f", "json"]
            )
        self.assertEqual(0, status, self.getDetails())
        return json.loads(output.getvalue())

    def test_a_host_is_registered_and_listed(self):
        self.openstack(f"resource provider create --uuid {HOST} host")
        self.openstack(f"resource provider inventory set {HOST} --resource VCPU=8")
        self.assertEqual([HOST], [row["uuid"] for row in self.openstack("resource provider list")])
        found = self.openstack("allocation candidate list --resource VCPU=2")
        self.assertEqual([HOST], [row["resource provider"] for row in found])


class Captured(testtools.TestCase):
    def test_log_lines_are_attached_to_the_test(self):
        for debug, expected in ((None, "info\n"), ("1", "debug\ninfo\n")):
            with base_fixtures.EnvironmentVariable("OS_DEBUG", debug), Logging() as log:
                logging.getLogger("project").debug("debug")
                logging.getLogger("project").info("info")
                [captured] = log.getDetails().values()
                self.assertEqual(expected, captured.as_text())
                self.assertEqual(expected, log.logger.output)

    def test_a_line_that_cannot_be_formatted_fails_though_nothing_is_kept(self):
        logger = logging.Logger("project")
        logger.addHandler(NullHandler())
        logger.debug("%d", 1)
        self.assertRaises(TypeError, logger.debug, "%d", "text")

    def test_warnings_are_filtered_until_the_fixture_ends(self):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            with WarningsFixture():
                for _ in range(2):
                    warnings.warn("old", DeprecationWarning, stacklevel=1)
                    warnings.warn("Policy a failed scope check.", UserWarning, stacklevel=1)
                    warnings.warn("new", UserWarning, stacklevel=1)
            warnings.warn("Policy b failed scope check.", UserWarning, stacklevel=1)
        self.assertEqual(
            ["old", "new", "new", "Policy b failed scope check."],
            [str(each.message) for each in found],
        )


class Documentation(testtools.TestCase):
    def test_the_example_passes_in_parallel_and_leaves_nothing(self):
        with open(os.path.join(CHECKOUT, "doc", "how-to", "testing.rst")) as page:
            example = re.search(r"code-block:: python\n\n((?: {4}.*\n|\n)+)", page.read())[1]
        project = self.useFixture(base_fixtures.TempDir()).path
        temporary = self.useFixture(base_fixtures.TempDir()).path
        for number in range(2):
            with open(os.path.join(project, f"test_example_{number}.py"), "w") as module:
                module.write(textwrap.dedent(example))
        run = subprocess.run(
            [sys.executable, "-m", "stestr", "--test-path", ".", "run", "--concurrency", "2"],
            cwd=project,
            env=os.environ | {"TMPDIR": temporary},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.assertIn(" - Passed: 4\n", run.stdout)
        self.assertEqual((0, []), (run.returncode, os.listdir(temporary)), run.stdout)
