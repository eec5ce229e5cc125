"""What WSGI servers import.

Each story has its own process, because it can happen only once in a process.
"""

import os
import pathlib
import subprocess
import sys
import textwrap

import fixtures as base_fixtures
import testtools

from tests import bad_logs, databases


class InitApplication(testtools.TestCase):
    def run_python(self, code, **settings):
        """Run code with these settings only, and return what it prints."""
        directory = self.useFixture(base_fixtures.TempDir()).path
        return subprocess.check_output(
            [sys.executable, "-c", textwrap.dedent(code)],
            env=os.environ | settings | {"HOME": directory},
            text=True,
        )

    def test_importing_the_wsgi_module_starts_nothing(self):
        loaded = self.run_python("""
            import sys
            import placement.wsgi
            print([name for name in sys.modules if name.startswith("placement")])
        """)
        self.assertEqual("['placement', 'placement.wsgi']\n", loaded)

    def test_init_application_returns_the_application_of_the_process(self):
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

    def test_the_log_for_debugging_begins_with_the_options_but_no_secret(self):
        connection = self.useFixture(databases.FreshDatabase()).url
        for log_options in ("true", "false"):
            output = self.run_python(
                "from placement.wsgi import api",
                OS_DEFAULT__DEBUG="true",
                OS_DEFAULT__LOG_OPTIONS=log_options,
                OS_API__AUTH_STRATEGY="noauth2",
                OS_PLACEMENT_DATABASE__CONNECTION=connection,
            )
            self.assertEqual(log_options == "true", "api.auth_strategy" in output, output)
            self.assertNotIn(connection, output)

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

    def test_a_process_works_in_the_background_on_what_is_switched_on_only(self):
        database = self.useFixture(databases.FreshDatabase()).url
        for capacity_days, days, expected in (("1", "1", True), ("0", "0", False)):
            output = self.run_python(
                """
                import threading
                from placement.wsgi import api
                print(sorted(each.name for each in threading.enumerate()))
                """,
                OS_API__AUTH_STRATEGY="noauth2",
                OS_PLACEMENT_DATABASE__CONNECTION=database,
                OS_OPERATOR__CAPACITY_HISTORY_DAYS=capacity_days,
                OS_OPERATOR__HISTORY_DAYS=days,
            )
            for name in ("capacity-sampler", "feed-tidier"):
                self.assertEqual(expected, f"'{name}'" in output.splitlines()[-1], name)


class Mistakes(testtools.TestCase):
    """If a test fails, somebody who starts the service has to find the reason in a traceback."""

    def setUp(self):
        super().setUp()
        self.directory = pathlib.Path(self.useFixture(base_fixtures.TempDir()).path)

    def write(self, name, content):
        path = self.directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return str(path)

    def refusal(self, **settings):
        """Return all that a process prints when it does not start."""
        database = self.useFixture(databases.FreshDatabase()).url
        environment = os.environ | {
            "HOME": str(self.directory),
            "OS_API__AUTH_STRATEGY": "noauth2",
            "OS_PLACEMENT_DATABASE__CONNECTION": database,
            "OS_DEFAULT__LOG_OPTIONS": "false",
        }
        ended = subprocess.run(
            [sys.executable, "-c", "from placement.wsgi import api"],
            env=environment | settings,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(3, ended.returncode, settings)
        lines = (ended.stdout + ended.stderr).splitlines()
        said = [line for line in lines if "The service does not start: " in line]
        self.assertEqual(lines, said)
        self.assertEqual(1, len(said))
        return said[0]

    def test_a_log_that_cannot_be_set_up_is_reported_in_one_line(self):
        # The tests of commands make all of these mistakes; here, each takes a process.
        options, reason = bad_logs.options(self.directory)[0]
        said = self.refusal(**bad_logs.environment(options))
        self.assertRegex(said, f"The log cannot be set up as configured: {reason}")

    def test_a_log_file_that_may_not_be_written_is_named_with_its_option(self):
        """If it fails, an operator who reads "Permission denied" does not know for what."""
        # Even root cannot create a file here.
        said = self.refusal(OS_DEFAULT__LOG_DIR="/proc/self")
        self.assertRegex(said, r"\[DEFAULT\] log_dir: /proc/self/\S+\.log cannot be opened: ")

    def test_a_policy_that_cannot_be_read_is_reported_in_one_line(self):
        # The tests of policies make more mistakes; here, each takes a process.
        for content, reason in ((b"{", " is not YAML: "), (b'a: "rule:a"', "")):
            path = self.write("policy.yaml", content)
            said = self.refusal(OS_OSLO_POLICY__POLICY_FILE=path)
            self.assertIn(f"{path}{reason}" if reason else "a -> a", said)

    def test_a_configuration_that_cannot_be_read_is_reported_in_one_line(self):
        self.write("binary/placement.conf", b"\xff\xfe")
        said = self.refusal(OS_PLACEMENT_CONFIG_DIR=str(self.directory / "binary"))
        self.assertIn("A configuration file is not text: ", said)
        directory = self.directory / "directory"
        (directory / "placement.conf").mkdir(parents=True)
        said = self.refusal(OS_PLACEMENT_CONFIG_DIR=str(directory))
        self.assertIn("placement.conf cannot be read: Is a directory", said)

    def test_a_value_that_is_refused_is_reported_with_where_it_comes_from(self):
        variable = "OS_PLACEMENT__MAX_SEARCH_EFFORT"
        said = self.refusal(**{variable: "1"})
        self.assertIn(f"option max_search_effort from {variable} is not valid: ", said)
        path = self.write("bad/placement.conf", b"[placement]\nmax_search_effort = many\n")
        said = self.refusal(OS_PLACEMENT_CONFIG_DIR=str(self.directory / "bad"))
        self.assertIn(f"option max_search_effort from {path} is not valid: ", said)
