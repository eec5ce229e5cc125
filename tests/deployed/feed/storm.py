"""Writers, each in its own thread, and the answers that they got."""

import collections
import contextlib
import random
import threading
import time

import requests

from tests.deployed.feed import writers
from tests.deployed.feed.writes import Answer, Outcome

HEADERS = {
    "X-Auth-Token": "admin",
    # The role of a service, which may reshape.
    "X-Roles": "admin,service",
    "OpenStack-API-Version": "placement latest",
}
WRITERS = 8
# A service that takes longer is considered to hang.
TIMEOUT_SECONDS = 60


class Storm:
    """Writers to the servers at `urls`.

    The servers are asked directly: a proxy that repeats requests would make two writes of one.

    outcomes   a list of the Outcomes of writes, in no order
    is_enough  an event that is set when `goal` writes are acknowledged
    left       how many of these writes are still missing
    """

    def __init__(self, urls, goal):
        self.outcomes = []
        self.is_enough = threading.Event()
        self._ended = threading.Event()
        self._urls = urls
        self.left = goal
        self._lock = threading.Lock()
        self._world = writers.World()

    def create_world(self):
        """Create what the writers will contend for."""
        with contextlib.closing(_session()) as session:
            for request in self._world.creation():
                assert _send(session, self._urls[0], request).is_acknowledged, request

    @contextlib.contextmanager
    def raging(self):
        """Let the writers run until the end of the block."""
        threads = [threading.Thread(target=self._write) for _ in range(WRITERS)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._ended.set()
            for thread in threads:
                thread.join()

    def _write(self):
        asking = writers.Writer(self._world).requests()
        answer = None
        with contextlib.closing(_session()) as session:
            while not self._ended.is_set():
                request = asking.send(answer)
                answer = _send(session, random.choice(self._urls), request)
                if request.effects:
                    self._note(Outcome(request, answer))

    def _note(self, outcome):
        with self._lock:
            self.outcomes.append(outcome)
            self.left -= outcome.answer.is_acknowledged
            if self.left <= 0:
                self.is_enough.set()

    def internal_errors(self, urls):
        """Return the Outcomes of writes that these servers answered with status 500."""
        return [
            each
            for each in self.outcomes
            if each.answer.status == 500 and each.answer.server in urls
        ]

    def __str__(self):
        statuses = collections.Counter(each.answer.status or 0 for each in self.outcomes)
        answers = ", ".join(
            f"{status or 'none'}: {count}" for status, count in sorted(statuses.items())
        )
        return f"{len(self.outcomes)} writes ({answers})"


def _session():
    session = requests.Session()
    # Proxies that the environment names are not for this service.
    session.trust_env = False
    session.headers.update(HEADERS)
    return session


def _send(session, server, request):
    method, path, body, _ = request
    try:
        response = session.request(method, server + path, json=body, timeout=TIMEOUT_SECONDS)
    except requests.RequestException:
        # A server that is down refuses at once.
        time.sleep(0.05)
        return Answer(server)
    request_id = response.headers.get("x-openstack-request-id")
    document = response.json() if response.content else None
    return Answer(server, response.status_code, request_id, document)


def providers(url):
    """Return {uuid: provider}, with all allocations, as a server has them."""
    document = _read(f"{url}/operator/providers?consumers=true")
    return {each["uuid"]: each for each in document["resource_providers"]}


def found_by_audit(url):
    """Return {name of a check: examples} of what is wrong, or missing in the feed."""
    return {
        each["check"]: each["examples"]
        for each in _read(f"{url}/operator/audit")["checks"]
        if each["count"] and (each["is_fault"] or each["check"] == "changes_complete")
    }


def _read(url):
    with contextlib.closing(_session()) as session:
        answer = session.get(url)
        answer.raise_for_status()
    return answer.json()
