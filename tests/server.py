"""Live servers, for tests that need more than an application in their own process."""

import atexit
import contextlib
import functools
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

APPLICATION = "placement.wsgi.api:application"
# A server that fails ends at once, so a long time costs nothing, and a busy machine may need that
# long.
START_SECONDS = 300
# These are below the ports that Linux gives to outgoing connections.
PORTS = range(10000, 18700)

# Sockets that keep the ports for the tests of this process.
_reservations = contextlib.ExitStack()
atexit.register(_reservations.close)


@contextlib.contextmanager
def running():
    """Yield the URL of a server: the one at $BASE_URL, or one that is started and stopped here."""
    url = os.environ.get("BASE_URL")
    if url:
        yield url.rstrip("/")
        return
    with placement() as url:
        yield url


@contextlib.contextmanager
def placement(gunicorn_options=(), **settings):
    """Yield the URL of a server with an empty SQLite database.

    `settings` are values of options by "group__option"; tokens are trusted (noauth2) unless
    they say otherwise.
    """
    with tempfile.TemporaryDirectory() as directory:
        settings = {
            "placement_database__connection": f"sqlite:///{directory}/placement.db"
        } | settings
        with gunicorn(APPLICATION, environment(**settings), directory, gunicorn_options) as url:
            yield url


def environment(**settings):
    """Return the environment variables that set options, given as for `placement`."""
    settings = {
        "api__auth_strategy": "noauth2",
        "api__docs_page": "true",
        "operator__page": "true",
        "placement_database__sync_on_startup": "true",
    } | settings
    return {f"OS_{name.upper()}": value for name, value in settings.items()}


@contextlib.contextmanager
def gunicorn(application, environment, directory, options=()):
    """Yield the URL of a server of a WSGI application, on a free port, and stop it at the end.

    `environment` is added to the environment of this process. `directory` is for the log.
    """
    address = f"127.0.0.1:{free_port()}"
    command = [program("gunicorn"), "--bind", address, "--threads", "4", *options, application]
    log = os.path.join(directory, "server.log")
    with process(command, log, os.environ | environment) as server:
        wait_for(functools.partial(ask, f"http://{address}/"), server, log)
        try:
            yield f"http://{address}"
        finally:
            print_unexpected_errors(log)


@contextlib.contextmanager
def uwsgi(settings, environment, directory, options=()):
    """Yield the URL of uWSGI with the settings of a file, as `gunicorn` does."""
    address = f"127.0.0.1:{free_port()}"
    with open(settings) as lines:
        text = lines.read().replace("127.0.0.1:8778", address).replace("/opt/placement", sys.prefix)
    copy = os.path.join(directory, "uwsgi.ini")
    with open(copy, "w") as lines:
        lines.write(text)
    log = os.path.join(directory, "server.log")
    command = [program("uwsgi"), "--ini", copy, *options]
    with process(command, log, os.environ | environment) as server:
        wait_for(functools.partial(ask, f"http://{address}/"), server, log)
        try:
            yield f"http://{address}"
        finally:
            print_unexpected_errors(log)


def print_unexpected_errors(log):
    """Print the reasons for answers with status 500 before the log is removed."""
    with open(log, errors="replace") as lines:
        sys.stderr.writelines(line for line in lines if "Unexpected error" in line)


@contextlib.contextmanager
def process(command, log, environment=None, **options):
    """Yield a process, which writes to the file `log` and is stopped at the end.

    `options` are those of subprocess.Popen.
    """
    with open(log, "wb") as output:
        server = subprocess.Popen(
            command, env=environment, stdout=output, stderr=subprocess.STDOUT, **options
        )
    try:
        yield server
    finally:
        server.terminate()
        server.wait()


def children(process):
    """Return the ids of the processes that a process has started, given its id."""
    found = subprocess.run(
        ["pgrep", "-P", str(process)], capture_output=True, text=True, check=False
    )
    return [int(each) for each in found.stdout.split()]


def program(name):
    """The path of a program in the environment that runs this process."""
    return os.path.join(os.path.dirname(sys.executable), name)


def free_port():
    """Return one port as free_ports does."""
    [port] = free_ports(1)
    return port


def free_ports(count):
    """Return free ports, all different.

    Until this process ends, no outgoing connection and no other test gets one of them, even while
    its server is down or has not yet begun to listen.
    """
    ports = []
    for port in random.sample(PORTS, len(PORTS)):
        if len(ports) < count and _reserve(port):
            ports.append(port)
    return ports


def _reserve(port):
    """Return whether a port is free, and was not reserved by another process of the tests."""
    with socket.socket() as listener, contextlib.suppress(OSError):
        listener.bind(("127.0.0.1", port))
        # An address in Linux's abstract namespace: it leaves no file behind.
        reservation = _reservations.enter_context(socket.socket(socket.AF_UNIX))
        reservation.bind(f"\0placement-test-port-{port}")
        return True
    return False


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


def ask(url):
    """Return once there is an answer, whatever its status. Raises: OSError without one."""
    try:
        urllib.request.urlopen(url, timeout=1).close()
    except urllib.error.HTTPError as answer:
        answer.close()
