"""Tell the stories of tests/gabbits to a live server, with gabbi-run.

The server is the one at $BASE_URL, or else one that is started here on a free port with an
empty database, and stopped at the end.
"""

import contextlib
import glob
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

STORIES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gabbits", "*.yaml")
START_SECONDS = 60


def main():
    with contextlib.ExitStack() as stack:
        url = os.environ.get("BASE_URL")
        options = []
        if not url:
            url = stack.enter_context(_server())
            # There is no TLS here, so that each request need not load the certificates.
            options = ["--insecure"]
        stories = sorted(glob.glob(STORIES))
        return subprocess.run(
            [_program("gabbi-run"), *options, url, "--", *stories], check=False
        ).returncode


def _program(name):
    """A program of the environment that runs this script."""
    return os.path.join(os.path.dirname(sys.executable), name)


@contextlib.contextmanager
def _server():
    """Run a server with a database of its own; give its URL when it answers."""
    with tempfile.TemporaryDirectory() as directory:
        environment = os.environ | {
            "OS_API__AUTH_STRATEGY": "noauth2",
            "OS_PLACEMENT_DATABASE__CONNECTION": f"sqlite:///{directory}/placement.db",
            "OS_PLACEMENT_DATABASE__SYNC_ON_STARTUP": "true",
        }
        address = f"127.0.0.1:{_free_port()}"
        log = os.path.join(directory, "server.log")
        with open(log, "wb") as output:
            server = subprocess.Popen(
                [_program("gunicorn"), "--bind", address, "--threads", "4"]
                + ["placement.wsgi.api:application"],
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            _wait_until_it_answers(f"http://{address}/", server, log)
            yield f"http://{address}"
        finally:
            server.terminate()
            server.wait()


def _free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _wait_until_it_answers(url, server, log):
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    with open(log) as lines:
        sys.exit(f"The server did not start:\n{lines.read()}")


if __name__ == "__main__":
    sys.exit(main())
