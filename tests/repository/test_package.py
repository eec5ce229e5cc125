"""What is in a package besides its code: the bill of materials, and its metadata."""

import configparser
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import docutils.core
import docutils.nodes
import testtools
from packaging.requirements import Requirement

REPOSITORY = pathlib.Path(__file__).parents[2]
HASHES = REPOSITORY / "tests" / "repository" / "foreign-files.sha256"
# With these versions, from Debian 13, a few refusals have other words; everything else works.
OLDER_IN_DEBIAN = {"python3-jsonschema": "4.19", "python3-microversion-parse": "1.0.1"}


def load(name):
    """Return a module of the build backend, which belongs to no package."""
    path = REPOSITORY / "build_backend" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class BillOfMaterials(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.sbom = load("sbom")
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
        self.assertEqual(self.sbom.document(), load("sbom").document())


class IndexPage(testtools.TestCase):
    NOBODY = dict.fromkeys(("source", "changelog", "issues", "files", "pictures"), "")
    PUBLISHER = {
        "source": "https://git.example.org/placement",
        "changelog": "https://git.example.org/placement/releases",
        "issues": "https://git.example.org/placement/issues",
        "files": "https://git.example.org/placement/blob/1.0.0/",
        "pictures": "https://git.example.org/placement/raw/1.0.0/",
    }

    def setUp(self):
        super().setUp()
        self.page = load("index_page")
        self.readme = (REPOSITORY / "README.rst").read_text()

    def shown(self, publisher):
        """Return the README as a package index shows it, which refuses one with mistakes."""
        return docutils.core.publish_doctree(
            self.page.readme(self.readme, publisher),
            settings_overrides={"halt_level": 2, "report_level": 2, "_disable_config": True},
        )

    def test_without_a_publisher_no_link_or_picture_leads_to_a_file_of_a_checkout(self):
        page = self.shown(self.NOBODY)
        links = [each["refuri"] for each in page.findall(docutils.nodes.reference)]
        self.assertEqual([], [link for link in links if "://" not in link])
        self.assertEqual([], list(page.findall(docutils.nodes.image)))

    def test_the_links_of_a_publisher_lead_to_files_that_exist(self):
        page = self.shown(self.PUBLISHER)
        links = {each["refuri"] for each in page.findall(docutils.nodes.reference)}
        links = {link for link in links if link.startswith(self.PUBLISHER["source"])}
        pictures = {each["uri"] for each in page.findall(docutils.nodes.image)}
        self.assertGreater(len(links), 20)
        self.assertEqual(2, len(pictures))
        paths = {url.removeprefix(self.PUBLISHER["files"]) for url in links}
        paths |= {url.removeprefix(self.PUBLISHER["pictures"]) for url in pictures}
        self.assertEqual([], [path for path in paths if not (REPOSITORY / path).is_file()])

    def test_the_metadata_name_the_urls_of_a_publisher(self):
        content = self.page.metadata(b"Name: placement-server\n\nText\n", self.PUBLISHER)
        self.assertEqual(
            "Name: placement-server\n"
            "Project-URL: Source, https://git.example.org/placement\n"
            "Project-URL: Changelog, https://git.example.org/placement/releases\n"
            "Project-URL: Issues, https://git.example.org/placement/issues\n"
            "\nText\n",
            content.decode(),
        )

    def test_the_settings_of_the_publisher_are_the_known_ones(self):
        self.assertEqual(self.NOBODY.keys(), self.page.publisher().keys())

    def test_the_package_for_the_openstack_command_has_the_same_urls(self):
        with tempfile.TemporaryDirectory() as directory:
            checkout = pathlib.Path(directory)
            for part in ("client", "build_backend"):
                shutil.copytree(
                    REPOSITORY / part,
                    checkout / part,
                    ignore=shutil.ignore_patterns("build", "dist", "*.egg-info", "__pycache__"),
                )
            settings = (REPOSITORY / "pyproject.toml").read_text()
            for name, url in self.PUBLISHER.items():
                settings = settings.replace(f'{name} = ""', f'{name} = "{url}"')
            (checkout / "pyproject.toml").write_text(settings)
            subprocess.run(
                [sys.executable, "setup.py", "-q", "egg_info", "-e", directory],
                cwd=checkout / "client",
                check=True,
            )
            found = (checkout / "osc_placement_server.egg-info" / "PKG-INFO").read_text()
        self.assertEqual(
            {
                "Source, https://git.example.org/placement",
                "Changelog, https://git.example.org/placement/releases",
                "Issues, https://git.example.org/placement/issues",
            },
            set(re.findall("^Project-URL: (.*)$", found, re.MULTILINE)),
        )


class Debian(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.configuration = configparser.ConfigParser()
        self.configuration.read(REPOSITORY / "setup.cfg")
        self.control = (REPOSITORY / "debian" / "control").read_text()

    def test_the_debian_package_depends_on_each_requirement_of_the_service(self):
        """If it fails, the package can be installed, and the service does not start."""
        wanted = {
            _package_of(each): OLDER_IN_DEBIAN.get(_package_of(each), _oldest_of(each))
            for each in map(Requirement, self.configuration["options"]["install_requires"].split())
        }
        # Versions in Debian may begin with an epoch.
        found = re.findall(r"^ (python3-[\w.-]+) \(>= (?:\d+:)?([\d.]+)\),$", self.control, re.M)
        # The first dependency is for the build.
        self.assertEqual([("python3-setuptools", "77.0.3"), *sorted(wanted.items())], found)

    def test_the_version_of_the_debian_package_is_that_of_the_service(self):
        first, *_ = (REPOSITORY / "debian" / "changelog").read_text().splitlines()
        version = self.configuration["metadata"]["version"]
        self.assertTrue(first.startswith(f"placement-server ({version}) "), first)


def _package_of(requirement):
    return f"python3-{requirement.name.lower().removeprefix('py')}"


def _oldest_of(requirement):
    [specifier] = requirement.specifier
    return specifier.version
