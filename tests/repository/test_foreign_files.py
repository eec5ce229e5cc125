"""Third-party files that browsers load: they are the reviewed ones, and no others are fetched."""

import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import tarfile

import fixtures
import testtools

REPOSITORY = pathlib.Path(__file__).parents[2]
HASHES = REPOSITORY / "tests" / "repository" / "foreign-files.sha256"
VIEWER = REPOSITORY / "placement" / "web" / "viewer"
LIBRARIES = REPOSITORY / "placement" / "web" / "page" / "lib"


class Committed(testtools.TestCase):
    def test_the_committed_files_are_those_of_the_npm_packages(self):
        """If it fails, somebody has changed a file: `make viewer page-libraries` restores them."""
        foreign = [*VIEWER.glob("rapidoc*"), *VIEWER.glob("LICENSE*")]
        foreign += [path for path in LIBRARIES.rglob("*") if path.is_file()]
        found = {
            str(path.relative_to(REPOSITORY)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in foreign
        }
        lines = [line.split() for line in HASHES.read_text().splitlines()]
        self.assertEqual({name: digest for digest, name in lines}, found)


class Fetched(testtools.TestCase):
    """`make` in a directory that has only the Makefile, with a registry that was tampered with."""

    def setUp(self):
        super().setUp()
        self.directory = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        shutil.copy(REPOSITORY / "Makefile", self.directory)
        (self.directory / "placement/web/viewer").mkdir(parents=True)
        (self.directory / "placement/web/page/lib/virtual-core").mkdir(parents=True)
        self.programs = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self._offer_other_package()

    def _offer_other_package(self):
        archive = self.programs / "other.tgz"
        with tarfile.open(archive, "w:gz") as package:
            for name in ("dist/rapidoc-min.js", "preact/standalone.module.js", "LICENSE"):
                member = tarfile.TarInfo(f"package/{name}")
                member.size = 4
                package.addfile(member, io.BytesIO(b"evil"))
        npm = self.programs / "npm"
        npm.write_text(f"#!/bin/sh\necho {archive}\n")
        npm.chmod(0o755)

    def make(self, target):
        path = os.pathsep.join([str(self.programs), os.environ["PATH"]])
        return subprocess.run(
            ["make", target],
            cwd=self.directory,
            env=os.environ | {"PATH": path},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def test_a_package_with_another_hash_is_refused(self):
        for target, package in (("viewer", "rapidoc@"), ("page-libraries", "htm@")):
            made = self.make(target)
            self.assertNotEqual(0, made.returncode)
            self.assertIn(package, made.stderr)
            self.assertIn(" has the hash sha512-", made.stderr)
            files = [path for path in self.directory.rglob("*") if path.is_file()]
            self.assertEqual([self.directory / "Makefile"], files)
