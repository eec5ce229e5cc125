"""Names that suddenly mean something else, while clients claim by them.

Providers and classes are deleted and made again, with the same name or another, and backups are
restored while two servers with two workers each go on. So ids are reused, and what workers remember
of names becomes wrong at any moment.

Run by `make kill`. STORM_SECONDS says how long.
"""

import collections
import contextlib
import itertools
import os
import random
import threading
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
# The newest hosts, some of which are gone. A restore removes some, and the next hosts get their
# ids.
HOSTS = 8
CLASSES = ["CUSTOM_A", "CUSTOM_B", "CUSTOM_C"]
# How many hosts are made between a backup and its restore, at least.
GHOSTS = 2
OWNERS = ["one", "two", "three"]
# How many claims may be in the way of a restore.
RESTORE_RETRIES = 100


@databases.on_each_database
class StaleNames:
    """If one fails, a claim is stored for a provider, or a class, that it does not name."""

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

    def test_no_allocation_is_of_a_provider_or_class_that_was_not_asked_for(self):
        self.fill()
        work = [self.restore, self.look, self.register, *([self.claim] * CLAIMERS)]
        with futures.ThreadPoolExecutor(len(work)) as threads:
            jobs = [threads.submit(each) for each in work]
            futures.wait(jobs, SECONDS, futures.FIRST_EXCEPTION)
            self.ended.set()
            for job in jobs:
                job.result()
        print(f"{self.kind}: {self.restores} restores, {self.asked}")
        with self.database.reader() as conn:
            self.assertEqual([], [*invariants.violations(conn), *self.asked.faults(conn)])
        self.assertEqual([], self.asked.failures)
        # Otherwise this test has tested nothing.
        self.assertLess(0, min(self.restores, self.asked.answers["PUT allocations", 204]))
        self.assertLess(0, self.asked.answers["PUT allocations", 400])

    @contextlib.contextmanager
    def client(self):
        with requests.Session() as session:
            session.trust_env = False
            session.headers.update(HEADERS)
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
        self.until_the_end(_change_something)

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

    def look(self):
        """Look often, as most wrong claims are soon released again."""
        while not self.ended.wait(0.05):
            with self.database.reader() as conn:
                self.assertEqual([], [*self.asked.faults(conn)])


class Asked:
    """What consumers may have: {consumer: {frozenset of (host, class, amount, project)}}.

    Attributes: answers, a Counter of (request, status); failures, what was answered with a 5xx;
    hosts, the uuids of the newest ones
    """

    def __init__(self):
        self.hosts = collections.deque(maxlen=HOSTS)
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
                yield f"{consumer} has {sorted(state, key=str)}, asked was for {allowed}"

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


class Client:
    """Asks either server, and notes what was answered.

    Attributes: hosts, as of Asked
    """

    def __init__(self, session, urls, asked):
        self.hosts = asked.hosts
        self._session, self._urls, self._asked = session, urls, asked

    def ask(self, method, path, body=None):
        url = random.choice(self._urls) + path
        try:
            answer = self._session.request(method, url, json=body, timeout=60)
        except requests.ConnectionError:
            # gunicorn has just closed an idle connection; it may have got the request, or not.
            return None
        self._asked.note(f"{method} {path.split('/')[1]}", answer)
        return answer

    def ask_for(self, method, path, claims):
        """Send {consumer: (project, {host: {class: amount}}, generation)}. Return if stored."""
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
        answer = self.ask(method, path, body)
        if answer is not None and 400 <= answer.status_code < 500:
            self._asked.was_refused(states)
        return answer is not None and answer.ok


def _claim(client):
    """Claim for one new consumer or two, perhaps change it, and give most of it back."""
    consumers = [str(uuid.uuid4()) for _ in range(random.randint(1, 2))]
    for generation in (None, 1):
        wanted = {
            consumer: (random.choice(OWNERS), _somewhere(client), generation)
            for consumer in consumers
        }
        if len(consumers) == 1:
            stored = client.ask_for("PUT", f"/allocations/{consumers[0]}", wanted)
        else:
            stored = client.ask_for("POST", "/allocations", wanted)
        if not stored or random.random() < 0.5:
            break
    for consumer in consumers:
        if random.random() < 0.4:
            client.ask("DELETE", f"/allocations/{consumer}")


def _claim_all(client, each_hosts):
    """Claim from each list of hosts, with enough requests for all workers to know the names."""
    for hosts in each_hosts:
        for _ in range(WORKERS):
            consumer = str(uuid.uuid4())
            wanted = {host: {"VCPU": 1} for host in random.sample([*hosts], len(hosts))}
            claim = {consumer: (OWNERS[0], wanted, None)}
            client.ask_for("PUT", f"/allocations/{consumer}", claim)


def _somewhere(client):
    hosts = random.sample([*client.hosts], random.choice([1, 2, 3]))
    classes = ["VCPU", "VCPU", "VCPU", *CLASSES]
    return {host: {random.choice(classes): random.randint(1, 9)} for host in hosts}


def _change_something(client):
    chance = random.random()
    if chance < 0.05:
        _replace_class(client)
    elif chance < 0.5:
        _delete_host(client)
    else:
        _create_host(client)


def _create_host(client):
    host = str(uuid.uuid4())
    client.ask("POST", "/resource_providers", {"uuid": host, "name": host})
    _set_inventories(client, host, 0, ["VCPU", *random.sample(CLASSES, 2)])
    client.hosts.append(host)
    return host


def _set_inventories(client, host, generation, class_names):
    body = {
        "resource_provider_generation": generation,
        "inventories": {name: {"total": 100_000} for name in class_names},
    }
    client.ask("PUT", f"/resource_providers/{host}/inventories", body)


def _delete_host(client):
    host = random.choice(client.hosts)
    _release_all(client, host)
    client.ask("DELETE", f"/resource_providers/{host}")


def _release_all(client, host):
    found = client.ask("GET", f"/resource_providers/{host}/allocations")
    if found is not None and found.ok:
        for consumer in found.json()["allocations"]:
            client.ask("DELETE", f"/allocations/{consumer}")


def _replace_class(client):
    """Remove a class from all hosts, and then others, so that another gets its id."""
    name, other = random.sample(CLASSES, 2)
    for host, class_name in itertools.product([*client.hosts], (name, other)):
        _release_all(client, host)
        client.ask("DELETE", f"/resource_providers/{host}/inventories/{class_name}")
    for class_name in (name, other):
        client.ask("DELETE", f"/resource_classes/{class_name}")
    for class_name in (other, name):
        client.ask("PUT", f"/resource_classes/{class_name}")


# --- Backups -----------------------------------------------------------------------------------


def _stored(table):
    """The columns that are not computed by the database."""
    return [column for column in table.c if column.computed is None]


def _restore(database, backup):
    """Replace all contents by those of a backup, and let the next ids follow its own.

    Nobody else sees anything between the two.
    """
    kind = database.kind
    ordered = sorted(backup, key=_ORDER.index)
    with database.connection("write") as conn, conn.begin():
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
        # As mysqldump does it: VCPU has the id 0.
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
