"""An operator's mistake is reported in one line, by both commands."""

import contextlib
import os
import pathlib
import subprocess
import sys

import fixtures as base_fixtures

from placement.cmd import manage, status
from tests import bad_logs
from tests.unit.cmd.base import CommandTestCase

# The exit status that a shell reports for the signal SIGPIPE.
KILLED_BY_A_BROKEN_PIPE = 141


class Mistakes(CommandTestCase):
    def assert_mistake(self, message, *options):
        """Both commands report a mistake in one line, which matches `message`."""
        for program, command, exit_status, *arguments in (
            ("placement-manage", manage, 1, "db", "sync"),
            ("placement-manage", manage, 1, "db", "version"),
            ("placement-status", status, 255, "upgrade", "check"),
        ):
            ended, output, errors = self.run_command(command, *options, *arguments)
            self.assertEqual((exit_status, ""), (ended, output))
            self.assertRegex(errors, rf"\A{program}: .*{message}.*\n\Z")
            self.assertNotIn("secret", errors)

    def test_a_command_without_a_database_is_refused_in_one_line(self):
        self.assert_mistake(
            "value required for option connection .* as OS_PLACEMENT_DATABASE__CONNECTION"
        )

    def test_a_configuration_file_that_is_missing_is_named(self):
        self.use_database()
        self.assert_mistake("/nonexistent", "--config-file", "/nonexistent")

    def test_a_configuration_file_that_cannot_be_read_is_named(self):
        self.use_database()
        path = os.path.join(self.directory, "placement.conf")
        with open(path, "w") as file:
            file.write("[placement_database\n")
        self.assert_mistake(path, "--config-file", path)

    def test_a_configuration_file_that_is_not_text_is_reported(self):
        self.use_database()
        path = os.path.join(self.directory, "placement.conf")
        with open(path, "wb") as file:
            file.write(b"\xff\xfe")
        self.assert_mistake("not text", "--config-file", path)
        self.assert_mistake("Is a directory", "--config-file", self.directory)

    def test_a_log_that_cannot_be_set_up_is_reported(self):
        """If it fails, a command accepts a configuration that keeps the service from starting."""
        self.use_database()
        for options, reason in bad_logs.options(pathlib.Path(self.directory)):
            with contextlib.ExitStack() as stack:
                for name, value in bad_logs.environment(options).items():
                    stack.enter_context(base_fixtures.EnvironmentVariable(name, value))
                self.assert_mistake(f"The log cannot be set up as configured: {reason}")

    def test_a_command_does_not_write_the_log_of_the_service(self):
        """If it fails, a command run by root creates a file that the service cannot write to."""
        self.use_database()
        directory = pathlib.Path(self.directory)
        settings = directory / "logging.conf"
        settings.write_text(
            "[formatters]\nkeys =\n[handlers]\nkeys = file\n[loggers]\nkeys = root\n"
            f"[handler_file]\nclass = FileHandler\nargs = ('{directory}/c.log',)\n"
            "[logger_root]\nhandlers = file\n"
        )
        for options in (
            ("--log-dir", str(directory)),
            ("--log-file", str(directory / "a.log")),
            ("--log-dir", str(directory), "--log-file", "b.log"),
            ("--log-config-append", str(settings)),
        ):
            self.assertEqual((0, "", ""), self.run_command(manage, *options, "db", "sync"))
        self.assertEqual([], list(directory.glob("*.log")))

    def test_a_database_that_cannot_be_used_is_reported_without_its_password(self):
        for url, message in (
            ("nonsense", "is not the URL of a database, such as sqlite:////var"),
            (f"{self.directory}/p.db", "is not the URL of a database, such as sqlite:////var"),
            ("sqlite://var/p.db", "is not the URL of a database, such as sqlite:////var"),
            ("sqlite://", "a database in memory, which ends with the command; name a file"),
            ("nonsense://user:secret@host/name", "nonsense is not supported"),
            ("nonsense+driver://user:secret@host/name", "nonsense.driver is not supported"),
            ("mysql+mysqlconnector://user:secret@host/name", r"these are: mysql\+pymysql, mysql"),
            ("mariadb+mariadbconnector://user:secret@host/name", "is not supported"),
            ("mariadb+pymysql://user:secret@host/name", "mysql.pymysql, mysql.mysqldb"),
            ("postgresql+asyncpg://user:secret@host/name", "postgresql.psycopg2, "),
            ("mysql+pymysql://user:a@b:secret@host/name", "is not a URL"),
            ("mysql+pymysql://user:a@secret@host/name", "%40 for @"),
            (f"sqlite:///{self.directory}/nonexistent/p.db", "there is no .+/nonexistent"),
            ("sqlite:///file:/nonexistent/p.db?uri=true", "file: file:/nonexistent/p.db"),
        ):
            self.use_database(url)
            self.assert_mistake(message)

    def test_a_missing_directory_of_a_new_database_is_reported(self):
        self.use_database(f"sqlite:///{self.directory}/nonexistent/p.db")
        status, _, errors = self.run_command(manage, "db", "sync")
        self.assertEqual(1, status)
        self.assertRegex(errors, "cannot be used: .*: there is no directory .+/nonexistent\n$")

    def test_connection_parameters_that_cannot_be_read_are_reported(self):
        for parameters, message in (
            ("connect_timeout", "written as name=value&name=value"),
            ("connect_timeout=soon", "connection_parameters, are wrong: .*'soon'"),
        ):
            name = "OS_PLACEMENT_DATABASE__CONNECTION_PARAMETERS"
            self.useFixture(base_fixtures.EnvironmentVariable(name, parameters))
            self.use_database("mysql+pymysql://user:secret@127.0.0.1:1/name")
            self.assert_mistake(message)

    def test_parameters_that_a_driver_does_not_have_are_reported_at_once(self):
        """If it fails, a typing mistake is taken for a database that may come back."""
        for name, value in (
            ("CONNECTION_PARAMETERS", "connect_timeou=7"),
            ("MAX_RETRIES", "3"),
            ("RETRY_INTERVAL", "0"),
        ):
            self.useFixture(
                base_fixtures.EnvironmentVariable(f"OS_PLACEMENT_DATABASE__{name}", value)
            )
        for url in (
            "mysql+pymysql://user:secret@127.0.0.1:1/name",
            "postgresql+psycopg2://user:secret@127.0.0.1:1/name",
            f"sqlite:///{self.directory}/p.db",
        ):
            self.use_database(url)
            self.assert_mistake("connection_parameters, are wrong: .*connect_timeou\\b")

    def test_a_server_that_does_not_answer_is_reported(self):
        self.useFixture(
            base_fixtures.EnvironmentVariable("OS_PLACEMENT_DATABASE__MAX_RETRIES", "0")
        )
        self.use_database("mysql+pymysql://user:secret@127.0.0.1:1/name")
        self.assert_mistake("Can't connect to MySQL server on '127.0.0.1'")

    def test_a_command_that_tries_a_server_again_says_so_once(self):
        for name, value in (("MAX_RETRIES", "3"), ("RETRY_INTERVAL", "0")):
            self.useFixture(
                base_fixtures.EnvironmentVariable(f"OS_PLACEMENT_DATABASE__{name}", value)
            )
        self.use_database("mysql+pymysql://user:secret@127.0.0.1:1/name")
        errors = self.run_command(manage, "db", "sync")[2]
        self.assertRegex(
            errors,
            r"\Aplacement-manage: .*attempt 1 of 3, one every 0 seconds: .*\n"
            r"placement-manage: .*connect.*\n\Z",
        )

    def test_bytes_that_are_not_utf_8_are_reported(self):
        """If it fails, a name that was typed on a terminal with another encoding is a traceback."""
        self.use_database()
        self.run_command(manage, "db", "sync")
        typed = os.fsdecode(b"caf\xe9")
        for arguments, message in (
            (["find", typed], "represent a value: 'utf-8' codec can't encode"),
            (["history", "--host", typed], "represent a value: 'utf-8' codec can't encode"),
            (["providers", f"name={typed}"], "'utf-8' codec can't decode byte"),
            (["explain", "VCPU:1", "--host", typed], "'utf-8' codec can't decode byte"),
            (["evacuate", "--dry-run", typed], "'utf-8' codec can't decode byte"),
            (["fit", "VCPU:1", "--exclude", typed], "'utf-8' codec can't decode byte"),
            (["release", "VCPU:1", "--of", typed], "'utf-8' codec can't decode byte"),
        ):
            ended, output, errors = self.run_command(manage, *arguments)
            self.assertEqual((2, ""), (ended, output), arguments)
            self.assertRegex(errors, rf"\Aplacement-manage: .*{message}.*\n\Z")

    def test_an_output_without_room_is_reported(self):
        with open("/dev/full", "w") as output:
            done = subprocess.run(
                [sys.executable, "-m", "placement.cmd.manage", "openapi"],
                stdout=output,
                stderr=subprocess.PIPE,
            )
        said = b"placement-manage: The output cannot be written: No space left on device.\n"
        self.assertEqual((1, said), (done.returncode, done.stderr))

    def test_a_closed_output_is_not_reported(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer) as output:
            done = subprocess.run(
                [sys.executable, "-m", "placement.cmd.manage", "openapi"],
                stdout=output,
                stderr=subprocess.PIPE,
            )
        self.assertEqual((KILLED_BY_A_BROKEN_PIPE, b""), (done.returncode, done.stderr))
