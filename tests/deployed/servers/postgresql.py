"""A PostgreSQL, alone or with a replica that can be read, on the loopback interface.

They share nothing with a PostgreSQL that this machine may run as a service.
"""

import contextlib
import glob
import os
import signal
import subprocess
import time

from tests import server
from tests.deployed.servers import unprivileged

ACCOUNT = "postgres"
PACKAGE = "postgresql"
DATABASE = "placement"

# Debian keeps the programs of each release in a directory of its own, not in the path.
PROGRAMS = max(glob.glob("/usr/lib/postgresql/*/bin"), default=None)
IS_INSTALLED = PROGRAMS is not None


@contextlib.contextmanager
def running(directory, *settings):
    """Yield a Server with an empty database, whose data is in a directory of ACCOUNT; stop it.

    Each setting is a text "name=value".
    """
    port = server.free_port()
    only = Server(os.path.join(directory, "data"), port, settings)
    try:
        only.set_up()
        yield only
    finally:
        only.kill()


@contextlib.contextmanager
def replicated():
    """Yield (primary, replica), two Servers with an empty database, and stop them."""
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(unprivileged.directory(ACCOUNT))
        primary, replica = (
            Server(os.path.join(directory, name), port)
            for name, port in zip(("primary", "replica"), server.free_ports(2), strict=True)
        )
        for each in (primary, replica):
            stack.callback(each.kill)
        primary.set_up()
        replica.copy(primary)
        replica.start()
        yield primary, replica


class Server:
    """One PostgreSQL, at a port; `url` names its database."""

    def __init__(self, directory, port, settings=()):
        self.port = port
        self._settings = [f"--{setting}" for setting in settings]
        self.url = f"postgresql+psycopg2://{ACCOUNT}@127.0.0.1:{port}/{DATABASE}"
        self._directory = directory
        self._process = None

    def set_up(self):
        """Start for the first time, and make the database."""
        self._run("initdb", "--auth=trust", f"--username={ACCOUNT}", self._directory)
        self.start()
        self._run("createdb", *self._address(), DATABASE)

    def copy(self, primary):
        """Copy all that the primary has, in order to follow it from there."""
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
                    *unprivileged.prefix(ACCOUNT),
                    os.path.join(PROGRAMS, "postgres"),
                    *("-D", self._directory),
                    *("-c", f"port={self.port}"),
                    *("-c", "listen_addresses=127.0.0.1"),
                    *("-c", f"unix_socket_directories={self._directory}"),
                    *self._settings,
                ],
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        server.wait_for(self._check_answers, self._process, log)

    def kill(self):
        """Kill all its processes at once."""
        if self._process is None:
            return
        kill(self._process.pid)
        self._process.wait()
        self._process = None

    def signal(self, number):
        """Send a signal to all its processes."""
        for process in [*server.children(self._process.pid), self._process.pid]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def has_ended(self):
        return self._process is None or self._process.poll() is not None

    def _check_answers(self):
        """Raises: OSError if it does not accept connections yet."""
        self._run("pg_isready", *self._address(), "--quiet")

    def _address(self):
        return ["--host=127.0.0.1", f"--port={self.port}", f"--username={ACCOUNT}"]

    def _run(self, program, *arguments):
        """Raises: OSError."""
        done = subprocess.run(
            [*unprivileged.prefix(ACCOUNT), os.path.join(PROGRAMS, program), *arguments],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise ChildProcessError(done.stderr)


def kill(postmaster):
    """Kill a server, given the id of its first process, and all processes that it has started."""
    with contextlib.suppress(ProcessLookupError):
        # A stopped server cannot start any more processes.
        os.kill(postmaster, signal.SIGSTOP)
    children = server.children(postmaster)
    for process in [*children, postmaster]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    # The processes share memory, and the server does not start again until all have released it.
    while any(map(_is_running, children)):
        time.sleep(0.01)


def _is_running(process):
    """Whether a process has neither ended nor become a zombie, which has no command line."""
    try:
        with open(f"/proc/{process}/cmdline") as line:
            return bool(line.read())
    except FileNotFoundError:
        return False
