"""A live server, for those who are not content with an application in their own process."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

START_SECONDS = 60


@contextlib.contextmanager
def running():
    """Give the URL of a server: the one at $BASE_URL, or one that is started and stopped here.

    One that is started has noauth2, a free port, and an SQLite database that is empty.
    """
    url = os.environ.get("BASE_URL")
    if url:
        yield url.rstrip("/")
        return
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
                [program("gunicorn"), "--bind", address, "--threads", "4"]
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


def program(name):
    """The path of a program in the environment that runs this process."""
    return os.path.join(os.path.dirname(sys.executable), name)


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
