"""The files in etc/placement that are made from the code (`make samples`) are current."""

import os

import fixtures as base_fixtures
import testtools
from oslo_config import generator
from oslo_policy import generator as policy_generator

SAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "etc", "placement")


class Samples(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.made = os.path.join(self.useFixture(base_fixtures.TempDir()).path, "sample")

    def assert_current(self, name):
        with open(os.path.join(SAMPLES, name)) as sample, open(self.made) as made:
            self.assertEqual(made.read(), sample.read(), "run `make samples`")

    def test_the_configuration_file(self):
        generator.main(
            ["--config-file", os.path.join(SAMPLES, "config-generator.conf")]
            + ["--output-file", self.made]
        )
        self.assert_current("placement.conf.sample")

    def test_the_policy_file(self):
        policy_generator.generate_sample(
            ["--config-file", os.path.join(SAMPLES, "policy-generator.conf")]
            + ["--output-file", self.made]
        )
        self.assert_current("policy.yaml.sample")
