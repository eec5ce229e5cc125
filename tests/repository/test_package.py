"""The bill of materials in a wheel: the third-party files in the package, and its requirements."""

import configparser
import importlib.util
import json
import pathlib
import re

import testtools

REPOSITORY = pathlib.Path(__file__).parents[2]
HASHES = REPOSITORY / "tests" / "repository" / "foreign-files.sha256"


def load_sbom():
    """Return the module, which belongs to the build backend and to no package."""
    path = REPOSITORY / "build_backend" / "sbom.py"
    spec = importlib.util.spec_from_file_location("sbom", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class BillOfMaterials(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.sbom = load_sbom()
        self.document = json.loads(self.sbom.document())

    def test_the_bill_of_materials_has_every_foreign_file_with_its_hash(self):
        files = {
            (file["hashes"][0]["content"], file["name"])
            for component in self.document["components"]
            for file in component.get("components", [])
        }
        foreign = {tuple(line.split()) for line in HASHES.read_text().splitlines()}
        self.assertEqual(foreign, files)

    def test_the_bill_of_materials_has_the_releases_of_fetched_scripts(self):
        fetched = re.findall(r"unpack (\S+) sha512", (REPOSITORY / "Makefile").read_text())
        listed = [f"{script['name']}@{script['version']}" for script in self.sbom.SCRIPTS]
        self.assertEqual(sorted(fetched), sorted(listed))

    def test_the_bill_of_materials_has_every_requirement(self):
        configuration = configparser.ConfigParser()
        configuration.read(REPOSITORY / "setup.cfg")
        texts = [
            property["value"]
            for component in self.document["components"]
            for property in component.get("properties", [])
        ]
        self.assertEqual(configuration["options"]["install_requires"].split(), texts)

    def test_the_bill_of_materials_is_reproducible(self):
        self.assertEqual(self.sbom.document(), load_sbom().document())
