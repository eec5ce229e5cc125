"""Three MariaDB servers that are one database: a Galera cluster."""

import contextlib
import os
import re
import shutil
from typing import NamedTuple

from tests import server
from tests.deployed.servers import machines, mariadb, unprivileged

NODES = 3
# The first statement of a transaction waits until its node has what others have committed.
SYNC_WAIT = 7

PROVIDER = "/usr/lib/galera/libgalera_smm.so"
IS_INSTALLED = bool(
    mariadb.IS_INSTALLED and os.path.exists(PROVIDER) and shutil.which("rsync")
)

_SETTINGS = """
# Tables are opened, and their triggers read, again and again while clients write.
table_open_cache = 10
table_open_cache_instances = 1

innodb_autoinc_lock_mode = 2
innodb_flush_log_at_trx_commit = {flush}
# How many seconds of writes may be lost if that is 0. In the default, 1, there may be none.
innodb_flush_log_at_timeout = 5
wsrep_on = ON
wsrep_provider = {provider}
wsrep_provider_options = "gmcast.listen_addr=tcp://{address}:{ports.group};ist.recv_addr={address}:{ports.ist}"
wsrep_cluster_name = {cluster}
wsrep_cluster_address = gcomm://{members}
wsrep_node_address = {address}
wsrep_node_incoming_address = {address}:{ports.sql}
wsrep_sst_method = rsync
wsrep_sst_receive_address = {address}:{ports.sst}
wsrep_sync_wait = {sync_wait}
"""

# The file in which a killed node has recorded which writes of the cluster it has.
_POSITION = re.compile(r"WSREP: Recovered position: (\S+)")


class Ports(NamedTuple):
    """For SQL, for traffic between nodes, and for full and incremental state transfers."""

    sql: int
    group: int
    sst: int
    ist: int


@contextlib.contextmanager
def running(sync_wait=SYNC_WAIT, where=(machines.THIS,) * NODES, flush=1):
    """Yield the Nodes of a cluster, with an empty database, and stop them.

    flush: their innodb_flush_log_at_trx_commit
    """
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(unprivileged.directory(mariadb.ACCOUNT))
        numbers = server.free_ports(len(Ports._fields) * NODES)
        ports = [Ports(*numbers[index::NODES]) for index in range(NODES)]
        nodes = [
            Node(os.path.join(directory, f"node{number}"), each, machine)
            for number, (each, machine) in enumerate(zip(ports, where, strict=True), 1)
        ]
        members = ",".join(node.member for node in nodes)
        for node in nodes:
            node.configure(os.path.basename(directory), members, sync_wait, flush)
            stack.callback(node.kill)
        nodes[0].found()
        for node in nodes[1:]:
            node.start()
        yield nodes


def recover(nodes):
    """Restart Nodes that were all killed, beginning with the one that has the most writes."""
    first = max(nodes, key=lambda node: int(node.position().rpartition(":")[2]))
    first.found_again()
    for node in nodes:
        node.ensure_running()


class Node(mariadb.Server):
    """One server of the cluster."""

    def __init__(self, directory, ports, machine):
        super().__init__(directory, ports.sql, machine)
        self._ports = ports

    @property
    def member(self):
        """The address of its traffic with other nodes."""
        return f"{self.machine.address}:{self._ports.group}"

    def configure(self, cluster, members, sync_wait, flush):
        super().configure(
            _SETTINGS.format(
                provider=PROVIDER,
                address=self.machine.address,
                ports=self._ports,
                cluster=cluster,
                members=members,
                sync_wait=sync_wait,
                flush=flush,
            )
        )

    def found(self):
        """Start as the first node, and make the database and its user."""
        self.set_up("--wsrep-new-cluster")

    def found_again(self):
        """Start a killed node again, as the first one of the cluster."""
        with open(self._path("data/grastate.dat"), "r+") as state:
            text = state.read().replace("safe_to_bootstrap: 0", "safe_to_bootstrap: 1")
            state.seek(0)
            state.write(text)
        self.start("--wsrep-new-cluster", f"--wsrep-start-position={self.position()}")

    def ensure_running(self):
        """If it was killed, start it again, and let it catch up with the others."""
        if self._process is None:
            self.start(f"--wsrep-start-position={self.position()}")

    def position(self):
        """Return, as "cluster:number", which of the cluster's writes a killed node has."""
        recovered = self._run(mariadb.PROGRAM, "--wsrep-recover", "--log-error=/dev/stderr").stderr
        [position] = _POSITION.findall(recovered)
        return position

    def _check_ready(self):
        """Raises: OSError if this node has not caught up with the others yet."""
        _, state = self._ask("SHOW STATUS LIKE 'wsrep_local_state_comment'")
        if state != "Synced":
            raise ConnectionRefusedError(state)
