"""Live servers, for those who are not content with an application in their own process."""

import contextlib
import functools
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

START_SECONDS = 60


@contextlib.contextmanager
def running():
    """Give the URL of a server: the one at $BASE_URL, or one that is started and stopped here."""
    url = os.environ.get("BASE_URL")
    if url:
        yield url.rstrip("/")
        return
    with placement() as url:
        yield url


@contextlib.contextmanager
def placement(gunicorn_options=(), **settings):
    """Give the URL of a server with an SQLite database that is empty.

    `settings` are values of options by "group__option"; tokens are believed (noauth2) unless
    they say otherwise.
    """
    with tempfile.TemporaryDirectory() as directory:
        settings = {
            "api__auth_strategy": "noauth2",
            "placement_database__connection": f"sqlite:///{directory}/placement.db",
            "placement_database__sync_on_startup": "true",
        } | settings
        environment = {f"OS_{name.upper()}": value for name, value in settings.items()}
        with gunicorn(
            "placement.wsgi.api:application", environment, directory, gunicorn_options
        ) as url:
            yield url


@contextlib.contextmanager
def gunicorn(application, environment, directory, options=()):
    """Give the URL of a server of a WSGI application, on a free port, and stop it at the end.

    `environment` is added to that of this process. `directory` is for the log.
    """
    address = f"127.0.0.1:{free_port()}"
    command = [program("gunicorn"), "--bind", address, "--threads", "4", *options, application]
    log = os.path.join(directory, "server.log")
    with process(command, log, os.environ | environment) as server:
        wait_for(functools.partial(_ask, f"http://{address}/"), server, log)
        yield f"http://{address}"


@contextlib.contextmanager
def process(command, log, environment=None):
    """Give a process, which writes to the file `log` and is stopped at the end."""
    with open(log, "wb") as output:
        server = subprocess.Popen(
            command, env=environment, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        yield server
    finally:
        server.terminate()
        server.wait()


def program(name):
    """The path of a program in the environment that runs this process."""
    return os.path.join(os.path.dirname(sys.executable), name)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(attempt, server, log):
    """Call `attempt` until it raises no OSError.

    Raises: SystemExit with the log, if the process `server` ends or takes too long.
    """
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            attempt()
            return
        except OSError:
            time.sleep(0.1)
    with open(log) as lines:
        sys.exit(f"The server did not start:\n{lines.read()}")


def _ask(url):
    """Return when there is an answer, whatever its status. Raises: OSError."""
    try:
        urllib.request.urlopen(url, timeout=1).close()
    except urllib.error.HTTPError as answer:
        answer.close()
