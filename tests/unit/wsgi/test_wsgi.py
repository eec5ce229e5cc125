"""What WSGI servers import. Each story is a process of its own, as it happens once in one."""

import os
import subprocess
import sys
import textwrap

import fixtures as base_fixtures
import testtools

from tests import databases


class InitApplication(testtools.TestCase):
    def run_python(self, code, **settings):
        """Run code without the settings of this machine, and return what it prints."""
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("OS_")
        }
        directory = self.useFixture(base_fixtures.TempDir()).path
        return subprocess.check_output(
            [sys.executable, "-c", textwrap.dedent(code)],
            env=environment | settings | {"HOME": directory},
            text=True,
        )

    def test_importing_it_starts_nothing(self):
        loaded = self.run_python("""
            import sys
            import placement.wsgi
            print([name for name in sys.modules if name.startswith("placement")])
        """)
        self.assertEqual("['placement', 'placement.wsgi']\n", loaded)

    def test_it_returns_the_application_of_the_process(self):
        output = self.run_python(
            """
            import webob
            from placement import wsgi
            application = wsgi.init_application()
            from placement.wsgi import api
            answer = webob.Request.blank("/healthcheck").get_response(application)
            print(answer.status_int, application is api.application is wsgi.init_application())
            """,
            OS_API__AUTH_STRATEGY="noauth2",
            OS_PLACEMENT_DATABASE__CONNECTION=self.useFixture(databases.FreshDatabase()).url,
        )
        # The lines before it are the log.
        self.assertEqual("200 True", output.splitlines()[-1])

    def test_the_garbage_collector_leaves_what_is_loaded_alone(self):
        output = self.run_python(
            """
            import gc
            from placement.wsgi import api
            print(gc.get_threshold()[0], gc.get_freeze_count() > len(gc.get_objects()))
            """,
            OS_API__AUTH_STRATEGY="noauth2",
            OS_PLACEMENT_DATABASE__CONNECTION=self.useFixture(databases.FreshDatabase()).url,
        )
        self.assertEqual("50000 True", output.splitlines()[-1])
