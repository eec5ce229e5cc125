"""Clients that claim, move and release at the same time, and remember the answers.

A consumer is written to by one client only, so that each answer has one meaning: what was
acknowledged must be stored, what was refused must not be. After any other answer, or none, both
are possible, and the client leaves that consumer alone.
"""

import collections
import random
import threading
import time
import uuid
from typing import NamedTuple

import requests
import sqlalchemy as sa

from placement.db import tables
from tests.functional import invariants

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}
CLIENTS = 8
HOSTS = 6
VCPU = 24
# Clients want more than there is: some claims must be refused.
CONSUMERS = 10
# A service that takes longer is considered to hang.
TIMEOUT_SECONDS = 60
# How long to wait after an error: clients that retry at once would take CPU time from starting
# servers.
PAUSE_SECONDS = 0.05

CONCURRENT_UPDATE = "placement.concurrent_update"
NO_ANSWER = 0


class Failure(NamedTuple):
    """A request that a server answered with 500 or more, or not at all (NO_ANSWER).

    `server` is the URL that the client asked, `said` the body, or why there was no answer.
    """

    server: str
    method: str
    path: str
    status: int
    said: str


class Books:
    """What the clients know about the allocations: {consumer: [{host: amount}, or {} for none]}.

    If there is more than one entry, nobody knows which is true.

    hosts     the uuids of the hosts
    answers   a Counter of (method, status)
    failures  a list of Failures
    stale     how often a read of a consumer differed from what was written
    slowest   how many seconds the slowest request took
    """

    def __init__(self):
        self.hosts = [str(uuid.uuid4()) for _ in range(HOSTS)]
        self.possible = {}
        self.answers = collections.Counter()
        self.failures = []
        self.stale = 0
        self.slowest = 0
        self._lock = threading.Lock()

    def note(self, method, status, seconds):
        with self._lock:
            self.answers[method, status] += 1
            self.slowest = max(self.slowest, seconds)

    def note_failure(self, *failure):
        with self._lock:
            self.failures.append(Failure(*failure))

    def note_stale(self):
        with self._lock:
            self.stale += 1

    @property
    def doubtful(self):
        return [consumer for consumer, states in self.possible.items() if len(states) > 1]

    def failures_of(self, *methods):
        """Return the Failures of requests with one of the methods."""
        return [failure for failure in self.failures if failure.method in methods]

    def differences(self, stored):
        """Return a sentence for each consumer that is `stored` in a way that no answer allows."""
        for consumer in self.possible.keys() | stored.keys():
            found = stored.get(consumer, {})
            allowed = self.possible.get(consumer, [{}])
            if found not in allowed:
                yield f"{consumer} has {found}, and should have {allowed}"

    def __str__(self):
        answers = ", ".join(
            f"{method} {status or 'none'}: {count}"
            for (method, status), count in sorted(self.answers.items())
        )
        return (
            f"{self.answers.total()} requests ({answers}), {len(self.doubtful)} consumers in "
            f"doubt now, {self.stale} stale reads, {self.slowest:.2f} s for the slowest"
        )


def stored(conn, hosts):
    """Return {consumer: {host: amount}} of what is allocated on the hosts in a database."""
    allocations, providers = tables.allocations, tables.resource_providers
    found = collections.defaultdict(dict)
    for consumer, host, amount in conn.execute(
        sa.select(allocations.c.consumer_id, providers.c.uuid, allocations.c.used)
        .join(providers, providers.c.id == allocations.c.resource_provider_id)
        .where(providers.c.uuid.in_(hosts))
    ):
        found[consumer][host] = amount
    return dict(found)


def faults(database, books):
    """Return a sentence for each inconsistency of a database and each difference from the Books."""
    with database.reader() as conn:
        return [*invariants.violations(conn), *books.differences(stored(conn, books.hosts))]


class Storm:
    """Clients of the servers at `urls`. Within the context, they send requests to all of them."""

    def __init__(self, urls, books, certificate=None):
        self._clients = [Client(urls, books, certificate) for _ in range(CLIENTS)]
        self._ended = threading.Event()
        self._threads = []

    def register_hosts(self):
        self._clients[0].register_hosts()

    def release_doubtful(self):
        """Do what clients do when they get no answer: release, and check that nothing is left."""
        self._clients[0].release_doubtful()

    def __enter__(self):
        self._ended.clear()
        self._threads = [
            threading.Thread(target=client.run, args=[self._ended]) for client in self._clients
        ]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_error):
        self._ended.set()
        for thread in self._threads:
            thread.join()


class Client:
    """One client, with consumers of its own."""

    def __init__(self, urls, books, certificate):
        self._urls = urls
        self._books = books
        self._session = requests.Session()
        # Proxies and certificates that the environment names are not for this service.
        self._session.trust_env = False
        self._session.verify = certificate
        self._session.headers.update(HEADERS)
        # The generations of those consumers whose state is certain.
        self._generations = {}

    def register_hosts(self):
        for host in self._books.hosts:
            self._ask("POST", "/resource_providers", {"uuid": host, "name": host})
            self._ask(
                "PUT",
                f"/resource_providers/{host}/inventories",
                {"resource_provider_generation": 0, "inventories": {"VCPU": {"total": VCPU}}},
            )

    def run(self, ended):
        """Do one thing after the other until the event `ended` is set."""
        while not ended.is_set():
            if random.randrange(CONSUMERS) >= len(self._generations):
                self._claim()
            else:
                action = random.choice([self._move, self._migrate, self._release, self._look])
                action(random.choice([*self._generations]))
        self._session.close()

    def _claim(self):
        consumer = self._newcomer()
        self._put(consumer, self._somewhere())

    def _move(self, consumer):
        self._put(consumer, self._somewhere())

    def _migrate(self, consumer):
        """Move all that a consumer has to a new consumer, in one request."""
        [held] = self._books.possible[consumer]
        wanted = {self._newcomer(): held, consumer: self._somewhere()}
        claims = {each: self._claim_for(each, amounts) for each, amounts in wanted.items()}
        self._write("POST", "/allocations", wanted, claims)

    def _release(self, consumer):
        if random.random() < 0.5:
            self._put(consumer, {})
        else:
            self._write("DELETE", f"/allocations/{consumer}", {consumer: {}})

    def _look(self, consumer):
        [held] = self._books.possible[consumer]
        answer = self._ask("GET", f"/allocations/{consumer}")
        if answer is not None and answer.ok:
            found = answer.json()["allocations"]
            if held != {host: each["resources"]["VCPU"] for host, each in found.items()}:
                self._books.note_stale()
        self._ask("GET", "/allocation_candidates?resources=VCPU:1&limit=10")

    def release_doubtful(self):
        for consumer in self._books.doubtful:
            answer = self._ask("DELETE", f"/allocations/{consumer}")
            if answer is not None and answer.status_code in (204, 404):
                self._books.possible[consumer] = [{}]

    def _newcomer(self):
        consumer = str(uuid.uuid4())
        self._books.possible[consumer] = [{}]
        return consumer

    def _somewhere(self):
        hosts = random.sample(self._books.hosts, random.randint(1, 2))
        return {host: random.randint(1, 2) for host in hosts}

    def _put(self, consumer, amounts):
        claim = self._claim_for(consumer, amounts)
        self._write("PUT", f"/allocations/{consumer}", {consumer: amounts}, claim)

    def _claim_for(self, consumer, amounts):
        return {
            "allocations": {host: {"resources": {"VCPU": n}} for host, n in amounts.items()},
            "project_id": "storm",
            "user_id": "storm",
            "consumer_type": "INSTANCE",
            "consumer_generation": self._generations.get(consumer),
        }

    def _write(self, method, path, wanted, body=None):
        """Write what consumers should hold, and note every possible outcome."""
        answer = self._ask(method, path, body)
        if answer is not None and answer.status_code == 204:
            for consumer, amounts in wanted.items():
                self._books.possible[consumer] = [amounts]
                generation = (self._generations.pop(consumer, None) or 0) + 1
                if amounts:
                    self._generations[consumer] = generation
        elif not _is_refusal(answer):
            for consumer, amounts in wanted.items():
                self._books.possible[consumer].append(amounts)
                self._generations.pop(consumer, None)

    def _ask(self, method, path, body=None):
        """Return the answer, or None if there was none."""
        server = random.choice(self._urls)
        began = time.monotonic()
        try:
            answer = self._session.request(
                method, server + path, json=body, timeout=TIMEOUT_SECONDS
            )
        except requests.RequestException as error:
            answer, status, said = None, NO_ANSWER, str(error)
        else:
            status, said = answer.status_code, answer.text
        self._books.note(method, status, time.monotonic() - began)
        if status == NO_ANSWER or status >= 500:
            self._books.note_failure(server, method, path, status, said)
            time.sleep(PAUSE_SECONDS)
        return answer


def _is_refusal(answer):
    """Whether it is certain that nothing was stored.

    A client whose write conflicts may itself be the other writer: a web server that gets no answer
    to a PUT repeats it on another server, where it then conflicts with the first attempt.
    """
    if answer is None or answer.status_code != 409:
        return False
    return answer.json()["errors"][0]["code"] != CONCURRENT_UPDATE
