"""The service can be installed with the versions that OpenStack's releases use.

Each file in releases/ has such versions of what the service needs. OpenStack's own lists are not
on the package index, so these are the versions that were newest a month before the release.
"""

import ast
import configparser
import pathlib
import subprocess
import sys
from importlib import metadata

import testtools
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.repository import oldest

REPOSITORY = pathlib.Path(__file__).parents[2]
RELEASES = sorted((pathlib.Path(__file__).parent / "releases").iterdir())


class Requirements(testtools.TestCase):
    def test_each_release_of_openstack_has_versions_that_setup_cfg_allows(self):
        """If it fails, the service cannot be installed with OpenStack's upper constraints."""
        refused = {path.stem: refused_in(path) for path in RELEASES}
        allowed = [release for release, names in refused.items() if not names]
        self.assertEqual(["2025.1", "2025.2", "2026.1"], allowed)
        for names in (refused.pop("2024.1"), refused.pop("2024.2")):
            # What the service requires, as doc/how-to/install.rst says.
            self.assertLess({"fastjsonschema", "keystonemiddleware", "sqlalchemy"}, names)

    def test_the_oldest_version_of_each_requirement_is_printed(self):
        printed = subprocess.run(
            [sys.executable, oldest.__file__], capture_output=True, text=True, check=True
        )
        lines = printed.stdout.splitlines()
        self.assertEqual(len(oldest.requirements()), len(lines))
        for line in lines:
            self.assertRegex(line, r"^[\w.-]+==\d[\d.]*$")

    def test_each_requirement_is_imported_by_the_service(self):
        """If it fails, every installation includes a distribution that nothing uses."""
        configuration = configparser.ConfigParser()
        configuration.read(REPOSITORY / "setup.cfg")
        required = {
            canonicalize_name(Requirement(each).name)
            for each in configuration["options"]["install_requires"].split()
        }
        of_modules = metadata.packages_distributions()
        used = {
            canonicalize_name(name)
            for module in imported_in(REPOSITORY / "placement")
            for name in of_modules.get(module, ())
        }
        self.assertEqual(set(), required - used)


def imported_in(package):
    """Return the names of the outermost modules that the modules of a package import."""
    nodes = [
        node
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    names = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    names += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return {name.partition(".")[0] for name in names}


def refused_in(release):
    """Return the names of the requirements whose version in a file is too old."""
    pinned = pinned_in(release)
    required = [Requirement(each) for each in oldest.requirements()]
    names = {canonicalize_name(each.name): each.specifier for each in required}
    return {name for name, allowed in names.items() if pinned[name] not in allowed}


def pinned_in(release):
    """Return {name: Version} of a file."""
    lines = (line for line in release.read_text().splitlines() if not line.startswith("#"))
    pins = (line.split("==") for line in lines)
    return {canonicalize_name(name): Version(version) for name, version in pins}
