"""What is shipped of others has its license with it, and the package says which these are."""

import configparser
import pathlib
import re

import testtools

REPOSITORY = pathlib.Path(__file__).parents[2]
PACKAGE = REPOSITORY / "placement"

# By its SPDX identifier, what the text of a license says.
SIGNS = {
    "Apache-2.0": r"\bApache License\b",
    "BSD-3-Clause": r"\bBSD-3-Clause\b",
    "MIT": r"\bMIT\b",
}


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
