"""Names that suddenly mean something else, while clients claim with them.

Providers and classes are deleted and made again, with the same name or another, and backups are
restored while two servers with two workers each go on. So ids are reused, and what workers remember
of names may become wrong at any moment.

Run by `make kill`. STORM_SECONDS says how long.
"""

import collections
import contextlib
import itertools
import os
import random
import re
import threading
import time
import uuid
from concurrent import futures

import requests
import sqlalchemy as sa

from placement.db import engine, tables
from tests import databases, server
from tests.deployed.storm import HEADERS
from tests.functional import invariants

SECONDS = float(os.environ.get("STORM_SECONDS", 10))
WORKERS = 4
CLAIMERS = 3
# How many of the newest hosts to remember. A restore removes some; later hosts get their ids.
HOSTS = 8
CLASSES = ["CUSTOM_A", "CUSTOM_B", "CUSTOM_C"]
# The least number of hosts that are created between a backup and its restore.
GHOSTS = 2
OWNERS = ["one", "two", "three"]
# What must have been answered before the end; otherwise the test has tested nothing.
NEEDED = {
    ("DELETE resource_classes", 204),
    *itertools.product(("PUT allocations", "POST allocations", "POST reshaper"), (204, 400)),
}
# How long the clients may take, at most, to get all these answers.
PATIENCE_SECONDS = SECONDS + 60
# How many claims may delay a restore.
RESTORE_RETRIES = 100


@databases.on_each_database
class StaleNames:
    """If a test fails, a claim or an inventory is stored for what its request does not name."""

    def setUp(self):
        super().setUp()
        self.urls = [
            self.enterContext(
                server.placement(
                    ["--workers", str(WORKERS // 2)], placement_database__connection=self.url
                )
            )
            for _ in range(2)
        ]
        self.ended = threading.Event()
        self.asked = Asked()
        self.restores = 0

    def test_every_allocation_is_of_a_requested_provider_and_class(self):
        self.fill()
        work = [self.restore, self.look, self.register, self.replace]
        work += [self.claim] * CLAIMERS
        with futures.ThreadPoolExecutor(len(work)) as threads:
            jobs = [threads.submit(each) for each in work]
            self.wait(jobs)
            self.ended.set()
            for job in jobs:
                job.result()
        print(f"{self.kind}: {self.restores} restores, {self.asked}")
        with self.database.reader() as conn:
            self.assertEqual([], [*invariants.violations(conn), *self.faults(conn)])
        self.assertEqual([], self.asked.failures)
        self.assertLess(0, self.restores)
        self.assertEqual([], self.not_answered_yet())

    def wait(self, jobs):
        """Wait for SECONDS, then until all NEEDED answers have come, unless a job fails."""
        begin = time.monotonic()
        futures.wait(jobs, SECONDS, futures.FIRST_EXCEPTION)
        while self.not_answered_yet() and time.monotonic() < begin + PATIENCE_SECONDS:
            if futures.wait(jobs, 0.1, futures.FIRST_EXCEPTION).done:
                break

    def not_answered_yet(self):
        return [each for each in NEEDED if not self.asked.answers[each]]

    @contextlib.contextmanager
    def client(self):
        with requests.Session() as session:
            session.trust_env = False
            session.headers.update(HEADERS | {"X-Roles": "admin,service"})
            yield Client(session, self.urls, self.asked)

    def fill(self):
        with self.client() as client:
            for class_name in CLASSES:
                client.ask("PUT", f"/resource_classes/{class_name}")
            for _ in range(HOSTS):
                _create_host(client)

    def until_the_end(self, step):
        """Call `step` with a Client again and again."""
        with self.client() as client:
            while not self.ended.is_set():
                step(client)

    def claim(self):
        self.until_the_end(_claim)

    def register(self):
        self.until_the_end(_change_a_host)

    def replace(self):
        """Replace classes again and again, with pauses in which hosts get inventories of them."""
        with self.client() as client:
            while not self.ended.wait(0.5):
                _replace_classes(client)

    def restore(self):
        """Make a backup, restore it some time later, and claim from hosts that are gone by then."""
        with self.client() as client:
            while not self.ended.wait(random.uniform(0, 0.5)):
                with self.database.reader() as conn:
                    backup = {
                        table: [row._asdict() for row in conn.execute(sa.select(*_stored(table)))]
                        for table in tables.metadata.sorted_tables
                    }
                ghosts = [_create_host(client) for _ in range(GHOSTS)]
                _claim_all(client, [[ghost] for ghost in ghosts])
                engine.retry_on_conflict(_restore, RESTORE_RETRIES)(self.database, backup)
                self.restores += 1
                # These have the ids of the ghosts, unless others were faster.
                heirs = [_create_host(client) for _ in range(GHOSTS)]
                _claim_all(client, itertools.product(ghosts, heirs))
                for pair in itertools.product(ghosts, heirs):
                    _reshape(client, random.choice(pair), _new_claim(pair))

    def look(self):
        """Look often, because most wrong claims are soon released again."""
        while not self.ended.wait(0.05):
            with self.database.reader() as conn:
                self.assertEqual([], [*self.faults(conn)])

    def faults(self, conn):
        """Yield a sentence for each row that nobody asked for."""
        yield from self.asked.faults(conn)
        yield from _wrong_inventories(conn)


class Asked:
    """What consumers may have: {consumer: {frozenset of (host, class, amount, project)}}.

    answers    a Counter of (request, status)
    failures   the requests that were answered with a 5xx
    hosts      the uuids of the newest hosts
    withdrawn  the classes that no host should get at present
    """

    def __init__(self):
        self.hosts = collections.deque(maxlen=HOSTS)
        self.withdrawn = set()
        self.answers = collections.Counter()
        self.failures = []
        self._possible = collections.defaultdict(lambda: {frozenset()})
        self._lock = threading.Lock()

    def may_become(self, states):
        with self._lock:
            for consumer, state in states.items():
                self._possible[consumer].add(state)

    def was_refused(self, states):
        with self._lock:
            for consumer, state in states.items():
                self._possible[consumer].discard(state)

    def note(self, request, answer):
        with self._lock:
            self.answers[request, answer.status_code] += 1
            if answer.status_code >= 500:
                self.failures.append(f"{request}: {answer.status_code} {answer.text}")

    def faults(self, conn):
        """Yield a sentence for each consumer that has what nobody asked for."""
        for consumer, state in _allocations_of(conn).items():
            with self._lock:
                allowed = set(self._possible[consumer])
            if state not in allowed:
                yield f"{consumer} has {sorted(state, key=str)}, but requests were for {allowed}"

    def __str__(self):
        return ", ".join(f"{what} {status}: {n}" for (what, status), n in self.answers.items())


def _allocations_of(conn):
    """Return {consumer: frozenset of (host, class, amount, project)}, None for what is gone."""
    allocations, hosts = tables.allocations, tables.resource_providers
    classes, consumers, projects = tables.resource_classes, tables.consumers, tables.projects
    query = (
        sa.select(
            allocations.c.consumer_id,
            hosts.c.uuid,
            classes.c.name,
            allocations.c.used,
            projects.c.external_id,
        )
        .select_from(allocations)
        .outerjoin(hosts, hosts.c.id == allocations.c.resource_provider_id)
        .outerjoin(classes, classes.c.id == allocations.c.resource_class_id)
        .outerjoin(consumers, consumers.c.uuid == allocations.c.consumer_id)
        .outerjoin(projects, projects.c.id == consumers.c.project_id)
    )
    found = collections.defaultdict(set)
    for consumer, *allocation in conn.execute(query):
        found[consumer].add(tuple(allocation))
    return {consumer: frozenset(state) for consumer, state in found.items()}


def _total(host, class_name):
    """Return the total of every inventory of a host and a class. No other pair has the same."""
    classes = ["VCPU", *CLASSES]
    number = uuid.UUID(host).int % 1_000_000
    return 100_000 + number * len(classes) + classes.index(class_name)


def _wrong_inventories(conn):
    """Yield a sentence for each inventory that was given to another host, or another class."""
    inventories, hosts, classes = (
        tables.inventories,
        tables.resource_providers,
        tables.resource_classes,
    )
    query = (
        sa.select(hosts.c.uuid, classes.c.name, inventories.c.total)
        .select_from(inventories)
        .outerjoin(hosts, hosts.c.id == inventories.c.resource_provider_id)
        .outerjoin(classes, classes.c.id == inventories.c.resource_class_id)
    )
    for host, class_name, total in conn.execute(query):
        if None in (host, class_name) or total != _total(host, class_name):
            yield f"{host} has {total} of {class_name}"


class Client:
    """Asks either server, and notes what was answered.

    `hosts` and `withdrawn` are those of its Asked.
    """

    def __init__(self, session, urls, asked):
        self.hosts, self.withdrawn = asked.hosts, asked.withdrawn
        self._session, self._urls, self._asked = session, urls, asked

    def ask(self, method, path, body=None):
        url = random.choice(self._urls) + path
        try:
            answer = self._session.request(method, url, json=body, timeout=60)
        except requests.ConnectionError:
            # gunicorn has just closed an idle connection; it may have got the request, or not.
            return None
        self._asked.note(f"{method} {re.split('[/?]', path)[1]}", answer)
        return answer

    def ask_for(self, method, path, claims, inventories=None):
        """Send {consumer: (project, {host: {class: amount}}, generation)}.

        Return whether it was stored. With inventories, it is a reshape.
        """
        states = {
            consumer: frozenset(
                (host, class_name, amount, project)
                for host, amounts in wanted.items()
                for class_name, amount in amounts.items()
            )
            for consumer, (project, wanted, _) in claims.items()
        }
        bodies = {
            consumer: {
                "allocations": {host: {"resources": each} for host, each in wanted.items()},
                "project_id": project,
                "user_id": project,
                "consumer_type": "INSTANCE",
                "consumer_generation": generation,
            }
            for consumer, (project, wanted, generation) in claims.items()
        }
        self._asked.may_become(states)
        body = bodies if method == "POST" else next(iter(bodies.values()))
        if inventories:
            body = {"inventories": inventories, "allocations": bodies}
        answer = self.ask(method, path, body)
        if answer is not None and 400 <= answer.status_code < 500:
            self._asked.was_refused(states)
        return answer is not None and answer.ok


def _claim(client):
    """Claim for one new consumer or two, perhaps change the claims, and perhaps remove some."""
    consumers = [str(uuid.uuid4()) for _ in range(random.randint(1, 2))]
    for generation in (None, 1):
        wanted = {
            consumer: (random.choice(OWNERS), _somewhere(client), generation)
            for consumer in consumers
        }
        if not _write(client, wanted) or random.random() < 0.5:
            break
    for consumer in consumers:
        if random.random() < 0.4:
            client.ask("DELETE", f"/allocations/{consumer}")


def _write(client, claims):
    """Send claims in one of several ways. Return whether they were stored."""
    if random.random() < 0.2:
        return _reshape(client, random.choice(client.hosts), claims)
    if len(claims) == 1:
        return client.ask_for("PUT", f"/allocations/{next(iter(claims))}", claims)
    return client.ask_for("POST", "/allocations", claims)


def _reshape(client, host, claims):
    """Give a host inventories together with claims. Return whether all of it was stored."""
    found = client.ask("GET", f"/resource_providers/{host}")
    generation = found.json()["generation"] if found is not None and found.ok else 0
    inventories = {host: _inventories(host, generation, _some_classes(client))}
    return client.ask_for("POST", "/reshaper", claims, inventories)


def _claim_all(client, each_hosts):
    """Claim from each list of hosts, with enough requests for all workers to know the names."""
    for hosts in each_hosts:
        for _ in range(WORKERS):
            claim = _new_claim(hosts)
            client.ask_for("PUT", f"/allocations/{next(iter(claim))}", claim)


def _new_claim(hosts):
    """Return a claim for a new consumer, from each of some hosts."""
    wanted = {host: {"VCPU": 1} for host in random.sample([*hosts], len(hosts))}
    return {str(uuid.uuid4()): (OWNERS[0], wanted, None)}


def _somewhere(client):
    hosts = random.sample([*client.hosts], random.choice([1, 2, 3]))
    classes = ["VCPU", "VCPU", "VCPU", *CLASSES]
    return {host: {random.choice(classes): random.randint(1, 9)} for host in hosts}


def _change_a_host(client):
    if random.random() < 0.5:
        _delete_host(client)
    else:
        _create_host(client)


def _create_host(client):
    host = str(uuid.uuid4())
    client.ask("POST", "/resource_providers", {"uuid": host, "name": host})
    body = _inventories(host, 0, _some_classes(client))
    client.ask("PUT", f"/resource_providers/{host}/inventories", body)
    client.hosts.append(host)
    return host


def _some_classes(client):
    return ["VCPU", *(set(random.sample(CLASSES, 2)) - client.withdrawn)]


def _inventories(host, generation, class_names):
    """Return the body that gives a host inventories of some classes."""
    return {
        "resource_provider_generation": generation,
        "inventories": {name: {"total": _total(host, name)} for name in class_names},
    }


def _delete_host(client):
    host = random.choice(client.hosts)
    _release_all(client, host)
    client.ask("DELETE", f"/resource_providers/{host}")


def _release_all(client, host):
    found = client.ask("GET", f"/resource_providers/{host}/allocations")
    if found is not None and found.ok:
        for consumer in found.json()["allocations"]:
            client.ask("DELETE", f"/allocations/{consumer}")


def _replace_classes(client):
    """Remove two classes from all hosts, delete them, and make them again in the other order."""
    names = random.sample(CLASSES, 2)
    client.withdrawn.update(names)
    for name in names:
        found = client.ask("GET", f"/resource_providers?resources={name}:1")
        hosts = found.json()["resource_providers"] if found is not None and found.ok else []
        for host in hosts:
            _release_all(client, host["uuid"])
            client.ask("DELETE", f"/resource_providers/{host['uuid']}/inventories/{name}")
    for name in names:
        client.ask("DELETE", f"/resource_classes/{name}")
    for name in reversed(names):
        client.ask("PUT", f"/resource_classes/{name}")
    client.withdrawn.clear()


# --- Backups -----------------------------------------------------------------------------------


def _stored(table):
    """The columns that are not computed by the database."""
    return [column for column in table.c if column.computed is None]


def _restore(database, backup):
    """Replace all contents with those of a backup, and let new ids follow the backup's ids.

    Nobody else sees anything between the two.
    """
    kind = database.kind
    ordered = sorted(backup, key=_ORDER.index)
    with database.connection(engine.TransactionKind.WRITE) as conn, conn.begin():
        for statement in _LOCK[kind]:
            conn.exec_driver_sql(statement)
        try:
            conn.execute(
                sa.update(tables.resource_providers).values(
                    parent_provider_id=None, root_provider_id=None
                )
            )
            for table in reversed(ordered):
                conn.execute(sa.delete(table))
            for table in ordered:
                if backup[table]:
                    conn.execute(sa.insert(table), backup[table])
            for statement in _COMMIT[kind]:
                conn.exec_driver_sql(statement)
            for table in _NAMED:
                _give_ids_again(conn, table)
        finally:
            for statement in _UNLOCK[kind]:
                conn.exec_driver_sql(statement)


# A claim writes to the tables in this order. Inventories come last: their triggers sum what is
# allocated.
_LAST = [
    tables.consumers,
    tables.resource_providers,
    tables.resource_provider_traits,
    tables.allocations,
    tables.inventories,
]
_ORDER = [*(table for table in tables.metadata.sorted_tables if table not in _LAST), *_LAST]
_NAMED = [tables.resource_providers, tables.consumer_types, tables.projects, tables.users]
_NAMES = ", ".join(table.name for table in _ORDER)
_LOCK = {
    "sqlite": [],
    "postgresql": [f"LOCK TABLE {_NAMES} IN SHARE ROW EXCLUSIVE MODE"],
    "mysql": [
        # mysqldump sets this, too: VCPU has the id 0, which MySQL would otherwise replace.
        "SET SESSION sql_mode = CONCAT(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO')",
        f"LOCK TABLES {_NAMES.replace(',', ' WRITE,')} WRITE",
    ],
}
# Changing a table commits, and may unlock it.
_COMMIT = {"sqlite": [], "postgresql": [], "mysql": ["COMMIT"]}
_UNLOCK = {
    "sqlite": [],
    "postgresql": [],
    "mysql": ["ROLLBACK", "UNLOCK TABLES"],
}


def _give_ids_again(conn, table):
    highest = conn.scalar(sa.select(sa.func.coalesce(sa.func.max(table.c.id), 0)))
    if conn.dialect.name == "sqlite":
        statement = "UPDATE sqlite_sequence SET seq = ? WHERE name = ?"
        conn.exec_driver_sql(statement, (highest, table.name))
        return
    if conn.dialect.name == "mysql":
        statement = f"ALTER TABLE {table.name} AUTO_INCREMENT = {highest + 1}"
    else:
        sequence = f"pg_get_serial_sequence('{table.name}', 'id')"
        statement = f"SELECT setval({sequence}, {highest + 1}, false)"
    conn.exec_driver_sql(statement)
