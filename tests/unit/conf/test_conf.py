"""Where the values of options come from. Source: doc/reference/configuration.rst."""

import logging
import os

import fixtures as base_fixtures
import testtools
from oslo_config import cfg
from oslo_log import log
from oslo_middleware import cors

from placement import conf
from placement.conf import opts


class ServiceConfiguration(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.directory = self.useFixture(base_fixtures.TempDir()).path
        self.set("OS_PLACEMENT_CONFIG_DIR", f" {self.directory} ")

    def set(self, name, value):
        self.useFixture(base_fixtures.EnvironmentVariable(name, value))

    def write(self, text):
        with open(os.path.join(self.directory, "placement.conf"), "w") as config_file:
            config_file.write(text)

    def test_the_configuration_is_read_from_the_directory_that_the_environment_names(self):
        self.write("[placement_database]\nconnection = sqlite://\n")
        result = conf.for_service()
        self.assertEqual("sqlite://", result.placement_database.connection)
        self.assertEqual("keystone", result.api.auth_strategy)

    def test_options_of_the_environment_override_the_file(self):
        self.write("[placement_database]\nconnection = sqlite://\n")
        self.set("OS_PLACEMENT_DATABASE__CONNECTION", "sqlite:///other.db")
        self.assertEqual("sqlite:///other.db", conf.for_service().placement_database.connection)

    def test_a_missing_configuration_file_is_an_error(self):
        self.set("OS_PLACEMENT_DATABASE__CONNECTION", "sqlite://")
        self.assertRaises(cfg.ConfigFilesNotFoundError, conf.for_service)

    def test_a_time_before_the_calendar_is_an_error(self):
        self.write("[placement_database]\nconnection = sqlite://\n")
        for name in ("history_days", "capacity_history_days"):
            self.set(f"OS_OPERATOR__{name.upper()}", "1000000")
            error = self.assertRaises(ValueError, getattr, conf.for_service().operator, name)
            self.assertIn("36500", str(error))

    def test_a_missing_database_connection_is_an_error(self):
        self.write("[api]\nauth_strategy = noauth2\n")
        self.assertRaises(cfg.RequiredOptError, conf.for_service)

    def test_auth_strategy_is_still_read_from_the_default_group(self):
        self.write(
            "[DEFAULT]\nauth_strategy = noauth2\n[placement_database]\nconnection = sqlite://\n"
        )
        self.assertEqual("noauth2", conf.for_service().api.auth_strategy)

    def test_unknown_options_and_groups_in_the_file_are_ignored(self):
        self.write(
            "[placement_database]\nconnection = sqlite://\nold = 1\n"
            "[profiler]\nenabled = false\n[oslo_concurrency]\nlock_path = /x\n"
        )
        self.assertEqual("sqlite://", conf.for_service().placement_database.connection)

    def test_the_database_url_is_a_secret(self):
        self.write(
            "[placement_database]\nconnection = sqlite:///hidden.db\n"
            "slave_connection = sqlite:///hidden-copy.db\n"
        )
        log = self.useFixture(base_fixtures.FakeLogger())
        conf.for_service().log_opt_values(logging.getLogger(), logging.INFO)
        self.assertIn("placement_database.connection", log.output)
        self.assertNotIn("hidden", log.output)

    def test_the_engine_gets_the_database_options_of_the_operator(self):
        """If it fails, an option has no effect."""
        self.write(
            "[placement_database]\nconnection = sqlite://\nslave_connection = sqlite:///copy.db\n"
            "max_pool_size = 3\nmysql_sql_mode =\n"
        )
        configuration = conf.for_service()
        options = opts.engine_options(configuration)
        timeouts = {f"{name}_timeout" for name in opts.timeouts(configuration)}
        declared = {option.dest for option in opts.DATABASE_OPTIONS}
        others = {"connection", "slave_connection", "sync_on_startup"}
        self.assertEqual(declared - others | {"replica_url"}, options.keys() | timeouts)
        self.assertEqual(
            ("sqlite:///copy.db", 3, ""),
            (options["replica_url"], options["max_pool_size"], options["mysql_sql_mode"]),
        )

    def test_cors_allows_the_headers_and_methods_of_the_api(self):
        cors.set_defaults(allow_headers=[], expose_headers=[], allow_methods=[])
        self.addCleanup(opts.set_library_defaults)
        program = conf.registered()
        program.set_override("connection", "sqlite://", group="placement_database")
        program([], default_config_files=[], default_config_dirs=[])
        self.assertIn("OpenStack-API-Version", program.cors.allow_headers)
        self.assertIn("OpenStack-API-Version", program.cors.expose_headers)
        self.assertIn("DELETE", program.cors.allow_methods)


class ConfigurationOfAnotherProgram(testtools.TestCase):
    def test_registering_options_includes_those_of_logging(self):
        program = cfg.ConfigOpts()
        conf.register_opts(program)
        program.set_override("connection", "sqlite://", group="placement_database")
        program(["--debug"], default_config_files=[], default_config_dirs=[])
        self.assertTrue(program.debug)
        self.assertEqual("keystone", program.api.auth_strategy)

    def test_options_may_be_registered_twice_and_after_reading(self):
        program = cfg.ConfigOpts()
        log.register_options(program)
        program(["--debug"], default_config_files=[], default_config_dirs=[])
        for _ in range(2):
            conf.register_opts(program)
        self.assertTrue(program.debug)
        self.assertEqual("keystone", program.api.auth_strategy)

    def test_another_program_keeps_its_values_and_its_logging(self):
        program = cfg.ConfigOpts()
        program([], default_config_files=[], default_config_dirs=[])
        conf.register_opts(program)
        self.assertEqual("keystone", program.api.auth_strategy)
