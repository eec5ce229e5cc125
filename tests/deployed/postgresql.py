"""A PostgreSQL and a replica of it that can be read, on the loopback interface.

They have nothing in common with a PostgreSQL that this machine may run as a service.
"""

import contextlib
import glob
import os
import signal
import subprocess

from tests import server
from tests.deployed import unprivileged

ACCOUNT = "postgres"
DATABASE = "placement"

# Debian keeps the programs of each release in a directory of its own, not in the path.
PROGRAMS = max(glob.glob("/usr/lib/postgresql/*/bin"), default=None)


@contextlib.contextmanager
def replicated():
    """Give (primary, replica), two Servers with an empty database, and end them."""
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(unprivileged.directory(ACCOUNT))
        primary, replica = (
            Server(os.path.join(directory, name), port)
            for name, port in zip(("primary", "replica"), server.lasting_ports(2), strict=True)
        )
        for each in (primary, replica):
            stack.callback(each.kill)
        primary.initialise()
        primary.start()
        primary.create_database()
        replica.copy(primary)
        replica.start()
        yield primary, replica


class Server:
    """One PostgreSQL. Attributes: port; url, of the database."""

    def __init__(self, directory, port):
        self.port = port
        self.url = f"postgresql+psycopg2://{ACCOUNT}@127.0.0.1:{port}/{DATABASE}"
        self._directory = directory
        self._process = None

    def initialise(self):
        self._run("initdb", "--auth=trust", f"--username={ACCOUNT}", self._directory)

    def create_database(self):
        self._run("createdb", *self._address(), DATABASE)

    def copy(self, primary):
        """Begin with all that the primary has, to follow it from there."""
        self._run(
            "pg_basebackup",
            *primary._address(),
            f"--pgdata={self._directory}",
            "--write-recovery-conf",
            "--checkpoint=fast",
        )

    def start(self):
        log = f"{self._directory}.log"
        with open(log, "ab") as output:
            self._process = subprocess.Popen(
                [
                    os.path.join(PROGRAMS, "postgres"),
                    *("-D", self._directory),
                    *("-c", f"port={self.port}"),
                    *("-c", "listen_addresses=127.0.0.1"),
                    *("-c", f"unix_socket_directories={self._directory}"),
                ],
                stdout=output,
                stderr=subprocess.STDOUT,
                **unprivileged.account(ACCOUNT),
            )
        server.wait_for(self._check_answers, self._process, log)

    def kill(self):
        """End at once, without cleaning up."""
        if self._process is not None:
            # SIGKILL would leave the children behind for a while.
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
            self._process = None

    def _check_answers(self):
        """Raises: OSError if it does not accept connections yet."""
        self._run("pg_isready", *self._address(), "--quiet")

    def _address(self):
        return ["--host=127.0.0.1", f"--port={self.port}", f"--username={ACCOUNT}"]

    def _run(self, program, *arguments):
        """Raises: OSError."""
        done = subprocess.run(
            [os.path.join(PROGRAMS, program), *arguments],
            capture_output=True,
            text=True,
            **unprivileged.account(ACCOUNT),
        )
        if done.returncode != 0:
            raise ChildProcessError(done.stderr)
