"""Three machines with PostgreSQL; Patroni and an etcd on each make one of them the primary.

The primary acknowledges a commit only when another machine has it, too, unless configured
otherwise. The services that the packages would start on this machine are not used.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import requests
import sqlalchemy as sa

from tests.deployed.servers import postgresql, unprivileged

NODES = 3
PROGRAM = shutil.which("patroni")
ETCD = shutil.which("etcd")
IS_INSTALLED = bool(PROGRAM and ETCD and postgresql.IS_INSTALLED)

_DATABASE = postgresql.DATABASE
_ACCOUNT = postgresql.ACCOUNT
# Each machine has addresses of its own.
_SQL, _API, _ETCD_CLIENTS, _ETCD_PEERS = 5432, 8008, 2379, 2380
# How long a primary that does not answer keeps its role.
_TTL_SECONDS = 10
_PATIENCE_SECONDS = 90


@contextlib.contextmanager
def running(where, is_synchronous=True):
    """Yield the Cluster on three machines, with an empty database, and stop it.

    Unless it is synchronous, the primary does not wait for other machines.
    """
    with contextlib.ExitStack() as stack:
        directory = stack.enter_context(unprivileged.directory(_ACCOUNT))
        nodes = [
            Node(os.path.join(directory, f"node{number}"), f"node{number}", machine)
            for number, machine in enumerate(where, 1)
        ]
        cluster = Cluster(nodes, is_synchronous)
        for node in nodes:
            stack.callback(node.end)
            node.configure(nodes, is_synchronous)
        for node in nodes:
            node.start()
        cluster.wait_until_whole()
        cluster.create_database()
        yield cluster


class Cluster:
    """The `nodes` of a cluster; `url` names the database on the current primary."""

    def __init__(self, nodes, is_synchronous):
        self.nodes = nodes
        self._roles = ["leader", "replica", "sync_standby" if is_synchronous else "replica"]
        hosts = "&".join(f"host={node.machine.outer_address}:{_SQL}" for node in nodes)
        primary = "target_session_attrs=read-write"
        self.url = f"postgresql+psycopg2://{_ACCOUNT}@/{_DATABASE}?{hosts}&{primary}"

    def create_database(self):
        url = sa.make_url(self.url).set(database="postgres")
        primary = sa.create_engine(url, isolation_level="AUTOCOMMIT")
        with primary.connect() as conn:
            conn.exec_driver_sql(f"CREATE DATABASE {_DATABASE}")
        primary.dispose()

    def wait_for_primary(self, *excluded):
        """Wait for a primary that is not one of these, and return its Node."""
        return _wait(
            lambda: next(
                (each for each in self.nodes if each not in excluded and each.is_primary()), None
            )
        )

    def wait_until_whole(self):
        """Wait until there is a primary, and all others follow it."""
        _wait(self._is_whole)

    def _is_whole(self):
        roles = [
            member["role"]
            for node in self.nodes
            if node.is_primary()
            for member in node.members()
            if member["state"] in ("running", "streaming")
        ]
        return sorted(roles) == self._roles


class Node:
    """A machine with an etcd, and a Patroni that starts its PostgreSQL."""

    def __init__(self, directory, name, machine):
        self.machine = machine
        self._directory = directory
        self._name = name
        self._processes = {}

    def configure(self, nodes, is_synchronous):
        os.mkdir(self._directory)
        unprivileged.hand_over(self._directory, _ACCOUNT)
        with open(self._path("patroni.yaml"), "w") as lines:
            # JSON is also valid YAML.
            json.dump(self._configuration(nodes, _dynamic(is_synchronous)), lines)
        peers = ",".join(f"{node._name}={node._url(_ETCD_PEERS)}" for node in nodes)
        clients, own = self._url(_ETCD_CLIENTS), self._url(_ETCD_PEERS)
        self._etcd = [
            *(ETCD, f"--name={self._name}", f"--data-dir={self._path('etcd')}"),
            *(f"--listen-client-urls={clients}", f"--advertise-client-urls={clients}"),
            *(f"--listen-peer-urls={own}", f"--initial-advertise-peer-urls={own}"),
            f"--initial-cluster={peers}",
        ]

    def _configuration(self, nodes, dynamic):
        trusted = [
            "local all all trust",
            *(f"host {each} all 0.0.0.0/0 trust" for each in ("all", "replication")),
        ]
        return {
            "scope": _DATABASE,
            "name": self._name,
            "restapi": {
                "listen": f"0.0.0.0:{_API}",
                "connect_address": f"{self.machine.address}:{_API}",
            },
            "etcd3": {"hosts": [f"{node.machine.address}:{_ETCD_CLIENTS}" for node in nodes]},
            "bootstrap": {"dcs": dynamic, "initdb": ["data-checksums"]},
            "postgresql": {
                "listen": f"0.0.0.0:{_SQL}",
                "connect_address": f"{self.machine.address}:{_SQL}",
                "data_dir": self._path("data"),
                "bin_dir": postgresql.PROGRAMS,
                "pgpass": self._path("pgpass"),
                "pg_hba": trusted,
                "parameters": {"unix_socket_directories": self._directory},
                "authentication": {
                    role: {"username": _ACCOUNT} for role in ("superuser", "replication", "rewind")
                },
            },
        }

    def start(self):
        """Start etcd and Patroni, unless they are running."""
        for name, command in (
            ("etcd", self._etcd),
            ("patroni", [PROGRAM, self._path("patroni.yaml")]),
        ):
            if name not in self._processes:
                self._processes[name] = self._start(name, command)

    def _start(self, name, command):
        with open(self._path(f"{name}.log"), "ab") as output:
            return subprocess.Popen(
                [*self.machine.prefix, *unprivileged.prefix(_ACCOUNT), *command],
                cwd=self._directory,
                env={"PATH": os.environ["PATH"]},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def kill(self):
        """End Patroni and PostgreSQL at once, but not etcd."""
        self._kill("patroni")
        postmaster = pathlib.Path(self._path("data"), "postmaster.pid")
        if postmaster.exists():
            postgresql.kill(int(postmaster.read_text().split()[0]))

    def end(self):
        if self._processes:
            self.kill()
            self._kill("etcd")

    def _kill(self, name):
        process = self._processes.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def is_primary(self):
        """Whether this machine is the primary, according to its Patroni."""
        try:
            return requests.get(self._api("primary"), timeout=2).status_code == 200
        except requests.RequestException:
            return False

    def members(self):
        """Return what its Patroni knows of each node of the cluster."""
        return requests.get(self._api("cluster"), timeout=5).json()["members"]

    def hand_over(self):
        """Make another node the primary, as a planned switchover does."""
        answer = requests.post(self._api("switchover"), json={"leader": self._name}, timeout=60)
        answer.raise_for_status()

    def _api(self, path):
        return f"http://{self.machine.outer_address}:{_API}/{path}"

    def _url(self, port):
        return f"http://{self.machine.address}:{port}"

    def _path(self, name):
        return os.path.join(self._directory, name)


def _dynamic(is_synchronous):
    """Return the settings of the whole cluster."""
    return {
        "ttl": _TTL_SECONDS,
        "loop_wait": 1,
        "retry_timeout": 3,
        "synchronous_mode": is_synchronous,
        # Without another machine, no commit is acknowledged.
        "synchronous_mode_strict": is_synchronous,
        "postgresql": {"use_pg_rewind": True},
    }


def _wait(attempt):
    """Return what `attempt` returns, as soon as it is true. Raises: TimeoutError."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not (found := attempt()):
        if time.monotonic() > deadline:
            raise TimeoutError("the cluster has no primary, or is not whole")
        time.sleep(0.2)
    return found
