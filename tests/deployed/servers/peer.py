"""openstack-placement, in its own environment, and our service beside it.

PEER_BIN names the directory of its programs. openstack-placement also runs in a directory of its
own: packages in the current directory are imported before those that are installed.
"""

import contextlib
import functools
import os
import subprocess
import sys
import sysconfig
import tempfile

from tests import server

BIN = os.environ.get("PEER_BIN")
OUR_BIN = os.path.dirname(sys.executable)


def packages():
    """Return the directory in which openstack-placement and its requirements are installed."""
    return sysconfig.get_path("purelib", vars={"base": os.path.dirname(BIN)})


class Installation:
    """A Placement of either kind, configured for the database at `url`."""

    def __init__(self, bin_directory, url):
        self._bin = bin_directory
        self._environment = _environment(url)

    def run(self, program, *arguments):
        """Run a command. Return (exit status, what it printed)."""
        with tempfile.TemporaryDirectory() as directory:
            done = subprocess.run(
                [os.path.join(self._bin, program), *arguments],
                cwd=directory,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        return done.returncode, done.stdout

    @contextlib.contextmanager
    def serving(self, workers=2):
        """Yield the URL of a server, which is stopped at the end.

        On SQLite, openstack-placement needs a single worker: each writes the standard traits when
        it starts, and one that finds the database locked ends the server.
        """
        address = f"127.0.0.1:{server.free_port()}"
        command = [os.path.join(self._bin, "gunicorn"), "--bind", address]
        command += ["--workers", str(workers)]
        with tempfile.TemporaryDirectory() as directory:
            log = os.path.join(directory, "server.log")
            with server.process(
                [*command, server.APPLICATION], log, self._environment, cwd=directory
            ) as process:
                server.wait_for(functools.partial(server.ask, f"http://{address}/"), process, log)
                yield f"http://{address}"


def _environment(url):
    settings = server.environment(
        placement_database__connection=url, placement_database__sync_on_startup="false"
    )
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return inherited | settings
