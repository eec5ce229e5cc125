"""The service, which can be killed, paused and started again at the same address."""

import functools
import os
import signal
import subprocess

from tests import server

WORKERS = 2


class Service:
    """Gunicorn with two workers, which serves at `url`; `process` is its master process.

    A context manager. `environment` is added to the environment of this process; `settings` are
    as for server.placement.
    """

    def __init__(
        self, directory, environment=None, application=server.APPLICATION, **settings
    ):
        port = server.free_port()
        self.url = f"http://127.0.0.1:{port}"
        self.process = None
        self._log = os.path.join(directory, "service.log")
        self._environment = os.environ | server.environment(**settings) | (environment or {})
        self._command = [
            *(server.program("gunicorn"), "--bind", f"127.0.0.1:{port}"),
            *("--workers", str(WORKERS), "--threads", "4", application),
        ]

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_error):
        self.process.terminate()
        self.process.wait()
        server.print_unexpected_errors(self._log)

    def start(self):
        with open(self._log, "ab") as output:
            self.process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        server.wait_for(functools.partial(server.ask, f"{self.url}/"), self.process, self._log)

    def signal_all(self, number):
        """Send a signal to the master and all workers."""
        os.killpg(self.process.pid, number)

    def kill(self):
        self.signal_all(signal.SIGKILL)
        self.process.wait()

    def workers(self):
        """Return the ids of the processes that answer."""
        return server.children(self.process.pid)
