"""The servers that are measured; each one is its own process group."""

import contextlib
import os
import pathlib
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

from bench.measuring import interrupts
from bench.measuring.client import TIMEOUT_SECONDS, Client, Unexpected
from bench.running import databases

START_SECONDS = 120
STOP_SECONDS = 10
LAST_WORDS = 30
REPOSITORY = str(pathlib.Path(__file__).parents[2])


class Server(NamedTuple):
    """A running server.

    pid            the process that its workers descend from
    database_pid   the process that serves its database, or None if it is not visible
    patience       how many seconds to wait for an answer that is measured
    """

    name: str
    port: int
    pid: int
    database_url: str
    database_pid: int | None
    patience: int = TIMEOUT_SECONDS

    def client(self):
        """Return a Client that waits for an answer no longer than `patience`."""
        return Client(self.port, self.patience)


class Launch(NamedTuple):
    """How to start a server: its arguments, its whole environment, its working directory."""

    port: int
    arguments: list
    environment: dict
    directory: str


@contextlib.contextmanager
def started(name, options, launch):
    """Start a server with its own database and directory; yield it; remove all three at the end.

    `launch` is called with a free port, the URL of the database and the directory, and returns
    the Launch.
    Raises: Unexpected, sqlalchemy.exc.SQLAlchemyError.
    """
    with (
        tempfile.TemporaryDirectory(prefix="placement-bench-") as directory,
        databases.fresh(options.engine, options.database_server, directory) as url,
    ):
        port = free_port()
        with _running(name, launch(port, url, directory), directory) as pid:
            yield Server(name, port, pid, url, databases.server_pid(url))


def this_server(port, database_url, workers, web_server="gunicorn"):
    """Return the Launch of the server of this repository.

    Each worker has one thread: gunicorn then uses its plain synchronous workers, which are also the
    easiest way to serve a peer. The `web_server` is one of WEB_SERVERS.
    """
    environment = os.environ | {
        "OS_API__AUTH_STRATEGY": "noauth2",
        "OS_PLACEMENT_DATABASE__CONNECTION": database_url,
        "OS_PLACEMENT_DATABASE__SYNC_ON_STARTUP": "true",
    }
    return Launch(port, WEB_SERVERS[web_server](port, workers), environment, REPOSITORY)


def _gunicorn(port, workers):
    arguments = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}"]
    arguments += ["--workers", str(workers), "--threads", "1", "--timeout", "3600"]
    return [*arguments, "placement.wsgi.api:application"]


def _uwsgi(port, workers):
    arguments = [os.path.join(os.path.dirname(sys.executable), "uwsgi"), "--master"]
    arguments += ["--die-on-term", "--http-socket", f"127.0.0.1:{port}"]
    arguments += ["--add-header", "Connection: close", "--workers", str(workers)]
    arguments += ["--lazy-apps", "--enable-threads"]
    arguments += ["--virtualenv", sys.prefix, "--buffer-size", "65535", "--disable-logging"]
    return [*arguments, "--module", "placement.wsgi.api:application"]


# Name -> the arguments that serve at a port with a number of workers.
WEB_SERVERS = {"gunicorn": _gunicorn, "uwsgi": _uwsgi}


def peer(command, port, database_url, workers, directory):
    """Return the Launch of another server.

    The words PORT, URL and WORKERS of the command stand for these values. It runs in `directory`,
    not in this repository: gunicorn imports from its working directory, and the peer's package may
    also be called `placement`.
    """
    values = {"PORT": str(port), "URL": database_url, "WORKERS": str(workers)}
    program, *arguments = [values.get(word, word) for word in shlex.split(command)]
    if os.sep in program:
        program = os.path.abspath(program)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return Launch(port, [program, *arguments], environment, directory)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def _running(name, launch, directory):
    """Start a server, yield its pid when it answers, and stop all its processes at the end.

    Its output goes to a file in `directory`.
    Raises: Unexpected, with the server's output, if the server does not answer.
    """
    log = os.path.join(directory, f"{name.replace(' ', '-')}.log")
    with contextlib.ExitStack() as stack:
        # An interrupt at this point would leave a process that nobody would stop.
        with open(log, "wb") as output, interrupts.delayed():
            process = subprocess.Popen(
                launch.arguments,
                env=launch.environment,
                cwd=launch.directory,
                stdout=output,
                stderr=subprocess.STDOUT,
                # Ctrl-C is for the benchmark, which stops the servers itself. The group also
                # contains what a script has started.
                start_new_session=True,
            )
            stack.callback(_stop, process)
        if not _comes_to_answer(launch.port, process):
            with open(log, errors="replace") as lines:
                last = "".join(lines.readlines()[-LAST_WORDS:])
            raise Unexpected(f"{name} did not start:\n{last}")
        yield process.pid


def _comes_to_answer(port, process):
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.closing(Client(port)) as client, contextlib.suppress(OSError):
            return client.ask("GET", "/").is_success
        time.sleep(0.1)
    return False


def _stop(process):
    """End the process and its group, and kill (SIGKILL) every process that does not end in time."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(STOP_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
