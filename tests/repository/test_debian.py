"""The package for Debian asks for what the service needs."""

import configparser
import pathlib
import re

import testtools
from packaging.requirements import Requirement

REPOSITORY = pathlib.Path(__file__).parents[2]
CONTROL = (REPOSITORY / "debian" / "control").read_text()
# With these versions of Debian 13, some refusals have other words, and all else works.
OLDER = {"python3-jsonschema": "4.19", "python3-microversion-parse": "1.0.1"}


class Debian(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.configuration = configparser.ConfigParser()
        self.configuration.read(REPOSITORY / "setup.cfg")

    def test_it_depends_on_each_requirement_of_the_service(self):
        """If it fails, the package can be installed, and the service does not start."""
        wanted = {
            _package_of(each): OLDER.get(_package_of(each), _oldest_of(each))
            for each in map(Requirement, self.configuration["options"]["install_requires"].split())
        }
        # Versions in Debian may begin with an epoch.
        found = re.findall(r"^ (python3-[\w.-]+) \(>= (?:\d+:)?([\d.]+)\),$", CONTROL, re.M)
        # The first one is for the build.
        self.assertEqual([("python3-setuptools", "77.0.3"), *sorted(wanted.items())], found)

    def test_its_version_is_that_of_the_service(self):
        first, *_ = (REPOSITORY / "debian" / "changelog").read_text().splitlines()
        version = self.configuration["metadata"]["version"]
        self.assertTrue(first.startswith(f"placement-server ({version}) "), first)


def _package_of(requirement):
    return f"python3-{requirement.name.lower().removeprefix('py')}"


def _oldest_of(requirement):
    [specifier] = requirement.specifier
    return specifier.version
