"""The files in etc/placement: those that are made from the code are current; all are shipped."""

import configparser
import os
import re
import runpy

import fixtures as base_fixtures
import testtools
from oslo_config import generator
from oslo_policy import generator as policy_generator

REPOSITORY = os.path.join(os.path.dirname(__file__), "..", "..")
SAMPLES = os.path.join(REPOSITORY, "etc", "placement")

# What `make samples` reads is of no use to operators.
NOT_SHIPPED = {"config-generator.conf", "policy-generator.conf"}


class Samples(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.made = os.path.join(self.useFixture(base_fixtures.TempDir()).path, "sample")

    def assert_current(self, name):
        with open(os.path.join(SAMPLES, name)) as sample, open(self.made) as made:
            self.assertEqual(made.read(), sample.read(), "run `make samples`")

    def test_the_sample_configuration_file_matches_the_code(self):
        generator.main(
            ["--config-file", os.path.join(SAMPLES, "config-generator.conf")]
            + ["--output-file", self.made]
        )
        self.assert_current("placement.conf.sample")

    def test_the_sample_policy_file_matches_the_code(self):
        policy_generator.generate_sample(
            ["--config-file", os.path.join(SAMPLES, "policy-generator.conf")]
            + ["--output-file", self.made]
        )
        self.assert_current("policy.yaml.sample")

    def test_the_package_has_all_files_that_operators_need(self):
        setup = configparser.ConfigParser()
        setup.read(os.path.join(REPOSITORY, "setup.cfg"))
        shipped = setup["options.data_files"]["share/placement"].split()
        self.assertEqual(
            sorted(f"etc/placement/{name}" for name in set(os.listdir(SAMPLES)) - NOT_SHIPPED),
            sorted(shipped),
        )

    def test_apache_closes_an_idle_connection_before_gunicorn_does(self):
        # A request that Apache sends on a connection that is being closed is answered with 502.
        gunicorn = runpy.run_path(os.path.join(SAMPLES, "gunicorn.conf.py"))
        with open(os.path.join(SAMPLES, "apache.conf")) as apache:
            [ttl] = re.findall(r"^ +ProxyPass .* ttl=(\d+)$", apache.read(), re.MULTILINE)
        self.assertLess(int(ttl), gunicorn["keepalive"])
