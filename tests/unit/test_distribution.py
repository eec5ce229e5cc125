"""What is installed beside the service. Source: the metadata that pip leaves behind."""

import contextlib
import io
import os
import sys

import fixtures as base_fixtures
import testtools

from placement import conf, deploy, direct, distribution, microversion
from placement.cmd import manage, status
from placement.tests.functional.fixtures import placement as placement_fixture

# The exit status of workers that says that it is useless to start others.
GUNICORN_GIVES_UP = 3


class BesideThePeer(testtools.TestCase):
    """Two distributions with a package `placement` are in one environment."""

    def setUp(self):
        super().setUp()
        directory = self.useFixture(base_fixtures.TempDir()).path
        metadata = os.path.join(directory, "openstack_placement-16.0.0.dist-info")
        os.mkdir(metadata)
        with open(os.path.join(metadata, "METADATA"), "w") as file:
            file.write("Metadata-Version: 2.1\nName: openstack-placement\nVersion: 16.0.0\n")
        self.useFixture(base_fixtures.MonkeyPatch("sys.path", [*sys.path, directory]))

    def test_beside_the_peer_the_service_says_which_package_to_remove(self):
        logged = self.useFixture(base_fixtures.FakeLogger())
        refusal = self.assertRaises(deploy.Refused, deploy.service)
        self.assertEqual(GUNICORN_GIVES_UP, refusal.code)
        self.assertRegex(
            logged.output,
            r"\AThe service does not start: .*'pip uninstall openstack-placement placement-server'"
            r".*\n\Z",
        )

    def test_beside_the_peer_commands_say_in_one_line_which_package_to_remove(self):
        for program, command, exit_status, *arguments in (
            ("placement-manage", manage, 1, "db", "sync"),
            ("placement-status", status, 255, "upgrade", "check"),
        ):
            with contextlib.redirect_stderr(io.StringIO()) as errors:
                end = self.assertRaises(SystemExit, command.main, arguments)
            self.assertEqual(exit_status, end.code)
            self.assertRegex(
                errors.getvalue(), rf"\A{program}: openstack-placement is installed beside .*\n\Z"
            )

    def test_beside_the_peer_the_fixture_and_the_direct_client_refuse_to_start(self):
        """If it fails, a project tests against a mix of both without knowing it."""
        fixture = placement_fixture.PlacementFixture()
        failure = self.assertRaises(base_fixtures.MultipleExceptions, fixture.setUp)
        _, refusal, _ = failure.args[0]
        self.assertIn("'pip uninstall openstack-placement placement-server'", str(refusal))
        client = direct.PlacementDirect(conf.registered())
        self.assertRaises(distribution.BothInstalled, client.__enter__)


    def test_modules_of_the_peer_that_have_overwritten_ours_fail_with_the_reason(self):
        """If it fails, nobody can tell what is wrong when the peer was installed last."""
        self.assertRaises(distribution.BothInstalled, getattr, microversion, "version_handler")

    def test_modules_of_ours_can_be_imported_so_that_a_command_can_say_what_is_wrong(self):
        """If it fails, nobody understands what is wrong if the peer was installed first."""
        self.assertRaises(AttributeError, microversion.__getattr__, "version_flags")


class Alone(testtools.TestCase):
    def test_without_the_peer_the_service_starts(self):
        distribution.check_alone()

    def test_without_the_peer_a_missing_name_is_an_ordinary_attribute_error(self):
        self.assertFalse(hasattr(microversion, "version_handler"))
