"""A machine, or a container, on which a deployment project installs the service.

A directory stands for the machine, and is its home directory. What a deployment project writes to
/etc/placement is in .placement/ of this directory, where the service and its commands look first.
No variable of the environment names an option, and no command names a file.
"""

import contextlib
import functools
import os
import pathlib
import re
import signal
import string
import subprocess
import sys
import unittest

from tests import databases, server

HERE = pathlib.Path(__file__).parent
OUR_BIN = os.path.dirname(sys.executable)
NO_KEYSTONE = "[api]\nauth_strategy = noauth2\n"


def require(path, what):
    """Skip the tests if a file is missing, unless everything is required."""
    if not os.path.exists(path) and not databases.REQUIRE_ALL:
        raise unittest.SkipTest(f"{what} is not installed")


class Host:
    """Runs the programs of one environment: ours, or that of openstack-placement.

    directory      a pathlib.Path
    bin_directory  the directory of the programs
    values         what replaces ${names} in files, by name
    """

    def __init__(self, directory, bin_directory=OUR_BIN, **values):
        self.directory = pathlib.Path(directory)
        self.values = {"directory": str(directory)} | values
        self.bin_directory = bin_directory
        (self.directory / "log").mkdir()
        self.etc = self.directory / ".placement"
        self.etc.mkdir()

    def write(self, source, target=None):
        """Write a deployment project's file, which is below HERE. Return its new path."""
        written = self.etc / (target or pathlib.PurePath(source).name)
        written.parent.mkdir(exist_ok=True)
        text = (HERE / source).read_text()
        written.write_text(string.Template(text).substitute(self.values))
        return written

    def trust_tokens(self):
        """Make the service do without keystone."""
        self.add_snippet("noauth2.conf", NO_KEYSTONE)

    def add_snippet(self, name, text):
        """Add a file whose options override those of placement.conf."""
        snippets = self.etc / "placement.conf.d"
        snippets.mkdir(exist_ok=True)
        (snippets / name).write_text(text)

    @property
    def environment(self):
        inherited = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return inherited | {"HOME": str(self.directory)}

    def program(self, name):
        return os.path.join(self.bin_directory, name)

    def run(self, name, *arguments):
        """Run a command to its end. Return (exit status, what it printed)."""
        done = subprocess.run(
            [self.program(name), *arguments],
            cwd=self.directory,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    def migrate(self):
        """Run both commands that prepare a database. Return (exit status, output) of the last.

        While clients claim, openstack-placement's command may lose a deadlock; then it is run
        again.
        """
        for command in ("sync", "online_data_migrations"):
            status, said = self.run("placement-manage", "db", command)
            while self.bin_directory != OUR_BIN and status and "Deadlock found" in said:
                status, said = self.run("placement-manage", "db", command)
            if status:
                break
        return status, said

    @contextlib.contextmanager
    def uwsgi(self, settings, prefix=()):
        """Run uWSGI with the settings of a file, and yield its process once all workers serve.

        A worker that is still starting when uWSGI is stopped would keep it from ending.
        `prefix` is the beginning of the command.
        """
        # The uWSGI of our environment also runs openstack-placement, whose own environment has
        # none.
        command = [*prefix, os.path.join(OUR_BIN, "uwsgi"), "--ini", str(settings)]
        if self.bin_directory != OUR_BIN:
            command += ["--home", os.path.dirname(self.bin_directory)]
        [workers] = re.findall(r"^processes = (\d+)$", settings.read_text(), re.MULTILINE)
        log = self.directory / "log" / "stdout.log"
        with server.process(command, log, self.environment, cwd=self.directory) as process:
            check = functools.partial(self._check_workers, self._workers() + int(workers))
            try:
                server.wait_for(check, process, log)
                yield process
            finally:
                _end(process)

    def _check_workers(self, wanted):
        """Raises: ConnectionRefusedError until `wanted` workers, in total, have begun to serve."""
        if self._workers() < wanted:
            raise ConnectionRefusedError

    def _workers(self):
        """Return how many workers have begun to serve, according to the logs."""
        logs = self.directory.glob("log/*.log")
        return sum(log.read_text().count(") ready in ") for log in logs)


def _end(process):
    """Stop uWSGI, and kill it if it does not end."""
    process.terminate()
    try:
        process.wait(server.START_SECONDS)
    except subprocess.TimeoutExpired:
        for each in (process.pid, *server.children(process.pid)):
            os.kill(each, signal.SIGKILL)
