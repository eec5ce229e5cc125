import pathlib

import fixtures as base_fixtures
import testtools
import webob
from oslo_middleware import opts

from placement import conf
from placement.db import engine
from placement.middleware import health


class HealthOfAProcess(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.useFixture(base_fixtures.FakeLogger())
        self.marker = pathlib.Path(self.useFixture(base_fixtures.TempDir()).path, "disabled")
        self.conf = conf.registered()
        for group, options in opts.list_opts_healthcheck():
            self.conf.register_opts(options, group=group)
        self.conf.set_override("backends", ["disable_by_file"], group="healthcheck")
        self.conf.set_override("disable_by_file_path", str(self.marker), group="healthcheck")

    def ask(self, **environ):
        unreachable = engine.connect("sqlite:////nonexistent/placement.db")
        application = health.Health(webob.exc.HTTPOk(), self.conf, unreachable)
        return webob.Request.blank(health.PATH, environ).get_response(application)

    def test_without_its_database_a_process_is_not_healthy(self):
        answer = self.ask()
        self.assertEqual((503, "The database cannot be reached."), (answer.status_int, answer.text))

    def test_a_process_taken_out_of_service_is_unhealthy(self):
        """The reason must not suggest that something is wrong with the database."""
        self.marker.touch()
        answer = self.ask()
        self.assertEqual((503, "DISABLED BY FILE"), (answer.status_int, answer.text.strip()))

    def test_a_prefix_that_is_not_utf_8_does_not_matter(self):
        """If it fails, anyone can fill the log with tracebacks."""
        self.marker.touch()
        answer = self.ask(SCRIPT_NAME="/a\xff")
        self.assertEqual((503, "DISABLED BY FILE"), (answer.status_int, answer.text.strip()))
