"""One client of a Placement API."""

import http.client
import json
import queue
from concurrent import futures
from typing import NamedTuple

import orjson

from bench.measuring import interrupts

HEADERS = {
    "X-Auth-Token": "admin",
    "OpenStack-API-Version": "placement 1.39",
    "Content-Type": "application/json",
    "Accept": "application/json",
}
# Requests that are not measured may take minutes; a user can interrupt the benchmark.
TIMEOUT_SECONDS = 3600


class Unexpected(Exception):
    """A server did not do what the benchmark measures."""


class TooSlow(Exception):
    """A server did not answer in the time that the benchmark gives it."""


class Answer(NamedTuple):
    status: int
    body: bytes

    @property
    def is_success(self):
        return 200 <= self.status < 300


class Client:
    """A connection to the server at a port of this machine.

    It is opened by the first request, and again whenever the server has closed it. The caller
    has to close it.
    """

    def __init__(self, port, timeout_seconds=TIMEOUT_SECONDS):
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_seconds)

    def ask(self, method, path, document=None):
        """Read the whole answer, and return it as an Answer.

        Raises: TooSlow, OSError, http.client.HTTPException.
        """
        body = None if document is None else json.dumps(document)
        try:
            self._connection.request(method, path, body, HEADERS)
            response = self._connection.getresponse()
            return Answer(response.status, response.read())
        except TimeoutError as error:
            self.close()
            raise TooSlow(f"{method} {path}") from error
        except (OSError, http.client.HTTPException):
            self.close()
            raise

    def insist(self, method, path, document=None):
        """Return the document in the answer, or None if there is none.

        Raises: Unexpected if the request is refused; as ask().
        """
        answer = self.ask(method, path, document)
        if not answer.is_success:
            raise Unexpected(f"{method} {path}: {answer.status} {answer.body.decode()}")
        return orjson.loads(answer.body) if answer.body else None

    def close(self):
        self._connection.close()


def side_by_side(clients, task, arguments):
    """Call the task with each of the arguments, in a thread for each client. Return the results.

    After an interrupt, it does not wait for the clients: they end when the server is gone.
    Raises: what the first task to fail raises.
    """
    ended = queue.SimpleQueue()
    executor = futures.ThreadPoolExecutor(clients)
    try:
        # An interrupt could leave a lock of `threading` locked, and then a thread would never end.
        # A SimpleQueue has no such lock.
        with interrupts.delayed():
            submitted = [executor.submit(task, argument) for argument in arguments]
            for future in submitted:
                future.add_done_callback(ended.put)
        for _ in submitted:
            ended.get().result()
        return [future.result() for future in submitted]
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
