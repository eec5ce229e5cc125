"""The files in etc/placement that a system reads: the unit, the account, directories, logrotate."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import testtools

from tests import databases

SHIPPED = pathlib.Path(__file__).parents[3] / "etc" / "placement"
# In tenths; 0 is best.
MOST_EXPOSURE = 20


class SystemFiles(testtools.TestCase):
    def setUp(self):
        super().setUp()
        self.directory = self.enterContext(tempfile.TemporaryDirectory())

    def run_program(self, name, *arguments):
        """Return what a program prints. It must succeed."""
        program = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if program is None and not databases.REQUIRE_ALL:
            self.skipTest(f"{name} is not installed")
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_the_unit_gives_a_service_that_was_taken_over_little_to_do(self):
        self.run_program(
            *("systemd-analyze", "security", "--offline=true", "--no-pager"),
            f"--threshold={MOST_EXPOSURE}",
            str(SHIPPED / "placement-api.service"),
        )

    def test_the_account_and_its_directories_are_created(self):
        if os.geteuid() != 0:
            self.skipTest("only root creates accounts")
        os.mkdir(f"{self.directory}/etc")
        root = f"--root={self.directory}"
        self.run_program("systemd-sysusers", root, str(SHIPPED / "placement.sysusers"))
        with open(f"{self.directory}/etc/passwd") as lines:
            [account] = [line.split(":") for line in lines if line.startswith("placement:")]
        self.assertEqual("/var/lib/placement", account[5])
        self.run_program("systemd-tmpfiles", root, "--create", str(SHIPPED / "placement.tmpfiles"))
        for path, owner in (("etc", "0"), ("var/lib", account[2]), ("var/log", account[2])):
            found = os.stat(f"{self.directory}/{path}/placement")
            self.assertEqual((0o40750, owner), (found.st_mode, str(found.st_uid)), path)
            self.assertEqual(account[3], str(found.st_gid), path)

    def test_logrotate_understands_its_file(self):
        log = pathlib.Path(self.directory, "placement-api.log")
        log.write_text("a line\n")
        text = (SHIPPED / "placement.logrotate").read_text()
        # The account exists only where the service is installed.
        adapted = text.replace("/var/log/placement", self.directory)
        adapted = adapted.replace("0640 placement placement", "0640")
        configuration = pathlib.Path(self.directory, "logrotate")
        configuration.write_text(adapted)
        configuration.chmod(0o644)
        said = self.run_program("logrotate", "--debug", "--force", str(configuration))
        self.assertIn(f"rotating log {log}", said)
        self.assertIn("try-reload-or-restart placement-api.service", said)
