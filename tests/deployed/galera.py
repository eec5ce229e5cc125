"""Three MariaDB servers that are one database: a Galera cluster, on the loopback interface.

They have nothing in common with a MariaDB that this machine may run as a service: neither
configuration nor data nor ports.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
from typing import NamedTuple

import sqlalchemy as sa

from tests import server
from tests.deployed import unprivileged

NODES = 3
ACCOUNT = "mysql"
# The name of the database, and also of a user and the password.
PLACEMENT = "placement"
# The first statement of a transaction waits until its node has what others have committed.
SYNC_WAIT = 7

PROGRAM = shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
INSTALL = shutil.which("mariadb-install-db")
PROVIDER = "/usr/lib/galera/libgalera_smm.so"
IS_INSTALLED = bool(PROGRAM and INSTALL and os.path.exists(PROVIDER) and shutil.which("rsync"))

CONFIGURATION = """
[mariadbd]
datadir = {directory}/data
tmpdir = {directory}
socket = {directory}/socket
pid_file = {directory}/pid
bind_address = 127.0.0.1
port = {ports.sql}
performance_schema = OFF
# Tables are opened, and their triggers read, again and again while clients write.
table_open_cache = 10
table_open_cache_instances = 1

binlog_format = ROW
log_bin_trust_function_creators = ON
innodb_autoinc_lock_mode = 2
innodb_flush_log_at_trx_commit = 2
wsrep_on = ON
wsrep_provider = {provider}
wsrep_provider_options = "gmcast.listen_addr=tcp://127.0.0.1:{ports.group};ist.recv_addr=127.0.0.1:{ports.ist}"
wsrep_cluster_name = {cluster}
wsrep_cluster_address = gcomm://{members}
wsrep_node_address = 127.0.0.1
wsrep_node_incoming_address = 127.0.0.1:{ports.sql}
wsrep_sst_method = rsync
wsrep_sst_receive_address = 127.0.0.1:{ports.sst}
wsrep_sync_wait = {sync_wait}
"""

# Where a node that was killed records which writes of the cluster it has.
_POSITION = re.compile(r"WSREP: Recovered position: (\S+)")


class Ports(NamedTuple):
    """For SQL, for traffic between nodes, and for what a joining node is sent: all, or the rest."""

    sql: int
    group: int
    sst: int
    ist: int


@contextlib.contextmanager
def running(sync_wait=SYNC_WAIT):
    """Give the Nodes of a cluster, with an empty database, and end them."""
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(unprivileged.directory(ACCOUNT))
        numbers = server.lasting_ports(len(Ports._fields) * NODES)
        ports = [Ports(*numbers[each::NODES]) for each in range(NODES)]
        members = ",".join(f"127.0.0.1:{each.group}" for each in ports)
        nodes = [
            Node(os.path.join(directory, f"node{number}"), each)
            for number, each in enumerate(ports, 1)
        ]
        cluster = os.path.basename(directory)
        for node in nodes:
            node.configure(cluster=cluster, members=members, sync_wait=sync_wait)
            stack.callback(node.kill)
        nodes[0].found()
        for node in nodes[1:]:
            node.start()
        yield nodes


class Node:
    """One server of the cluster. Attributes: url, of the database."""

    def __init__(self, directory, ports):
        self.url = f"mysql+pymysql://{PLACEMENT}:{PLACEMENT}@127.0.0.1:{ports.sql}/{PLACEMENT}"
        self._directory = directory
        self._ports = ports
        self._process = None

    def configure(self, **options):
        for path in (self._directory, self._path("data")):
            os.mkdir(path)
            if os.geteuid() == 0:
                shutil.chown(path, ACCOUNT)
        with open(self._path("my.cnf"), "w") as lines:
            lines.write(
                CONFIGURATION.format(
                    directory=self._directory, ports=self._ports, provider=PROVIDER, **options
                )
            )

    def found(self):
        """Start as the first node, and make the database and its user."""
        self._run(INSTALL, "--auth-root-authentication-method=normal", "--skip-test-db")
        self.start("--wsrep-new-cluster")
        root = sa.create_engine(
            f"mysql+pymysql://root@/?unix_socket={self._path('socket')}",
            isolation_level="AUTOCOMMIT",
        )
        with root.connect() as conn:
            for statement in (
                f"CREATE DATABASE {PLACEMENT} CHARACTER SET utf8mb3",
                f"CREATE USER {PLACEMENT}@'%%' IDENTIFIED BY '{PLACEMENT}'",
                f"GRANT ALL ON `{PLACEMENT}%%`.* TO {PLACEMENT}@'%%'",
            ):
                conn.exec_driver_sql(statement)
        root.dispose()

    def start(self, *options):
        """Join the cluster, and wait until this node has all that the others have."""
        log = self._path("log")
        with open(log, "ab") as output:
            self._process = subprocess.Popen(
                self._command(PROGRAM, *options),
                stdout=output,
                stderr=subprocess.STDOUT,
                # What it calls to send and receive all data ends with it.
                start_new_session=True,
                **unprivileged.account(ACCOUNT),
            )
        server.wait_for(self._check_synced, self._process, log)

    def kill(self):
        """End at once, as when the machine loses its power."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def ensure_running(self):
        """If it was killed, start again: take from the others what was written meanwhile."""
        if self._process is not None:
            return
        recovered = self._run(PROGRAM, "--wsrep-recover", "--log-error=/dev/stderr").stderr
        [position] = _POSITION.findall(recovered)
        self.start(f"--wsrep-start-position={position}")

    def _check_synced(self):
        """Raises: OSError if this node has not caught up with the others yet."""
        node = sa.create_engine(
            f"mysql+pymysql://root@/?unix_socket={self._path('socket')}", poolclass=sa.NullPool
        )
        try:
            with node.connect() as conn:
                [state] = conn.execute(
                    sa.text("SHOW STATUS LIKE 'wsrep_local_state_comment'")
                ).scalars("Value")
        except sa.exc.OperationalError as error:
            raise ConnectionRefusedError from error
        if state != "Synced":
            raise ConnectionRefusedError(state)

    def _run(self, program, *options):
        return subprocess.run(
            self._command(program, *options),
            capture_output=True,
            text=True,
            check=True,
            **unprivileged.account(ACCOUNT),
        )

    def _command(self, program, *options):
        return [program, f"--defaults-file={self._path('my.cnf')}", *options]

    def _path(self, name):
        return os.path.join(self._directory, name)
