"""The `openstack` command, for tests that run its own code in this process."""

import contextlib
import io
import json
import logging
import shlex

import fixtures as base_fixtures
from openstackclient import shell
from openstackclient.common import clientmanager
from osc_placement import plugin

from tests.clients import interception

# A process usually runs only one command, so it would keep the client and the microversion of its
# first command.
clientmanager.ClientManager.placement = property(plugin.make_client)


class ShellTest(interception.ClientTest):
    """A test that types commands, as a user who has a token and the URL of the application."""

    def setUp(self):
        super().setUp()
        # The command gives the root logger a level and handlers of its own, and leaves them there.
        self.useFixture(base_fixtures.MonkeyPatch("logging.root.handlers", []))
        self.addCleanup(logging.root.setLevel, logging.root.level)
        for name, value in [
            ("OS_AUTH_TYPE", "admin_token"),
            ("OS_TOKEN", "admin"),
            ("OS_ENDPOINT", interception.URL),
        ]:
            self.useFixture(base_fixtures.EnvironmentVariable(name, value))

    def type(self, command, microversion="1.39"):
        """Run a command. Return its exit status, and what it wrote to stdout and stderr.

        Without a `microversion`, the client chooses.
        """
        chosen = [] if microversion is None else ["--os-placement-api-version", microversion]
        arguments = [*chosen, *shlex.split(command)]
        with (
            contextlib.redirect_stdout(io.StringIO()) as output,
            contextlib.redirect_stderr(io.StringIO()) as errors,
        ):
            status = shell.OpenStackShell().run(arguments)
        return status, output.getvalue(), errors.getvalue()

    def openstack(self, command, **options):
        """Run a command that succeeds and has nothing to show."""
        self.assertEqual((0, ""), self.type(command, **options)[:2])

    def table(self, command, **options):
        """Run a command that succeeds. Return what it shows: a dict, or a list of dicts."""
        status, output, errors = self.type(f"{command} -f json", **options)
        self.assertEqual(0, status, errors)
        return json.loads(output)

    def assert_refused(self, text, command, **options):
        status, _, errors = self.type(command, **options)
        self.assertEqual(1, status)
        self.assertIn(text, errors)

    def make_host(self, uuid, name, **totals):
        """A root provider with an inventory of these totals by class."""
        self.table(f"resource provider create --uuid {uuid} {name}")
        resources = " ".join(f"--resource {name}={total}" for name, total in totals.items())
        self.table(f"resource provider inventory set {uuid} {resources}")
