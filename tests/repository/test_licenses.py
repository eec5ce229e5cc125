"""Third-party files are shipped with their licenses, and the package lists these.

The license of everything that is installed with the service permits that.
"""

import configparser
import pathlib
import re
from importlib import metadata

import testtools
from packaging import requirements

REPOSITORY = pathlib.Path(__file__).parents[2]
PACKAGE = REPOSITORY / "placement"

# SPDX identifier -> a pattern in the text of the license.
SIGNS = {
    "Apache-2.0": r"\bApache License\b",
    "BSD-3-Clause": r"\bBSD-3-Clause\b",
    "MIT": r"\bMIT\b",
}

# Software under Apache-2.0 may use, and be installed with, software under any of these.
USABLE = re.compile(r"Apache|BSD|MIT|ISC|PSF|MPL|Mozilla Public")


class Licenses(testtools.TestCase):
    def setUp(self):
        super().setUp()
        configuration = configparser.ConfigParser()
        configuration.read(REPOSITORY / "setup.cfg")
        self.metadata = configuration["metadata"]
        patterns = self.metadata["license_files"].split()
        self.shipped = {path for pattern in patterns for path in REPOSITORY.glob(pattern)}

    def test_every_license_file_is_in_the_metadata(self):
        self.assertEqual({REPOSITORY / "LICENSE", *PACKAGE.rglob("*LICENSE*")}, self.shipped)

    def test_every_foreign_script_has_its_license_beside_it(self):
        licensed = {path.parent for path in self.shipped}
        scripts = [*PACKAGE.rglob("*min.js"), *PACKAGE.glob("**/lib/**/*.js")]
        self.assertEqual([], [path for path in scripts if path.parent not in licensed])

    def test_the_license_expression_names_every_license(self):
        texts = "".join(path.read_text() for path in self.shipped)
        found = {identifier for identifier, sign in SIGNS.items() if re.search(sign, texts)}
        self.assertEqual(found, set(self.metadata["license_expression"].split(" AND ")))


class Dependencies(testtools.TestCase):
    def test_every_dependency_has_an_allowed_license(self):
        configuration = configparser.ConfigParser()
        configuration.read(REPOSITORY / "setup.cfg")
        licenses = licenses_of_all(configuration["options"]["install_requires"].split())
        self.assertGreater(len(licenses), 40)
        self.assertEqual({}, {n: text for n, text in licenses.items() if not USABLE.search(text)})


def licenses_of_all(required):
    """Return {name: license} of packages that are required, and of those that they require."""
    licenses = {}
    waiting = [requirements.Requirement(text) for text in required]
    while waiting:
        requirement = waiting.pop()
        is_needed = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if is_needed and requirement.name not in licenses:
            package = metadata.distribution(requirement.name)
            licenses[requirement.name] = license_of(package.metadata)
            waiting += [requirements.Requirement(text) for text in package.requires or []]
    return licenses


def license_of(described):
    """Return the license of a package from its metadata, which names it in one of three ways."""
    classifiers = [
        text for text in described.get_all("Classifier", []) if text.startswith("License ::")
    ]
    return (
        described.get("License-Expression") or " ".join(classifiers) or described.get("License", "")
    )
