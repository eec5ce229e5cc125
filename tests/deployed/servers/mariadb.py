"""A MariaDB server that belongs to the tests.

It shares nothing with a MariaDB that this machine may run as a service: no configuration, data or
ports.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess

import sqlalchemy as sa

from tests import server
from tests.deployed.servers import machines, unprivileged

ACCOUNT = "mysql"
PACKAGE = "mariadb-server"
# The name of the database and of a user, and the password.
PLACEMENT = "placement"

PROGRAM = shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
INSTALL = shutil.which("mariadb-install-db")
IS_INSTALLED = bool(PROGRAM and INSTALL)

_CONFIGURATION = """
[mariadbd]
datadir = {directory}/data
tmpdir = {directory}
socket = {directory}/socket
pid_file = {directory}/pid
bind_address = {listen}
port = {port}
performance_schema = OFF
binlog_format = ROW
log_bin_trust_function_creators = ON
# MariaDB 11.6.2 and later have it on by default; the oldest do not know it.
loose_innodb_snapshot_isolation = ON
"""
# Everything that was committed is on the disk.
DURABLE = """
innodb_flush_log_at_trx_commit = 1
log_bin = binlog
sync_binlog = 1
"""


@contextlib.contextmanager
def running(directory, settings=DURABLE):
    """Yield a Server with an empty database, whose data is in a directory of ACCOUNT; stop it."""
    port = server.free_port()
    only = Server(directory, port)
    try:
        only.configure(settings)
        only.set_up()
        yield only
    finally:
        only.kill()


class Server:
    """One MariaDB, on a machine; `url` names its database."""

    def __init__(self, directory, port, machine=machines.THIS):
        address = f"{machine.outer_address}:{port}"
        self.url = f"mysql+pymysql://{PLACEMENT}:{PLACEMENT}@{address}/{PLACEMENT}"
        self.machine = machine
        self._directory = directory
        self._port = port
        self._process = None

    def configure(self, settings):
        """Make the directories, and a file with lines of settings."""
        for path in (self._directory, self._path("data")):
            os.makedirs(path, exist_ok=True)
            unprivileged.hand_over(path, ACCOUNT)
        own = _CONFIGURATION.format(
            directory=self._directory, listen=self.machine.listen, port=self._port
        )
        with open(self._path("my.cnf"), "w") as lines:
            lines.write(own + settings)

    def set_up(self, *options):
        """Start for the first time, and make the database and its user."""
        self._run(INSTALL, "--auth-root-authentication-method=normal", "--skip-test-db")
        self.start(*options)
        root = sa.create_engine(self.root_url(), isolation_level="AUTOCOMMIT")
        with root.connect() as conn:
            for statement in (
                f"CREATE DATABASE {PLACEMENT} CHARACTER SET utf8mb3",
                f"CREATE USER {PLACEMENT}@'%%' IDENTIFIED BY '{PLACEMENT}'",
                f"GRANT ALL ON `{PLACEMENT}%%`.* TO {PLACEMENT}@'%%'",
            ):
                conn.exec_driver_sql(statement)
        root.dispose()

    def start(self, *options):
        """Start, and wait until it is ready."""
        log = self._path("log")
        with open(log, "ab") as output:
            self._process = subprocess.Popen(
                self._command(PROGRAM, *options),
                stdout=output,
                stderr=subprocess.STDOUT,
                # In a session of its own, it can be killed together with the programs that it
                # starts to transfer its data.
                start_new_session=True,
            )
        server.wait_for(self._check_ready, self._process, log)

    def kill(self):
        """End at once, as when the machine loses its power."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def signal(self, number):
        """Send a signal to all its processes."""
        os.killpg(self._process.pid, number)

    def has_ended(self):
        return self._process is None or self._process.poll() is not None

    def _check_ready(self):
        """Raises: OSError if it does not answer yet."""
        self._ask("SELECT 1")

    def _ask(self, statement):
        """Return the row that answers a statement. Raises: OSError."""
        # PyMySQL would leave its own socket open if it could not connect it.
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(self._path("socket"))
        root = sa.create_engine(self.root_url(), poolclass=sa.NullPool)
        try:
            with root.connect() as conn:
                return conn.exec_driver_sql(statement).one()
        except sa.exc.OperationalError as error:
            raise ConnectionRefusedError from error

    def root_url(self):
        return f"mysql+pymysql://root@/?unix_socket={self._path('socket')}"

    def _run(self, program, *options):
        return subprocess.run(
            self._command(program, *options), capture_output=True, text=True, check=True
        )

    def _command(self, program, *options):
        return [
            *self.machine.prefix,
            *unprivileged.prefix(ACCOUNT),
            program,
            f"--defaults-file={self._path('my.cnf')}",
            *options,
        ]

    def _path(self, name):
        return os.path.join(self._directory, name)
