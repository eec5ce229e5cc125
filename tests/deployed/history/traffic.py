"""Clients, each in a thread of its own, that send requests, and the file of their calls."""

import contextlib
import itertools
import random
import threading
import time

import requests

from tests.deployed.history import calls, clients

HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement latest"}
CLIENTS = 8
# A service that takes longer is considered to hang.
TIMEOUT_SECONDS = 60


class Traffic:
    """Clients of the servers at `urls`, whose calls are added to the file at `path`.

    The servers are asked directly: a proxy that repeats requests would make two calls of one.
    """

    def __init__(self, urls, path):
        self._urls = urls
        self._path = path
        self._world = clients.World(random.Random())
        self._numbers = itertools.count()

    def create_world(self):
        """Create what the clients will contend for, and wait until each server has it."""
        with calls.Recorder(self._path) as recorder:
            first = self._urls[:1]
            _Conversation(first, recorder, next(self._numbers)).hold(self._world.creation())
            for url in self._urls:
                _Conversation([url], recorder, next(self._numbers)).hold(self._world.arrival())

    def take_snapshots(self):
        """Read everything once more, on each server.

        Raises: ConnectionError if a server does not show it.
        """
        with calls.Recorder(self._path) as recorder:
            for url in self._urls:
                _Conversation([url], recorder, next(self._numbers)).hold(_last_look())

    @contextlib.contextmanager
    def flowing(self, count=CLIENTS):
        """Let new clients send requests until the end of the block; yield the Recorder."""
        ended = threading.Event()
        with calls.Recorder(self._path) as recorder:
            threads = [self._start_client(recorder, ended) for _ in range(count)]
            try:
                yield recorder
            finally:
                ended.set()
                for thread in threads:
                    thread.join()

    def _start_client(self, recorder, ended):
        conversation = _Conversation(self._urls, recorder, next(self._numbers))
        client = clients.Client(self._world, random.Random())
        thread = threading.Thread(target=conversation.hold, args=[client.requests(), ended])
        thread.start()
        return thread


def _last_look():
    answer = yield calls.Request("GET", clients.SNAPSHOT)
    if answer.status != 200:
        raise ConnectionError(f"what was kept cannot be read: {answer}")


class _Conversation:
    """The calls of one client, each to any of the servers."""

    def __init__(self, urls, recorder, client):
        self._urls = urls
        self._recorder = recorder
        self._client = client
        self._session = requests.Session()
        # Proxies that the environment names are not for this service.
        self._session.trust_env = False
        self._session.headers.update(HEADERS)

    def hold(self, asking, ended=None):
        """Send the Requests that a generator yields, until it ends or the event `ended` is set."""
        answer = None
        with self._session, contextlib.suppress(StopIteration):
            while ended is None or not ended.is_set():
                answer = self._ask(asking.send(answer))

    def _ask(self, request):
        server = random.choice(self._urls)
        begin = time.monotonic()
        answer = self._send(server, request)
        end = time.monotonic()
        self._recorder.record(calls.Call(self._client, server, begin, end, *request, *answer))
        return answer

    def _send(self, server, request):
        method, path, body = request
        try:
            response = self._session.request(
                method, server + path, json=body, timeout=TIMEOUT_SECONDS
            )
            answer = calls.Answer(response.status_code, _document(response))
        except requests.RequestException:
            answer = calls.Answer(None)
        if answer.status in (None, 503):
            # A server that is down, or whose database is, refuses at once.
            time.sleep(0.05)
        return answer


def _document(response):
    if response.headers.get("Content-Type", "").startswith("application/json"):
        return response.json()
    return None
